"""Rows of a table as text, with their places.

Every cell stays the text it was: "007" and "NA" are not numbers and not missing. Rows of the wrong
width are kept to be shown and told, never bent into shape. `text_table` reads the whole file with
it, in the form that `table_form` has found.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain

from tailor.engine.data.counted import count_words
from tailor.engine.data.read_row import ReadRow, Tally
from tailor.engine.data.text.csv_records import read_records
from tailor.engine.data.text.lines import LineFeed
from tailor.engine.data.text.table_form import TableForm

REPEATED_HEADINGS = "it repeats the headings"


def read_table(lines: Iterator[str], form: TableForm, tally: Tally) -> Iterator[ReadRow]:
    """Every row under the headings, all of them as wide as the headings."""
    feed = LineFeed(lines)
    for _ in range(form.skipped_lines):
        next(feed)
    width = len(form.columns)
    records = read_records(feed, form.separation, width, tally)
    headings = next(records).cells if form.has_headings else None
    for record in records:
        row = record
        if len(record.cells) != width:
            row = _ragged(record, form)
            if form.fills_short_rows and len(record.cells) < width:
                row = replace(row, damage=record.damage)
        elif record.cells == headings and width > 1:
            row = _damaged(record, REPEATED_HEADINGS)
        tally.count(row)
        yield row


def _ragged(row: ReadRow, form: TableForm) -> ReadRow:
    """A row of the wrong width, made to fit for showing and marked as damaged."""
    width, cells = len(form.columns), list(row.cells)
    wrong = f"{count_words(len(cells), 'cell')} instead of {width}"
    shown = cells[: width - 1] + [form.separation.delimiter.join(cells[width - 1 :])]
    filled = list(chain(shown, [""] * (width - len(shown))))
    return _damaged(row, "; ".join(part for part in (row.damage, wrong) if part), filled)


def _damaged(row: ReadRow, damage: str, cells: list[str] | None = None) -> ReadRow:
    return ReadRow(
        cells=row.cells if cells is None else cells,
        first_line=row.first_line,
        last_line=row.last_line,
        damage=damage,
    )
