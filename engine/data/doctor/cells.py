"""Texts put right inside a row's cells, whatever form the cell has.

A cell may hold a sentence, or a whole conversation as JSON. In JSON only the strings that change
are written anew: keys, numbers and spacing stay byte for byte, and it stays valid JSON. Used by
`fixing`.
"""

import json
import re
from collections.abc import Sequence

from tailor.engine.data.doctor.check import Mend
from tailor.engine.data_types import Mapping

_TEXT_PARTS = (
    "question", "context", "system", "messages", "text", "history", "chosen", "rejected", "ranked",
    "before", "after",
)  # fmt: skip
_STRING = re.compile(r'("(?:[^"\\]|\\.)*")(\s*:)?')


def text_columns(mapping: Mapping) -> frozenset[str]:
    """The columns whose texts may be changed: all that are read or learned, but no labels."""
    parts = _TEXT_PARTS if mapping.shape == "classes" else (*_TEXT_PARTS, "answer")
    return frozenset(name for part in parts if (name := getattr(mapping, part)))


def mend_cells(
    cells: Sequence[str], columns: Sequence[str], wanted: frozenset[str], mend: Mend
) -> list[str]:
    """The cells with every text of the wanted columns put right."""
    return [
        mend_cell(cell, mend) if name in wanted and cell else cell
        for name, cell in zip(columns, cells, strict=True)
    ]


def mend_cell(cell: str, mend: Mend) -> str:
    """One cell with its text, or each text in its JSON, put right."""
    if not _is_json(cell):
        return mend(cell)
    return _STRING.sub(lambda match: _mend_literal(match, mend), cell)


def _is_json(cell: str) -> bool:
    if cell.lstrip()[:1] not in ("[", "{"):
        return False
    try:
        json.loads(cell)
    except (ValueError, RecursionError):
        return False
    return True


def _mend_literal(match: re.Match[str], mend: Mend) -> str:
    literal, colon = match.groups()
    if colon:
        return match[0]
    text = json.loads(literal)
    mended = mend(text)
    return literal if mended == text else json.dumps(mended, ensure_ascii=literal.isascii())
