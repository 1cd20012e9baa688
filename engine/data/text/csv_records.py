"""Records of a separated table, without losing rows to a stray quotation mark.

The csv module reads everything from a stray quote to the next one as a single cell; in one real
file 68 of 21,692 rows vanished like that, in pandas and pyarrow too (measured). Here every record
is read strictly, and one that swallows lines has to prove that it is honest. `csv_rows` calls this.
"""

import csv
from collections.abc import Iterator
from typing import Any

from tailor.engine.data.read_row import ReadRow, Tally
from tailor.engine.data.text.lines import CELL_LIMIT_CHARACTERS, LineFeed
from tailor.engine.errors import UserError
from tailor.estimator.record import record

csv.field_size_limit(CELL_LIMIT_CHARACTERS)

LOOKED_AT_LINES = 1_000
"""Of millions of lines behind an open quote, so many tell whether they are rows."""


@record
class Separation:
    """How cells are set apart."""

    delimiter: str
    skips_space: bool = False
    """Whether a space after the delimiter is not part of the cell."""
    has_escapes: bool = False
    """Whether a quotation mark inside a cell is written with a backslash in front."""


def read_records(
    feed: LineFeed, separation: Separation, width: int, tally: Tally
) -> Iterator[ReadRow]:
    """Every record that is not a blank line. `width` 0 = not known yet: nothing is repaired."""
    reader = _reader(feed, separation, is_strict=True)
    while True:
        first = feed.start()
        try:
            cells = next(reader)
            is_well_formed = True
        except StopIteration:
            break
        except csv.Error:
            # A reader that raised is in the middle of a record and of no more use.
            reader = _reader(feed, separation, is_strict=True)
            cells, is_well_formed = [], False
        damage = ""
        if not is_well_formed or len(feed.taken) > 1:
            cells, damage = _judge(
                feed, separation, width, tally, cells if is_well_formed else None
            )
        if not cells:
            tally.blank_lines += 1
            continue
        yield ReadRow(cells=cells, first_line=first, last_line=feed.line, damage=damage)
    tally.physical_lines = feed.line


def _judge(
    feed: LineFeed, separation: Separation, width: int, tally: Tally, cells: list[str] | None
) -> tuple[list[str], str]:
    """Cells of the record in `feed.taken` and its damage; lines that it swallowed are put back."""
    lines, first = feed.taken, feed.line - len(feed.taken) + 1
    is_honest_form = cells is not None and (width == 0 or len(cells) == width)
    if _swallowed(lines, separation, width, is_honest_form):
        feed.put_back(len(lines) - 1)
        tally.note_repair(first)
        return _read_literally(lines[0], separation), ""
    if cells is not None:
        return cells, ""
    literal = _read_literally(lines[0], separation)
    if len(lines) == 1 and literal and (width == 0 or len(literal) == width):
        tally.note_repair(first)
        return literal, ""
    return _read_leniently(feed, separation, first)


def _swallowed(lines: list[str], separation: Separation, width: int, is_honest_form: bool) -> bool:
    """Whether the lines after the first are rows of their own, taken in by a stray quote."""
    if width < 2 or len(lines) < 2:
        return False
    inner = [line for line in lines[1:] if line.strip()]
    if not is_honest_form:
        looked_at = inner[:: len(inner) // LOOKED_AT_LINES + 1]
        matching = sum(_could_be_row(line, separation, width) for line in looked_at)
        return matching * 2 >= len(looked_at) > 0
    # A well-formed record is nearly always honest: a list or an address in a cell often has one
    # comma a line, like a table of two columns. Only when every single line could be a row of its
    # own, first and last included, and there are many of them, is it taken for swallowed rows.
    if len(lines) < (8 if width == 2 else 4) or len(inner) < len(lines) - 1:
        return False
    return all(len(_read_literally(line, separation)) == width for line in lines)


def _read_leniently(feed: LineFeed, separation: Separation, first: int) -> tuple[list[str], str]:
    """The record as the csv module reads it when it forgives, which may end on an earlier line."""
    taken = len(feed.taken)
    feed.put_back(taken)
    feed.start()
    try:
        cells = next(_reader(feed, separation))
    except csv.Error as error:
        raise UserError(
            title="One cell is too long",
            detail=f"The cell that begins on line {first} holds more than "
            f"{CELL_LIMIT_CHARACTERS / 1e6:.0f} MB; is a quotation mark missing?",
            fix="Look at that line in a text editor, or export the file again.",
        ) from error
    return cells, "a quotation mark is out of place"


def _could_be_row(line: str, separation: Separation, width: int) -> bool:
    return width in (
        len(_cells_of(_reader([line], separation))),
        len(_read_literally(line, separation)),
    )


def _read_literally(line: str, separation: Separation) -> list[str]:
    """Cells of one line whose quotation marks are letters, but for cells that are quoted whole."""
    reader = csv.reader(
        [line],
        delimiter=separation.delimiter,
        quoting=csv.QUOTE_NONE,
        skipinitialspace=separation.skips_space,
    )
    return [_unwrap(cell) for cell in _cells_of(reader)]


def _cells_of(reader: Any) -> list[str]:
    """The first record, or nothing when a cell is beyond the limit."""
    try:
        cells: list[str] = next(reader, [])
    except csv.Error:
        return []
    return cells


def _unwrap(cell: str) -> str:
    inner = cell[1:-1]
    is_whole = len(cell) > 1 and cell[0] == cell[-1] == '"' and '"' not in inner.replace('""', "")
    return inner.replace('""', '"') if is_whole else cell


def _reader(lines: Any, separation: Separation, *, is_strict: bool = False) -> Any:
    return csv.reader(
        lines,
        delimiter=separation.delimiter,
        skipinitialspace=separation.skips_space,
        escapechar="\\" if separation.has_escapes else None,
        strict=is_strict,
    )
