"""Three finished conversations under a mapping, so that a person can say "yes, this is right".

They are spread over the beginning of the table: three neighbours are often alike. Pure over the
rows; the library calls it, and what it shows is made by the function that makes the training rows.
"""

from tailor.engine.data.making.example import Example
from tailor.engine.data.making.examples import read_examples
from tailor.engine.data.making.mapping import check_mapping
from tailor.engine.data.making.threads import PART_OF_THREAD
from tailor.engine.data.rows_file import RowsReader
from tailor.engine.data_types import Conversation, Mapping
from tailor.engine.errors import UserError

SHOWN = 3
LOOKED_AT_ROWS = 500
READABLE_CHARACTERS = 20_000
"""Longer rows are shown only where there are no others: nobody reads them to the end."""


def make_preview(
    rows: RowsReader, columns: tuple[str, ...], mapping: Mapping
) -> tuple[Conversation, ...]:
    """Three finished examples, spread over the beginning of the table."""
    check_mapping(mapping, columns)
    usable: list[Conversation] = []
    reasons: dict[str, int] = {}
    for row, example in read_examples(rows, columns, mapping, limit=LOOKED_AT_ROWS):
        if example.left_out:
            reasons[example.left_out] = reasons.get(example.left_out, 0) + 1
        else:
            usable.append(to_conversation(row.id, example))
    if not usable:
        raise _nothing_to_show(reasons, min(len(rows), LOOKED_AT_ROWS))
    readable = [one for one in usable if _length(one) <= READABLE_CHARACTERS]
    usable = readable if len(readable) >= SHOWN else sorted(usable, key=_length)[:SHOWN]
    step = max(1, (len(usable) - 1) // (SHOWN - 1))
    shown = usable[: step * SHOWN : step][:SHOWN]
    return _with_both_thumbs(shown, usable)


def to_conversation(row_id: int, example: Example) -> Conversation:
    """An example as the API shows it."""
    return Conversation(
        row_id=row_id,
        messages=example.messages,
        text=example.text,
        rejected=example.rejected,
        rating=example.rating,
        tools=example.tools,
        pictures=example.pictures,
        before=example.before,
        after=example.after,
    )


def _with_both_thumbs(
    shown: list[Conversation], usable: list[Conversation]
) -> tuple[Conversation, ...]:
    """The same, with a bad answer among the good ones or the other way round where there is one.

    Whether thumbs were read the right way up can only be seen on both.
    """
    other = next((one for one in usable if one.rating != shown[0].rating), None)
    if other is not None and len({one.rating for one in shown}) == 1:
        shown = [*shown[: SHOWN - 1], other]
    return tuple(sorted(shown, key=lambda one: one.row_id))


def _nothing_to_show(reasons: dict[str, int], rows: int) -> UserError:
    often = sorted(reasons.items(), key=lambda reason: (reason[0] == PART_OF_THREAD, -reason[1]))
    told = "; ".join(f"in {number:,} {reason}" for reason, number in often[:5])
    return UserError(
        title="These columns make no finished example",
        detail=f"Of the first {rows:,} rows: {told}.",
        fix="Choose other columns.",
    )


def _length(one: Conversation) -> int:
    worse = sum(map(len, one.rejected))
    around = len(one.before) + len(one.after)
    return len(one.text) + around + worse + sum(len(turn.content) for turn in one.messages)
