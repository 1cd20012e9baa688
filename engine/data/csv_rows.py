"""Tables as text: which separator, which headings, and the rows with their places.

Every cell stays the text it was: "007" and "NA" are not numbers and not missing. Rows of the wrong
width are kept to be shown and told, never bent into shape. `read` calls `choose_form` on a sample
and then `read_table` on the whole file.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain

from tailor.engine.data.counted import count_words
from tailor.engine.data.csv_records import Separation, read_records
from tailor.engine.data.lines import LineFeed
from tailor.engine.data.read_row import ReadRow, Tally
from tailor.estimator.record import record

COLUMN_LIMIT = 1_000
HEADING_CHARACTERS = 100
TABLE_SHARE = 0.3
"""Share of rows as wide as the headings from which a text is a table, if with damaged rows."""
BARE_TABLE_SHARE = 0.9
"""The same where the first line reads like a row: running text has commas too."""

_DELIMITERS = (",", ";", "\t", "|")
_WORDS = {",": "Commas", ";": "Semicolons", "\t": "Tabs", "|": "Vertical bars"}
_SEPARATOR_LINE = re.compile(r"sep=([,;\t|])\s*", re.IGNORECASE)
_NUMBER = re.compile(r"[+-]?[\d.,]+([eE][+-]?\d+)?%?")
_SENTENCE_END = re.compile(r"[.?!]\s*$")
_ONE_WORD = re.compile(r"[^\W\d][\w -]{0,39}")


@record
class TableForm:
    """How a table is to be read, decided on its first lines."""

    separation: Separation
    columns: tuple[str, ...]
    has_headings: bool
    skipped_lines: int = 0
    """Lines in front of the table, such as Excel's "sep=;"."""

    @property
    def words(self) -> str:
        """The separator in a word."""
        return "One column" if len(self.columns) == 1 else _WORDS[self.separation.delimiter]


def choose_form(lines: list[str]) -> TableForm | None:
    """The form of the table that begins with `lines`, or None when this is running text."""
    skipped = 0
    delimiters: Iterable[str] = _DELIMITERS
    if lines and (named := _SEPARATOR_LINE.fullmatch(lines[0])):
        delimiters, skipped, lines = (named[1],), 1, lines[1:]
    best, best_rank, best_rows = None, (0.0, 0), []
    for separation in _candidates(delimiters, lines):
        rows, rank = _try_separation(lines, separation)
        if rank > best_rank:
            best, best_rank, best_rows = separation, rank, rows
    if best is None or not _is_table(best_rows[0], best_rank[0]):
        best, best_rows = _as_one_column(lines)
    if best is None:
        return None
    first = best_rows[0]
    has_headings = _are_headings(first)
    names = first if has_headings else [""] * len(first)
    return TableForm(
        separation=best,
        columns=name_columns(names),
        has_headings=has_headings,
        skipped_lines=skipped,
    )


def read_table(lines: Iterator[str], form: TableForm, tally: Tally) -> Iterator[ReadRow]:
    """Every row under the headings, all of them as wide as the headings."""
    feed = LineFeed(lines)
    for _ in range(form.skipped_lines):
        next(feed)
    width = len(form.columns)
    records = read_records(feed, form.separation, width, tally)
    if form.has_headings:
        next(records)
    for row in records:
        whole = row if len(row.cells) == width else _ragged(row, form)
        tally.count(whole)
        yield whole


def name_columns(names: Iterable[str]) -> tuple[str, ...]:
    """Distinct names: "Column 4" for a blank one, "(2)" behind the second of two equal ones."""
    given: list[str] = []
    taken: set[str] = set()
    for number, name in enumerate(names, start=1):
        plain = " ".join(name.split())[:HEADING_CHARACTERS] or f"Column {number}"
        final, again = plain, 1
        while final in taken:
            again += 1
            final = f"{plain} ({again})"
        taken.add(final)
        given.append(final)
    return tuple(given)


def _is_table(first: list[str], share: float) -> bool:
    return share >= (TABLE_SHARE if _are_headings(first) else BARE_TABLE_SHARE)


def _candidates(delimiters: Iterable[str], lines: list[str]) -> Iterator[Separation]:
    for delimiter in delimiters:
        yield Separation(delimiter=delimiter)
        if any(f'{delimiter} "' in line for line in lines):
            yield Separation(delimiter=delimiter, skips_space=True)


def _try_separation(
    lines: list[str], separation: Separation
) -> tuple[list[list[str]], tuple[float, int]]:
    """The rows under one separator and their rank: share as wide as the first row, then width."""
    first = next(_records(lines, separation, 0), None)
    if first is None or len(first) < 2:
        return [], (0.0, 0)
    rows = list(_records(lines, separation, len(first)))
    widths = Counter(len(row) for row in rows)
    return rows, (widths[len(first)] / len(rows), len(first))


def _records(lines: list[str], separation: Separation, width: int) -> Iterator[list[str]]:
    for row in read_records(LineFeed(lines), separation, width, Tally()):
        yield list(row.cells)


def _as_one_column(lines: list[str]) -> tuple[Separation | None, list[list[str]]]:
    """A list of texts under one heading, or nothing when the first line reads like prose."""
    written = [line.strip() for line in lines if line.strip()]
    if len(written) < 2:
        return None, []
    is_quoted = sum(line.startswith('"') for line in written) * 2 > len(written)
    if not is_quoted and not _ONE_WORD.fullmatch(written[0]):
        return None, []
    if any(mark in written[0] for mark in _DELIMITERS):
        return None, []
    # Tabs: the one separator that a single column of text does not hold by accident.
    separation = Separation(delimiter="\t")
    return separation, list(_records(lines, separation, 0))


def _are_headings(cells: list[str]) -> bool:
    """Whether the first row names columns; sentences, numbers and questions do not."""
    written = [cell.strip() for cell in cells if cell.strip()]
    if not written or len(written) * 2 < len(cells):
        return False
    return not any(
        len(cell) >= HEADING_CHARACTERS
        or _NUMBER.fullmatch(cell)
        or (_SENTENCE_END.search(cell) and " " in cell)
        or len(cell.split()) > 8
        for cell in written
    )


def _ragged(row: ReadRow, form: TableForm) -> ReadRow:
    """A row of the wrong width, made to fit for showing and marked as damaged."""
    width, cells = len(form.columns), list(row.cells)
    wrong = f"{count_words(len(cells), 'cell')} instead of {width}"
    shown = cells[: width - 1] + [form.separation.delimiter.join(cells[width - 1 :])]
    return ReadRow(
        cells=list(chain(shown, [""] * (width - len(shown)))),
        first_line=row.first_line,
        last_line=row.last_line,
        damage="; ".join(part for part in (row.damage, wrong) if part),
    )
