"""Word files: paragraphs and tables in their order, or a table of the document as rows.

Experts keep their questions and answers in a Word table as often as in a sheet. A document that is
mostly such a table is read as its rows; every other one as text, with its tables where they stand.
`read` opens a file here that is a Word document by its content.
"""

from collections import Counter
from collections.abc import Generator, Iterator
from collections.abc import Mapping as Lookup
from dataclasses import dataclass, field
from typing import BinaryIO

from tailor.engine.data.archive.zip_damage import damage_in_words
from tailor.engine.data.archive.zip_door import open_zip
from tailor.engine.data.counted import count_words
from tailor.engine.data.documents.pieces import (
    COLUMNS,
    WHOLE,
    choose_pieces,
    cut_pieces,
    note_on_learning,
)
from tailor.engine.data.documents.word_blocks import Block, WordBody
from tailor.engine.data.documents.word_styles import Styles, read_styles
from tailor.engine.data.documents.word_tables import (
    TableForm,
    count_rows,
    find_table_form,
    read_table_rows,
)
from tailor.engine.data.documents.word_text import join_blocks
from tailor.engine.data.read_row import ReadRow, Tally
from tailor.engine.data.table import Table
from tailor.engine.data_types import ReadChoice
from tailor.engine.errors import UserError
from tailor.engine.findings import Finding

BODY = "word/document.xml"
STYLES = "word/styles.xml"
TABLE = "table"
TABLE_ROWS_LEAST = 3
TABLE_SHARE = 0.5
"""Share of the letters that stand in one form of table, from which the document is that table."""


@dataclass
class _Seen:
    """What one pass over the document has counted."""

    styles: Styles = Styles()
    paragraphs: int = 0
    characters: int = 0
    table_rows: Counter[TableForm] = field(default_factory=Counter)
    table_characters: Counter[TableForm] = field(default_factory=Counter)
    aside: Counter[str] = field(default_factory=Counter)


def open_word(file: BinaryIO, name: str, choices: Lookup[str, str]) -> Table:
    """Open a Word document; `name` is only told when there is nothing in it."""
    seen = _survey(file)
    if not seen.characters:
        raise UserError(
            title="There is no text in this document",
            detail=f"“{name[:80]}” holds no paragraph and no table with letters in it.",
            fix="If the text is a picture, have it recognised first, and drop the document again.",
        )
    form = _largest_form(seen)
    choice = _choose(seen, form, choices)
    if form is not None and choice.value == TABLE:
        return _as_rows(file, seen, form, choice)
    return _as_text(file, seen, choice)


def _as_rows(file: BinaryIO, seen: _Seen, form: TableForm, choice: ReadChoice) -> Table:
    tally = Tally()

    def rows() -> Generator[ReadRow, None, None]:
        yield from read_table_rows(_read_blocks(file, WordBody()), form, tally)

    def findings() -> Iterator[Finding]:
        around = seen.characters - seen.table_characters[form]
        if around:
            yield _about_text_around(around)

    return Table(
        kind="Word",
        words="Table in a Word document",
        columns=form.columns,
        rows=rows(),
        tally=tally,
        entry_word="row",
        findings=findings,
        choices=(choice,),
        left_aside=tuple(seen.aside.most_common()),
    )


def _as_text(file: BinaryIO, seen: _Seen, choice: ReadChoice) -> Table:
    tally = Tally()

    def rows() -> Generator[ReadRow, None, None]:
        paragraphs = join_blocks(_read_blocks(file, WordBody()), seen.styles)
        yield from cut_pieces(paragraphs, tally, is_whole=choice.value == WHOLE[0])
        tally.physical_lines = seen.paragraphs

    def findings() -> Iterator[Finding]:
        yield note_on_learning()

    return Table(
        kind="Word",
        words="Text of a Word document",
        columns=COLUMNS,
        rows=rows(),
        tally=tally,
        entry_word="paragraph",
        findings=findings,
        choices=(choice,),
        left_aside=tuple(seen.aside.most_common()),
    )


def _read_blocks(file: BinaryIO, body: WordBody) -> Iterator[Block]:
    with damage_in_words(), open_zip(file) as packed, packed.open(BODY) as stream:
        yield from body.read(stream)


def _read_styles(file: BinaryIO) -> Styles:
    with damage_in_words(), open_zip(file) as packed:
        if STYLES not in packed.namelist():
            return Styles()
        with packed.open(STYLES) as stream:
            return read_styles(stream)


def _survey(file: BinaryIO) -> _Seen:
    body = WordBody()
    seen = _Seen(styles=_read_styles(file), aside=body.aside)
    for block in _read_blocks(file, body):
        seen.paragraphs += 1
        letters = len(block.text) + sum(len(cell) for row in block.table for cell in row)
        seen.characters += letters
        form = find_table_form(block) if block.table else None
        if form is not None:
            seen.table_rows[form] += count_rows(block, form)
            seen.table_characters[form] += letters
    return seen


def _largest_form(seen: _Seen) -> TableForm | None:
    """The form of table with the most rows, when it has enough to be examples."""
    form, rows = next(iter(seen.table_rows.most_common(1)), (None, 0))
    return form if rows >= TABLE_ROWS_LEAST else None


def _choose(seen: _Seen, form: TableForm | None, choices: Lookup[str, str]) -> ReadChoice:
    paragraphs = ("paragraphs", f"Each paragraph ({seen.paragraphs:,})")
    if form is None:
        why = "A paragraph is the smallest piece that says something by itself."
        return choose_pieces(choices, (paragraphs, WHOLE), "paragraphs", why)
    rows = count_words(seen.table_rows[form], "row")
    names = ", ".join(form.columns[:4])
    ways = ((TABLE, f"Each row of the table with {names} ({rows})"), paragraphs, WHOLE)
    share = seen.table_characters[form] / seen.characters
    if share >= TABLE_SHARE:
        why = f"{share:.0%} of the letters stand in a table of {rows}."
        return choose_pieces(choices, ways, TABLE, why)
    why = f"Most letters stand outside tables; {share:.0%} stand in a table of {rows}."
    return choose_pieces(choices, ways, "paragraphs", why)


def _about_text_around(characters: int) -> Finding:
    return Finding(
        level="note",
        title="Text outside the table is not read",
        detail=f"{characters:,} letters of the document stand outside the table that is read.",
        fix="If that text is what should be learned, read the document by paragraphs instead.",
    )
