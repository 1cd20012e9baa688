"""A row as the model reads it: tokens, and which of them it learns.

What is learned is decided once, here: the assistant's answers and the token that ends each; for raw
text everything and the end token; for code with a gap the missing piece. The trainer and the Check
screen's preview both call `read_row` and `cut`, so what a person was shown is what is trained. Only
the tokenizer is needed.
"""

from collections.abc import Sequence
from typing import Any

from tailor.engine.data_types import Span
from tailor.engine.worker.answers import Answer, find_answers
from tailor.engine.worker.gap import find_gap_marks, write_gap
from tailor.engine.worker.refusals import without_gap
from tailor.engine.worker.rows import Row
from tailor.estimator.record import record

NOT_LEARNED = -100
"""The label that every loss of torch and TRL ignores."""

Offsets = Sequence[tuple[int, int]]


@record
class Reading:
    """A whole row as text and tokens, before any cut."""

    text: str
    answers: tuple[Answer, ...]
    input_ids: tuple[int, ...]
    offsets: tuple[tuple[int, int], ...]
    """The characters that each token stands for."""
    may_break_off: bool
    """Whether a part of the answer is worth learning: true of running text alone."""


@record
class Example:
    """One row, ready to be trained on."""

    input_ids: tuple[int, ...]
    labels: tuple[int, ...]
    """`input_ids` where the token is learned, `NOT_LEARNED` elsewhere."""
    text: str
    """The whole row as text, also what was cut off."""
    answers: tuple[Answer, ...]
    """Those that are learned."""
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


def build_example(tokenizer: Any, row: Row, max_length: int) -> Example:
    """Tokens and labels of a row of at most `max_length` tokens."""
    return cut(read_row(tokenizer, row), max_length)


def read_row(tokenizer: Any, row: Row) -> Reading:
    """The whole row. Raises a `UserError` where the model has no way to read it."""
    is_raw = not row.messages
    if row.messages:
        text, answers = find_answers(tokenizer, row.messages, row.tools)
    elif row.has_gap:
        text, answers = _gap_answer(tokenizer, row)
    else:
        text, answers = _whole_text(tokenizer, row.text)
    ids, offsets = _encode(tokenizer, text, answers, is_raw=is_raw)
    return Reading(
        text=text,
        answers=answers,
        input_ids=tuple(ids),
        offsets=tuple(offsets),
        may_break_off=is_raw and not row.has_gap,
    )


def cut(reading: Reading, max_length: int) -> Example:
    """The row up to `max_length` tokens.

    An answer that would break off is not learned: a model that learns from halves learns to stop in
    the middle. Behind the last whole answer nothing is read either.
    """
    ids, offsets, answers = reading.input_ids, reading.offsets, reading.answers
    labels = _label(ids, offsets, answers)
    last_learned_id = next((label for label in reversed(labels) if label != NOT_LEARNED), -1)
    kept, cut_at = len(ids), len(reading.text)
    if len(ids) > max_length:
        kept = max_length
        if not reading.may_break_off:
            border = offsets[max_length][0]
            answers = tuple(answer for answer in answers if answer.end <= border)
            if answers:
                kept = sum(start < answers[-1].end for start, _ in offsets[:max_length])
            labels = _label(ids[:kept], offsets[:kept], answers)
        cut_at = offsets[kept][0]
    return Example(
        input_ids=ids[:kept],
        labels=labels[:kept],
        text=reading.text,
        answers=answers,
        cut_at=cut_at,
        cut_tokens=len(ids) - kept,
        last_learned_id=last_learned_id,
    )


def _whole_text(tokenizer: Any, text: str) -> tuple[str, tuple[Answer, ...]]:
    whole = text + (tokenizer.eos_token or "")
    return whole, (Answer(start=0, end_token_start=len(text), end=len(whole)),)


def _gap_answer(tokenizer: Any, row: Row) -> tuple[str, tuple[Answer, ...]]:
    marks = find_gap_marks(tokenizer)
    if marks is None:
        raise without_gap()
    asked, end_token = write_gap(tokenizer, marks, row.before, row.after)
    text = asked + row.text
    end = len(text + end_token)
    return text + end_token, (Answer(start=len(asked), end_token_start=len(text), end=end),)


def _label(ids: Sequence[int], offsets: Offsets, answers: Sequence[Answer]) -> tuple[int, ...]:
    """A token across the border belongs to the answer; tokens without text are never learned.

    Tokens and answers come in the order of the text, so one walk over both is enough.
    """
    labels, at = [], 0
    for token, (start, end) in zip(ids, offsets, strict=True):
        while at < len(answers) and answers[at].end <= start:
            at += 1
        is_learned = start < end and at < len(answers) and end > answers[at].start
        labels.append(token if is_learned else NOT_LEARNED)
    return tuple(labels)


def _encode(
    tokenizer: Any, text: str, answers: tuple[Answer, ...], *, is_raw: bool
) -> tuple[list[int], list[tuple[int, int]]]:
    """Token ids and the characters that each stands for. Templates write their own first token."""
    if tokenizer.is_fast:
        encoded = tokenizer(text, add_special_tokens=is_raw, return_offsets_mapping=True)
        ids, offsets = encoded["input_ids"], encoded["offset_mapping"]
        if is_raw and offsets and offsets[-1][0] == offsets[-1][1]:
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
