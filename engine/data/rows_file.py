"""`rows.arrow`: the rows of a dataset as they were read, all text, with their places.

It is written once by the reading child and mapped into memory by whoever shows or maps rows, so a
page of a large table costs nothing. Columns are stored by number; their names stand in the
dataset's record, where any name is allowed.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow

from tailor.engine.data.read_row import ReadRow

BATCH_ROWS = 4_096
BATCH_CHARACTERS = 8_000_000
_PLACES = ("first_line", "last_line", "damage", "part")


@dataclass(frozen=True, slots=True)
class StoredRow:
    """A row out of the file."""

    id: int
    """From 1, in the file's order."""
    cells: Sequence[str]
    first_line: int
    last_line: int
    damage: str
    part: str
    """File, sheet, page or member that it stands in; empty when there is only one."""


class RowsWriter:
    """Writes rows in batches of bounded size."""

    def __init__(self, path: Path, columns: int) -> None:
        """`columns`: how many cells each row has."""
        self._schema = pyarrow.schema(
            [("first_line", pyarrow.int64()), ("last_line", pyarrow.int64())]
            + [("damage", pyarrow.string()), ("part", pyarrow.string())]
            + [(f"cell_{number}", pyarrow.string()) for number in range(columns)]
        )
        self._sink = pyarrow.OSFile(str(path), "wb")
        self._file = pyarrow.ipc.new_file(self._sink, self._schema)
        self._rows: list[ReadRow] = []
        self._parts: list[str] = []
        self._characters = 0

    def add(self, row: ReadRow, file: str = "") -> None:
        """Add a row; its place in the order is its id. `file` names one of several."""
        self._rows.append(row)
        self._parts.append(", ".join(part for part in (file, row.part) if part))
        self._characters += sum(map(len, row.cells))
        if len(self._rows) >= BATCH_ROWS or self._characters >= BATCH_CHARACTERS:
            self._flush()

    def close(self) -> None:
        """Write what is left and the file's end."""
        self._flush()
        self._file.close()
        self._sink.close()

    def _flush(self) -> None:
        if not self._rows:
            return
        columns: list[Sequence[Any]] = [
            [row.first_line for row in self._rows],
            [row.last_line for row in self._rows],
            [row.damage for row in self._rows],
            self._parts,
            *zip(*(row.cells for row in self._rows), strict=True),
        ]
        arrays = [
            pyarrow.array(column, type=field.type)
            for column, field in zip(columns, self._schema, strict=True)
        ]
        self._file.write_batch(pyarrow.record_batch(arrays, schema=self._schema))
        self._rows, self._parts, self._characters = [], [], 0


class RowsReader:
    """Rows by number, mapped from the file. Made by `open_rows`."""

    def __init__(self, file: Any) -> None:
        self._file = file
        self._starts = [0]
        for number in range(file.num_record_batches):
            self._starts.append(self._starts[-1] + file.get_batch(number).num_rows)

    def __len__(self) -> int:
        """How many rows there are."""
        return self._starts[-1]

    def read(self, offset: int = 0, limit: int | None = None) -> Iterator[StoredRow]:
        """Rows from `offset` on, at most `limit`."""
        end = len(self) if limit is None else min(len(self), offset + limit)
        for number, start in enumerate(self._starts[:-1]):
            begin, stop = max(offset, start), min(end, self._starts[number + 1])
            if begin < stop:
                batch = self._file.get_batch(number).slice(begin - start, stop - begin)
                yield from _rows(batch, begin + 1)


@contextmanager
def open_rows(path: Path) -> Iterator[RowsReader]:
    """Open the file for reading."""
    with pyarrow.memory_map(str(path)) as source, pyarrow.ipc.open_file(source) as file:
        yield RowsReader(file)


def _rows(batch: Any, first_id: int) -> Iterator[StoredRow]:
    columns = [column.to_pylist() for column in batch.columns]
    firsts, lasts, damages, parts = columns[: len(_PLACES)]
    cells = columns[len(_PLACES) :]
    places = zip(firsts, lasts, damages, parts, strict=True)
    for index, (first, last, damage, part) in enumerate(places):
        yield StoredRow(
            id=first_id + index,
            cells=[column[index] for column in cells],
            first_line=first,
            last_line=last,
            damage=damage,
            part=part,
        )
