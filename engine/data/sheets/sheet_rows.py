"""Rows of one sheet: surveyed once for its layout, then handed out as text.

People put titles above a table, notes below it, merge cells, and leave a stray letter a thousand
rows down. The survey counts all of that without keeping the sheet; `sheets` decides on the layout
with it, tells what it found, and reads the rows.
"""

from collections import Counter, deque
from collections.abc import Iterator
from dataclasses import dataclass, field

from tailor.engine.data.counted import LISTED
from tailor.engine.data.sheets.sheet_book import SheetPart, Workbook, damage_in_words
from tailor.engine.data.sheets.sheet_values import date_text, has_lost_digits, number_text, unescape
from tailor.engine.data.sheets.sheet_xml import (
    RawCell,
    SheetStream,
    column_letters,
    column_number,
    row_of,
)
from tailor.estimator.record import record

HEAD_ROWS = 40
TAIL_ROWS = 60
FAR_ROWS = 1_000
"""So many empty rows below a table are its end; what stands further down went astray."""
FAR_COLUMNS = 20


@record
class Area:
    """Merged cells of one column that reach over several rows."""

    column: int
    first_row: int
    last_row: int


@dataclass
class Places:
    """How often something was seen, and the first places."""

    count: int = 0
    first: list[str] = field(default_factory=list)

    def see(self, cell: RawCell, row: int) -> None:
        """Count one more."""
        self.count += 1
        if len(self.first) < LISTED:
            self.first.append(f"{column_letters(cell.column)}{row}")


@dataclass
class SheetSurvey:
    """What one pass over a sheet has found."""

    part: SheetPart
    rows: int = 0
    """Rows with something in them."""
    columns: Counter[int] = field(default_factory=Counter)
    """How many cells are filled in each column."""
    head: list[tuple[int, dict[int, str]]] = field(default_factory=list)
    """The first rows: number, and text by column."""
    tail: deque[tuple[int, int]] = field(default_factory=lambda: deque(maxlen=TAIL_ROWS))
    """The last rows: number, and how many cells are filled."""
    areas: list[Area] = field(default_factory=list)
    far: Places = field(default_factory=Places)
    uncalculated: Places = field(default_factory=Places)
    errors: Places = field(default_factory=Places)
    long_numbers: Places = field(default_factory=Places)
    hidden_rows: int = 0
    has_hidden_columns: bool = False
    last_row: int = 0


def survey_sheet(book: Workbook, part: SheetPart) -> SheetSurvey:
    """Go through a sheet once."""
    seen = SheetSurvey(part)
    with damage_in_words(f"the sheet “{part.title}”"), book.open_member(part.member) as source:
        stream = SheetStream(source)
        for row in stream.rows():
            filled = [cell for cell in row.cells if _is_filled(book, cell)]
            for cell in row.cells:
                if cell.has_formula and not cell.has_value:
                    seen.uncalculated.see(cell, row.number)
            if not filled:
                continue
            if seen.rows and row.number > seen.last_row + FAR_ROWS:
                for cell in filled:
                    seen.far.see(cell, row.number)
                continue
            seen.hidden_rows += row.is_hidden
            _count(book, seen, row.number, filled)
        seen.areas = list(_areas(stream.merged))
        seen.has_hidden_columns = stream.has_hidden_columns
    return seen


def read_rows(
    book: Workbook, seen: SheetSurvey, *, fills_merged: bool, taken: list[int]
) -> Iterator[tuple[int, dict[int, str]]]:
    """Number, and text by column, of every row of the table and what is above it.

    `taken` holds one number, the bytes of the sheet that were gone through.
    """
    merged = _Merged(seen.areas if fills_merged else [])
    part = seen.part
    with damage_in_words(f"the sheet “{part.title}”"), book.open_member(part.member) as source:
        for row in SheetStream(source).rows():
            if row.number > seen.last_row:
                break
            texts = {
                cell.column: text for cell in row.cells if (text := cell_text(book, cell)).strip()
            }
            taken[0] = source.tell()
            if texts:
                yield row.number, merged.fill(row.number, texts)


def cell_text(book: Workbook, cell: RawCell) -> str:
    """A cell as a person sees it."""
    match cell.kind:
        case "s":
            return book.texts[int(cell.text)] if cell.text else ""
        case "n":
            if not cell.text:
                return ""
            return number_text(cell.text, book.format(cell.style), is_1904=book.is_1904)
        case "b":
            return "TRUE" if cell.text in ("1", "true") else "FALSE"
        case "d":
            return date_text(cell.text)
    return unescape(cell.text)


class _Merged:
    """Fills merged cells downwards while rows go by."""

    def __init__(self, areas: list[Area]) -> None:
        self._waiting = sorted(areas, key=lambda area: area.first_row, reverse=True)
        self._open: list[tuple[Area, str]] = []

    def fill(self, number: int, texts: dict[int, str]) -> dict[int, str]:
        """The row with the texts of the areas that reach into it."""
        self._open = [(area, text) for area, text in self._open if area.last_row >= number]
        for area, text in self._open:
            texts.setdefault(area.column, text)
        while self._waiting and self._waiting[-1].first_row <= number:
            area = self._waiting.pop()
            if area.first_row == number and area.column in texts:
                self._open.append((area, texts[area.column]))
        return texts


def _is_filled(book: Workbook, cell: RawCell) -> bool:
    text = book.texts[int(cell.text)] if cell.kind == "s" and cell.text else cell.text
    return bool(text.strip())


def _count(book: Workbook, seen: SheetSurvey, number: int, filled: list[RawCell]) -> None:
    seen.rows += 1
    seen.last_row = number
    seen.columns.update(cell.column for cell in filled)
    if len(seen.head) < HEAD_ROWS:
        seen.head.append((number, {cell.column: cell_text(book, cell) for cell in filled}))
    seen.tail.append((number, len(filled)))
    for cell in filled:
        if cell.kind == "e":
            seen.errors.see(cell, number)
        elif cell.kind == "n" and len(cell.text) > 15 and has_lost_digits(cell.text):
            seen.long_numbers.see(cell, number)


def _areas(merged: list[str]) -> Iterator[Area]:
    """Of merged areas those that reach over several rows."""
    for place in merged:
        first, _, last = place.partition(":")
        if last and row_of(last) > row_of(first):
            yield Area(column=column_number(first), first_row=row_of(first), last_row=row_of(last))
