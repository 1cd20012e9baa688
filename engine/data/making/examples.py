"""Every row with its finished example: the one loop from stored rows to what is learned.

Preview, doctor, split and the file of finished examples all go through here, so that none of them
can read a row in another way. A damaged row is never bent into an example.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from tailor.engine.data.making.example import Example
from tailor.engine.data.making.mapping import build_example
from tailor.engine.data.making.threads import Threads, is_threaded, join_threads
from tailor.engine.data.rows_file import RowsReader, StoredRow
from tailor.engine.data_types import Mapping

DAMAGED = "the row is damaged"
LEFT_OUT_BY_HAND = "you left it out"
"""How the damage of a row begins that a fix has left out."""
_BLOCK_ROWS = 256
_BLOCKS_KEPT = 16
"""Rows of a thread stand near each other as a rule, so a few blocks are enough."""


def read_examples(
    rows: RowsReader,
    columns: Sequence[str],
    mapping: Mapping,
    offset: int = 0,
    limit: int | None = None,
) -> Iterator[tuple[StoredRow, Example]]:
    """Rows from `offset` on, at most `limit`, each with its example or the reason against it."""
    threads = open_threads(rows, columns, mapping)
    for row in rows.read(offset, limit):
        if row.damage:
            is_by_hand = row.damage.startswith(LEFT_OUT_BY_HAND)
            yield row, Example(left_out=row.damage if is_by_hand else DAMAGED)
        else:
            yield row, build_example(mapping, threads.cells(row.id, row.cells))


def open_threads(rows: RowsReader, columns: Sequence[str], mapping: Mapping) -> Threads:
    """The threads of all rows; costs nothing when the mapping has none."""

    @lru_cache(maxsize=_BLOCKS_KEPT)
    def block(number: int) -> list[StoredRow]:
        return list(rows.read(number * _BLOCK_ROWS, _BLOCK_ROWS))

    def fetch(row_id: int) -> Sequence[str]:
        number, place = divmod(row_id - 1, _BLOCK_ROWS)
        return block(number)[place].cells

    whole = rows.read() if is_threaded(mapping) else iter(())
    usable = ((row.id, row.cells) for row in whole if not row.damage)
    return join_threads(mapping, columns, usable, fetch)
