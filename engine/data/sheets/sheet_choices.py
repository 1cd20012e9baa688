"""What can be chosen about a workbook: its sheet, sheets alike as one table, merged cells, notes.

Each is offered only where there is something to choose. `sheets` reads the workbook accordingly.
"""

from collections.abc import Mapping as Lookup
from collections.abc import Sequence

from tailor.engine.data.counted import count_words
from tailor.engine.data.sheets.sheet_layout import Layout
from tailor.engine.data.sheets.sheet_rows import SheetSurvey
from tailor.engine.data_types import ReadChoice
from tailor.engine.errors import UserError

FILL_DOWN, AS_STORED = "fill", "as_stored"
LEAVE_OUT, KEEP = "leave_out", "keep"
STACKED, ONE = "yes", "no"
_YOURS = "You chose it."
_SHOWN_COLUMNS = 4

Read = Sequence[tuple[SheetSurvey, Layout]]


def choose_sheet(
    filled: Sequence[SheetSurvey],
    layouts: Lookup[str, Layout],
    sheets: int,
    choices: Lookup[str, str],
) -> tuple[SheetSurvey, tuple[ReadChoice, ...]]:
    """The sheet to read: the asked one, else the visible one with the most cells."""
    asked = choices.get("sheet", "")
    visible = [seen for seen in filled if not seen.part.is_hidden] or list(filled)
    chosen = max(visible, key=lambda seen: seen.columns.total())
    if asked:
        chosen = _take_asked(filled, asked)
    if len(filled) < 2 and sheets < 2:
        return chosen, ()
    why = "It is the sheet with the most in it."
    if len(filled) < 2:
        why = f"The other {count_words(sheets - 1, 'sheet')} hold nothing."
    return chosen, (
        ReadChoice(
            id="sheet",
            title="Which sheet is read",
            value=chosen.part.title,
            options=tuple((seen.part.title, _describe(seen, layouts)) for seen in filled),
            why=_YOURS if asked else why,
        ),
    )


def choose_stack(
    chosen: SheetSurvey, like: Read, choices: Lookup[str, str]
) -> tuple[bool, tuple[ReadChoice, ...]]:
    """Whether sheets with the same headings are read as one table."""
    if len(like) < 2 or not like[0][1].has_headings:
        return False, ()
    value = STACKED if choices.get("stack", ONE) == STACKED else ONE
    rows = sum(seen.rows - 1 - layout.title_rows for seen, layout in like)
    stacked = f"All {len(like)} sheets with these headings: {count_words(rows, 'row')}"
    choice = ReadChoice(
        id="stack",
        title="Sheets with the same headings",
        value=value,
        options=((ONE, f"Only “{chosen.part.title}”"), (STACKED, stacked)),
        why=_YOURS if "stack" in choices else "Whether they belong together, only you know.",
    )
    return value == STACKED, (choice,)


def choose_merged(read: Read, choices: Lookup[str, str]) -> tuple[ReadChoice, ...]:
    """Whether the text of merged cells counts for every row that they reach over."""
    areas = sum(
        area.last_row > layout.first_row and area.column in layout.places
        for seen, layout in read
        for area in seen.areas
    )
    if not areas:
        return ()
    asked = choices.get("merged", FILL_DOWN)
    return (
        ReadChoice(
            id="merged",
            title="Cells that are merged over several rows",
            value=asked if asked in (FILL_DOWN, AS_STORED) else FILL_DOWN,
            options=(
                (FILL_DOWN, "Their text counts for every row they reach over"),
                (AS_STORED, "Their text counts for the first row only"),
            ),
            why=_YOURS
            if "merged" in choices
            else f"{count_words(areas, 'merged cell')} would leave the rows below empty.",
        ),
    )


def choose_notes(read: Read, choices: Lookup[str, str]) -> tuple[ReadChoice, ...]:
    """Whether short rows under the table are examples."""
    notes = sum(len(layout.notes) for _, layout in read)
    if not notes:
        return ()
    value = LEAVE_OUT if choices.get("notes", KEEP) == LEAVE_OUT else KEEP
    return (
        ReadChoice(
            id="notes",
            title="Short rows under the table",
            value=value,
            options=((KEEP, "Read them like all others"), (LEAVE_OUT, "Leave them out")),
            why=_YOURS
            if "notes" in choices
            else f"The last {count_words(notes, 'row')} fill hardly a cell, as notes and sums do.",
        ),
    )


def _take_asked(filled: Sequence[SheetSurvey], asked: str) -> SheetSurvey:
    for seen in filled:
        if seen.part.title == asked:
            return seen
    titles = ", ".join(f"“{seen.part.title}”" for seen in filled[:20])
    raise UserError(
        title="This sheet is not in the workbook",
        detail=f"“{asked[:60]}” was asked for; sheets with something in them are {titles}.",
        fix="Choose one of these.",
    )


def _describe(seen: SheetSurvey, layouts: Lookup[str, Layout]) -> str:
    layout = layouts[seen.part.title]
    shown = ", ".join(layout.columns[:_SHOWN_COLUMNS])
    more = "…" if len(layout.columns) > _SHOWN_COLUMNS else ""
    hidden = " (hidden)" if seen.part.is_hidden else ""
    columns = count_words(len(layout.columns), "column")
    return f"{seen.part.title}{hidden}: {count_words(seen.rows, 'row')}, {columns}: {shown}{more}"
