"""Chat templates: how turns become the text that a model reads.

Every model family writes conversations in its own way, some refuse a system turn, and some bring no
template at all. Training, exam, preview and side-by-side chat must write them alike, so all of them
come here and nowhere else. Only the tokenizer is needed: no torch in this file.
"""

import json
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from jinja2.exceptions import TemplateError

from tailor.engine.errors import UserError
from tailor.recipes.spec import Message

PLAIN_TEMPLATE = (
    "{% for message in messages %}"
    "{% if message['role'] == 'assistant' %}"
    "Answer: {{ message['content'] }}{{ eos_token }}\n\n"
    "{% elif message['role'] == 'system' %}{{ message['content'] }}\n\n"
    "{% else %}Question: {{ message['content'] }}\n\n{% endif %}"
    "{% endfor %}"
    "{% if add_generation_prompt %}Answer:{% endif %}"
)
"""For models that bring no template. It is saved with the finished model, which needs it too."""


def load_tokenizer(folder: Path) -> Any:
    """The model's tokenizer, never running code from its folder, with a template and padding."""
    from transformers import AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(
        folder, local_files_only=True, trust_remote_code=False
    )
    if tokenizer.chat_template is None:
        tokenizer.chat_template = PLAIN_TEMPLATE
    if tokenizer.eos_token is None:
        raise UserError(
            title="This model cannot end an answer",
            detail="Its tokenizer names no end token, so it would go on writing for ever.",
            fix="Choose another model. The starter model has one.",
        )
    if tokenizer.pad_token is None:
        # Padding is masked by the attention mask, never by its id, so sharing the id is harmless.
        tokenizer.pad_token = tokenizer.eos_token
    return tokenizer


def write_turns(tokenizer: Any, messages: Sequence[Message], *, is_asking: bool) -> str:
    """The text of `messages`; `is_asking` adds the words that make the model answer next."""
    turns = [{"role": message.role, "content": message.content} for message in messages]
    try:
        return _apply(tokenizer, turns, is_asking)
    except TemplateError as refused:
        folded = _fold_system(turns)
        if folded == turns:
            raise _unreadable(refused) from refused
    try:
        return _apply(tokenizer, folded, is_asking)
    except TemplateError as refused:
        raise _unreadable(refused) from refused


def read_end_ids(tokenizer: Any, folder: Path) -> frozenset[int]:
    """Ids of the tokens that end an answer, by tokenizer and `generation_config.json`."""
    ids = {tokenizer.eos_token_id}
    config = folder / "generation_config.json"
    if config.exists():
        named = json.loads(config.read_text("utf-8")).get("eos_token_id")
        ids.update(named if isinstance(named, list) else [] if named is None else [named])
    ids.update(_turn_end_ids(tokenizer))
    return frozenset(ids)


def _turn_end_ids(tokenizer: Any) -> set[int]:
    """The special token that the template puts behind an answer, where it is a token of its own.

    Base models often name only their end of document, while their template ends turns otherwise.
    """
    question, answer = Message(role="user", content="1"), Message(role="assistant", content="2")
    asked = write_turns(tokenizer, (question,), is_asking=True)
    told = write_turns(tokenizer, (question, answer), is_asking=False)
    if not told.startswith(asked):
        return set()
    ending = find_special_ending(tokenizer, told[len(asked) :].rstrip())
    return {tokenizer.convert_tokens_to_ids(ending)} if ending else set()


def find_special_ending(tokenizer: Any, text: str) -> str:
    """The special token that `text` ends with, or an empty string."""
    endings = [token for token in special_tokens(tokenizer) if text.endswith(token)]
    return max(endings, key=len, default="")


@lru_cache(maxsize=4)
def special_tokens(tokenizer: Any) -> tuple[str, ...]:
    """Spelling of every special token."""
    added = tokenizer.added_tokens_decoder.values()
    return tuple({*tokenizer.all_special_tokens, *(str(one) for one in added if one.special)})


def _apply(tokenizer: Any, turns: list[dict[str, str]], is_asking: bool) -> str:
    return tokenizer.apply_chat_template(turns, tokenize=False, add_generation_prompt=is_asking)


def _fold_system(turns: list[dict[str, str]]) -> list[dict[str, str]]:
    """Put standing instructions before the first question, for templates without a system turn."""
    if len(turns) < 2 or turns[0]["role"] != "system" or turns[1]["role"] != "user":
        return turns
    content = f"{turns[0]['content']}\n\n{turns[1]['content']}"
    return [{"role": "user", "content": content}, *turns[2:]]


def _unreadable(refused: TemplateError) -> UserError:
    return UserError(
        title="This model cannot read conversations like yours",
        detail=f"Its chat template says: {refused}",
        fix="Check that questions and answers take turns, or choose another model.",
    )
