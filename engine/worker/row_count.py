"""The numbers of one row: all that the preview keeps of it, so that any number of rows fits.

The render child makes one for each row; histogram, findings and limits are made of them.
"""

from typing import Any

from tailor.engine.worker.data import Reading, cut
from tailor.engine.worker.endings import special_pattern
from tailor.engine.worker.rows import Row
from tailor.estimator.record import record


@record
class RowCount:
    """One row, as the model would read it."""

    id: int
    """Of the row; rows that were mixed in may have the same one."""
    place: int
    """Where it stands in the file, from 0."""
    split: str
    is_own: bool
    """Whether it is the dataset's own, not mixed in."""
    tokens: int
    """Of the whole row, before any cut."""
    read_tokens: int
    """After the cut."""
    learned_tokens: int
    """After the cut."""
    characters: int
    """Of the person's own words."""
    template_tokens: int
    """Tokens that the template put around these words."""
    is_cut: bool
    has_answer: bool
    """Whether there is anything to learn before any cut."""
    has_end_token: bool
    """Whether the last learned token, before any cut, ends an answer."""
    has_marks: bool
    """Whether the person's own words hold one of the model's marks."""


def count_row(
    tokenizer: Any, row: Row, reading: Reading, limit: int, end_ids: frozenset[int], *, place: int
) -> RowCount:
    """Count one row that the model can read."""
    example = cut(reading, limit)
    words = own_words(row)
    marks = special_pattern(tokenizer)
    return RowCount(
        id=row.id,
        place=place,
        split=row.split,
        is_own=not row.source,
        tokens=len(reading.input_ids),
        read_tokens=len(example.input_ids),
        learned_tokens=example.learned_tokens,
        characters=sum(map(len, words)),
        template_tokens=_count_template(reading, words),
        is_cut=example.cut_tokens > 0,
        has_answer=example.last_learned_id >= 0,
        has_end_token=example.last_learned_id in end_ids,
        has_marks=any(marks.search(word) for word in words),
    )


def own_words(row: Row) -> tuple[str, ...]:
    """What the person wrote, in the order in which it is read."""
    if row.messages:
        return tuple(turn.content for turn in row.messages)
    return (row.before, row.after, row.text)


def _count_template(reading: Reading, words: tuple[str, ...]) -> int:
    """Tokens outside of the person's own words, each looked for behind the one before it."""
    own, place = [], 0
    for word in words:
        found = reading.text.find(word.strip(), place)
        if found >= 0 and word.strip():
            place = found + len(word.strip())
            own.append((found, place))
    outside, at = 0, 0
    for start, end in reading.offsets:
        while at < len(own) and own[at][1] <= start:
            at += 1
        is_own = at < len(own) and own[at][0] < end
        outside += not is_own
    return outside
