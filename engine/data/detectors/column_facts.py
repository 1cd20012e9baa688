"""What a column holds, measured once on the sample: its form, how often values repeat, who asks.

Names mislead and content does not, so every detector weighs both. A column that only numbers, dates
or names its rows is never anybody's guess. Made by `sampled_table` for each column.
"""

import re
from collections.abc import Sequence
from typing import Any, Literal

from tailor.engine.data.detectors.column_names import is_aside
from tailor.engine.data.making.answers import TEXT_KEYS, points_of
from tailor.engine.data.making.json_cell import decode_cell, is_list_of_objects
from tailor.engine.data.making.tool_calls import is_tool
from tailor.engine.data.making.transcripts import split_transcript
from tailor.engine.data.making.turns import is_turn, pair_roles
from tailor.estimator.record import record

Form = Literal[
    "empty", "turns", "turn", "tools", "texts", "scored", "pairs", "numbers", "json", "index",
    "number", "date", "link", "picture", "code", "transcript", "text",
]  # fmt: skip
"""Turns of a conversation; a single turn; tools; plain texts; answers with scores; earlier pairs;
numbers; other JSON; what numbers the rows; a number; a date; an address or a path; a picture; a
sign without a space; a conversation as text; any other text."""
MOST = 0.8
"""Share of the filled cells that must agree on a form."""
LOOKED_AT = 200
LONGEST_SIGN = 500
"""No number, date, address or name of a picture is longer."""
CLASSES_MOST, CLASS_ROWS_LEAST, CLASS_CHARACTERS = 100, 5, 60

_NUMBER = re.compile(r"[-+]?\d+(?:[.,]\d+)*(?:[eE][-+]?\d+)?\s?%?")
_DATE = re.compile(
    r"(?:\d{4}-\d{1,2}-\d{1,2}|\d{1,2}[./]\d{1,2}[./]\d{2,4})(?:[T ,]+\d{1,2}[:.]\d{2}.*)?"
    r"|\d{1,2}:\d{2}(?::\d{2})?(?:\s?[ap]m)?",
    re.IGNORECASE,
)
_LINK = re.compile(
    r"(?:https?://|www\.)\S+|[\w.+-]+@[\w-]+\.[\w.]+|[^\s/\\]*[/\\]\S*\.\w{1,8}"
    r"|[\w.-]+\.(?:txt|md|docx?|pdf|csv|xlsx?|json|html?|xml|eml|py|java|js|ts|c|cpp|go|rs)",
    re.IGNORECASE,
)
_PICTURE = re.compile(r"(?!\w+:)[^\n]{1,300}\.(?:jpe?g|png|webp|gif|bmp|tiff?)", re.IGNORECASE)
_ASKS = re.compile(
    r"\s*(?:who|what|when|where|why|which|whose|how|is|are|can|could|do|does|did|should|may|explain|"
    r"describe|tell|give|list|write|wer|was|wann|wo|wie|warum|welche[rsmn]?|wieso|woher|darf|kann|"
    r"können|muss|erkläre|qui|que|quoi|quand|où|pourquoi|comment|quel(?:le)?s?|combien|est-ce|"
    r"qué|quién|cuándo|dónde|por qué|cómo|cuál(?:es)?|cuánt[oa]s?|puedo|chi|che|cosa|come|perché|"
    r"quando|quale|onde|quem|qual|как|что|кто|где|когда|почему)\b",
    re.IGNORECASE,
)


@record
class ColumnFacts:
    """What is known of a column."""

    name: str
    form: Form
    filled: float
    """Share of the rows that have something in it."""
    distinct: int
    """How many different filled cells there are."""
    repeats: float
    """On how many rows a value stands, on average."""
    mean_characters: float
    longest: int
    asks: float
    """Share of the filled cells that ask something."""
    words: float
    """Words in a cell, on average."""

    @property
    def is_text(self) -> bool:
        """Whether a person wrote it for people."""
        return self.form in ("text", "transcript")

    @property
    def is_class(self) -> bool:
        """Whether it holds one of a few short values in every row."""
        return (
            self.form in ("text", "number", "code")
            and 2 <= self.distinct <= CLASSES_MOST
            and self.repeats >= CLASS_ROWS_LEAST
            and self.longest <= CLASS_CHARACTERS
        )


def measure_column(name: str, cells: Sequence[str]) -> ColumnFacts:
    """The facts of one column over the sampled rows."""
    filled = [cell for cell in cells if cell.strip()]
    distinct = set(filled)
    looked_at = filled[:LOOKED_AT]
    number = max(1, len(filled))
    return ColumnFacts(
        name=name,
        form=_form(name, looked_at, is_unique=len(distinct) == len(filled)),
        filled=len(filled) / max(1, len(cells)),
        distinct=len(distinct),
        repeats=len(filled) / max(1, len(distinct)),
        mean_characters=sum(map(len, filled)) / number,
        longest=max(map(len, filled), default=0),
        asks=sum(map(asks, looked_at)) / max(1, len(looked_at)),
        words=sum(cell.count(" ") + 1 for cell in looked_at) / max(1, len(looked_at)),
    )


def asks(cell: str) -> bool:
    """Whether a cell reads like a question or a request."""
    return cell.rstrip()[-1:] in ("?", "？", "؟", "?”") or "?" in cell or bool(_ASKS.match(cell))


def _form(name: str, cells: Sequence[str], *, is_unique: bool) -> Form:
    # An empty list is how programs write an empty cell.
    told = [cell for cell in cells if cell.strip() not in ("[]", "{}", "null")]
    if not told:
        return "empty"
    forms = [_form_of_cell(cell) for cell in told]
    most = max(set(forms), key=lambda form: (forms.count(form), form))
    if forms.count(most) < MOST * len(forms):
        return "text"
    if most == "number" and (is_unique and is_aside(name) or _counts(cells)):
        return "index"
    if most == "code":
        return "index" if is_unique and is_aside(name) else "code"
    return most


def _form_of_cell(cell: str) -> Form:
    value = decode_cell(cell)
    return _form_of_json(value) if value else _form_of_text(cell)


def _form_of_json(value: Any) -> Form:
    if isinstance(value, dict):
        return "turn" if is_turn(value) else "tools" if is_tool(value) else "json"
    if is_list_of_objects(value):
        return _form_of_objects(value)
    if all(isinstance(one, str) for one in value):
        return "picture" if all(map(_PICTURE.fullmatch, value)) else "texts"
    if all(isinstance(one, int | float) for one in value):
        return "numbers"
    return "pairs" if all(map(_is_pair, value)) else "json"


def _is_pair(value: Any) -> bool:
    is_two = isinstance(value, list) and len(value) == 2
    return is_two and all(isinstance(side, str) for side in value)


def _form_of_objects(value: list[dict[str, Any]]) -> Form:
    if all(map(is_turn, value)):
        return "turns"
    if all(map(is_tool, value)):
        return "tools"
    if all(points_of(one) is not None and not set(TEXT_KEYS).isdisjoint(one) for one in value):
        return "scored"
    return "turns" if all(map(pair_roles, value)) else "json"


def _form_of_text(cell: str) -> Form:
    if len(cell) > LONGEST_SIGN:
        return "transcript" if split_transcript(cell) else "text"
    plain = cell.strip()
    for form, pattern in _PATTERNS:
        if pattern.fullmatch(plain):
            return form
    if " " not in plain and len(plain) <= 64 and any(letter.isdigit() for letter in plain):
        return "code"
    return "transcript" if split_transcript(cell) else "text"


_PATTERNS: tuple[tuple[Form, re.Pattern[str]], ...] = (
    ("number", _NUMBER),
    ("date", _DATE),
    ("picture", _PICTURE),
    ("link", _LINK),
)


def _counts(cells: Sequence[str]) -> bool:
    """Whether cells count up, as a spreadsheet's own row numbers do."""
    plain = [cell.strip() for cell in cells]
    if len(plain) < 3 or not all(cell.isdecimal() for cell in plain):
        return False
    steps = [int(after) - int(before) for before, after in zip(plain, plain[1:], strict=False)]
    return steps.count(1) >= 0.9 * len(steps)
