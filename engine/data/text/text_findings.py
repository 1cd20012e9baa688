"""What was noticed while a table or JSON was read as text: damage, repairs, lines against rows.

Asked after the last row, when everything was counted. `text_table` and `json_table` tell it with
the table.
"""

from collections.abc import Iterator

from tailor.engine.data.counted import count_words, list_places
from tailor.engine.data.read_row import Tally
from tailor.engine.data.text.table_form import TableForm
from tailor.engine.findings import Finding


def find_in_table(form: TableForm, tally: Tally) -> Iterator[Finding]:
    """Everything about a separated table."""
    if not form.has_headings:
        yield Finding(
            level="warn",
            title="The columns have no names",
            detail=f"Line {form.skipped_lines + 1} reads like a row, so it is used as one; the "
            "columns are numbered.",
            fix="If it was meant as headings, choose it as such.",
            where=f"line {form.skipped_lines + 1}",
        )
    yield from find_damage(tally)
    if tally.repaired:
        yield Finding(
            level="note",
            title=count_words(tally.repaired, "stray quotation mark"),
            detail="A quotation mark without its partner would have joined rows into one cell; it "
            "was read as a letter instead, and no row is lost.",
            fix="Look at these lines if quotation marks matter to you.",
            where="line " + list_places(tally.repairs, tally.repaired),
        )
    aside = []
    if form.skipped_lines:
        aside.append(count_words(form.skipped_lines, "line") + " above the headings")
    yield from find_line_difference(tally, " and the headings" if form.has_headings else "", aside)


def find_damage(tally: Tally) -> Iterator[Finding]:
    """The rows that do not fit the others."""
    if not tally.damaged:
        return
    share = 100 * tally.damaged / tally.rows
    damaged = count_words(tally.damaged, "row")
    yield Finding(
        level="warn",
        title=f"{damaged} damaged",
        detail=f"{damaged} of {tally.rows:,} ({share:.1f} %) do not fit the others. "
        "They are shown and left out of training.",
        fix="Mend these places in the file and drop it again."
        + (" Is this the right separator?" if share > 5 else ""),
        where=list_places(tally.damages, tally.damaged),
    )


def find_line_difference(tally: Tally, headings: str, aside: list[str]) -> Iterator[Finding]:
    """Why there are more lines than rows, when there are."""
    parts = list(aside)
    if tally.joined_lines:
        parts.append(count_words(tally.joined_lines, "line break") + " inside cells")
    if tally.blank_lines:
        parts.append(count_words(tally.blank_lines, "blank line"))
    if not parts:
        return
    rows = count_words(tally.rows, "row")
    listed = ", ".join(parts[:-1]) + (" and " if len(parts) > 1 else "") + parts[-1]
    yield Finding(
        level="note",
        title=f"{tally.physical_lines:,} lines make {rows}",
        detail=f"The file has {tally.physical_lines:,} lines: {rows}{headings}, "
        f"{listed}. No row is lost.",
        fix="Nothing to do.",
    )
