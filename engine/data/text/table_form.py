"""The form of a table in a text: what sets its cells apart, and where its headings stand.

Decided on the first lines by counting: each separator cuts them, and the one under which most rows
are as wide as the headings wins. Both decisions come back as choices with what else was possible.
`text_table` calls `choose_form` and hands the answer to `csv_rows`.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from collections.abc import Mapping as Lookup
from dataclasses import replace

from tailor.engine.data.counted import count_words
from tailor.engine.data.read_row import COLUMN_LIMIT, Tally, check_column_limit
from tailor.engine.data.text.csv_records import Separation, read_records
from tailor.engine.data.text.headings import (
    Numbered,
    are_headings,
    choose_headings,
    find_below_titles,
)
from tailor.engine.data.text.lines import LineFeed
from tailor.engine.data.text.table_columns import (
    ALIKE_SHARE,
    FILL,
    choose_short_rows,
    fit_names,
    name_columns,
)
from tailor.engine.data_types import ReadChoice
from tailor.engine.errors import UserError
from tailor.estimator.record import record

TABLE_SHARE = 0.3
"""Share of rows as wide as the headings from which a text is a table, if with damaged rows."""
BARE_TABLE_SHARE = 0.9
"""The same where the first line reads like a row: running text has commas too."""
ONE_COLUMN, NO_TABLE = "one_column", "none"

_DELIMITERS = {"comma": ",", "semicolon": ";", "tab": "\t", "bar": "|"}
_WORDS = {"comma": "Commas", "semicolon": "Semicolons", "tab": "Tabs", "bar": "Vertical bars"}
_SEPARATOR_LINE = re.compile(r"sep=([,;\t|])\s*", re.IGNORECASE)
_ONE_WORD = re.compile(r"[^\W\d][\w -]{0,39}")


@record
class TableForm:
    """How a table is to be read, decided on its first lines."""

    separation: Separation
    columns: tuple[str, ...]
    has_headings: bool
    skipped_lines: int = 0
    """Lines in front of the table: a title, or Excel's "sep=;"."""
    fills_short_rows: bool = False
    """Whether rows with too few cells end in empty ones."""
    choices: tuple[ReadChoice, ...] = ()

    @property
    def words(self) -> str:
        """The separator in a word."""
        if len(self.columns) == 1:
            return "One column"
        return next(
            _WORDS[key] for key, mark in _DELIMITERS.items() if mark == self.separation.delimiter
        )


@record
class _Trial:
    """The first lines as one separation cuts them."""

    separation: Separation
    rows: tuple[Numbered, ...]
    start: int
    """Place of the first row of the table; what is above is a title."""
    width: int
    share: float
    """Of rows that are so wide."""

    @property
    def rank(self) -> tuple[float, bool, int, int]:
        """Orders trials: most rows fit, headings of the same width, in the first line."""
        is_whole = len(self.rows[self.start][1]) == self.width
        return self.share, is_whole, -self.start, self.width

    @property
    def is_table(self) -> bool:
        if self.start:
            return True
        is_named = are_headings(self.rows[0][1][: COLUMN_LIMIT + 1])
        if len(self.rows) == 1:
            return is_named
        return self.share >= (TABLE_SHARE if is_named else BARE_TABLE_SHARE)


def choose_form(lines: Sequence[str], choices: Lookup[str, str]) -> TableForm | None:
    """The form of the table that begins with `lines`, or None when this is running text."""
    first = 1
    named = _SEPARATOR_LINE.fullmatch(lines[0]) if lines else None
    if named:
        first, lines = 2, lines[1:]
    trials = {
        key: trial
        for key, mark in _DELIMITERS.items()
        if (trial := _best(mark, lines, first)) is not None
    }
    asked = choices.get("separator", "")
    key = _check_asked(asked) if asked else _find(trials, named[1] if named else "")
    if key == NO_TABLE:
        return None
    trial = trials.get(key)
    if trial is None and key in _DELIMITERS:
        trial = _as_asked(_DELIMITERS[key], lines, first)
    elif trial is None:
        trial = _as_one_column(lines, first, is_asked=bool(asked))
    if trial is None:
        return None
    return _form(trial, choices, _separator_choice(key, trials, is_asked=bool(asked)))


def separator_choice_for_text() -> ReadChoice:
    """The choice as it is offered for running text."""
    return _separator_choice(NO_TABLE, {}, is_asked=False)


def _form(trial: _Trial, choices: Lookup[str, str], separator: ReadChoice) -> TableForm:
    headings = choose_headings(trial.rows, choices, "line")
    place = headings.place
    first_row = trial.rows[max(place, 0)]
    below = [cells for _, cells in trial.rows[max(place, 0) + (place >= 0) :]]
    names = fit_names(list(first_row[1]) if place >= 0 else [], below)
    short = choose_short_rows(below, len(names), choices)
    return TableForm(
        separation=trial.separation,
        columns=name_columns(names),
        has_headings=place >= 0,
        skipped_lines=first_row[0] - 1,
        fills_short_rows=any(choice.value == FILL for choice in short),
        choices=(separator, headings.choice, *short),
    )


def _check_asked(asked: str) -> str:
    if asked in (*_DELIMITERS, ONE_COLUMN, NO_TABLE):
        return asked
    raise UserError(
        title="This separator is not known",
        detail=f"“{asked[:40]}” was asked for; Tailor knows "
        f"{', '.join((*_DELIMITERS, ONE_COLUMN, NO_TABLE))}.",
        fix="Choose one of these, or leave the choice to Tailor.",
    )


def _find(trials: dict[str, _Trial], named: str) -> str:
    """The separator under which most rows fit; of equal ones the one that makes more columns."""
    if named:
        return next(key for key, mark in _DELIMITERS.items() if mark == named)
    best = max(trials, key=lambda key: trials[key].rank, default="")
    if not best or not trials[best].is_table:
        return ONE_COLUMN
    # Told here, because a million names would be looked at for long before anybody counts them.
    check_column_limit(trials[best].width)
    return best


def _separator_choice(key: str, trials: dict[str, _Trial], *, is_asked: bool) -> ReadChoice:
    options = [
        (one, f"{_WORDS[one]}: {trial.width} columns, {100 * trial.share:.0f} % of the rows fit")
        for one, trial in trials.items()
    ]
    options += [(one, _WORDS[one]) for one in _DELIMITERS if one not in trials]
    options += [
        (ONE_COLUMN, "Nothing: each line is one cell"),
        (NO_TABLE, "Nothing: this is running text"),
    ]
    if is_asked:
        why = "You chose it."
    elif key in trials:
        rows = len(trials[key].rows)
        why = f"{100 * trials[key].share:.0f} % of the first {count_words(rows, 'row')} have "
        why += f"{trials[key].width} cells."
    else:
        why = "No separator cuts the lines into the same number of cells."
    return ReadChoice(
        id="separator",
        title="What sets the cells apart",
        value=key,
        options=tuple(options),
        why=why,
    )


def _best(delimiter: str, lines: Sequence[str], first: int) -> _Trial | None:
    """The best way to cut lines at a delimiter."""
    ways = [Separation(delimiter=delimiter)]
    if any(f'{delimiter} "' in line for line in lines):
        ways.append(Separation(delimiter=delimiter, skips_space=True))
    if any('\\"' in line for line in lines):
        ways.append(Separation(delimiter=delimiter, has_escapes=True))
    trials = [trial for way in ways if (trial := _try(lines, way, first)) is not None]
    return max(trials, key=lambda trial: trial.rank, default=None)


def _try(lines: Sequence[str], way: Separation, first: int) -> _Trial | None:
    """The rows under one separation, with the share of those as wide as the headings."""
    loose = list(_records(lines, way, 0, first))
    widths = Counter(len(cells) for _, cells in loose if len(cells) > 1)
    if not widths:
        return None
    own, usual = len(loose[0][1]), widths.most_common(1)[0][0]
    trials = [_cut(lines, way, own, first)] if own > 1 else []
    if own != usual:
        other = _cut(lines, way, usual, first)
        # Two cells in a line may be an accident, three or more in nearly all lines are not.
        start = find_below_titles(other.rows, is_first=usual == 2)
        is_title = start > 0 and len(other.rows[start][1]) == usual
        is_close = own == usual - 1 > 1 or (own == usual + 1 and not loose[0][1][-1].strip())
        if is_title or is_close:
            trials.append(_from(other, start if is_title else 0))
    return max(trials, key=lambda trial: trial.rank, default=None)


def _as_asked(delimiter: str, lines: Sequence[str], first: int) -> _Trial:
    """The rows under a separator that makes no table, because the person wants it so."""
    way = Separation(delimiter=delimiter)
    widths = Counter(len(cells) for _, cells in _records(lines, way, 0, first))
    return _cut(lines, way, widths.most_common(1)[0][0], first)


def _cut(lines: Sequence[str], way: Separation, width: int, first: int) -> _Trial:
    rows = tuple(_records(lines, way, width, first))
    fitting = sum(len(cells) == width for _, cells in rows)
    return _Trial(separation=way, rows=rows, start=0, width=width, share=fitting / len(rows))


def _from(trial: _Trial, start: int) -> _Trial:
    """The trial with the rows counted from its headings on, which may be one cell short."""
    below = trial.rows[start + 1 :]
    fitting = sum(len(cells) == trial.width for _, cells in below) / max(1, len(below))
    share = fitting if fitting >= ALIKE_SHARE and len(below) > 1 else 0.0
    return replace(trial, start=start, share=share)


def _records(lines: Sequence[str], way: Separation, width: int, first: int) -> Iterator[Numbered]:
    for row in read_records(LineFeed(lines), way, width, Tally()):
        yield row.first_line + first - 1, row.cells


def _as_one_column(lines: Sequence[str], first: int, *, is_asked: bool) -> _Trial | None:
    """A list of texts under one heading, or nothing when the first line reads like prose."""
    written = [line.strip() for line in lines if line.strip()]
    if not is_asked:
        if len(written) < 2:
            return None
        is_quoted = sum(line.startswith('"') for line in written) * 2 > len(written)
        if not is_quoted and not _ONE_WORD.fullmatch(written[0]):
            return None
        if any(mark in written[0] for mark in _DELIMITERS.values()):
            return None
    # Tabs: the one separator that a single column of text does not hold by accident.
    way = Separation(delimiter="\t")
    rows = tuple(_records(lines, way, 0, first))
    return _Trial(separation=way, rows=rows, start=0, width=1, share=1.0) if rows else None
