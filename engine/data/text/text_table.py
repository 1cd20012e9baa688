"""Text that holds a table or JSON: its encoding, its form, and how it is opened with both.

Nothing is decoded before the whole file was surveyed, and nothing is guessed on a part where the
whole can be counted. `readers` opens every text here; one without a table goes on as prose.
"""

from collections.abc import Generator, Iterator, Sequence
from collections.abc import Mapping as Lookup
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

from tailor.engine.data.json.json_door import starts_like_json
from tailor.engine.data.json.json_table import open_json
from tailor.engine.data.read_row import ReadRow, Tally
from tailor.engine.data.readers import open_prose
from tailor.engine.data.table import Table
from tailor.engine.data.text.csv_rows import read_table
from tailor.engine.data.text.encoding import TextEncoding, choose_encoding, open_text, survey_bytes
from tailor.engine.data.text.lines import bounded_lines
from tailor.engine.data.text.markdown_table import is_drawn_table, is_rule, redraw
from tailor.engine.data.text.table_form import TableForm, choose_form, separator_choice_for_text
from tailor.engine.data.text.text_findings import find_in_table
from tailor.engine.errors import UserError
from tailor.engine.findings import Finding

SAMPLE_LINES = 1_000
SAMPLE_CHARACTERS = 2_000_000
JSON_SUFFIXES = (".json", ".jsonl", ".ndjson")


def open_text_table(file: BinaryIO, name: str, choices: Lookup[str, str]) -> Table:
    """Open CSV, TSV, JSON or JSON Lines; `name` is only named when it promises something else."""
    encoding = choose_encoding(file, survey_bytes(file), choices.get("encoding", ""))
    first_lines = _first_lines(file, encoding)
    start = "".join(first_lines).lstrip("\ufeff \t\r\n")
    suffix = Path(name).suffix.lower()
    if not start:
        raise UserError(
            title="This file is empty",
            detail="It holds nothing but spaces and line ends.",
            fix="Check that it was saved, then drop it again.",
        )
    if starts_like_json(start) or (suffix in JSON_SUFFIXES and start[0] in "[{"):
        return open_json(file, encoding, first_lines, name, choices)
    if len(first_lines) == 1 and not first_lines[0].endswith("\n"):
        _check_first_line(file, encoding)
    is_drawn = is_drawn_table(first_lines)
    # A document may hold drawn tables between its paragraphs, and then it is no table.
    is_document = not is_drawn and "separator" not in choices and any(map(is_rule, first_lines))
    lines = list(redraw(first_lines)) if is_drawn else first_lines
    form = None if is_document else choose_form(lines, choices)
    if form is not None:
        return _table(file, encoding, form, suffix, is_drawn=is_drawn)
    if suffix in JSON_SUFFIXES:
        raise _no_json(start)
    prose = open_prose(file, name, choices)
    return replace(prose, choices=(*prose.choices, separator_choice_for_text()))


def _table(
    file: BinaryIO, encoding: TextEncoding, form: TableForm, suffix: str, *, is_drawn: bool
) -> Table:
    tally = Tally()

    def findings() -> Iterator[Finding]:
        yield from encoding.findings
        yield from find_in_table(form, tally)

    is_called_json = suffix in JSON_SUFFIXES
    return Table(
        kind="CSV",
        words=f"{form.words}, {encoding.words}",
        columns=form.columns,
        rows=_rows(file, encoding, form, tally, is_drawn=is_drawn),
        tally=tally,
        entry_word="line",
        findings=findings,
        choices=(*form.choices, *encoding.choices),
        note=f"It is called {suffix}, but holds a table; it was read as one."
        if is_called_json
        else "",
        left_aside=(("line above the headings", form.skipped_lines),) if form.skipped_lines else (),
    )


def _rows(
    file: BinaryIO, encoding: TextEncoding, form: TableForm, tally: Tally, *, is_drawn: bool
) -> Generator[ReadRow, None, None]:
    with open_text(file, encoding) as text:
        lines = bounded_lines(text)
        yield from read_table(redraw(lines) if is_drawn else lines, form, tally)


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


def _no_json(start: str) -> UserError:
    word: Sequence[str] = start.split(None, 1)[:1]
    return UserError(
        title="Tailor found no table in this file",
        detail=f"It is called JSON, but line 1 does not begin with {{ or [; it begins with "
        f"“{word[0][:40]}”.",
        fix="Export it again, or rename it to .txt if it is a text to learn from.",
    )
