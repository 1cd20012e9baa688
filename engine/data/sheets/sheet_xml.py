"""The XML inside a workbook as a stream: rows of raw cells, without ever holding a sheet.

A tree of a large sheet takes ten times its size, and building it takes ten times the time of going
through it. Nothing in a workbook needs a definition of its own, so a file that brings one, as XML
bombs do, is refused at that place. `sheet_book` and `sheet_rows` read every part through here.
"""

from collections.abc import Callable, Iterator
from typing import BinaryIO, NamedTuple
from xml.parsers import expat

from tailor.engine.data.text.lines import CELL_LIMIT_CHARACTERS
from tailor.engine.errors import UserError

CHUNK_BYTES = 2**16
COLUMNS_MOST = 16_384
"""No spreadsheet program has more."""
MERGED_MOST = 100_000


class RawCell(NamedTuple):
    """A cell as it is stored."""

    column: int
    """From 1."""
    kind: str
    """"n" number, "s" shared text, "str" text, "inlineStr", "b", "e" error, "d" date."""
    text: str
    style: int
    has_formula: bool
    has_value: bool


class RawRow(NamedTuple):
    """A row as it is stored; empty cells are left out, or have no text."""

    number: int
    is_hidden: bool
    cells: list[RawCell]


class SheetStream:
    """Goes through a sheet once. What stands behind the rows is known when they have ended."""

    def __init__(self, source: BinaryIO) -> None:
        self._source = source
        self.merged: list[str] = []
        """Areas such as "A2:A5" whose cells were merged."""
        self.has_hidden_columns = False
        self._rows: list[RawRow] = []
        self._cells: list[RawCell] = []
        self._text: list[str] = []
        self._text_length = 0
        self._is_kept = self._is_hidden = self._is_phonetic = False
        self._row_number = self._column = 0
        self._cell: dict[str, str] = {}
        self._has_formula = self._has_value = False

    def rows(self) -> Iterator[RawRow]:
        """Every row that is written down, in the order of the file."""
        parser = safe_parser(self._start, self._end, self._data)
        while piece := self._source.read(CHUNK_BYTES):
            parser.Parse(piece)
            if self._rows:
                rows, self._rows = self._rows, []
                yield from rows
        parser.Parse(b"", True)
        yield from self._rows

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        match local_name(name):
            case "c":
                self._cell = attributes
                self._has_formula = self._has_value = False
            case "v":
                self._is_kept = self._has_value = True
            case "t":
                self._is_kept = not self._is_phonetic
                self._has_value = True
            case "f":
                self._has_formula = True
            case "rPh":
                self._is_phonetic = True
            case "row":
                self._row_number = int(attributes.get("r", self._row_number + 1))
                self._is_hidden = attributes.get("hidden", "0") in ("1", "true")
                self._cells, self._column = [], 0
            case "mergeCell" if len(self.merged) < MERGED_MOST:
                self.merged.append(attributes.get("ref", ""))
            case "col":
                self.has_hidden_columns |= attributes.get("hidden", "0") in ("1", "true")

    def _end(self, name: str) -> None:
        match local_name(name):
            case "v" | "t":
                self._is_kept = False
            case "c":
                self._take_cell()
            case "rPh":
                self._is_phonetic = False
            case "row":
                self._rows.append(RawRow(self._row_number, self._is_hidden, self._cells))

    def _data(self, text: str) -> None:
        if self._is_kept:
            self._text.append(text)
            self._text_length += len(text)
            if self._text_length > CELL_LIMIT_CHARACTERS:
                raise UserError(
                    title="One cell is too long",
                    detail=f"A cell in row {self._row_number:,} holds more than "
                    f"{CELL_LIMIT_CHARACTERS / 1e6:.0f} MB.",
                    fix="Look at that cell in your spreadsheet program.",
                )

    def _take_cell(self) -> None:
        place = self._cell.get("r", "")
        self._column = column_number(place) if place else self._column + 1
        if self._column > COLUMNS_MOST or len(self._cells) > COLUMNS_MOST:
            raise ValueError(f"column {self._column}")
        text = "".join(self._text)
        if text or self._has_formula:
            self._cells.append(
                RawCell(
                    self._column,
                    self._cell.get("t", "n"),
                    text,
                    int(self._cell.get("s", "0") or 0),
                    self._has_formula,
                    self._has_value and (bool(text) or self._cell.get("t") == "str"),
                )
            )
        self._text, self._text_length = [], 0


def safe_parser(
    start: Callable[[str, dict[str, str]], None],
    end: Callable[[str], None],
    data: Callable[[str], None],
) -> expat.XMLParserType:
    """A parser that refuses definitions: entities that unfold to gigabytes, files elsewhere."""
    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = data
    parser.EntityDeclHandler = _refuse_definition
    parser.ExternalEntityRefHandler = _refuse_definition
    return parser


def local_name(name: str) -> str:
    """The name of an element without its prefix."""
    return name.rpartition(":")[2] if ":" in name else name


def column_number(place: str) -> int:
    """The column of a place such as "AB12", from 1."""
    number = 0
    for letter in place:
        if not "A" <= letter <= "Z":
            break
        number = number * 26 + ord(letter) - 64
    return number


def column_letters(number: int) -> str:
    """The letters of a column, as spreadsheet programs show them."""
    letters = ""
    while number:
        number, rest = divmod(number - 1, 26)
        letters = chr(65 + rest) + letters
    return letters


def row_of(place: str) -> int:
    """The row of a place such as "AB12"."""
    return int(place.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ"))


def _refuse_definition(*_: object) -> int:
    raise UserError(
        title="This workbook is not safe to open",
        detail="It defines names of its own inside its XML, as files do that unfold to gigabytes. "
        "No spreadsheet program writes such a thing.",
        fix="Open it in your spreadsheet program, save it again as .xlsx and drop it again.",
    )
