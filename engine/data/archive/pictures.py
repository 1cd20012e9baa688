"""Pictures in an archive and the table that speaks of them: a row has its pictures or says why not.

A cell names a picture by its path, by its bare name, or in a list. Names are looked up inside the
archive alone: no path of this computer and no address on the web is ever followed. A row whose
picture is missing cannot be learned from and says which one it misses. `archive` puts this between
a table and its reader when the archive holds pictures.
"""

import json
import re
from collections import Counter, defaultdict
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath

from tailor.engine.data.archive.members import label_path
from tailor.engine.data.archive.sorting import FALSE_PICTURE, PICTURE_SUFFIXES, Sorted
from tailor.engine.data.counted import LISTED, count_words, list_places
from tailor.engine.data.read_row import ReadRow, Tally
from tailor.engine.data.table import Table
from tailor.engine.findings import Finding

NAMING_SHARE = 0.5
"""Share of filled cells that name pictures, from which a column is one of pictures."""
_SEPARATORS = re.compile(r"[\n;|,]")
_SHOWN_IN_TEXT = re.compile(r"""(?:<img\b[^>]*?\bsrc=["']?|!\[[^\]]*\]\()([^"'()\s>]+)""")
_NAME_KEYS = ("path", "image", "file_name", "filename", "url", "src")
_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)
_DRIVE_CHARACTERS = 2
ENTRY = "entry"
"""Rows that are told by their number, because entries of JSON have no lines of their own."""


class PictureIndex:
    """The pictures of an archive by every name under which a cell may mean them."""

    def __init__(self, found: Sorted) -> None:
        self.paths = tuple(member.path for member in found.pictures)
        self._by_name: dict[str, set[str]] = defaultdict(set)
        self._false = {
            PurePosixPath(_key(member.path)).name
            for reason, member in found.aside
            if reason == FALSE_PICTURE
        }
        for path in self.paths:
            parts = _key(path).split("/")
            for start in range(len(parts)):
                self._by_name["/".join(parts[start:])].add(path)
            self._by_name[PurePosixPath(parts[-1]).stem].add(path)

    def find(self, name: str) -> tuple[str, str]:
        """The picture's path in the archive, and what is wrong when there is none."""
        shown = f"“{label_path(name)[:80]}”"
        if _is_address(name):
            return "", f"{shown} is an address, and only pictures in the archive are used"
        parts = _key(label_path(name)).split("/")
        # A cell may hold more folders than the archive: those of the computer it was written on.
        for start in range(len(parts)):
            found = self._by_name.get("/".join(parts[start:]), set())
            if len(found) == 1:
                return next(iter(found)), ""
            if found:
                return "", f"{shown} can be any of {len(found):,} pictures"
        if parts[-1] in self._false:
            return "", f"{shown} is no picture by its content"
        return "", f"{shown} is not in the archive"


@dataclass
class _Seen:
    """What was noticed while rows were taken."""

    used: set[str] = field(default_factory=set)
    wrong_rows: int = 0
    places: list[str] = field(default_factory=list)


def find_picture_columns(table: Table, index: PictureIndex, rows: int) -> tuple[str, ...]:
    """The columns whose cells name pictures, by the first rows of a table opened for that."""
    filled: Counter[str] = Counter()
    by_suffix: Counter[str] = Counter()
    by_stem: Counter[str] = Counter()
    with closing(table.rows) as taken:
        for _, row in zip(range(rows), taken, strict=False):
            for name, cell in zip(table.columns, row.cells, strict=True):
                names = read_names(cell)
                filled[name] += bool(cell.strip())
                by_suffix[name] += bool(names) and all(map(_is_picture_name, names))
                by_stem[name] += bool(names) and all(index.find(one)[0] for one in names)
    # "cat" may be the name of cat.png or what is seen on it, so ends of names count first.
    for naming in (by_suffix, by_stem):
        share = {name: naming[name] / max(1, filled[name]) for name in table.columns}
        found = tuple(name for name in table.columns if share[name] >= NAMING_SHARE)
        if found:
            return found
    return ()


def with_pictures(table: Table, columns: Sequence[str], index: PictureIndex) -> Table:
    """The table with every row's pictures looked up; cells stay as they are."""
    seen = _Seen()
    places = [table.columns.index(name) for name in columns]

    def findings() -> Iterator[Finding]:
        yield from table.findings()
        yield from _findings(table, columns, index, seen)

    return replace(
        table,
        kind=f"{table.kind} and pictures",
        words=f"{table.words}, {count_words(len(index.paths), 'picture')}",
        rows=_checked(table, places, index, seen),
        findings=findings,
    )


def read_names(cell: str) -> list[str]:
    """The names in a cell: one, a list, several with separators, or those that a text shows."""
    text = cell.strip()
    if text[:1] in ("[", "{"):
        try:
            values = json.loads(text)
        except (ValueError, RecursionError):
            return []
        return [
            name
            for one in (values if isinstance(values, list) else [values])
            if (name := _name(one))
        ]
    shown = _SHOWN_IN_TEXT.findall(text)
    if shown:
        return shown
    if _is_picture_name(text) and not _has_several(text):
        return [text]
    return [name.strip() for name in _SEPARATORS.split(text) if name.strip()]


def _name(value: object) -> str:
    """The name in an element of a list: a text, or an object that has it under a usual key."""
    if isinstance(value, dict):
        named = (value.get(key) for key in _NAME_KEYS)
        value = next((one for one in named if isinstance(one, str)), "")
    return value.strip() if isinstance(value, str) else ""


def _checked(
    table: Table, places: Sequence[int], index: PictureIndex, seen: _Seen
) -> Generator[ReadRow, None, None]:
    with closing(table.rows) as rows:
        for number, row in enumerate(rows, start=1):
            wrong = []
            for place in places:
                for name in read_names(row.cells[place]):
                    path, problem = index.find(name)
                    seen.used.add(path)
                    wrong.extend([problem] if problem else [])
            if not wrong:
                yield row
                continue
            line = number if table.entry_word == ENTRY else row.first_line
            _count(row, f"{table.entry_word} {line} ({wrong[0]})", table.tally, seen)
            yield replace(row, damage="; ".join(filter(None, (row.damage, wrong[0]))))


def _count(row: ReadRow, place: str, tally: Tally, seen: _Seen) -> None:
    seen.wrong_rows += 1
    if len(seen.places) < LISTED:
        seen.places.append(place)
    if not row.damage:
        tally.damaged += 1
        if len(tally.damages) < LISTED:
            tally.damages.append(place)


def _findings(
    table: Table, columns: Sequence[str], index: PictureIndex, seen: _Seen
) -> Iterator[Finding]:
    if not columns:
        yield Finding(
            level="warn",
            title="No column names the pictures",
            detail=f"The archive holds {count_words(len(index.paths), 'picture')}, but no column "
            "has their names, so the rows are read without them.",
            fix="Add a column with the file name of each row's picture, and pack both again.",
        )
        return
    if seen.wrong_rows:
        rows = count_words(seen.wrong_rows, "row")
        yield Finding(
            level="warn",
            title=f"{rows} without their pictures",
            detail=f"{seen.wrong_rows:,} of {count_words(table.tally.rows, 'row')} name pictures "
            "that cannot be used. They are shown and left out of training.",
            fix="Put the missing pictures into the archive under the names in the table.",
            where=list_places(seen.places, seen.wrong_rows),
        )
    unused = [path for path in index.paths if path not in seen.used]
    if unused:
        pictures = count_words(len(unused), "picture")
        yield Finding(
            level="note",
            title=f"{pictures} not named by any row",
            detail=f"The archive holds {count_words(len(index.paths), 'picture')}; {len(unused):,} "
            "of them stand in no row and are not used.",
            fix="Add rows for them if they are meant to be learned from.",
            where=list_places(unused, len(unused)),
        )


def _has_several(text: str) -> bool:
    """Whether a text is several names, each of which ends like a picture's."""
    names = [name.strip() for name in _SEPARATORS.split(text)]
    return len(names) > 1 and all(_is_picture_name(name) for name in names if name)


def _is_picture_name(name: str) -> bool:
    return PurePosixPath(name).suffix.lower() in PICTURE_SUFFIXES


def _is_address(name: str) -> bool:
    found = _ADDRESS.match(name.strip())
    return found is not None and found.end() > _DRIVE_CHARACTERS


def _key(path: str) -> str:
    return path.casefold()
