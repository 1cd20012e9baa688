"""Excel workbooks (.xlsx) as a table: which sheet, where on it, and every cell as it is seen there.

The sheet with the most in it is read, title rows are skipped, merged cells are filled down, and all
of this is told and can be chosen otherwise. Nothing in a workbook is ever run. `readers` opens
these files here.
"""

from collections.abc import Generator
from collections.abc import Mapping as Lookup
from contextlib import closing
from typing import BinaryIO

from tailor.engine.data.held_open import hold_open
from tailor.engine.data.read_row import ReadRow, Tally
from tailor.engine.data.sheets.sheet_book import Workbook
from tailor.engine.data.sheets.sheet_choices import (
    FILL_DOWN,
    LEAVE_OUT,
    choose_merged,
    choose_notes,
    choose_sheet,
    choose_stack,
)
from tailor.engine.data.sheets.sheet_findings import find_in_sheets
from tailor.engine.data.sheets.sheet_layout import Layout, find_layout
from tailor.engine.data.sheets.sheet_rows import SheetSurvey, read_rows, survey_sheet
from tailor.engine.data.table import Table
from tailor.engine.data.text.csv_rows import REPEATED_HEADINGS
from tailor.engine.data.text.lines import find_excess
from tailor.engine.data_types import ReadChoice
from tailor.engine.errors import UserError
from tailor.estimator.record import record

NOTE = "it looks like a note under the table, and you chose to leave these out"


@record
class _Reading:
    """What is read and how."""

    sheets: tuple[tuple[SheetSurvey, Layout], ...]
    columns: tuple[str, ...]
    fills_merged: bool
    leaves_notes_out: bool
    names_sheet: bool


def open_sheets(file: BinaryIO, name: str, choices: Lookup[str, str]) -> Table:
    """Open a workbook; raises when there is nothing in it."""
    book = Workbook(file)
    try:
        table = _open(book, choices)
    except BaseException:
        book.close()
        raise
    return table


def _open(book: Workbook, choices: Lookup[str, str]) -> Table:
    surveys = [survey_sheet(book, part) for part in book.sheets]
    filled = [seen for seen in surveys if seen.rows]
    if not filled:
        raise _nothing_there(surveys)
    layouts = {seen.part.title: find_layout(seen, {}) for seen in filled}
    chosen, sheet = choose_sheet(filled, layouts, len(surveys), choices)
    layout = find_layout(chosen, choices)
    like = [
        (seen, found)
        for seen in filled
        if (found := layouts[seen.part.title]).columns == layout.columns
        and (seen is chosen or not seen.part.is_hidden)
    ]
    is_stacked, stack = choose_stack(chosen, like, choices)
    read = tuple(like) if is_stacked else ((chosen, layout),)
    merged, notes = choose_merged(read, choices), choose_notes(read, choices)
    reading = _Reading(
        sheets=read,
        columns=layout.columns,
        fills_merged=any(choice.value == FILL_DOWN for choice in merged),
        leaves_notes_out=any(choice.value == LEAVE_OUT for choice in notes),
        names_sheet=len(filled) > 1,
    )
    return _table(book, reading, filled, (*sheet, *stack, layout.headings, *merged, *notes))


def _table(
    book: Workbook,
    reading: _Reading,
    filled: list[SheetSurvey],
    offered: tuple[ReadChoice, ...],
) -> Table:
    tally = Tally(place_word="row")
    taken = [0, 0]
    sizes = [book.size_bytes(seen.part.member) for seen, _ in reading.sheets]
    unread = [seen for seen in filled if all(seen is not one for one, _ in reading.sheets)]
    titles = ", ".join(f"“{seen.part.title}”" for seen, _ in reading.sheets)
    aside = [
        ("row above the headings", sum(layout.title_rows for _, layout in reading.sheets)),
        ("row on other sheets", sum(seen.rows for seen in unread)),
        (
            "cell far from the table",
            sum(_far_cells(seen, layout) for seen, layout in reading.sheets),
        ),
    ]
    return Table(
        kind="Excel",
        words=f"Sheet {titles}" if len(filled) > 1 else "Excel",
        columns=reading.columns,
        rows=hold_open(closing(book), _rows(book, reading, tally, taken)),
        tally=tally,
        entry_word="row",
        findings=lambda: find_in_sheets(reading.sheets, unread, tally, reading.fills_merged),
        choices=offered,
        left_aside=tuple((what, number) for what, number in aside if number),
        done=lambda: min(1.0, (taken[0] + taken[1]) / max(1, sum(sizes))),
    )


def _rows(
    book: Workbook, reading: _Reading, tally: Tally, taken: list[int]
) -> Generator[ReadRow, None, None]:
    """`taken`: bytes gone through of this sheet, and of those before."""
    for seen, layout in reading.sheets:
        for number, texts in read_rows(book, seen, fills_merged=reading.fills_merged, taken=taken):
            tally.physical_lines += 1
            row = _row(number, texts, seen, layout, reading)
            if row is not None:
                tally.count(row)
                yield row
        taken[:] = [0, taken[1] + book.size_bytes(seen.part.member)]


def _row(
    number: int, texts: dict[int, str], seen: SheetSurvey, layout: Layout, reading: _Reading
) -> ReadRow | None:
    """A row of the table; None for titles and headings."""
    if number < layout.first_row or (layout.has_headings and number == layout.first_row):
        return None
    cells = [texts.get(place, "") for place in layout.places]
    if not any(cells):
        # All that stands here is far from the table.
        return None
    damage = find_excess(cells)
    if damage:
        cells = [""] * len(cells)
    elif number in layout.notes and reading.leaves_notes_out:
        damage = NOTE
    elif len(cells) > 1 and tuple(cells) == layout.heading_cells:
        damage = REPEATED_HEADINGS
    return ReadRow(
        cells=cells,
        first_line=number,
        last_line=number,
        damage=damage,
        part=seen.part.title if reading.names_sheet else "",
    )


def _far_cells(seen: SheetSurvey, layout: Layout) -> int:
    return seen.far.count + sum(seen.columns[column] for column in layout.far_columns)


def _nothing_there(surveys: list[SheetSurvey]) -> UserError:
    sheets = f"{len(surveys)} sheets" if len(surveys) > 1 else "one sheet"
    return UserError(
        title="There is nothing in this workbook",
        detail=f"It has {sheets}, and every cell is empty."
        if surveys
        else "It has no sheet with cells, only charts or macros.",
        fix="Check that the right file was saved, then drop it again.",
    )
