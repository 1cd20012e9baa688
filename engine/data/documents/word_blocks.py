"""The body of a Word file as paragraphs and tables in their order, out of a stream of its XML.

What a reader of the document sees is taken: typed and inserted text, text in boxes and forms, and
tables where they stand. What was deleted, moved away or remarked is not. The XML is never a tree in
memory, and a file that declares entities, with which a few bytes become gigabytes, is refused.
`word` reads with it.
"""

from collections import Counter, deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import IO

from tailor.engine.data.documents.word_xml import feed, make_parser, split_name
from tailor.engine.data.text.lines import ROW_LIMIT_CHARACTERS, too_long

TABLE_CHARACTERS_MOST = 50_000_000
CELLS_MOST = 2_000_000
COLUMNS_MOST = 1_000
REMARKS = {"commentReference": "comment", "footnoteReference": "footnote", "del": "deletion"}

_WORD_SPACES = (
    "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
    "http://purl.oclc.org/ooxml/wordprocessingml/main",
)
_SKIPPED = frozenset({"del", "moveFrom", "Fallback"})
"""Deleted text, text that was moved elsewhere, and the copy of a text box for old programs."""
_LETTERS = {"tab": "\t", "ptab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph, or a table."""

    text: str = ""
    style: str = ""
    """Id of the paragraph's style; the document's styles say which ones are headings."""
    is_item: bool = False
    """Whether it is an item of a list."""
    table: tuple[tuple[str, ...], ...] = ()
    """Cells of a table by row; cells that were merged downwards are repeated."""


@dataclass
class _Paragraph:
    pieces: list[str] = field(default_factory=list)
    characters: int = 0
    style: str = ""
    is_item: bool = False


@dataclass
class _Table:
    rows: list[tuple[str, ...]] = field(default_factory=list)
    row: list[str] = field(default_factory=list)
    cell: list[str] = field(default_factory=list)
    columns_in_cell: int = 1
    is_continued: bool = False
    """Whether the cell belongs to the one above it."""
    characters: int = 0


class WordBody:
    """Takes blocks out of `document.xml` while it is fed; `aside` counts what is not text."""

    def __init__(self) -> None:
        self.aside: Counter[str] = Counter()
        self._blocks: deque[Block] = deque()
        self._paragraphs: list[_Paragraph] = []
        self._tables: list[_Table] = []
        self._skipped = 0
        self._in_text = False

    def read(self, stream: IO[bytes]) -> Iterator[Block]:
        """Blocks in the order in which they stand."""
        parser = make_parser(self._start)
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._data
        for _ in feed(parser, stream):
            while self._blocks:
                yield self._blocks.popleft()

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        space, tag = split_name(name)
        is_word = space in _WORD_SPACES
        if is_word and tag in REMARKS:
            self.aside[REMARKS[tag]] += 1
        if self._skipped or (tag in _SKIPPED and (is_word or tag == "Fallback")):
            self._skipped += 1
        elif is_word and tag in _LETTERS:
            self._add(_LETTERS[tag])
        elif tag == "t":
            # Text of Word or of a formula; drawings have texts of their own names.
            self._in_text = is_word or space.endswith("/math")
        elif is_word:
            self._start_word(tag, attributes, space)

    def _start_word(self, tag: str, attributes: dict[str, str], space: str) -> None:
        value = attributes.get(f"{space} val", "")
        if tag == "p":
            self._paragraphs.append(_Paragraph())
        elif tag == "tbl":
            self._tables.append(_Table())
        elif self._paragraphs and tag == "pStyle":
            self._paragraphs[-1].style = value
        elif self._paragraphs and tag == "numPr":
            self._paragraphs[-1].is_item = True
        elif self._tables and tag == "gridSpan":
            self._tables[-1].columns_in_cell = int(value) if value.isdecimal() else 1
        elif self._tables and tag == "vMerge":
            self._tables[-1].is_continued = value != "restart"

    def _end(self, name: str) -> None:
        if self._skipped:
            self._skipped -= 1
            return
        space, tag = split_name(name)
        self._in_text = False
        if space not in _WORD_SPACES:
            return
        if tag == "p" and self._paragraphs:
            self._end_paragraph(self._paragraphs.pop())
        elif tag == "tc" and self._tables:
            _end_cell(self._tables[-1])
        elif tag == "tr" and self._tables:
            _end_row(self._tables[-1])
        elif tag == "tbl" and self._tables:
            self._end_table(self._tables.pop())

    def _data(self, text: str) -> None:
        if self._in_text and not self._skipped:
            self._add(text)

    def _add(self, text: str) -> None:
        if not self._paragraphs:
            return
        paragraph = self._paragraphs[-1]
        paragraph.pieces.append(text)
        paragraph.characters += len(text)
        if paragraph.characters > ROW_LIMIT_CHARACTERS:
            raise too_long("A paragraph")

    def _end_paragraph(self, paragraph: _Paragraph) -> None:
        text = "".join(paragraph.pieces).strip()
        if not text:
            return
        if self._tables:
            table = self._tables[-1]
            table.cell.append(text)
            table.characters += len(text)
            if table.characters > TABLE_CHARACTERS_MOST:
                raise too_long("A table")
            return
        self._blocks.append(Block(text=text, style=paragraph.style, is_item=paragraph.is_item))

    def _end_table(self, table: _Table) -> None:
        rows = tuple(row for row in table.rows if any(row))
        if self._tables:
            # A table in a cell is text of that cell.
            self._tables[-1].cell.extend(" | ".join(row) for row in rows)
        elif rows:
            self._blocks.append(Block(table=rows))


def _end_cell(table: _Table) -> None:
    if len(table.row) > COLUMNS_MOST:
        raise too_long("A row of a table")
    text = "\n".join(table.cell)
    column = len(table.row)
    if table.is_continued and not text and table.rows and column < len(table.rows[-1]):
        text = table.rows[-1][column]
    table.row += [text] + [""] * (min(table.columns_in_cell, COLUMNS_MOST) - 1)
    table.cell, table.columns_in_cell, table.is_continued = [], 1, False


def _end_row(table: _Table) -> None:
    table.rows.append(tuple(table.row))
    table.row = []
    if len(table.rows) * len(table.rows[-1]) > CELLS_MOST:
        raise too_long("A table")
