"""Three finished conversations under a mapping, so that a person can say "yes, this is right".

They are spread over the beginning of the table: three neighbours are often alike. Pure over the
rows; the library calls it, and what it shows is made by the function that makes the training rows.
"""

from tailor.engine.data.mapped import examples
from tailor.engine.data.mapping import check_mapping
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
    for row, example in examples(rows.read(0, LOOKED_AT_ROWS), columns, mapping):
        if example.left_out:
            reasons[example.left_out] = reasons.get(example.left_out, 0) + 1
        else:
            usable.append(Conversation(row_id=row.id, messages=example.messages, text=example.text))
    if not usable:
        told = "; ".join(f"in {number} {reason}" for reason, number in reasons.items())
        raise UserError(
            title="These columns make no finished example",
            detail=f"Of the first {min(len(rows), LOOKED_AT_ROWS)} rows: {told}.",
            fix="Choose other columns.",
        )
    readable = [one for one in usable if _length(one) <= READABLE_CHARACTERS]
    usable = readable if len(readable) >= SHOWN else sorted(usable, key=_length)[:SHOWN]
    step = max(1, (len(usable) - 1) // (SHOWN - 1))
    return tuple(usable[: step * SHOWN : step][:SHOWN])


def _length(one: Conversation) -> int:
    return len(one.text) + sum(len(turn.content) for turn in one.messages)
