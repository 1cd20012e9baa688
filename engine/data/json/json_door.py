"""The one door through which JSON enters: bounded depth, no NaN, no infinity, no broken letters.

Python's json takes what other programs then choke on, and pyarrow fails later without a row number.
Numbers keep the spelling they had, because to a model "1.50" and "1.5" are different texts. Both
JSON readers decode through a `JsonDoor`.
"""

import json
import math
import re
from typing import Any

DEPTH_LIMIT = 64
DIGITS_LIMIT = 4_300
"""Longest number that Python itself converts without being asked to."""

_TOKEN = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"|[\[\]{}]', re.DOTALL)
_SURROGATE_ESCAPE = re.compile(r"\\u[dD][89a-fA-F]")

_JSON_START = re.compile(
    r"""\[\s*(?:[\[{"\]]|(?:-?\d[\d.eE+-]*|true|false|null|NaN|Infinity|-Infinity)\s*[,\]])"""
    r"""|\{\s*(?:\}|['"“]|[A-Za-z_]\w*\s*:)"""
)
_LISTED_NUMBER = re.compile(r"\[[^\[\]\n]*\][^\S\n]*[^\s,\]]")

_WORDS = {
    "Expecting value": "a value is missing or is not written as JSON wants it",
    "Expecting property name enclosed in double quotes": "a name in double quotes is missing",
    "Expecting ':' delimiter": "a colon is missing",
    "Expecting ',' delimiter": "a comma or a quotation mark is missing",
    "Unterminated string starting at": "a text is never closed with a quotation mark",
    "Invalid control character at": "a line break or control character stands inside a text",
    "Invalid \\escape": "a backslash stands before a letter that needs none",
    "Invalid \\uXXXX escape": "a letter written as \\u needs four digits",
    "Extra data": "something follows behind the end",
    "Illegal trailing comma before end of array": "there is one comma too many",
    "Illegal trailing comma before end of object": "there is one comma too many",
}
# What stands at the fault says more than what is missing there.
_FAULTS: tuple[tuple[str, str], ...] = (
    (r"//|/\*|#", "a comment stands there, which JSON does not know"),
    (r"[\]}]", "there is one comma too many"),
    (r"'", "a name in double quotes is missing, or a text: single quotes are not JSON"),
    (r"[“”„«]", "typographic quotation marks stand where JSON wants straight ones"),
    (r"(?:None|undefined|nil|nan)\b", "an empty value is written null in JSON"),
    (r"(?:True|False|TRUE|FALSE)\b", "true and false are written small in JSON"),
    (r"[+.]\d|0[0-9xX]", "a number is not written as JSON wants it"),
)


class NumberText(str):
    """A number exactly as it was spelt in the file."""

    __slots__ = ()


class NotJsonError(ValueError):
    """A text is not JSON; the message says what is missing and at which character."""

    def __init__(self, words: str, reached: int) -> None:
        """`reached`: characters that were understood, or taken for a text that never closed."""
        super().__init__(words)
        self.reached = reached


class JsonDoor:
    """A decoder that remembers what was wrong with the last value and counts doubled keys."""

    def __init__(self) -> None:
        self.duplicate_keys = 0
        self._damage = ""
        self._decoder = json.JSONDecoder(
            object_pairs_hook=self._object,
            parse_constant=self._constant,
            parse_float=self._float,
            parse_int=self._integer,
        )

    def decode(self, text: str) -> Any:
        """The value that is the whole of `text`."""
        value, end = self.decode_at(text, len(text) - len(text.lstrip()))
        if text[end:].strip():
            raise NotJsonError(f"something follows behind the end, at character {end + 1}", end)
        return value

    def decode_at(self, text: str, start: int) -> tuple[Any, int]:
        """The value that begins at `start`, and where it ends; `take_damage` tells its faults."""
        self._damage = ""
        try:
            value, end = self._decoder.raw_decode(text, start)
        except json.JSONDecodeError as error:
            is_open = error.msg.startswith("Unterminated")
            raise NotJsonError(
                f"{_explain(error, text)}, near character {error.pos - start + 1}",
                len(text) if is_open else error.pos,
            ) from error
        except RecursionError as error:
            raise NotJsonError(_TOO_DEEP, start) from error
        if not self._damage and is_too_deep(text, start, end):
            self._damage = _TOO_DEEP
        if not self._damage and _SURROGATE_ESCAPE.search(text, start, end) and _is_broken(value):
            self._damage = "half of a letter pair (a lone surrogate)"
        return value, end

    def take_damage(self) -> str:
        """What is wrong with the last value, though its brackets match; empty when it is good."""
        return self._damage

    def _object(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(pairs)
        self.duplicate_keys += len(pairs) - len(made)
        return made

    def _constant(self, name: str) -> NumberText:
        self._damage = f"{name}, which JSON does not know; an empty value is written null"
        return NumberText(name)

    def _float(self, text: str) -> NumberText:
        if len(text) > DIGITS_LIMIT:
            return self._long_number(text)
        if math.isinf(float(text)):
            self._damage = f"the number {text[:20]}, which is too large for any program"
        return NumberText(text)

    def _integer(self, text: str) -> NumberText:
        return self._long_number(text) if len(text) > DIGITS_LIMIT else NumberText(text)

    def _long_number(self, text: str) -> NumberText:
        self._damage = f"a number of {len(text):,} digits; the limit is {DIGITS_LIMIT:,}"
        return NumberText("")


_TOO_DEEP = f"values nested more than {DEPTH_LIMIT} levels deep"


def starts_like_json(text: str) -> bool:
    """Whether a text begins like JSON, even if a broken one; "[00:12] Hello" does not."""
    if not _JSON_START.match(text):
        return False
    # "[1] Smith, 2020" is a list of sources: something follows the bracket on the same line.
    return text[1:2].isspace() or text[1:2] in '[{"]' or not _LISTED_NUMBER.match(text)


def _explain(error: json.JSONDecodeError, text: str) -> str:
    """What is wrong, by what stands there and by what the decoder expected."""
    known = next((words for key, words in _WORDS.items() if error.msg.startswith(key)), error.msg)
    if not error.msg.startswith("Expecting"):
        return known
    at = error.pos
    # Behind a comma that closes nothing, Python 3.11 tells the bracket and 3.13 the comma.
    is_after_comma = text[:at].rstrip().endswith(",")
    for pattern, words in _FAULTS:
        if re.compile(pattern).match(text, at) and (pattern != r"[\]}]" or is_after_comma):
            return words
    return known


def is_too_deep(text: str, start: int, end: int) -> bool:
    """Whether brackets nest beyond the limit; brackets inside texts do not count."""
    if text.count("[", start, end) + text.count("{", start, end) <= DEPTH_LIMIT:
        return False
    depth = 0
    for token in _TOKEN.finditer(text, start, end):
        mark = token[0]
        if mark in "[{":
            depth += 1
            if depth > DEPTH_LIMIT:
                return True
        elif mark in "]}":
            depth -= 1
    return False


def cell_text(value: Any) -> str:
    """A value as a cell: texts and numbers as they are, null as nothing, the rest as JSON."""
    if isinstance(value, str):
        return value
    return "" if value is None else json_text(value)


def json_text(value: Any) -> str:
    """A decoded value as JSON again, numbers spelt as they were."""
    if isinstance(value, NumberText):
        return value
    if isinstance(value, dict):
        pairs = (
            f"{json.dumps(key, ensure_ascii=False)}: {json_text(item)}"
            for key, item in value.items()
        )
        return "{" + ", ".join(pairs) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(json_text(item) for item in value) + "]"
    return json.dumps(value, ensure_ascii=False)


def _is_broken(value: Any) -> bool:
    try:
        json_text(value).encode("utf-8")
    except UnicodeEncodeError:
        return True
    return False
