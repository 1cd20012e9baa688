"""A cell that holds JSON: lists of turns, tools, answers and pictures travel as text in a table.

A cell is looked at by its first letter before it is decoded, because most cells are plain text and
millions of them pass here. Everything in `making` and `detectors` decodes cells with this.
"""

import json
import re
from typing import Any

# Half of a character, which no file can hold once it is decoded.
_ESCAPED_HALF = re.compile(r"\\u[dD][89a-fA-F]")


def decode_cell(cell: str) -> Any:
    """The list or object in a cell; None when it holds none."""
    if cell.lstrip()[:1] not in ("[", "{"):
        return None
    try:
        value = json.loads(cell, parse_constant=_refuse)
        if _ESCAPED_HALF.search(cell):
            encode_cell(value).encode()
    except (ValueError, RecursionError):
        return None
    return value


def encode_cell(value: Any) -> str:
    """A value as JSON text, letters of every script kept as they are."""
    return json.dumps(value, ensure_ascii=False)


def _refuse(word: str) -> None:
    raise ValueError(word)


def is_list_of_objects(value: Any) -> bool:
    """Whether it is a list with at least one object and nothing else."""
    return isinstance(value, list) and bool(value) and all(isinstance(one, dict) for one in value)
