"""What a check of the doctor is: it sees every row once, then says what it found and what helps.

A check is one file in `checks/` with a `CHECK`; `doctor` shows it the rows and collects findings,
`fixing` shows it the rows again and does what one of its remedies says. Nothing else knows it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from tailor.engine.data.doctor.row import Row
from tailor.engine.data.doctor.survey import Survey
from tailor.engine.data.split import Split
from tailor.engine.data_types import Mapping
from tailor.engine.findings import Finding, Fix

ALL_SHAPES = frozenset(
    {"chat", "question_answer", "classes", "preference", "thumbs", "text", "middle"}
)
ASKED_SHAPES = ALL_SHAPES - {"text", "middle"}
"""Shapes that have questions and answers."""
PROSE_SHAPES = frozenset({"chat", "question_answer", "preference", "thumbs"})
"""Shapes whose answers are written in sentences."""

Mend = Callable[[str], str]
"""A text with something put right; the same text when there is nothing to put right."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """What a check knows before the first row."""

    mapping: Mapping
    columns: Sequence[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Remedy:
    """A fix and what it does to the rows: some are left out, or texts in their cells change."""

    fix: Fix
    told: Callable[[int], str]
    """What was done to so many rows, one sentence."""
    left_out: Sequence[int] = ()
    because: str = ""
    """Completes "you left it out: ..."."""
    begin: Callable[[str], Mend] | None = None
    """Makes the function that puts a text right, from what the person typed. It may remember what
    it met, so one is made for one pass over the rows, in their order."""
    column: str = ""
    """Column whose cells the function wants as they are; empty means each text in all columns."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A finding with all of its rows and its remedies."""

    finding: Finding
    row_ids: Sequence[int]
    remedies: tuple[Remedy, ...] = ()


class Check(Protocol):
    """Sees the rows one after another; a new one is made for each pass."""

    def see(self, row: Row) -> None:
        """Look at a row, those that are left out anyway included."""

    def found(self, survey: Survey, split: Split | None) -> Sequence[Found]:
        """What there is to say after the last row; nothing when all is well."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckKind:
    """A check as its file declares it."""

    id: str
    order: int
    """Place among the findings of one level: what hurts most comes first."""
    make: Callable[[Scope], Check]
    shapes: frozenset[str] = ALL_SHAPES
    """Shapes of data that it can say anything about."""
    tells: tuple[str, ...] = ()
    """Ids of its findings when it tells of several things, so that each can be skipped alone."""
    is_extra: bool = False
    """Whether it only runs when the person asks for it."""
    needs_all_rows: bool = False
    """Whether it costs so little that a large table is not sampled for it."""
    needs_likeness: bool = False
    """Whether it asks the survey which rows are alike."""
