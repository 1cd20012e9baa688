"""Reading originals into `rows.arrow`: each by its own reader, and everything worth telling.

The reader is chosen by content, never by name. Files with the same columns become one table. Runs
inside the child, which alone opens originals.
"""

import os
from collections.abc import Iterator, Sequence
from collections.abc import Mapping as Lookup
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

from tailor.engine.child import Report
from tailor.engine.data.columnar.prepared import find_prepared
from tailor.engine.data.counted import count_words
from tailor.engine.data.detect import find_format, tell_false_name
from tailor.engine.data.detectors.shapes import SAMPLE_CHARACTERS, SAMPLE_ROWS, guess_shapes
from tailor.engine.data.original import hash_file, open_original
from tailor.engine.data.read_row import ReadRow, check_column_limit, check_row_limit
from tailor.engine.data.readers import find_reader
from tailor.engine.data.report import ReadReport
from tailor.engine.data.request import Original
from tailor.engine.data.rows_file import RowsWriter
from tailor.engine.data.table import Table
from tailor.engine.errors import UserError

REPORT_EVERY_ROWS = 2_000
TEXT_LIMIT_CHARACTERS = 1_000_000_000
TEXT_RATIO = 20
"""More text than this, and so many times the size of the files, is a few texts repeated without
end: shared texts and dictionaries make rows out of nothing, and they would fill the disk."""


def read_originals(
    originals: Sequence[Original], choices: Lookup[str, str], rows_path: Path, report: Report
) -> ReadReport:
    """Read files into one table of rows."""
    report(0.0, "Looking at the file.")
    with ExitStack() as open_files:
        files = [open_files.enter_context(open_original(Path(one.path))) for one in originals]
        tables = []
        for file, original in zip(files, originals, strict=True):
            _check_unchanged(hash_file(file), original.sha256)
            table = open_table(file, original.name, choices)
            open_files.enter_context(closing(table.rows))
            tables.append(table)
        _check_columns(tables, originals)
        sample = _write(tables, originals, files, rows_path, report)
    return _report(tables, sample)


def open_table(file: BinaryIO, name: str, choices: Lookup[str, str]) -> Table:
    """Open a file with the reader that its content asks for."""
    found = find_format(file)
    table = find_reader(found)(file, name, choices)
    notes = (tell_false_name(name, found), table.note)
    return replace(table, note=" ".join(note for note in notes if note))


def _write(
    tables: Sequence[Table],
    originals: Sequence[Original],
    files: Sequence[BinaryIO],
    rows_path: Path,
    report: Report,
) -> tuple[tuple[str, ...], ...]:
    """Write all rows; returns the first good ones, to guess by."""
    columns = tables[0].columns
    sizes = [os.fstat(file.fileno()).st_size for file in files]
    sample: list[tuple[str, ...]] = []
    rows = done_bytes = characters = 0
    most = max(TEXT_LIMIT_CHARACTERS, TEXT_RATIO * sum(sizes))
    with closing(RowsWriter(rows_path, len(columns))) as writer:
        for table, original, file, size in zip(tables, originals, files, sizes, strict=True):
            part = original.name if len(tables) > 1 else ""
            for row in _in_order(table, columns):
                rows += 1
                check_row_limit(rows)
                characters += sum(map(len, row.cells))
                if characters > most:
                    raise _too_much_text(sum(sizes), characters)
                writer.add(row, part)
                is_sampled = len(sample) < SAMPLE_ROWS and characters <= SAMPLE_CHARACTERS
                if is_sampled and not row.damage:
                    sample.append(tuple(row.cells))
                if rows % REPORT_EVERY_ROWS == 0:
                    share = (done_bytes + _done_bytes(table, file, size)) / max(1, sum(sizes))
                    report(min(0.99, share), f"{rows:,} rows read.")
            done_bytes += size
    if rows == 0:
        raise UserError(
            title="There are no rows in this file",
            detail="The list in it is empty."
            if tables[0].entry_word == "entry"
            else "It has headings, but nothing under them.",
            fix="Check that the right file was saved, then drop it again.",
        )
    return tuple(sample)


def _done_bytes(table: Table, file: BinaryIO, size_bytes: int) -> float:
    """How far reading has come; files are read ahead in blocks, so a little early, never late."""
    return file.tell() if table.done is None else table.done() * size_bytes


def _in_order(table: Table, columns: tuple[str, ...]) -> Iterator[ReadRow]:
    """The table's rows with their cells in the order of the first file's columns."""
    if table.columns == columns:
        yield from table.rows
        return
    places = [table.columns.index(name) for name in columns]
    for row in table.rows:
        cells = tuple(row.cells[place] for place in places)
        yield ReadRow(
            cells=cells,
            first_line=row.first_line,
            last_line=row.last_line,
            damage=row.damage,
            part=row.part,
        )


def _report(tables: Sequence[Table], sample: tuple[tuple[str, ...], ...]) -> ReadReport:
    first = tables[0]
    rows = sum(table.tally.rows for table in tables)
    repaired = sum(table.tally.repaired for table in tables)
    damaged = sum(table.tally.damaged for table in tables)
    files = f"{len(tables)} files: " if len(tables) > 1 else ""
    columns = count_words(len(first.columns), "column")
    found = f"{files}{first.words}, {columns}, {count_words(rows, 'row')}."
    if repaired:
        found += f" {count_words(repaired, 'line')} repaired."
    if damaged:
        found += f" {count_words(damaged, 'row')} damaged."
    return ReadReport(
        found=" ".join([found, *(table.note for table in tables if table.note)]),
        kind=first.kind,
        columns=first.columns,
        rows=rows,
        damaged=damaged,
        physical_lines=sum(table.tally.physical_lines for table in tables),
        entry_word=first.entry_word,
        guesses=guess_shapes(first.columns, sample) if sample else (),
        findings=(
            *find_prepared(first.columns),
            *(finding for table in tables for finding in table.findings()),
        ),
        choices=first.choices,
    )


def _check_columns(tables: Sequence[Table], originals: Sequence[Original]) -> None:
    first = tables[0]
    for table, original in zip(tables, originals, strict=True):
        check_column_limit(len(table.columns))
        if set(table.columns) != set(first.columns):
            raise UserError(
                title="These files do not have the same columns",
                detail=f"“{originals[0].name}” has {', '.join(first.columns[:8])}; "
                f"“{original.name}” has {', '.join(table.columns[:8])}.",
                fix="Drop them one at a time, or give their columns the same names.",
            )


def _check_unchanged(found: str, expected: str) -> None:
    if found != expected:
        raise UserError(
            title="The stored file has changed",
            detail="It is not the file any more that was dropped here.",
            fix="Drop the file again.",
        )


def _too_much_text(file_bytes: int, characters: int) -> UserError:
    return UserError(
        title="This file unpacks to something far larger",
        detail=f"It takes {file_bytes / 1e6:,.1f} MB, and its rows already hold "
        f"{characters / 1e9:.1f} GB of text.",
        fix="Keep only the rows and columns that you need, or split it.",
    )
