"""What every reader hands on: a row of text cells with its place, and a tally of what was seen.

Table and JSON readers differ in everything but this, so the writer, the checks and the promise
"rows read = rows used + rows left out" know only these two.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from tailor.engine.data.counted import LISTED
from tailor.engine.errors import UserError
from tailor.estimator.record import record

ROW_LIMIT = 2_000_000
COLUMN_LIMIT = 1_000


@record
class ReadRow:
    """One row as it was read."""

    cells: Sequence[str]
    first_line: int
    last_line: int
    damage: str = ""
    """Why it cannot be used, such as "11 cells instead of 10"; empty for a good row."""
    part: str = ""
    """Sheet, page or member of an archive that it stands in; empty when there is only one."""


@dataclass
class Tally:
    """What a reader counts on its way."""

    place_word: str = "line"
    """How a place is told: "line" or "row"."""
    physical_lines: int = 0
    blank_lines: int = 0
    rows: int = 0
    damaged: int = 0
    damages: list[str] = field(default_factory=list)
    """The first places, with the reason."""
    repaired: int = 0
    repairs: list[str] = field(default_factory=list)
    duplicate_keys: int = 0
    joined_lines: int = 0
    """Line breaks inside cells."""

    def count(self, row: ReadRow) -> None:
        """Count a row that is handed on."""
        self.rows += 1
        self.joined_lines += row.last_line - row.first_line
        if row.damage:
            self.damaged += 1
            if len(self.damages) < LISTED:
                self.damages.append(f"{self.place_word} {row.first_line} ({row.damage})")

    def note_repair(self, line: int) -> None:
        """Count a line that was read literally because of a stray quotation mark."""
        self.repaired += 1
        if len(self.repairs) < LISTED:
            self.repairs.append(str(line))


def check_row_limit(rows: int) -> None:
    """Raise when a file has more rows than Tailor reads."""
    if rows > ROW_LIMIT:
        raise UserError(
            title="Too many rows",
            detail=f"There are more than {ROW_LIMIT:,}.",
            fix="Keep the rows that you need, or split the file.",
        )


def check_column_limit(columns: int) -> None:
    """Raise when a table is wider than Tailor reads."""
    if columns > COLUMN_LIMIT:
        raise UserError(
            title="Too many columns",
            detail=f"There are {columns:,}, the limit is {COLUMN_LIMIT:,}.",
            fix="Is this the right file? Keep the columns that you need.",
        )
