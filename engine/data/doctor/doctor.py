"""The data doctor: looks at every row once and says what would hurt a model, and what helps.

People cannot read a hundred thousand rows, a model learns every one. `mapped` shows it each row
with its example in the child process; checks and their words live in `checks/`. Nothing is changed
here: `fixing` does what a person clicks.
"""

from collections.abc import Sequence

from tailor.engine.data.doctor.catalog import read_catalog
from tailor.engine.data.doctor.check import Check, CheckKind, Found, Scope
from tailor.engine.data.doctor.row import Row, by_name
from tailor.engine.data.doctor.survey import Survey
from tailor.engine.data.making.example import Example
from tailor.engine.data.rows_file import StoredRow
from tailor.engine.data.split import Split
from tailor.engine.data_types import Mapping
from tailor.engine.findings import Finding

SAMPLE_ROWS = 200_000
"""Larger tables are sampled by the costly checks, evenly and by place."""
EXTRA_CHECKS = tuple(kind.id for kind in read_catalog() if kind.is_extra)
"""Checks that only run when the person asks for them."""


class Doctor:
    """One look at one table."""

    def __init__(
        self,
        mapping: Mapping,
        columns: Sequence[str],
        entry_word: str,
        extra_checks: Sequence[str] = (),
        *,
        rows: int = 0,
        only: str = "",
    ) -> None:
        """`rows`: how many there are, for a fair sample; `only`: the id of the one check to run."""
        kinds = [
            kind
            for kind in read_catalog()
            if mapping.shape in kind.shapes
            and (
                only in (kind.id, *kind.tells)
                if only
                else not kind.is_extra or kind.id in extra_checks
            )
        ]
        self._mapping = mapping
        self._columns = tuple(columns)
        self._rows = rows
        self._is_thorough = bool(only) and not any(kind.needs_likeness for kind in kinds)
        scope = Scope(mapping=mapping, columns=self._columns)
        self._checks: list[tuple[CheckKind, Check]] = [(kind, kind.make(scope)) for kind in kinds]
        has_likeness = not only or any(kind.needs_likeness for kind in kinds)
        self._survey = Survey(entry_word, has_likeness=has_likeness)

    def see(self, row: StoredRow, example: Example) -> None:
        """Look at a row, also at one that cannot be used."""
        seen = Row(row, example, by_name(self._columns, row), self._mapping)
        is_sampled = self._is_sampled(row.id)
        self._survey.add(row, seen, is_sampled=is_sampled)
        for kind, check in self._checks:
            if is_sampled or kind.needs_all_rows:
                check.see(seen)

    def groups(self) -> dict[int, bytes]:
        """Row id -> name of the cluster of near-duplicates that it is in; only rows in one."""
        return {
            one: self._survey.name_of(ids).to_bytes(8) for ids in self._survey.groups for one in ids
        }

    def findings(self, split: Split | None) -> tuple[Finding, ...]:
        """What was found, worst first."""
        found = [one.finding for one in self.found(split)]
        return tuple(sorted(found, key=lambda one: ("stop", "warn", "note").index(one.level)))

    def found(self, split: Split | None) -> list[Found]:
        """What was found, with all rows and remedies, in the order of the checks."""
        return [one for _, check in self._checks for one in check.found(self._survey, split)]

    def _is_sampled(self, row_id: int) -> bool:
        if self._is_thorough:
            return True
        if self._rows <= SAMPLE_ROWS:
            return self._survey.looked_at < SAMPLE_ROWS
        # Evenly over the table: the whole number of the row's share changes at each sampled row.
        return row_id * SAMPLE_ROWS // self._rows != (row_id - 1) * SAMPLE_ROWS // self._rows
