"""Rows of JSON files: which of its values are the rows, which fields the columns.

The first pass surveys every entry, because a field may appear in the last one only; the second
hands out the rows. Columns are the fields in the order in which they first appear. `json_table`
calls `survey_json` and then `read_json`.
"""

from collections import Counter
from collections.abc import Generator, Iterator
from collections.abc import Mapping as Lookup
from dataclasses import dataclass, field
from typing import Any, BinaryIO

from tailor.engine.data.json.json_door import JsonDoor, cell_text
from tailor.engine.data.json.json_entries import Form, find_form, open_entries
from tailor.engine.data.json.json_fields import FieldSurvey, all_fields
from tailor.engine.data.json.json_roots import (
    PATH_MARK,
    SPEAKER_KEYS,
    WHOLE,
    Path,
    Root,
    count_paths,
    expand,
    find_roots,
    is_pair,
    take_rows,
)
from tailor.engine.data.json.json_values import Placed
from tailor.engine.data.read_row import COLUMN_LIMIT, ReadRow, Tally, check_row_limit
from tailor.engine.data.text.encoding import TextEncoding
from tailor.engine.data.text.headings import are_headings
from tailor.engine.data.text.lines import find_excess
from tailor.engine.data.text.table_columns import name_columns
from tailor.engine.errors import UserError
from tailor.engine.findings import Finding
from tailor.estimator.record import record

UNREADABLE_SHARE = 0.05
"""Share of unreadable lines above which the file is refused instead of read around them."""
LISTS_SHARE = 0.9
"""Share of entries that are lists from which each of them is a row of cells."""
_LOOKED_AT = 200
"""Entries in which lists of rows are looked for."""


@record
class JsonForm:
    """How a JSON file is to be read, decided by going through it once."""

    form: Form
    root: str
    """Where the rows stand; see `json_roots`. The entries themselves are "whole"."""
    roots: tuple[Root, ...]
    """Every way to read it as rows."""
    keys: tuple[str, ...]
    """Names of fields, in the order in which they first appear."""
    columns: tuple[str, ...]
    """The same names, made distinct and visible."""
    cells_are: str
    """ "fields" of objects, "items" of lists, or "values": each entry is one cell."""
    has_headings: bool = False
    """Whether the first entry, a list, names the columns."""
    rows: int
    findings: tuple[Finding, ...] = ()


@dataclass
class _Survey:
    """What was counted on the first pass."""

    fields: FieldSurvey = field(default_factory=FieldSurvey)
    rows: int = 0
    unreadable: int = 0
    first_damage: str = ""
    lists: int = 0
    widths: Counter[int] = field(default_factory=Counter)
    first: Any = None
    """The first good row."""

    def see(self, placed: Placed) -> None:
        """Count one row."""
        self.rows += 1
        check_row_limit(self.rows)
        value = placed.value
        if placed.damage:
            self.unreadable += 1
            if not self.first_damage:
                self.first_damage = f"Line {placed.first_line} holds {placed.damage}"
            return
        if self.first is None:
            self.first = value
        if isinstance(value, dict):
            self.fields.see(value, placed.first_line)
            _check_columns(len(self.fields.outer), placed.first_line)
        elif isinstance(value, list) and not any(isinstance(item, dict) for item in value):
            self.lists += 1
            self.widths[len(value)] += 1


def survey_json(
    file: BinaryIO, encoding: TextEncoding, first_lines: list[str], choices: Lookup[str, str]
) -> JsonForm:
    """Go through the file once for its columns; raise when it cannot be read."""
    form = find_form(first_lines)
    seen, tally = _Survey(), Tally()
    with open_entries(file, encoding, form, JsonDoor(), tally) as entries:
        head, rest = _take_head(entries)
        roots = _find_roots(head, form)
        root = _choose_root(roots, choices.get("root", ""))
        for placed in _rows(_chain(head, rest), root, form, Counter()):
            seen.see(placed)
    if seen.unreadable > UNREADABLE_SHARE * seen.rows:
        raise UserError(
            title="This JSON file is damaged",
            detail=f"{seen.first_damage}. {seen.unreadable:,} of {seen.rows:,} entries cannot be "
            "read.",
            fix="Mend that place in a text editor, or export the file again.",
        )
    return _form(form, root, roots, seen)


def read_json(
    file: BinaryIO, encoding: TextEncoding, form: JsonForm, tally: Tally, barren: Counter[str]
) -> Generator[ReadRow, None, None]:
    """Every row, all of them as wide as the columns that the survey found.

    `barren` counts the entries that hold no row where the rows stand.
    """
    door = JsonDoor()
    with open_entries(file, encoding, form.form, door, tally) as entries:
        rows = _rows(entries, form.root, form.form, barren)
        if form.has_headings:
            next(rows)
        for placed in rows:
            row = _row(placed, form)
            tally.count(row)
            if form.form != "lines":
                tally.physical_lines = tally.rows + form.has_headings
            yield row
    tally.duplicate_keys = door.duplicate_keys


def _take_head(entries: Iterator[Placed]) -> tuple[list[Placed], Iterator[Placed]]:
    head: list[Placed] = []
    for placed in entries:
        head.append(placed)
        if len(head) == _LOOKED_AT:
            break
    return head, entries


def _chain(head: list[Placed], rest: Iterator[Placed]) -> Iterator[Placed]:
    yield from head
    yield from rest


def _find_roots(head: list[Placed], form: Form) -> tuple[Root, ...]:
    if form == "object" and len(head) == 1 and isinstance(head[0].value, dict):
        return find_roots(head[0].value)
    found: Counter[Path] = Counter()
    pairs: dict[Path, bool] = {}
    for placed in head:
        if not isinstance(placed.value, dict):
            continue
        for path, rows in count_paths(placed.value).items():
            found[path] += rows
            if path not in pairs:
                pairs[path] = is_pair(next(expand(placed.value, path))) and not is_pair(
                    placed.value
                )
    inner = [
        Root(id=PATH_MARK.join(path), words=PATH_MARK.join(path), rows=rows)
        for path, rows in found.most_common()
    ]
    whole = Root(id=WHOLE, words="", rows=len(head))
    # An entry is a row, unless only the entries of a list inside it ask and answer.
    asking = [root for root in inner if pairs[tuple(root.id.split(PATH_MARK))]]
    return (*asking, whole, *(root for root in inner if root not in asking))


def _choose_root(roots: tuple[Root, ...], asked: str) -> str:
    if not asked:
        return roots[0].id
    if any(root.id == asked for root in roots):
        return asked
    raise UserError(
        title="The rows cannot stand there",
        detail=f"“{asked[:60]}” was asked for; there are {', '.join(root.id for root in roots)}.",
        fix="Choose one of these, or leave the choice to Tailor.",
    )


def _rows(
    entries: Iterator[Placed], root: str, form: Form, barren: Counter[str]
) -> Iterator[Placed]:
    """The rows that the entries hold, each with the place of its entry."""
    if root == WHOLE:
        yield from entries
        return
    for placed in entries:
        if placed.damage or not isinstance(placed.value, dict):
            yield placed
            continue
        is_one = form == "object"
        found = take_rows(placed.value, root) if is_one else expand(placed.value, _path(root))
        count = 0
        for row in found:
            count += 1
            yield Placed(
                value=row, first_line=placed.first_line, last_line=placed.last_line, damage=""
            )
        if not count:
            barren[f"line {placed.first_line}"] += 1


def _path(root: str) -> Path:
    return tuple(root.split(PATH_MARK))


def _form(form: Form, root: str, roots: tuple[Root, ...], seen: _Survey) -> JsonForm:
    keys: tuple[str, ...] = ()
    cells_are, has_headings = "values", False
    if seen.fields.records:
        cells_are, keys = "fields", seen.fields.keys()
        columns = name_columns(keys)
    elif seen.lists > LISTS_SHARE * (seen.rows - seen.unreadable) and min(seen.widths) > 0:
        cells_are, width = "items", max(seen.widths)
        _check_columns(width, 1)
        names = [cell_text(item) for item in seen.first]
        is_text = all(type(item) is str for item in seen.first)
        has_headings = is_text and len(names) == width and seen.rows > 1 and are_headings(names)
        columns = name_columns(names if has_headings else [""] * width)
    else:
        columns = ("messages" if _is_conversation(seen.first) else "text",)
    return JsonForm(
        form=form,
        root=root,
        roots=roots,
        keys=keys,
        columns=columns,
        cells_are=cells_are,
        has_headings=has_headings,
        rows=seen.rows,
        findings=tuple(seen.fields.findings()),
    )


def _is_conversation(value: Any) -> bool:
    match value:
        case [dict(turn), *_]:
            return not SPEAKER_KEYS.isdisjoint(turn)
    return False


def _row(placed: Placed, form: JsonForm) -> ReadRow:
    value, damage = placed.value, placed.damage
    cells = [""] * len(form.columns)
    if not damage and form.cells_are == "fields":
        if isinstance(value, dict):
            fields = all_fields(value)
            cells = [cell_text(fields.get(key)) for key in form.keys]
        else:
            damage = "a single value where the other rows have named fields"
    elif not damage and form.cells_are == "items":
        if isinstance(value, list) and len(value) <= len(cells):
            cells[: len(value)] = map(cell_text, value)
        else:
            damage = f"no list of {len(cells)} values as the other rows are"
    elif not damage:
        cells = [cell_text(value)]
    if excess := find_excess(cells):
        cells, damage = [""] * len(cells), excess
    return ReadRow(
        cells=cells, first_line=placed.first_line, last_line=placed.last_line, damage=damage
    )


def _check_columns(columns: int, line: int) -> None:
    if columns > COLUMN_LIMIT:
        raise UserError(
            title="Too many columns",
            detail=f"By line {line} there are {columns:,} different field names, "
            f"the limit is {COLUMN_LIMIT:,}.",
            fix="Is this the right file? Export the rows with the fields that you need.",
        )
