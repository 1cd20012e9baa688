"""Pictures of a row, and the marks in its text where they belong.

A model sees a picture where `<image>` stands, so there must be as many marks as pictures. Where a
row has none, they are put in front of the first question; any other difference would show the model
the wrong picture. The makers of conversations call `place_pictures` at the end.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from tailor.engine.data.making.example import NotTeachableError
from tailor.engine.data.making.json_cell import decode_cell
from tailor.recipes.spec import Message

MARK = "<image>"
_NAME_KEYS = ("path", "url", "image", "file", "file_name", "name")


def read_pictures(cell: str) -> tuple[str, ...]:
    """The names of pictures in a cell: one, a list, or several with a separator between them."""
    if not cell.strip():
        return ()
    value = decode_cell(cell)
    if value is None:
        parts = cell.replace(";", "\n").replace("|", "\n").split("\n")
        return tuple(name for part in parts if (name := _checked(part)))
    entries = value if isinstance(value, list) else [value]
    return tuple(name for entry in entries if (name := _checked(picture_name(entry))))


def picture_name(value: Any) -> str:
    """The name in an entry of a list, which may be an object around it."""
    while isinstance(value, dict):
        value = next((value[key] for key in _NAME_KEYS if value.get(key)), "")
    return value if isinstance(value, str) else ""


def place_pictures(
    turns: tuple[Message, ...], pictures: Sequence[str], *, is_mapped: bool
) -> tuple[Message, ...]:
    """The turns with a mark for each picture; raises when marks and pictures do not match."""
    marks = sum(turn.content.count(MARK) for turn in turns)
    if not pictures and not is_mapped:
        if marks:
            raise NotTeachableError("it marks a place for a picture, but no column names pictures")
        return turns
    if marks == len(pictures):
        return turns
    if marks:
        raise NotTeachableError(
            f"it names {_counted(len(pictures))} and marks {_counted(marks, 'place')} for one"
        )
    first = next(place for place, turn in enumerate(turns) if turn.role == "user")
    asked = replace(turns[first], content=MARK * len(pictures) + turns[first].content)
    return (*turns[:first], asked, *turns[first + 1 :])


def _checked(name: str) -> str:
    plain = name.strip().strip("\"'")
    if plain.casefold().startswith(("http://", "https://", "ftp://")):
        raise NotTeachableError("its picture lies on the internet, which Tailor never asks")
    if plain.casefold().startswith("data:"):
        raise NotTeachableError("its picture is written into the row instead of a file")
    return plain


def _counted(number: int, word: str = "picture") -> str:
    return f"{number} {word}" + ("s" if number != 1 else "")
