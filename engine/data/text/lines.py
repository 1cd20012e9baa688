"""Physical lines of a text, numbered, bounded, and with a way to put some back.

Parsed rows are compared with physical lines, so lines are counted here and nowhere else. A line
without an end, the usual sign of a wrong file, is refused before it fills the memory.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from typing import TextIO

from tailor.engine.errors import UserError

ROW_LIMIT_CHARACTERS = 8_000_000
CELL_LIMIT_CHARACTERS = 4_000_000


class LineFeed:
    """An iterator over lines that remembers what was taken since the last `start`."""

    def __init__(self, lines: Iterable[str]) -> None:
        """`lines` keep their line feed; `bounded_lines` makes them from a file."""
        self._lines = iter(lines)
        self._back: deque[str] = deque()
        self.taken: list[str] = []
        self.line = 0
        """Number of the last line that was handed out, from 1."""

    def __iter__(self) -> Iterator[str]:
        """Itself."""
        return self

    def __next__(self) -> str:
        """The next line."""
        line = self._back.popleft() if self._back else next(self._lines)
        self.line += 1
        self.taken.append(line)
        return line

    def start(self) -> int:
        """Forget what was taken; the number of the line that comes next."""
        self.taken = []
        return self.line + 1

    def put_back(self, count: int) -> None:
        """Hand the last `count` taken lines out again."""
        for _ in range(count):
            self._back.appendleft(self.taken.pop())
        self.line -= count


def bounded_lines(text: TextIO) -> Iterator[str]:
    """Lines of an open text file, each at most the row limit long."""
    line = 0
    while piece := text.readline(ROW_LIMIT_CHARACTERS + 1):
        line += 1
        if len(piece) > ROW_LIMIT_CHARACTERS:
            raise too_long(f"Line {line}")
        yield piece


def too_long(place: str) -> UserError:
    """A row beyond the limit; `place` begins the sentence."""
    return UserError(
        title="One row is too long",
        detail=f"{place} holds more than {ROW_LIMIT_CHARACTERS / 1e6:.0f} MB; "
        "is a line break or a quotation mark missing?",
        fix="Look at that place in a text editor, or export the file again.",
    )


def find_excess(cells: Sequence[str]) -> str:
    """What is too long in a row that is there in full; empty when nothing is."""
    if any(len(cell) > CELL_LIMIT_CHARACTERS for cell in cells):
        return f"a cell of more than {CELL_LIMIT_CHARACTERS / 1e6:.0f} MB"
    if sum(map(len, cells)) > ROW_LIMIT_CHARACTERS:
        return f"a row of more than {ROW_LIMIT_CHARACTERS / 1e6:.0f} MB"
    return ""
