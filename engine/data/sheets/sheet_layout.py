"""Where the table stands in a sheet: which columns, under which headings, with which notes below.

Pure; made of a survey. `sheets` asks here and offers every decision as a choice.
"""

from collections.abc import Mapping as Lookup
from statistics import median

from tailor.engine.data.sheets.sheet_rows import FAR_COLUMNS, SheetSurvey
from tailor.engine.data.text.headings import choose_headings
from tailor.engine.data.text.table_columns import name_columns
from tailor.engine.data_types import ReadChoice
from tailor.estimator.record import record


@record
class Layout:
    """The table in one sheet."""

    places: tuple[int, ...]
    """Numbers of its columns in the sheet."""
    columns: tuple[str, ...]
    """Their names."""
    heading_cells: tuple[str, ...]
    """The headings as they stand there; empty without."""
    first_row: int
    """The row on which it begins, headings included."""
    has_headings: bool
    headings: ReadChoice
    title_rows: int
    """Filled rows above it."""
    far_columns: tuple[int, ...]
    """Columns with a few cells far to the right of it."""
    notes: frozenset[int]
    """Rows under it that look like notes."""


def find_layout(seen: SheetSurvey, choices: Lookup[str, str]) -> Layout:
    """The layout of a sheet that holds something."""
    places, far = _split_columns(seen)
    rows = [(number, [texts.get(place, "") for place in places]) for number, texts in seen.head]
    found = choose_headings(rows, choices, "row")
    place = max(found.place, 0)
    has_headings = found.place >= 0
    names = rows[place][1] if has_headings else [""] * len(places)
    return Layout(
        places=places,
        columns=name_columns(names),
        heading_cells=tuple(rows[place][1]) if has_headings else (),
        first_row=rows[place][0],
        has_headings=has_headings,
        headings=found.choice,
        title_rows=place,
        far_columns=far,
        notes=_find_notes(seen, rows[place][0] + has_headings, len(places)),
    )


def _split_columns(seen: SheetSurvey) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The columns of the table and those that stand far from it."""
    groups: list[list[int]] = []
    for column in sorted(seen.columns):
        if groups and column - groups[-1][-1] <= FAR_COLUMNS:
            groups[-1].append(column)
        else:
            groups.append([column])
    table = max(groups, key=lambda group: sum(seen.columns[column] for column in group))
    far = [column for group in groups if group is not table for column in group]
    return tuple(table), tuple(far)


def _find_notes(seen: SheetSurvey, first_row: int, width: int) -> frozenset[int]:
    """The last rows when they fill few cells, set off from a table that fills many."""
    usual = median(filled for _, filled in seen.tail)
    if width < 2 or usual * 2 < width:
        return frozenset()
    notes, above = _last_rows(seen, first_row, width // 2)
    if notes and notes[-1] > above + 1:
        return frozenset(notes)
    # Without a gap only rows that are all but empty are notes, and in a narrow table not even
    # they: a row with one cell may be an example without an answer.
    notes, _ = _last_rows(seen, first_row, max(1, width // 4))
    return frozenset(notes) if width > 3 else frozenset()


def _last_rows(seen: SheetSurvey, first_row: int, most: int) -> tuple[list[int], int]:
    """Numbers of the last rows that fill at most so many cells, and of the row above them."""
    notes: list[int] = []
    for number, filled in reversed(seen.tail):
        if number < first_row:
            break
        if filled > most:
            return notes, number
        notes.append(number)
    return [], 0
