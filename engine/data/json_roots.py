"""The table inside a single JSON object: which of its lists holds the rows.

Exports wrap their rows in an outer object, turn the table on its side, or key it by id. Pure;
called by `json_rows` with the decoded object.
"""

from collections.abc import Iterator
from typing import Any

from tailor.engine.data.column_names import ANSWER_WORDS, QUESTION_WORDS, rank_name
from tailor.engine.data.json_values import Placed
from tailor.estimator.record import record

LEVELS = 3
"""How deep a list of rows is looked for."""

_SPEAKER_KEYS = frozenset({"role", "from"})
# Lists inside a row, not of rows: going into them would tear conversations apart.
_INNER_LISTS = frozenset({
    "messages", "conversations", "conversation", "turns", "dialog", "dialogue", "history",
    "answers", "choices", "options", "tools", "images",
})  # fmt: skip


@record
class Table:
    """Rows found inside one object."""

    rows: tuple[Placed, ...]
    where: str
    """ "data > paragraphs > qas"; empty when the object itself is the row or the table."""


def find_table(placed: Placed) -> Table:
    """The rows of a single object; when it holds no table it is a row itself."""
    root = placed.value
    if not isinstance(root, dict):
        return Table(rows=(placed,), where="")
    turned = _turned_table(root)
    if turned is not None:
        return Table(rows=_place(turned, placed), where="columns side by side")
    path, rows = max(_lists(root, (), {}), key=lambda found: len(found[1]), default=((), []))
    if rows:
        return Table(rows=_place(rows, placed), where=" > ".join(path))
    keyed = _keyed_records(root)
    if keyed is not None:
        return Table(rows=_place(keyed, placed), where="one entry for each id")
    return Table(rows=(placed,), where="")


FIRST_TEXT = "[0].text"
"""Ending of the column that holds the first text of a list, such as "answers[0].text"."""


def with_first_texts(fields: dict[str, Any]) -> dict[str, Any]:
    """The record with the first text of each list of texts as a field of its own.

    Question sets store the accepted answers as a list; the first is the one to learn.
    """
    found = {f"{key}{FIRST_TEXT}": _first_text(value) for key, value in fields.items()}
    return fields | {key: text for key, text in found.items() if text is not None}


def _first_text(value: Any) -> str | None:
    match value:
        case [{"text": str(text), **rest}, *_] if _SPEAKER_KEYS.isdisjoint(rest):
            return text
        case {"text": [str(text), *_], "answer_start": [*_]}:
            return text
    return None


def _lists(
    parent: dict[str, Any], path: tuple[str, ...], carried: dict[str, Any]
) -> Iterator[tuple[tuple[str, ...], list[dict[str, Any]]]]:
    """Every list of objects within the levels; rows carry the plain fields of their parents."""
    plain = carried | {
        key: value for key, value in parent.items() if not isinstance(value, list | dict)
    }
    for key, value in parent.items():
        if key.lower() in _INNER_LISTS or not _is_list_of_objects(value):
            continue
        rows = [plain | row for row in value] if path else list(value)
        here = (*path, key)
        yield here, rows
        if len(here) < LEVELS and not _is_pair(value[0]):
            yield from _deeper(value, here, plain if path else {})


def _is_pair(row: dict[str, Any]) -> bool:
    """Whether a row already asks and answers; a list inside it then only belongs to it."""
    plain = [key for key, value in row.items() if isinstance(value, str)]
    return any(rank_name(key, QUESTION_WORDS) for key in plain) and any(
        rank_name(key, ANSWER_WORDS) for key in plain
    )


def _deeper(
    rows: list[dict[str, Any]], path: tuple[str, ...], carried: dict[str, Any]
) -> Iterator[tuple[tuple[str, ...], list[dict[str, Any]]]]:
    """Lists inside every row of a list, joined over all rows under the same path."""
    joined: dict[tuple[str, ...], list[dict[str, Any]]] = {}
    for row in rows:
        for inner, found in _lists(row, path, carried):
            joined.setdefault(inner, []).extend(found)
    yield from joined.items()


def _turned_table(root: dict[str, Any]) -> list[dict[str, Any]] | None:
    """Rows of a table stored by column: lists of equal length, or fields keyed "0", "1", "2"."""
    columns = list(root.values())
    if not columns:
        return None
    if all(isinstance(column, list) for column in columns):
        lengths = {len(column) for column in columns}
        if len(lengths) != 1 or any(_is_list_of_objects(column) for column in columns):
            return None
        return [dict(zip(root, row, strict=True)) for row in zip(*columns, strict=True)]
    if all(isinstance(column, dict) and column for column in columns):
        keys = list(columns[0])
        if not all(key.isdigit() for key in keys) or any(list(c) != keys for c in columns):
            return None
        return [{name: root[name][key] for name in root} for key in keys]
    return None


def _keyed_records(root: dict[str, Any]) -> list[dict[str, Any]] | None:
    values = list(root.values())
    if len(values) < 2 or not all(isinstance(value, dict) for value in values):
        return None
    return [{"id": key} | value for key, value in root.items()]


def _is_list_of_objects(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(item, dict) for item in value)


def _place(rows: list[dict[str, Any]], placed: Placed) -> tuple[Placed, ...]:
    return tuple(
        Placed(value=row, first_line=placed.first_line, last_line=placed.last_line, damage="")
        for row in rows
    )
