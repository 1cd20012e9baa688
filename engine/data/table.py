"""A table that was opened for reading: the seam between every reader and everything behind it.

CSV, spreadsheets, JSON, columnar files, documents and archives have nothing in common but this:
some columns, rows one after another, and a few things worth telling once all of them were read. A
reader is a function from an open file to a `Table`; `read` writes its rows and reports on it.
"""

from collections.abc import Callable, Generator, Iterator
from collections.abc import Mapping as Lookup
from dataclasses import dataclass, field
from typing import BinaryIO

from tailor.engine.data.read_row import ReadRow, Tally
from tailor.engine.data_types import ReadChoice
from tailor.engine.findings import Finding


def no_findings() -> Iterator[Finding]:
    """What a reader has to tell that has nothing to tell."""
    yield from ()


@dataclass(frozen=True)
class Table:
    """An opened file. Its rows can be taken once."""

    kind: str
    """What it is by its content: "CSV", "Excel", "JSON Lines"."""
    words: str
    """How it was read, for the sentence about it: "Semicolons, UTF-8"."""
    columns: tuple[str, ...]
    rows: Generator[ReadRow, None, None]
    tally: Tally
    """Filled while rows are taken."""
    entry_word: str = "entry"
    """How a row's place is told when it has no words of its own: "line" or "entry"."""
    findings: Callable[[], Iterator[Finding]] = no_findings
    """What was noticed; asked after the last row."""
    choices: tuple[ReadChoice, ...] = ()
    """What was found out and may be decided otherwise."""
    note: str = ""
    """A sentence more, such as that the name of the file lies."""
    left_aside: tuple[tuple[str, int], ...] = field(default=())
    """What is there and is not read as rows, with its number: ("blank line", 2)."""
    done: Callable[[], float] | None = None
    """Share of it that was read so far, when the position in the file does not tell."""


Open = Callable[[BinaryIO, str, Lookup[str, str]], Table]
"""A reader: an open file, the person's name for it, and choices by id. Raises `UserError`."""
