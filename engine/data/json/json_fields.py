"""The fields of a JSON record as columns: its own, and those inside of it by a path.

A record may hold its question one level down ("row.question") or in the first of a list
("instances[0].output"). Such fields become columns beside the one that holds the whole as JSON, so
nothing is lost and everything can be chosen. `json_rows` surveys a file with it.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from tailor.engine.data.counted import count_words
from tailor.engine.data.json.json_door import NumberText, cell_text
from tailor.engine.data.json.json_roots import FIRST_TEXT, SPEAKER_KEYS
from tailor.engine.findings import Finding

INNER_LEVELS = 3
INNER_COLUMNS_LIMIT = 100
INNER_SHARE = 0.1
"""An inner field is a column when at least this share of records has it: objects keyed by a name
or a date would make columns without end."""
_REMEMBERED_INNER = 2_000
_EXAMPLE_CHARACTERS = 60


@dataclass
class _Seen:
    """How often a kind of value stood in a field, and the first of them."""

    count: int
    line: int
    example: str


@dataclass
class FieldSurvey:
    """The fields of all records, in the order in which they first appear."""

    records: int = 0
    outer: dict[str, dict[str, _Seen]] = field(default_factory=dict)
    inner: dict[str, int] = field(default_factory=dict)

    def see(self, fields: dict[str, Any], line: int) -> None:
        """Count the fields of one record."""
        self.records += 1
        for key, value in fields.items():
            kinds = self.outer.setdefault(key, {})
            kind = _KINDS.get(type(value), "")
            seen = kinds.get(kind)
            if seen is None:
                kinds[kind] = _Seen(1, line, cell_text(value)[:_EXAMPLE_CHARACTERS])
            else:
                seen.count += 1
            if kind in ("an object", "a list"):
                for path, _ in inner_fields(key, value):
                    if path in self.inner or len(self.inner) < _REMEMBERED_INNER:
                        self.inner[path] = self.inner.get(path, 0) + 1

    def keys(self) -> tuple[str, ...]:
        """The fields that become columns; an inner one stands behind the one that holds it."""
        usual = {path for path, count in self.inner.items() if count >= INNER_SHARE * self.records}
        usual -= set(self.outer)
        if len(usual) > INNER_COLUMNS_LIMIT:
            usual = set()
        names: list[str] = []
        for key in self.outer:
            names.append(key)
            names += [path for path in self.inner if path in usual and _outer(path, key)]
        return tuple(dict.fromkeys(names))

    def findings(self) -> Iterator[Finding]:
        """Fields that hold a text in one record and a list or object in another."""
        for key, kinds in self.outer.items():
            told = {kind: seen for kind, seen in kinds.items() if kind}
            if len(told) < 2 or not {"an object", "a list"} & set(told):
                continue
            counts = " and ".join(
                f"{kind} in {count_words(seen.count, 'entry').replace('entrys', 'entries')}"
                for kind, seen in told.items()
            )
            yield Finding(
                level="note",
                title=f"“{key[:60]}” is not always of one kind",
                detail=f"It holds {counts}. All of it was kept, lists and objects as JSON text.",
                fix="Nothing to do, unless you expected one kind only.",
                where=", ".join(f"line {seen.line}" for seen in told.values()),
                examples=tuple(seen.example for seen in told.values())[:3],
            )


def all_fields(fields: dict[str, Any]) -> dict[str, Any]:
    """The record's own fields and those inside of them by path."""
    inner = {
        path: value
        for key, outer in fields.items()
        if isinstance(outer, dict | list)
        for path, value in inner_fields(key, outer)
    }
    return inner | fields


def inner_fields(name: str, value: Any, level: int = 1) -> Iterator[tuple[str, Any]]:
    """Path and value of every field inside a value. A turn of a conversation stays whole."""
    match value:
        case {"text": [str(text), *_], "answer_start": [*_]}:
            yield f"{name}{FIRST_TEXT}", text
        case dict() if SPEAKER_KEYS.isdisjoint(value):
            for key, item in value.items():
                if isinstance(item, dict) and level < INNER_LEVELS:
                    yield from inner_fields(f"{name}.{key}", item, level + 1)
                else:
                    yield f"{name}.{key}", item
        case [dict(first), *_] if SPEAKER_KEYS.isdisjoint(first):
            for key, item in first.items():
                if isinstance(item, str) and not isinstance(item, NumberText):
                    yield f"{name}[0].{key}", item


def _outer(path: str, key: str) -> bool:
    return path.startswith((f"{key}.", f"{key}["))


_KINDS: dict[type, str] = {
    str: "a text", NumberText: "a number", bool: "true or false", dict: "an object", list: "a list",
}  # fmt: skip
"""An empty value (null) has no kind."""
