"""Tables of a Word document as rows: the tables with the same headings are one.

A table over several pages is often cut into several, and a document has small tables that are no
examples; so tables of one form are counted together and the largest form is offered. Pure; `word`
reads with it.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tailor.engine.data.counted import count_words
from tailor.engine.data.documents.word_blocks import Block
from tailor.engine.data.read_row import ReadRow, Tally
from tailor.engine.data.text.headings import are_headings
from tailor.engine.data.text.table_columns import name_columns


@dataclass(frozen=True, slots=True)
class TableForm:
    """What tables that belong together have in common."""

    columns: tuple[str, ...]
    has_headings: bool


def find_table_form(block: Block) -> TableForm | None:
    """The form of a table; None when it has only one column, like a frame around text."""
    first = block.table[0]
    if len(first) < 2:
        return None
    has_headings = are_headings(first) and len(set(first)) == len(first)
    names = first if has_headings else ("",) * len(first)
    return TableForm(columns=name_columns(names), has_headings=has_headings)


def count_rows(block: Block, form: TableForm) -> int:
    """Rows of a table without its headings."""
    return len(block.table) - form.has_headings


def read_table_rows(blocks: Iterable[Block], form: TableForm, tally: Tally) -> Iterator[ReadRow]:
    """Every row of all tables of this form; their places are told by table and row."""
    number = 0
    for block in blocks:
        if not block.table:
            continue
        number += 1
        if find_table_form(block) != form:
            continue
        for place, cells in enumerate(block.table, start=1):
            tally.physical_lines += 1
            if place > form.has_headings:
                row = _row(cells, form, place, number)
                tally.count(row)
                yield row


def _row(cells: tuple[str, ...], form: TableForm, place: int, number: int) -> ReadRow:
    width = len(form.columns)
    fitting = cells[: width - 1] + (" ".join(filter(None, cells[width - 1 :])),)
    wrong = len(cells) != width
    return ReadRow(
        cells=fitting + ("",) * (width - len(fitting)),
        first_line=place,
        last_line=place,
        damage=f"{count_words(len(cells), 'cell')} instead of {width}" if wrong else "",
        part=f"table {number}",
    )
