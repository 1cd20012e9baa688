"""A row as the model reads it: tokens, and which of them it learns.

What is learned is decided once, here: the assistant's answers and the token that ends each; for raw
text everything and the end token. The trainer and the Check screen's preview both call
`build_example`, so what a person was shown is what is trained. Only the tokenizer is needed.
"""

from collections.abc import Sequence
from typing import Any

from tailor.engine.data_types import Span
from tailor.engine.worker.template import find_special_ending, write_turns
from tailor.estimator.record import record
from tailor.recipes.spec import Message

NOT_LEARNED = -100
"""The label that every loss of torch and TRL ignores."""


@record
class Answer:
    """Where a learned answer stands in the text of its row, in characters."""

    start: int
    end_token_start: int
    """Equal to `end` when no end token follows."""
    end: int


@record
class Example:
    """One row, ready to be trained on."""

    input_ids: tuple[int, ...]
    labels: tuple[int, ...]
    """`input_ids` where the token is learned, `NOT_LEARNED` elsewhere."""
    text: str
    """The whole row as text, also what was cut off."""
    answers: tuple[Answer, ...]
    cut_at: int
    """Character after which nothing is read; the length of `text` when nothing was cut."""
    cut_tokens: int
    last_learned_id: int
    """The last learned token before any cut; -1 when nothing is learned."""

    @property
    def learned_tokens(self) -> int:
        """Tokens with a label."""
        return sum(label != NOT_LEARNED for label in self.labels)

    @property
    def spans(self) -> tuple[Span, ...]:
        """The text in pieces by what happens to them; joined they are `text` again."""
        borders = [(0, "read")]
        for answer in self.answers:
            borders += [
                (answer.start, "learned"), (answer.end_token_start, "end"), (answer.end, "read"),
            ]  # fmt: skip
        borders.append((len(self.text), "read"))
        spans = []
        for (start, kind), (end, _) in zip(borders, borders[1:], strict=False):
            spans.append(Span(text=self.text[start : min(end, self.cut_at)], kind=kind))
        spans.append(Span(text=self.text[self.cut_at :], kind="cut"))
        return tuple(span for span in spans if span.text)


def build_example(tokenizer: Any, row: Sequence[Message] | str, max_length: int) -> Example:
    """Tokens and labels of a conversation or of a raw text, cut after `max_length` tokens."""
    if isinstance(row, str):
        text, answers = _text_answers(tokenizer, row)
    else:
        text, answers = _chat_answers(tokenizer, _until_last_answer(row))
    ids, offsets = _encode(tokenizer, text, answers, is_raw=isinstance(row, str))
    labels = [
        token if _is_learned(start, end, answers) else NOT_LEARNED
        for token, (start, end) in zip(ids, offsets, strict=True)
    ]
    learned = [label for label in labels if label != NOT_LEARNED]
    return Example(
        input_ids=tuple(ids[:max_length]),
        labels=tuple(labels[:max_length]),
        text=text,
        answers=answers,
        cut_at=offsets[max_length][0] if len(ids) > max_length else len(text),
        cut_tokens=max(0, len(ids) - max_length),
        last_learned_id=learned[-1] if learned else -1,
    )


def _until_last_answer(messages: Sequence[Message]) -> tuple[Message, ...]:
    """Turns behind the last answer teach nothing; without any answer all are kept, to be shown."""
    last = max((i for i, one in enumerate(messages) if one.role == "assistant"), default=None)
    return tuple(messages if last is None else messages[: last + 1])


def _text_answers(tokenizer: Any, text: str) -> tuple[str, tuple[Answer, ...]]:
    whole = text + tokenizer.eos_token
    return whole, (Answer(start=0, end_token_start=len(text), end=len(whole)),)


def _chat_answers(tokenizer: Any, messages: tuple[Message, ...]) -> tuple[str, tuple[Answer, ...]]:
    """The conversation as text, and where its answers stand.

    An answer begins where the text that asks for it ends. A template that rewrites history (some
    drop the thoughts of earlier turns) breaks that for earlier answers: these are then read only.
    The last answer is always learned exactly as it will be asked for.
    """
    text = write_turns(tokenizer, messages, is_asking=False)
    if messages[-1].role != "assistant" or len(messages) == 1:
        return text, ()
    asked = write_turns(tokenizer, messages[:-1], is_asking=True)
    if not text.startswith(asked):
        text = asked + messages[-1].content
    answers = []
    for i, message in enumerate(messages[:-1]):
        if message.role != "assistant" or i == 0:
            continue
        before = write_turns(tokenizer, messages[:i], is_asking=True)
        until = write_turns(tokenizer, messages[: i + 1], is_asking=False)
        if text.startswith(before) and text.startswith(until):
            answers.append(_place(tokenizer, text, len(before), len(until)))
    last = _place(tokenizer, text, len(asked), len(text))
    if last.end_token_start == last.end:
        text = text[: last.end] + tokenizer.eos_token
        last = Answer(start=last.start, end_token_start=last.end, end=len(text))
    return text, (*answers, last)


def _place(tokenizer: Any, text: str, start: int, end: int) -> Answer:
    """An answer between two characters; white space behind its end token is the template's."""
    told = text[start:end].rstrip()
    ending = find_special_ending(tokenizer, told)
    end = start + len(told)
    return Answer(start=start, end_token_start=end - len(ending), end=end)


def _is_learned(start: int, end: int, answers: tuple[Answer, ...]) -> bool:
    """A token across the border belongs to the answer; tokens without text are never learned."""
    return start < end and any(start < one.end and end > one.start for one in answers)


def _encode(
    tokenizer: Any, text: str, answers: tuple[Answer, ...], *, is_raw: bool
) -> tuple[list[int], list[tuple[int, int]]]:
    """Token ids and the characters that each stands for. Templates write their own first token."""
    if tokenizer.is_fast:
        encoded = tokenizer(text, add_special_tokens=is_raw, return_offsets_mapping=True)
        ids, offsets = encoded["input_ids"], encoded["offset_mapping"]
        if is_raw and offsets[-1][0] == offsets[-1][1]:
            # The tokenizer adds an end token of its own; ours is there already.
            ids, offsets = ids[:-1], offsets[:-1]
        return ids, [tuple(one) for one in offsets]
    ids, offsets = [], []
    borders = sorted({0, len(text)}.union(*((a.start, a.end_token_start, a.end) for a in answers)))
    for start, end in zip(borders, borders[1:], strict=False):
        piece = tokenizer(text[start:end], add_special_tokens=is_raw and start == 0)["input_ids"]
        ids += piece
        offsets += [(start, end)] * len(piece)
    return ids, offsets
