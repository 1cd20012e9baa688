"""The values of a JSON list one by one, out of a window that never holds the whole file.

Lists are often a single line of hundreds of megabytes; reading them whole would need ten times
their size. `json_rows` takes its rows from here.
"""

from collections.abc import Iterator
from typing import Any, TextIO

from tailor.engine.data.json.json_door import JsonDoor, NotJsonError
from tailor.engine.data.text.lines import ROW_LIMIT_CHARACTERS, too_long
from tailor.engine.errors import UserError
from tailor.estimator.record import record

PIECE_CHARACTERS = 2**20
_SPACE = " \t\n\r\ufeff"


@record
class Placed:
    """A value, where it stands and what is wrong with it."""

    value: Any
    first_line: int
    last_line: int
    damage: str


class _Window:
    """The part of the text that is being decoded."""

    def __init__(self, text: TextIO) -> None:
        self._text = text
        self.buffer = ""
        self.at = 0
        self.line = 1
        self.has_ended = False

    def grow(self) -> None:
        """Read on; what was decoded already is let go."""
        piece = self._text.read(max(PIECE_CHARACTERS, len(self.buffer) - self.at))
        self.has_ended = not piece
        self.buffer = self.buffer[self.at :] + piece
        self.at = 0

    def next_mark(self) -> str:
        """The next character that is no space, not taken; "" at the end of the text."""
        while True:
            while self.at < len(self.buffer) and self.buffer[self.at] in _SPACE:
                self.line += self.buffer[self.at] == "\n"
                self.at += 1
            if self.at < len(self.buffer):
                return self.buffer[self.at]
            if self.has_ended:
                return ""
            self.grow()

    def take_value(self, door: JsonDoor) -> Placed:
        """Decode the value that begins here, reading on as far as it needs."""
        while True:
            try:
                value, end = door.decode_at(self.buffer, self.at)
            except NotJsonError as error:
                if error.reached - self.at > ROW_LIMIT_CHARACTERS:
                    raise too_long(f"The entry that begins on line {self.line}") from error
                if self.has_ended or len(self.buffer) - self.at > 2 * ROW_LIMIT_CHARACTERS:
                    raise
                self.grow()
                continue
            if end < len(self.buffer) or self.has_ended:
                break
            # A number may go on in the next piece.
            self.grow()
        first = self.line
        self.line += self.buffer.count("\n", self.at, end)
        if end - self.at > ROW_LIMIT_CHARACTERS:
            raise too_long(f"The entry that begins on line {first}")
        self.at = end
        return Placed(value=value, first_line=first, last_line=self.line, damage=door.take_damage())


def read_list(text: TextIO, door: JsonDoor) -> Iterator[Placed]:
    """The items of the one list that the text is."""
    window, items = _Window(text), 0
    window.next_mark()
    window.at += 1
    while (mark := window.next_mark()) != "]":
        if items and mark == ",":
            window.at += 1
            mark = window.next_mark()
            if mark == "]":
                raise _damaged(window.line, "there is a comma too many before the closing bracket")
        elif items and mark:
            raise _damaged(window.line, "a comma is missing between two entries")
        if not mark:
            raise _damaged(window.line, "the list is never closed with ]; the file may be cut off")
        items += 1
        yield _take(window, door, f"entry {items}")
    window.at += 1
    if window.next_mark():
        raise _damaged(window.line, "something follows behind the end of the list")


def read_stream(text: TextIO, door: JsonDoor) -> Iterator[Placed]:
    """Values that follow one another with nothing but space between them."""
    window, items = _Window(text), 0
    while window.next_mark():
        items += 1
        yield _take(window, door, f"entry {items}")


def _take(window: _Window, door: JsonDoor, which: str) -> Placed:
    line = window.line
    try:
        return window.take_value(door)
    except NotJsonError as error:
        raise _damaged(line, f"in {which}, {error}") from error


def _damaged(line: int, why: str) -> UserError:
    return UserError(
        title="This JSON file is damaged",
        detail=f"Line {line}: {why}.",
        fix="Mend that place in a text editor, or export the file again.",
    )
