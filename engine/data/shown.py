"""What the wizard is shown of a dataset: its record and its rows, made from what is stored.

Nothing here reads an original or decides anything. The library calls it for every answer.
"""

from bisect import bisect_left
from pathlib import Path

import pyarrow

from tailor.engine.data.report import Source
from tailor.engine.data.rows_file import StoredRow
from tailor.engine.data_types import DataRow, DatasetRecord
from tailor.engine.findings import Finding

CELL_CHARACTERS = 2_000
CELL_CHARACTERS_LEAST = 20
PAGE_CHARACTERS = 1_000_000
"""About what an answer of the API may hold."""
_SEVERITY = {"stop": 0, "warn": 1, "note": 2}


def to_record(source: Source, *, progress: str, is_at_work: bool) -> DatasetRecord:
    """The dataset as the API tells it."""
    read, mapped = source.read, source.mapped
    is_reading = is_at_work or (read is None and source.problem is None)
    findings: tuple[Finding, ...] = (read.findings if read else ()) + (
        mapped.findings if mapped else ()
    )
    return DatasetRecord(
        id=source.id,
        owner=source.owner,
        title=source.title,
        status="reading" if is_reading else "failed" if read is None else "ready",
        progress=progress if is_reading else "",
        problem=None if is_reading else source.problem,
        version=source.version,
        found=read.found if read else "",
        columns=read.columns if read else (),
        rows=read.rows if read else 0,
        guesses=read.guesses if read else (),
        mapping=mapped.mapping if mapped else None,
        findings=tuple(sorted(findings, key=lambda finding: _SEVERITY[finding.level])),
        train_rows=mapped.train_rows if mapped else 0,
        held_out_rows=mapped.held_out_rows if mapped else 0,
        left_out_rows=sum(number for _, number in mapped.left_out) if mapped else 0,
        exam=mapped.exam if mapped else (),
    )


def cell_limit(rows: int, columns: int) -> int:
    """Characters shown of a cell: fewer when a page has very many, so that it stays small."""
    return min(CELL_CHARACTERS, max(CELL_CHARACTERS_LEAST, PAGE_CHARACTERS // (rows * columns + 1)))


def to_data_row(row: StoredRow, entry_word: str, split: str, limit: int) -> DataRow:
    """A row for the screen: long cells cut, its place in words."""
    place = f"line {row.first_line}"
    if row.last_line > row.first_line:
        place = f"lines {row.first_line} to {row.last_line}"
    if entry_word == "entry":
        place = f"entry {row.id}, {place}"
    return DataRow(
        id=row.id,
        cells=tuple(cell[:limit] for cell in row.cells),
        origin=f"{place}: {row.damage}" if row.damage else place,
        split="train" if split == "train" else "held_out" if split == "held_out" else "",
    )


def read_sides(path: Path, first_id: int, last_id: int) -> dict[int, str]:
    """Row id and side of the mapped rows between two ids, both included."""
    sides: dict[int, str] = {}
    with pyarrow.memory_map(str(path)) as source, pyarrow.ipc.open_file(source) as file:
        for number in range(file.num_record_batches):
            batch = file.get_batch(number)
            ids, column = batch.column(0), batch.column(1)
            if ids[0].as_py() > last_id or ids[-1].as_py() < first_id:
                continue
            begin = bisect_left(ids.to_pylist(), first_id)
            for place in range(begin, len(ids)):
                row_id = ids[place].as_py()
                if row_id > last_id:
                    break
                sides[row_id] = column[place].as_py()
    return sides
