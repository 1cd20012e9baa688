"""A table shown to the doctor, as `mapped` does it, without a file between."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from clean_tables import CleanTable

from tailor.engine.data.doctor.check import Found
from tailor.engine.data.doctor.doctor import Doctor
from tailor.engine.data.making.example import Example
from tailor.engine.data.making.mapping import build_example
from tailor.engine.data.read_row import ReadRow
from tailor.engine.data.rows_file import RowsWriter, StoredRow
from tailor.engine.data.split import Split


@dataclass(frozen=True)
class Score:
    """How well a check did."""

    planted: int
    found: int
    right: int

    @property
    def precision(self) -> float:
        return self.right / self.found if self.found else 1.0

    @property
    def recall(self) -> float:
        return self.right / self.planted if self.planted else 1.0


def examine(
    table: CleanTable,
    *,
    extra: Sequence[str] = (),
    split: Split | None = None,
    only: str = "",
    rows: int = 0,
) -> list[Found]:
    """What the doctor finds, with all rows of each finding."""
    return show(table, extra=extra, only=only, rows=rows).found(split)


def show(table: CleanTable, *, extra: Sequence[str] = (), only: str = "", rows: int = 0) -> Doctor:
    doctor = Doctor(table.mapping, table.columns, "line", extra, rows=rows, only=only)
    for number, cells in enumerate(table.rows, 1):
        row = StoredRow(
            id=number, cells=cells, first_line=number + 1, last_line=number + 1, damage="", part=""
        )
        doctor.see(row, build(table, cells))
    return doctor


def build(table: CleanTable, cells: Sequence[str]) -> Example:
    return build_example(table.mapping, dict(zip(table.columns, cells, strict=True)))


def score(found: Sequence[Found], check: str, planted: Collection[int]) -> Score:
    """Rows of all findings of a check against the rows in which a defect was planted."""
    ids = {one for each in found if each.finding.check == check for one in each.row_ids}
    return Score(planted=len(planted), found=len(ids), right=len(ids & set(planted)))


def write_rows(table: CleanTable, path: Path) -> Path:
    writer = RowsWriter(path, len(table.columns))
    for number, cells in enumerate(table.rows, 1):
        writer.add(ReadRow(cells=cells, first_line=number + 1, last_line=number + 1))
    writer.close()
    return path
