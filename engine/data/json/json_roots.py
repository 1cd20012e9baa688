"""Where the rows stand inside JSON: which list, which side of a table, or each key an entry.

Exports wrap their rows in outer objects, turn the table on its side, key it by id, or cut it into
"train" and "test". Pure; `json_rows` asks for every way in which a value can be read as rows, takes
one, and offers the others.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from tailor.engine.data.detectors.column_names import ANSWER_WORDS, QUESTION_WORDS, rank_name
from tailor.estimator.record import record

LEVELS = 3
"""How deep a list of rows is looked for."""
PATH_MARK = " > "
COLUMNS, IDS, PARTS, WHOLE = "columns", "ids", "parts", "whole"
"""Ways that are no path: columns side by side, an entry for each id, several lists of equal
entries, and the object itself as one row."""

SPEAKER_KEYS = frozenset({"role", "from"})
"""Fields that make an object a turn of a conversation."""
FIRST_TEXT = "[0].text"
"""Ending of the column that holds the first text of a list, such as "answers[0].text"."""

Record = dict[str, Any]
Path = tuple[str, ...]

# Lists inside a row, not of rows: going into them would tear conversations apart.
_INNER_LISTS = frozenset({
    "messages", "conversations", "conversation", "turns", "dialog", "dialogue", "history",
    "answers", "choices", "options", "tools", "images",
})  # fmt: skip
_SPLIT_NAMES = frozenset({
    "train", "training", "test", "testing", "validation", "valid", "val", "dev", "eval", "held_out",
})  # fmt: skip


@record
class Root:
    """One way to read rows out of an object."""

    id: str
    """A path such as "data > paragraphs > qas", or one of the ways that are no path."""
    words: str
    rows: int


def find_roots(value: Record) -> tuple[Root, ...]:
    """Every way to read a single object as rows, the likeliest first."""
    roots: list[Root] = []
    turned = _turned_table(value)
    if turned is not None:
        roots.append(Root(id=COLUMNS, words="columns side by side", rows=len(turned)))
    parts = _equal_lists(value)
    if parts:
        rows = sum(len(value[key]) for key in parts)
        roots.append(Root(id=PARTS, words=" and ".join(parts), rows=rows))
    paths = sorted(count_paths(value).items(), key=lambda found: -found[1])
    roots += [
        Root(id=PATH_MARK.join(path), words=PATH_MARK.join(path), rows=rows) for path, rows in paths
    ]
    keyed = _keyed_records(value)
    if keyed is not None:
        roots.append(Root(id=IDS, words="one entry for each id", rows=len(keyed)))
    return (*roots, Root(id=WHOLE, words="", rows=1))


def take_rows(value: Record, root: str) -> Iterator[Record]:
    """The rows of an object, read in one of the ways that `find_roots` has found."""
    if root == WHOLE:
        yield value
    elif root in _WAYS:
        yield from _WAYS[root](value) or ()
    else:
        first, *rest = root.split(PATH_MARK)
        # What stands beside the outermost list, such as a version, speaks of the whole file.
        yield from expand({first: value.get(first)}, (first, *rest))


def count_paths(value: Record) -> dict[Path, int]:
    """Every list of objects within the levels, by its path, with the number of its objects."""
    counts: dict[Path, int] = {}
    for path, rows in _lists(value, ()):
        counts[path] = counts.get(path, 0) + rows
    return counts


def expand(value: Any, path: Path) -> Iterator[Record]:
    """The objects at the end of a path, each with the plain fields of those that hold it."""
    yield from _expand(value, path, {})


def is_pair(row: Record) -> bool:
    """Whether a row asks and answers; a list inside it then only belongs to it."""
    return any(rank_name(key, QUESTION_WORDS) for key in row) and any(
        rank_name(key, ANSWER_WORDS) for key in row
    )


def _expand(value: Any, path: Path, carried: Record) -> Iterator[Record]:
    if isinstance(value, list):
        for item in value:
            yield from _expand(item, path, carried)
    elif isinstance(value, dict) and path:
        plain = {k: v for k, v in value.items() if not isinstance(v, list | dict)}
        yield from _expand(value.get(path[0]), path[1:], carried | plain)
    elif isinstance(value, dict):
        yield carried | value


def _lists(parent: Record, path: Path) -> Iterator[tuple[Path, int]]:
    for key, value in parent.items():
        here = (*path, key)
        if key.lower() in _INNER_LISTS or PATH_MARK in key or len(here) > LEVELS:
            continue
        if isinstance(value, dict):
            yield from _lists(value, here)
        elif is_list_of_objects(value) and SPEAKER_KEYS.isdisjoint(value[0]):
            yield here, len(value)
            if not _is_plain_pair(value[0]):
                for row in value:
                    yield from _lists(row, here)


def _is_plain_pair(row: Record) -> bool:
    return is_pair({key: value for key, value in row.items() if isinstance(value, str)})


def _turned_table(root: Record) -> list[Record] | None:
    """Rows of a table stored by column: lists of equal length, or fields keyed "0", "1", "2"."""
    columns = list(root.values())
    if (split := _split_table(root)) is not None:
        return split
    if columns and all(isinstance(column, list) for column in columns):
        lengths = {len(column) for column in columns}
        if len(lengths) == 1 and not any(is_list_of_objects(column) for column in columns):
            return [dict(zip(root, row, strict=True)) for row in zip(*columns, strict=True)]
    elif columns and all(isinstance(column, dict) and column for column in columns):
        keys = list(columns[0])
        if all(key.isdigit() for key in keys) and all(list(c) == keys for c in columns):
            return [{name: root[name][key] for name in root} for key in keys]
    return None


def _split_table(root: Record) -> list[Record] | None:
    """Names of columns in one list, rows without names in another."""
    names, rows = root.get("columns"), root.get("data", root.get("rows"))
    if not isinstance(names, list) or not isinstance(rows, list) or not rows:
        return None
    if not all(isinstance(name, str) for name in names) or len(set(names)) != len(names):
        return None
    if any(not isinstance(row, list) or len(row) != len(names) for row in rows):
        return None
    return [dict(zip(names, row, strict=True)) for row in rows]


def _equal_lists(root: Record) -> Sequence[str]:
    """Keys of several lists whose entries have the same fields."""
    keys = [key for key, value in root.items() if is_list_of_objects(value)]
    if len(keys) < 2 or len({frozenset(root[key][0]) for key in keys}) != 1:
        return ()
    is_turn = not SPEAKER_KEYS.isdisjoint(root[keys[0]][0])
    return () if is_turn or any(key.lower() in _INNER_LISTS for key in keys) else keys


def _joined_lists(root: Record) -> list[Record]:
    keys = _equal_lists(root)
    is_split = all(key.lower() in _SPLIT_NAMES for key in keys)
    return [
        {"split" if is_split else "part": key, **row}
        for key in keys
        for row in root[key]
        if isinstance(row, dict)
    ]


def _keyed_records(root: Record) -> list[Record] | None:
    values = list(root.values())
    if len(values) < 2 or not all(isinstance(value, dict) for value in values):
        return None
    return [{"id": key} | value for key, value in root.items()]


def is_list_of_objects(value: Any) -> bool:
    """Whether it is a list and every item in it has named fields."""
    return isinstance(value, list) and bool(value) and all(isinstance(item, dict) for item in value)


_WAYS: dict[str, Callable[[Record], list[Record] | None]] = {
    COLUMNS: _turned_table,
    IDS: _keyed_records,
    PARTS: _joined_lists,
}
