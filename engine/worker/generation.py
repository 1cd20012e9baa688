"""Answers of a model: greedy, many questions at once, padded on the left.

The exam asks ten questions a dozen times in a run and the side-by-side chat asks while a person
waits, both often on a processor, so questions of similar length share a batch. Greedy, because the
same model must give the same answer twice. Called by `exam.py` and `speaker.py`.
"""

from collections.abc import Callable, Collection, Sequence
from typing import Any

import torch

from tailor.engine.errors import UserError
from tailor.engine.worker.answers import THOUGHT_END
from tailor.engine.worker.template import write_turns
from tailor.estimator.record import record
from tailor.recipes.spec import Message

BATCH_ROWS = 16


@record
class Reply:
    """What a model said."""

    text: str
    tokens: int
    ended: bool
    """Whether it ended by itself, before the limit."""


def answer_questions(
    model: Any,
    tokenizer: Any,
    questions: Sequence[Sequence[Message]],
    *,
    max_new_tokens: int,
    end_ids: Collection[int],
    limit_tokens: int,
    on_batch: Callable[[], None] = lambda: None,
) -> list[Reply]:
    """One reply a question, in the questions' order. `on_batch` is called after each batch.

    `limit_tokens` is the longest text that the model was made for, answer included.
    """
    prompts = [encode_question(tokenizer, asked) for asked in questions]
    _require_room(prompts, max_new_tokens, limit_tokens)
    order = sorted(range(len(prompts)), key=lambda place: len(prompts[place]))
    replies: dict[int, Reply] = {}
    was_training = model.training
    model.eval()
    for start in range(0, len(order), BATCH_ROWS):
        places = order[start : start + BATCH_ROWS]
        ids = [prompts[place] for place in places]
        generated = _generate(model, tokenizer, ids, max_new_tokens, end_ids)
        for place, told in zip(places, generated, strict=True):
            replies[place] = _reply(tokenizer, told, end_ids)
        on_batch()
    model.train(was_training)
    return [replies[place] for place in range(len(prompts))]


def encode_question(tokenizer: Any, messages: Sequence[Message]) -> list[int]:
    """Tokens of a conversation up to where the model shall answer."""
    text = write_turns(tokenizer, messages, is_asking=True)
    return tokenizer(text, add_special_tokens=False)["input_ids"]


def _require_room(prompts: list[list[int]], max_new_tokens: int, limit_tokens: int) -> None:
    longest = max((len(prompt) for prompt in prompts), default=0)
    if longest + max_new_tokens > limit_tokens:
        raise UserError(
            title="This question is too long for the model",
            detail=f"It has {longest:,} tokens; with its answer the model can read "
            f"{limit_tokens:,}.",
            fix="Shorten it.",
        )


def _generate(
    model: Any,
    tokenizer: Any,
    prompts: list[list[int]],
    max_new_tokens: int,
    end_ids: Collection[int],
) -> list[list[int]]:
    width = max(len(prompt) for prompt in prompts)
    padding = tokenizer.pad_token_id
    ids = torch.tensor([[padding] * (width - len(one)) + one for one in prompts])
    mask = torch.tensor([[0] * (width - len(one)) + [1] * len(one) for one in prompts])
    with torch.no_grad():
        told = model.generate(
            input_ids=ids.to(model.device),
            attention_mask=mask.to(model.device),
            max_new_tokens=max_new_tokens,
            do_sample=False,
            num_beams=1,
            # The folder's own settings may ask for sampling; these undo them for a greedy answer.
            temperature=None,
            top_p=None,
            top_k=None,
            repetition_penalty=1.0,
            pad_token_id=padding,
            eos_token_id=sorted(end_ids),
            use_cache=True,
        )
    return told[:, width:].tolist()


def _reply(tokenizer: Any, told: list[int], end_ids: Collection[int]) -> Reply:
    end = next((i for i, token in enumerate(told) if token in end_ids), None)
    kept = told if end is None else told[:end]
    text = tokenizer.decode(kept, skip_special_tokens=True)
    # Thoughts before an answer are not the answer, and an empty one is the template's.
    text = text.rpartition(THOUGHT_END)[2]
    return Reply(text=text.strip(), tokens=len(kept), ended=end is not None)
