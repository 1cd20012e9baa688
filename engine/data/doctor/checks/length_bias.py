"""Preference pairs in which the better answer is nearly always the longer one."""

from array import array
from collections.abc import Sequence

from tailor.engine.data.doctor.check import CheckKind, Found, Scope
from tailor.engine.data.doctor.row import Row
from tailor.engine.data.doctor.survey import Survey, shorten
from tailor.engine.data.doctor.telling import leave_out, tell
from tailor.engine.data.split import Split

BIASED = 0.65
ROWS_LEAST = 20
"""In fewer rows it may be chance."""


class LengthBias:
    """Compares the lengths of the two answers of each row."""

    def __init__(self, scope: Scope) -> None:
        self._ids, self._margins = array("q"), array("q")
        self._examples: list[str] = []

    def see(self, row: Row) -> None:
        """Note by how much the better answer is longer."""
        if not row.is_usable or not row.example.rejected:
            return
        worse = row.example.rejected[0]
        self._ids.append(row.id)
        self._margins.append(len(row.answer) - len(worse))
        if self._margins[-1] > 0 and len(self._examples) < 3:
            self._examples.append(
                f"{len(row.answer):,} signs: {shorten(row.answer, 50)} | "
                f"{len(worse):,} signs: {shorten(worse, 50)}"
            )

    def found(self, survey: Survey, split: Split | None) -> Sequence[Found]:
        """Whether length alone tells the better answer."""
        total = len(self._ids)
        pairs = zip(self._margins, self._ids, strict=True)
        longer = sorted((one for one in pairs if one[0] > 0), reverse=True)
        number = len(longer)
        if total < ROWS_LEAST or number <= BIASED * total:
            return ()
        ids = sorted(one for _, one in longer)
        # As many go as leave the share at the limit, the largest differences first.
        extra = -int(-(number - BIASED * total) / (1 - BIASED) // 1)
        gone = sorted(one for _, one in longer[:extra])
        return (
            tell(
                survey,
                check=CHECK.id,
                level="warn",
                title=f"The better answer is longer in {number / total:.0%} of the rows",
                detail=f"It has more characters than the worse one {number:,} times in {total:,}.",
                effect="The model may learn to talk longer instead of better.",
                fix="Add pairs in which the shorter answer is the better one.",
                row_ids=ids,
                examples=self._examples,
                remedies=(
                    leave_out(
                        gone,
                        "its better answer is much longer than the worse one",
                        id="even_out",
                        label="Leave out the largest differences",
                    ),
                ),
            ),
        )


CHECK = CheckKind(id="length_bias", order=58, make=LengthBias, shapes=frozenset({"preference"}))
