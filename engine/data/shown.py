"""What the wizard is shown of a dataset: its record and its rows, made from what is stored.

Nothing here reads an original or decides anything. The library calls it for every answer.
"""

from bisect import bisect_left, bisect_right
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow

from tailor.engine.data.report import MapReport, ReadReport, Source
from tailor.engine.data.rows_file import StoredRow
from tailor.engine.data_types import DataRow, DatasetRecord
from tailor.engine.findings import Finding

CELL_CHARACTERS = 2_000
CELL_CHARACTERS_LEAST = 20
PAGE_CHARACTERS = 1_000_000
"""About what an answer of the API may hold."""
_SEVERITY = {"stop": 0, "warn": 1, "note": 2}


def to_record(
    source: Source, files: tuple[str, ...], *, progress: tuple[float, str], is_at_work: bool
) -> DatasetRecord:
    """The dataset as the API tells it. `progress` is the share done and one sentence."""
    is_reading = is_at_work or source.is_being_read
    done, words = progress if is_reading else (0.0, "")
    is_failed = source.read is None and source.problem is not None
    return DatasetRecord(
        id=source.id,
        owner=source.owner,
        title=source.title,
        status="reading" if is_reading else "failed" if is_failed else "ready",
        progress=words,
        done=done if source.read is None or is_reading else 1.0,
        problem=None if is_reading else source.problem,
        version=source.version,
        files=files,
        findings=merge_findings(source),
        operations=source.operations,
        extra_checks=source.extra_checks,
        mixing=source.mixing,
        **_as_read(source.read),
        **_as_mapped(source.mapped),
    )


def merge_findings(source: Source) -> tuple[Finding, ...]:
    """What reading and checking have to say, worst first; what was skipped no longer stops."""
    read = source.read.findings if source.read else ()
    mapped = source.mapped.findings if source.mapped else ()
    told = [
        replace(finding, is_skipped=True) if finding.check in source.skipped else finding
        for finding in (*read, *mapped)
    ]
    return tuple(sorted(told, key=lambda one: (one.is_skipped, _SEVERITY[one.level])))


def _as_read(read: ReadReport | None) -> dict[str, Any]:
    if read is None:
        return {}
    return {
        "found": read.found,
        "kind": read.kind,
        "columns": read.columns,
        "rows": read.rows,
        "physical_rows": _physical_rows(read),
        "guesses": read.guesses,
        "choices": read.choices,
    }


def _physical_rows(read: ReadReport) -> int:
    """What is there to be read; an entry of a JSON list stands on as many lines as it likes."""
    is_spread = read.entry_word == "entry" and read.kind == "JSON"
    return read.rows if is_spread else read.physical_lines


def _as_mapped(mapped: MapReport | None) -> dict[str, Any]:
    if mapped is None:
        return {}
    return {
        "mapping": mapped.mapping,
        "train_rows": mapped.train_rows,
        "held_out_rows": mapped.held_out_rows,
        "left_out": mapped.left_out,
        "left_out_rows": sum(number for _, number in mapped.left_out),
        "exam": mapped.exam,
        "sources": mapped.sources,
    }


def cell_limit(rows: int, columns: int) -> int:
    """Characters shown of a cell: fewer when a page has very many, so that it stays small."""
    return min(CELL_CHARACTERS, max(CELL_CHARACTERS_LEAST, PAGE_CHARACTERS // (rows * columns + 1)))


def to_data_row(row: StoredRow, entry_word: str, split: str, limit: int) -> DataRow:
    """A row for the screen: long cells cut, its place in words."""
    word = "line" if entry_word == "entry" else entry_word
    place = f"{word} {row.first_line}"
    if row.last_line > row.first_line:
        place = f"{word}s {row.first_line} to {row.last_line}"
    if entry_word == "entry":
        place = f"entry {row.id}, {place}"
    if row.part:
        place = f"{row.part}, {place}"
    return DataRow(
        id=row.id,
        cells=tuple(cell[:limit] for cell in row.cells),
        origin=f"{place}: {row.damage}" if row.damage else place,
        split="train" if split == "train" else "held_out" if split == "held_out" else "",
    )


def read_sides(path: Path, first_id: int, last_id: int) -> dict[int, str]:
    """Row id and side of the dataset's own rows between two ids, both included."""
    sides: dict[int, str] = {}
    with pyarrow.memory_map(str(path)) as source, pyarrow.ipc.open_file(source) as file:
        for number in range(file.num_record_batches):
            batch = file.get_batch(number)
            ids, column = batch.column("id"), batch.column("split")
            own = _count_own(batch)
            if own == 0:
                break
            if ids[0].as_py() > last_id or ids[own - 1].as_py() < first_id:
                continue
            begin = bisect_left(ids.to_pylist(), first_id, hi=own)
            for place in range(begin, own):
                row_id = ids[place].as_py()
                if row_id > last_id:
                    break
                sides[row_id] = column[place].as_py()
    return sides


def _count_own(batch: Any) -> int:
    """How many rows of a batch are the dataset's own; they stand before all that is mixed in."""
    if "source" not in batch.schema.names:
        return int(batch.num_rows)  # written before anything could be mixed in
    sources = batch.column("source")
    return batch.num_rows if not sources[-1].as_py() else bisect_right(sources.to_pylist(), "")
