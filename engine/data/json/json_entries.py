"""The entries of a JSON file one after another: items of a list, lines, or whole objects.

People export all of these under the same suffix, so the form is found by looking at the first
lines. `json_rows` goes through the entries twice, once for the columns and once for the rows.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO, Literal

from tailor.engine.data.json.json_door import JsonDoor, NotJsonError
from tailor.engine.data.json.json_values import Placed, read_list, read_stream
from tailor.engine.data.read_row import Tally
from tailor.engine.data.text.encoding import TextEncoding, open_text
from tailor.engine.data.text.lines import bounded_lines
from tailor.engine.errors import UserError

WHOLE_LIMIT_BYTES = 100_000_000
"""Largest file that is one single object: it has to be decoded whole, at ten times its size."""
LINES_LOOKED_AT = 5
_SPACE = "\ufeff \t\r\n"

Form = Literal["list", "lines", "object"]


def find_form(first_lines: list[str]) -> Form:
    """The form by the first lines, of which the first begins with a bracket."""
    written = [line for line in first_lines if line.strip(_SPACE)][:LINES_LOOKED_AT]
    start = written[0].strip(_SPACE)
    alone = sum(_is_record(line) for line in written)
    if start not in ("[", "{") and alone >= 2 and alone * 2 >= len(written):
        return "lines"
    return "list" if start.startswith("[") else "object"


@contextmanager
def open_entries(
    file: BinaryIO, encoding: TextEncoding, form: Form, door: JsonDoor, tally: Tally
) -> Iterator[Iterator[Placed]]:
    """The entries from the start of the file; blank lines are counted."""
    with open_text(file, encoding) as text:
        if form == "lines":
            yield _read_lines(bounded_lines(text), door, tally)
        elif form == "list":
            yield read_list(text, door)
        else:
            yield iter(_read_objects(file, read_stream(text, door)))


def _read_lines(lines: Iterator[str], door: JsonDoor, tally: Tally) -> Iterator[Placed]:
    """One value a line; a line that is no JSON is handed on as damaged, never dropped."""
    for number, line in enumerate(lines, start=1):
        tally.physical_lines = number
        if not line.strip(_SPACE):
            tally.blank_lines += 1
            continue
        try:
            value, damage = door.decode(line.lstrip("\ufeff")), door.take_damage()
        except NotJsonError as error:
            value, damage = None, f"no whole JSON value: {error}"
        yield Placed(value=value, first_line=number, last_line=number, damage=damage)


def _read_objects(file: BinaryIO, values: Iterator[Placed]) -> list[Placed]:
    """The objects of a file that is one, or several written one after another."""
    size = file.seek(0, 2)
    file.seek(0)
    if size > WHOLE_LIMIT_BYTES:
        raise UserError(
            title="This JSON file is one single object",
            detail=f"It holds {size / 1e6:.0f} MB; Tailor reads up to "
            f"{WHOLE_LIMIT_BYTES / 1e6:.0f} MB in that form.",
            fix="Export the table inside it as a list or as JSON Lines (one object a line).",
        )
    objects = list(values)
    for placed in objects:
        if placed.damage:
            raise UserError(
                title="This JSON file is damaged",
                detail=f"Line {placed.first_line} and below: it holds {placed.damage}.",
                fix="Mend that place in a text editor, or export the file again.",
            )
    return objects


def _is_record(line: str) -> bool:
    try:
        return isinstance(JsonDoor().decode(line.lstrip("\ufeff")), dict | list)
    except NotJsonError:
        return False
