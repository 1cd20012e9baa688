"""What was noticed in a workbook: empty formulas, lost digits, strays, notes, sheets left aside.

Told after the last row. `sheets` puts it into the table that it opens.
"""

from collections.abc import Iterator, Sequence

from tailor.engine.data.counted import count_words, list_places
from tailor.engine.data.read_row import Tally
from tailor.engine.data.sheets.sheet_layout import Layout
from tailor.engine.data.sheets.sheet_rows import Places, SheetSurvey
from tailor.engine.data.sheets.sheet_xml import column_letters
from tailor.engine.data.text.text_findings import find_damage
from tailor.engine.findings import Finding


def find_in_sheets(
    read: Sequence[tuple[SheetSurvey, Layout]],
    unread: Sequence[SheetSurvey],
    tally: Tally,
    fills_merged: bool,
) -> Iterator[Finding]:
    """Everything about the sheets that were read, and that others were not."""
    yield from find_damage(tally)
    if unread:
        yield _unread(unread)
    for seen, layout in read:
        where = f"sheet “{seen.part.title}”"
        yield from _find_cells(seen, where)
        yield from _find_layout(layout, where)
        yield from _find_strays(seen, layout, where, fills_merged=fills_merged)


def _find_cells(seen: SheetSurvey, where: str) -> Iterator[Finding]:
    if seen.uncalculated.count:
        formulas = count_words(seen.uncalculated.count, "formula")
        yield Finding(
            level="warn",
            title=f"{formulas} without a result yet",
            detail=f"No spreadsheet program has calculated {formulas} in the {where}, so these "
            "cells are empty here.",
            fix="Open the file in your spreadsheet program, save it, and drop it again.",
            where=_places(seen.uncalculated),
        )
    if seen.errors.count:
        yield Finding(
            level="warn",
            title=f"{count_words(seen.errors.count, 'cell')} with an error",
            detail=f"Formulas in the {where} end in an error such as #N/A; that is what is read.",
            fix="Mend the formulas, or leave these rows out.",
            where=_places(seen.errors),
        )
    if seen.long_numbers.count:
        numbers = count_words(seen.long_numbers.count, "number")
        yield Finding(
            level="warn",
            title="Long numbers have lost digits",
            detail=f"{numbers} in the {where} have more than 15 digits. Spreadsheet programs keep "
            "15 and put zeros for the rest; the file holds them like that.",
            fix="Take these numbers from where they came from, stored as text.",
            where=_places(seen.long_numbers),
        )
    if seen.hidden_rows or seen.has_hidden_columns:
        hidden = [count_words(seen.hidden_rows, "row")] if seen.hidden_rows else []
        hidden += ["some columns"] if seen.has_hidden_columns else []
        yield Finding(
            level="note",
            title="Hidden rows or columns were read too",
            detail=f"In the {where}, {' and '.join(hidden)} are hidden, by a filter or by hand.",
            fix="If they should not be learned, delete them in the file and drop it again.",
        )


def _find_layout(layout: Layout, where: str) -> Iterator[Finding]:
    if not layout.has_headings:
        yield Finding(
            level="warn",
            title="The columns have no names",
            detail=f"Row {layout.first_row} of the {where} reads like an example, so it is used as "
            "one; the columns are numbered.",
            fix="If it was meant as headings, choose it as such.",
            where=f"row {layout.first_row}",
        )
    elif layout.title_rows:
        yield Finding(
            level="note",
            title=f"{count_words(layout.title_rows, 'row')} above the headings",
            detail=f"The headings of the {where} stand in row {layout.first_row}; what is above "
            "them is not read.",
            fix="Choose another row if that is wrong.",
            where=f"row {layout.first_row}",
        )
    if layout.notes:
        rows = count_words(len(layout.notes), "row")
        yield Finding(
            level="warn",
            title=f"{rows} under the table may be notes",
            detail=f"The last {rows} of the {where} fill hardly a cell, as notes and sums do.",
            fix="Leave them out, or keep them if they are examples.",
            where=list_places([f"row {row}" for row in sorted(layout.notes)], len(layout.notes)),
        )


def _find_strays(
    seen: SheetSurvey, layout: Layout, where: str, *, fills_merged: bool
) -> Iterator[Finding]:
    if seen.areas and not fills_merged:
        yield Finding(
            level="note",
            title="Merged cells were not filled down",
            detail=f"Cells in the {where} are merged over several rows; only the first row of each "
            "has the text.",
            fix="Choose to fill them down if the text counts for all of these rows.",
        )
    far = [f"column {column_letters(column)}" for column in layout.far_columns] + seen.far.first
    if far:
        cells = seen.far.count + sum(seen.columns[column] for column in layout.far_columns)
        yield Finding(
            level="note",
            title=f"{count_words(cells, 'cell')} far from the table",
            detail=f"In the {where}, {count_words(cells, 'cell')} stand so far from the table that "
            "they were left aside.",
            fix="Move them next to the table if they belong to it.",
            where=list_places(far, len(far)),
        )


def _unread(unread: Sequence[SheetSurvey]) -> Finding:
    rows = sum(seen.rows for seen in unread)
    titles = [f"“{seen.part.title}” ({count_words(seen.rows, 'row')})" for seen in unread]
    return Finding(
        level="note",
        title=f"{count_words(len(unread), 'sheet')} not read",
        detail=f"{count_words(rows, 'row')} stand on other sheets of this workbook.",
        fix="Choose another sheet, or save sheets that belong together as one.",
        where=list_places(titles, len(titles)),
    )


def _places(places: Places) -> str:
    return list_places(places.first, places.count)
