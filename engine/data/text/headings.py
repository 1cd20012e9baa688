"""Which row names the columns: the first, one below a title, or none.

Sheets and exports begin with "Report 2024" and a blank line, or with the first example. A row of
headings is recognised by what it says and by the rows below it; a wrong guess costs a row or names
columns after an example, so it is always offered as a choice. Text tables and spreadsheets ask
here.
"""

import re
from collections.abc import Mapping as Lookup
from collections.abc import Sequence
from statistics import median

from tailor.engine.data.detectors.column_names import ANSWER_WORDS, QUESTION_WORDS, split_words
from tailor.engine.data_types import ReadChoice
from tailor.engine.errors import UserError
from tailor.estimator.record import record

HEADING_CHARACTERS = 100
TITLE_ROWS = 20
"""Headings are looked for in so many rows."""
COMPARED_ROWS = 10
FILLED_SHARE = 0.8
"""Headings fill this share of the cells that the rows below usually fill."""
NONE = "none"

_NUMBER = re.compile(r"[+-]?[\d.,]+([eE][+-]?\d+)?%?")
_SENTENCE_END = re.compile(r"[.?!。？！]\s*$")
_KNOWN = frozenset(QUESTION_WORDS + ANSWER_WORDS) | {"id", "name", "date"}
_OFFERED_ROWS = 5
_SHOWN_CHARACTERS = 60

Numbered = tuple[int, Sequence[str]]
"""Number of the line or row on which it stands, and its cells."""


@record
class Headings:
    """Where the headings stand."""

    place: int
    """Which of the rows they are, from 0; -1 without headings."""
    choice: ReadChoice


def choose_headings(
    rows: Sequence[Numbered], choices: Lookup[str, str], entry_word: str
) -> Headings:
    """The headings among the first rows. A choice of the person wins."""
    asked = choices.get("headings", "")
    place, why = _take_asked(rows, asked, entry_word) if asked else _find(rows, entry_word)
    value = NONE if place < 0 else str(rows[place][0])
    offered = {number: cells for number, cells in rows[:_OFFERED_ROWS]}
    if place >= 0:
        offered[rows[place][0]] = rows[place][1]
    word = entry_word.capitalize()
    options = [
        (str(number), f"{word} {number}: {_show(offered[number])}") for number in sorted(offered)
    ]
    choice = ReadChoice(
        id="headings",
        title="Where the names of the columns stand",
        value=value,
        options=(*options, (NONE, f"Nowhere: {entry_word} {rows[0][0]} is an example already")),
        why=why,
    )
    return Headings(place=place, choice=choice)


def are_headings(cells: Sequence[str]) -> bool:
    """Whether a row could name columns; sentences, numbers and questions do not."""
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


def _take_asked(rows: Sequence[Numbered], asked: str, entry_word: str) -> tuple[int, str]:
    if asked == NONE:
        return -1, "You chose it."
    for place, (number, _) in enumerate(rows):
        if str(number) == asked:
            return place, "You chose it."
    raise UserError(
        title="The headings cannot stand there",
        detail=f"“{asked[:20]}” was asked for; the first {entry_word}s are "
        f"{rows[0][0]} to {rows[-1][0]}.",
        fix=f"Give the number of one of these {entry_word}s, or “{NONE}”.",
    )


def _find(rows: Sequence[Numbered], entry_word: str) -> tuple[int, str]:
    cells = [cells for _, cells in rows]
    is_first = bool(rows) and _fits_below(cells, 0)
    if not is_first or _filled(cells[0]) < FILLED_SHARE * _usual(cells, 0):
        below = find_below_titles(rows, is_first=is_first)
        if below:
            return below, f"The {entry_word}s above it fill only a few cells, like a title."
    if is_first:
        return 0, "Its cells are short, and none of them stands further below."
    return -1, f"{entry_word.capitalize()} {rows[0][0]} reads like an example."


def find_below_titles(rows: Sequence[Numbered], *, is_first: bool) -> int:
    """The place of headings under a title; 0 when there are none.

    `is_first`: the first row could be headings too, so the others must show that they are.
    """
    cells = [cells for _, cells in rows]
    for place in range(1, min(TITLE_ROWS, len(rows))):
        is_set_off = rows[place][0] > rows[place - 1][0] + 1
        if not _are_titles(cells[:place], cells[place]):
            continue
        if _fits_below(cells, place) and (not is_first or is_set_off or _is_known(cells[place])):
            return place
    return 0


def _fits_below(rows: Sequence[Sequence[str]], place: int) -> bool:
    row, below = rows[place], rows[place + 1 :]
    width = max(len(row), *(len(one) for one in below[:COMPARED_ROWS]), 1)
    if not are_headings([*row, *[""] * (0 if place == 0 else width - len(row))]):
        return False
    is_sparse = _filled(row) < FILLED_SHARE * _usual(rows, place)
    if place and (is_sparse or not below or not _is_distinct(row)):
        return False
    return _is_known(row) or not _stands_below(row, below)


def _usual(rows: Sequence[Sequence[str]], place: int) -> float:
    """How many cells the rows below usually fill."""
    return median([_filled(one) for one in rows[place + 1 :][:COMPARED_ROWS]] or [0])


def _are_titles(above: Sequence[Sequence[str]], row: Sequence[str]) -> bool:
    """Whether the rows above fill so few cells that they are a title and no examples."""
    filled = _filled(row)
    most = max(filled // 2, min(2, filled - 1))
    return filled > 1 and all(_filled(one) <= most for one in above)


def _stands_below(row: Sequence[str], below: Sequence[Sequence[str]]) -> bool:
    """Whether a cell comes again in its column, as a class does and a heading does not."""
    again = [one for one in below if list(one) != list(row)]
    return any(
        cell.strip() and any(place < len(one) and one[place] == cell for one in again)
        for place, cell in enumerate(row)
    )


def _is_known(row: Sequence[str]) -> bool:
    """Whether a cell is nothing but a usual name."""
    return any(
        word in _KNOWN for cell in row if len(words := split_words(cell)) == 1 for word in words
    )


def _is_distinct(row: Sequence[str]) -> bool:
    written = [cell.strip() for cell in row if cell.strip()]
    return len(set(written)) == len(written)


def _filled(row: Sequence[str]) -> int:
    return sum(1 for cell in row if cell.strip())


def _show(cells: Sequence[str]) -> str:
    shown = ", ".join(" ".join(cell.split()) for cell in cells if cell.strip())
    return shown if len(shown) <= _SHOWN_CHARACTERS else f"{shown[:_SHOWN_CHARACTERS]}…"
