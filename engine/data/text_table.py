"""Text that holds a table or JSON: its encoding, its form, and what was noticed while reading it.

Nothing is decoded before the whole file was surveyed, and nothing is guessed on a part where the
whole can be counted. `read` opens every file here that no other reader has claimed.
"""

from collections.abc import Generator, Iterator
from collections.abc import Mapping as Lookup
from pathlib import Path
from typing import BinaryIO

from tailor.engine.data.counted import count_words, list_places
from tailor.engine.data.csv_rows import TableForm, choose_form, read_table
from tailor.engine.data.encoding import TextEncoding, choose_encoding, open_text, survey_bytes
from tailor.engine.data.json_rows import JsonForm, find_root, read_json, survey_json
from tailor.engine.data.lines import bounded_lines
from tailor.engine.data.read_row import ReadRow, Tally
from tailor.engine.data.table import Table
from tailor.engine.errors import UserError
from tailor.engine.findings import Finding

SAMPLE_LINES = 1_000
SAMPLE_CHARACTERS = 2_000_000

Form = TableForm | JsonForm
_JSON_KINDS = {"list": "JSON", "lines": "JSON Lines", "object": "JSON"}


def open_text_table(file: BinaryIO, name: str, choices: Lookup[str, str]) -> Table:
    """Open CSV, TSV, JSON or JSON Lines; `name` is only named when it promises something else."""
    encoding = choose_encoding(file, survey_bytes(file))
    form, rows, tally = _open(file, name, encoding)
    is_by_line = isinstance(form, TableForm) or form.root == "lines"

    def findings() -> Iterator[Finding]:
        yield from encoding.findings
        yield from _findings(form, tally)

    return Table(
        kind="CSV" if isinstance(form, TableForm) else _JSON_KINDS[form.root],
        words=f"{form.words}, {encoding.words}",
        columns=form.columns,
        rows=rows,
        tally=tally,
        entry_word="line" if is_by_line else "entry",
        findings=findings,
        note=_false_name(form, name),
    )


def _open(
    file: BinaryIO, name: str, encoding: TextEncoding
) -> tuple[Form, Generator[ReadRow, None, None], Tally]:
    tally = Tally()
    first_lines = _first_lines(file, encoding)
    start = "".join(first_lines).lstrip("\ufeff \t\r\n")[:1]
    if not start:
        raise UserError(
            title="This file is empty",
            detail="It holds nothing but spaces and line ends.",
            fix="Check that it was saved, then drop it again.",
        )
    if start in "[{":
        json_form = survey_json(file, encoding, find_root(first_lines))
        return json_form, read_json(file, encoding, json_form, tally), tally
    if len(first_lines) == 1 and not first_lines[0].endswith("\n"):
        _check_first_line(file, encoding)
    form = choose_form(first_lines)
    if form is None:
        raise _no_table(name)
    return form, _table_rows(file, encoding, form, tally), tally


def _table_rows(
    file: BinaryIO, encoding: TextEncoding, form: TableForm, tally: Tally
) -> Generator[ReadRow, None, None]:
    with open_text(file, encoding) as text:
        yield from read_table(bounded_lines(text), form, tally)


def _first_lines(file: BinaryIO, encoding: TextEncoding) -> list[str]:
    """Lines to decide on. A line may be a whole file long, so what is taken of one is bounded."""
    lines: list[str] = []
    left = SAMPLE_CHARACTERS
    with open_text(file, encoding) as text:
        while left > 0 and len(lines) < SAMPLE_LINES and (line := text.readline(left)):
            lines.append(line)
            left -= len(line)
    # The last one may be cut in the middle of a cell.
    return lines[:-1] if left <= 0 and len(lines) > 1 else lines


def _check_first_line(file: BinaryIO, encoding: TextEncoding) -> None:
    """Raise when the file is one line beyond the limit, whatever it may hold."""
    with open_text(file, encoding) as text:
        next(bounded_lines(text))


def _findings(form: Form, tally: Tally) -> Iterator[Finding]:
    if isinstance(form, TableForm) and not form.has_headings:
        yield Finding(
            level="warn",
            title="The columns have no names",
            detail="Line 1 reads like a row, so it is used as one; the columns are numbered.",
            fix="If it was meant as headings, give the columns short names in the file.",
            where="line 1",
        )
    if tally.damaged:
        yield _damaged_rows(tally)
    if tally.repaired:
        yield Finding(
            level="note",
            title=count_words(tally.repaired, "stray quotation mark"),
            detail="A quotation mark without its partner would have joined rows into one cell; it "
            "was read as a letter instead, and no row is lost.",
            fix="Look at these lines if quotation marks matter to you.",
            where="line " + list_places(tally.repairs, tally.repaired),
        )
    is_by_line = isinstance(form, TableForm) or form.root == "lines"
    if is_by_line and (tally.joined_lines or tally.blank_lines):
        yield _line_difference(form, tally)
    if tally.duplicate_keys:
        yield Finding(
            level="warn",
            title="Field names that come twice",
            detail=f"In {tally.duplicate_keys:,} places an entry names a field twice; the last "
            "value was taken.",
            fix="Export the file again with different names.",
        )


def _damaged_rows(tally: Tally) -> Finding:
    share = 100 * tally.damaged / tally.rows
    damaged = count_words(tally.damaged, "row")
    return Finding(
        level="warn",
        title=f"{damaged} damaged",
        detail=f"{damaged} of {tally.rows:,} ({share:.1f} %) do not fit the others. "
        "They are shown and left out of training.",
        fix="Mend these places in the file and drop it again."
        + (" Is this the right separator?" if share > 5 else ""),
        where=list_places(tally.damages, tally.damaged),
    )


def _line_difference(form: Form, tally: Tally) -> Finding:
    heading = " and the headings" if isinstance(form, TableForm) and form.has_headings else ""
    rows = count_words(tally.rows, "row")
    parts = []
    if tally.joined_lines:
        parts.append(count_words(tally.joined_lines, "line break") + " inside cells")
    if tally.blank_lines:
        parts.append(count_words(tally.blank_lines, "blank line"))
    return Finding(
        level="note",
        title=f"{tally.physical_lines:,} lines make {rows}",
        detail=f"The file has {tally.physical_lines:,} lines: {rows}{heading}, "
        f"{' and '.join(parts)}. No row is lost.",
        fix="Nothing to do.",
    )


def _false_name(form: Form, name: str) -> str:
    suffix = Path(name).suffix.lower()
    is_json_name = suffix in (".json", ".jsonl", ".ndjson")
    is_table_name = suffix in (".csv", ".tsv")
    if isinstance(form, TableForm) and is_json_name:
        return f"It is called {suffix}, but holds a table; it was read as one."
    if isinstance(form, JsonForm) and is_table_name:
        return f"It is called {suffix}, but holds JSON; it was read as that."
    if isinstance(form, JsonForm) and suffix == ".json" and form.root == "lines":
        return "It is called .json, but holds one object a line; it was read as JSON Lines."
    return ""


def _no_table(name: str) -> UserError:
    is_json_name = Path(name).suffix.lower() in (".json", ".jsonl", ".ndjson")
    detail = (
        "It is called JSON, but line 1 does not begin with { or [."
        if is_json_name
        else "No separator cuts its lines into columns; it looks like running text."
    )
    return UserError(
        title="Tailor found no table in this file",
        detail=detail,
        fix="Put each example on a row of its own, under a heading for each column, and save it "
        "as CSV.",
    )
