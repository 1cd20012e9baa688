"""What is out of order in a conversation, and the same conversation in order.

Exports have empty turns, two turns of one side in a row, instructions in the middle and answers
before any question. Each has one reading that keeps everything that was said. Pure; asked by
`checks/chat_roles`, for cells that hold a list of turns.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tailor.engine.data.making.json_cell import decode_cell, encode_cell, is_list_of_objects
from tailor.engine.data.making.speakers import CALLERS, find_role

EMPTY = "an empty turn"
TWICE = "two turns of one side in a row"
MIDDLE = "instructions in the middle"
EARLY = "an answer before any question"
NOBODY = "nobody asks"
SILENT = "nobody answers"
_SPEAKERS = ("role", "from")
_CONTENTS = ("content", "value")


@dataclass(frozen=True, slots=True)
class _Turn:
    role: str
    entry: dict[str, Any]
    content: str
    is_plain: bool
    """Whether it is nothing but text, so that it can be joined or dropped."""


def find_disorder(cell: str) -> tuple[str, ...]:
    """What is wrong, most serious first; nothing for a cell that is no list of known turns."""
    turns = _read(cell)
    if not turns:
        return ()
    said = [turn.role for turn in turns if turn.role != "system" and not _is_empty(turn)]
    troubles = {
        NOBODY: "user" not in said,
        SILENT: "assistant" not in said,
        EARLY: "user" in said and said[0] == "assistant",
        MIDDLE: any(turn.role == "system" for turn in turns[1:]),
        EMPTY: any(map(_is_empty, turns)),
        TWICE: any(map(_is_twice, turns, turns[1:])),
    }
    return tuple(name for name, is_there in troubles.items() if is_there)


def put_in_order(cell: str) -> str:
    """The cell with its turns in order; the same cell when that cannot be done or needs not."""
    if not set(find_disorder(cell)) - {NOBODY, SILENT}:
        return cell
    turns = [turn for turn in _read(cell) if not _is_empty(turn)]
    first = next((place for place, turn in enumerate(turns) if turn.role == "user"), None)
    if first is None or all(turn.role != "assistant" for turn in turns[first:]):
        return cell
    standing = [turn for turn in turns if turn.role == "system"]
    rest = [turn for turn in turns[first:] if turn.role != "system"]
    ordered: list[_Turn] = []
    for turn in (*standing, *rest):
        if ordered and _is_twice(ordered[-1], turn):
            ordered[-1] = _join(ordered[-1], turn)
        else:
            ordered.append(turn)
    return encode_cell([turn.entry for turn in ordered])


def _read(cell: str) -> Sequence[_Turn]:
    value = decode_cell(cell)
    if not is_list_of_objects(value):
        return ()
    turns = [_read_turn(entry) for entry in value]
    return [turn for turn in turns if turn is not None] if None not in turns else ()


def _read_turn(entry: dict[str, Any]) -> _Turn | None:
    name = next((entry[key] for key in _SPEAKERS if isinstance(entry.get(key), str)), "")
    role = find_role(name)
    content = next((entry[key] for key in _CONTENTS if key in entry), None)
    if role is None:
        return None
    text = content if isinstance(content, str) else ""
    is_call = name.strip().casefold() in CALLERS
    has_calls = any(entry.get(key) for key in ("tool_calls", "function_call"))
    is_plain = (content is None or isinstance(content, str)) and not is_call and not has_calls
    return _Turn(role=role, entry=entry, content=text, is_plain=is_plain and role != "tool")


def _is_empty(turn: _Turn) -> bool:
    return turn.is_plain and not turn.content.strip()


def _is_twice(one: _Turn, other: _Turn) -> bool:
    is_same = one.role == other.role and one.is_plain and other.is_plain
    return is_same and one.entry.get("weight") == other.entry.get("weight")


def _join(one: _Turn, other: _Turn) -> _Turn:
    text = f"{one.content}\n\n{other.content}"
    key = next(key for key in _CONTENTS if key in one.entry)
    return _Turn(role=one.role, entry={**one.entry, key: text}, content=text, is_plain=True)
