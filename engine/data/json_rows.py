"""Rows of JSON files: a list, one object a line, or one object that holds a table.

People export all of these under the same suffix, so the form is found by looking. Columns are the
keys in the order in which they first appear. `read` calls `survey_json` for form and columns and
then `read_json` for the rows.
"""

from collections.abc import Generator, Iterator
from contextlib import contextmanager
from typing import BinaryIO, Literal

from tailor.engine.data.csv_rows import COLUMN_LIMIT, name_columns
from tailor.engine.data.encoding import TextEncoding, open_text
from tailor.engine.data.json_door import JsonDoor, NotJsonError, cell_text, has_long_cell
from tailor.engine.data.json_roots import Table, find_table, with_first_texts
from tailor.engine.data.json_values import Placed, read_list, read_stream
from tailor.engine.data.lines import bounded_lines
from tailor.engine.data.read_row import ReadRow, Tally, check_row_limit
from tailor.engine.errors import UserError
from tailor.estimator.record import record

WHOLE_LIMIT_BYTES = 100_000_000
"""Largest file that is one single object: it has to be decoded whole, at ten times its size."""
UNREADABLE_SHARE = 0.05
"""Share of unreadable lines above which the file is refused instead of read around them."""
LINES_LOOKED_AT = 5

Root = Literal["list", "lines", "object"]
_WORDS = {"list": "JSON list", "lines": "JSON Lines", "object": "JSON object"}


@record
class JsonForm:
    """How a JSON file is to be read, decided by going through it once."""

    root: Root
    keys: tuple[str, ...]
    """Names of fields, in the order in which they first appear."""
    columns: tuple[str, ...]
    """The same names, made distinct and visible."""
    is_table: bool
    """Whether entries are objects with named fields; else each entry is one cell."""
    where: str = ""
    """Where the rows stand inside a single object, such as "data > paragraphs > qas"."""
    rows: int

    @property
    def words(self) -> str:
        """The form in words."""
        return _WORDS[self.root] + (f", at {self.where}" if self.where else "")


def find_root(first_lines: list[str]) -> Root:
    """The form by the first lines, of which the first begins with a bracket."""
    written = [line for line in first_lines if line.strip("\ufeff \t\r\n")][:LINES_LOOKED_AT]
    start = written[0].strip("\ufeff \t\r\n")
    alone = sum(_is_record(line) for line in written)
    if start not in ("[", "{") and alone >= 2 and alone * 2 >= len(written):
        return "lines"
    return "list" if start.startswith("[") else "object"


def survey_json(file: BinaryIO, encoding: TextEncoding, root: Root) -> JsonForm:
    """Go through the file once for its columns; raise when it cannot be read."""
    keys: dict[str, None] = {}
    rows = unreadable = objects = 0
    first_damage = ""
    with _open_rows(file, encoding, root, JsonDoor()) as (placed_rows, where):
        for placed in placed_rows:
            rows += 1
            check_row_limit(rows)
            if placed.damage:
                unreadable += 1
                first_damage = first_damage or f"Line {placed.first_line} holds {placed.damage}"
            elif isinstance(placed.value, dict):
                objects += 1
                keys.update(dict.fromkeys(with_first_texts(placed.value)))
                _check_columns(keys, placed.first_line)
    if unreadable > UNREADABLE_SHARE * rows:
        raise UserError(
            title="This JSON file is damaged",
            detail=f"{first_damage}. {unreadable:,} of {rows:,} entries cannot be read.",
            fix="Mend that place in a text editor, or export the file again.",
        )
    is_table = objects > 0
    columns = name_columns(keys) if is_table else ("text",)
    return JsonForm(
        root=root, keys=tuple(keys), columns=columns, is_table=is_table, where=where, rows=rows
    )


def read_json(
    file: BinaryIO, encoding: TextEncoding, form: JsonForm, tally: Tally
) -> Generator[ReadRow, None, None]:
    """Every row, all of them as wide as the columns that the survey found."""
    door = JsonDoor()
    with _open_rows(file, encoding, form.root, door) as (placed_rows, _):
        for placed in placed_rows:
            row = _row(placed, form)
            tally.count(row)
            tally.physical_lines = row.last_line
            yield row
    tally.duplicate_keys = door.duplicate_keys


@contextmanager
def _open_rows(
    file: BinaryIO, encoding: TextEncoding, root: Root, door: JsonDoor
) -> Iterator[tuple[Iterator[Placed], str]]:
    with open_text(file, encoding) as text:
        if root == "lines":
            yield _read_lines(bounded_lines(text), door), ""
        elif root == "list":
            yield read_list(text, door), ""
        else:
            table = _read_object(file, read_stream(text, door))
            yield iter(table.rows), table.where


def _read_lines(lines: Iterator[str], door: JsonDoor) -> Iterator[Placed]:
    """One value a line; a line that is no JSON is handed on as damaged, never dropped."""
    for number, line in enumerate(lines, start=1):
        if not line.strip("\ufeff \t\r\n"):
            continue
        try:
            value, damage = door.decode(line.lstrip("\ufeff")), door.take_damage()
        except NotJsonError as error:
            value, damage = None, f"no whole JSON value: {error}"
        yield Placed(value=value, first_line=number, last_line=number, damage=damage)


def _read_object(file: BinaryIO, values: Iterator[Placed]) -> Table:
    """The table inside a file that is one object, or several written one after another."""
    size = file.seek(0, 2)
    file.seek(0)
    if size > WHOLE_LIMIT_BYTES:
        raise UserError(
            title="This JSON file is one single object",
            detail=f"It holds {size / 1e6:.0f} MB; Tailor reads up to "
            f"{WHOLE_LIMIT_BYTES / 1e6:.0f} MB in that form.",
            fix="Export the table inside it as a list or as JSON Lines (one object a line).",
        )
    objects = list(values)
    for placed in objects:
        if placed.damage:
            raise UserError(
                title="This JSON file is damaged",
                detail=f"Line {placed.first_line} and below: it holds {placed.damage}.",
                fix="Mend that place in a text editor, or export the file again.",
            )
    if len(objects) > 1:
        return Table(rows=tuple(objects), where="")
    return find_table(objects[0])


def _row(placed: Placed, form: JsonForm) -> ReadRow:
    value, damage = placed.value, placed.damage
    cells = [""] * len(form.columns)
    if not damage and form.is_table and not isinstance(value, dict):
        damage = "a single value where the other rows have named fields"
    elif not damage and form.is_table:
        fields = with_first_texts(value)
        cells = [cell_text(fields.get(key)) for key in form.keys]
    elif not damage:
        cells = [cell_text(value)]
    if has_long_cell(cells):
        cells, damage = [""] * len(cells), "a cell of more than 4 MB"
    return ReadRow(
        cells=cells, first_line=placed.first_line, last_line=placed.last_line, damage=damage
    )


def _is_record(line: str) -> bool:
    try:
        return isinstance(JsonDoor().decode(line.lstrip("\ufeff")), dict | list)
    except NotJsonError:
        return False


def _check_columns(keys: dict[str, None], line: int) -> None:
    if len(keys) > COLUMN_LIMIT:
        raise UserError(
            title="Too many columns",
            detail=f"By line {line} there are {len(keys):,} different field names, "
            f"the limit is {COLUMN_LIMIT:,}.",
            fix="Is this the right file? Export the rows with the fields that you need.",
        )
