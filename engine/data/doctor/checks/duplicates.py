"""Rows that say the same as an earlier one: they count double, and nobody meant them to.

Case, spacing and the many ways to write a letter do not count. Near-duplicates have a file of
their own.
"""

from array import array
from collections.abc import Sequence

from tailor.engine.data.counted import count_words
from tailor.engine.data.doctor.check import CheckKind, Found, Scope
from tailor.engine.data.doctor.row import Row
from tailor.engine.data.doctor.survey import Survey, snippet
from tailor.engine.data.doctor.telling import Hits, leave_out, tell
from tailor.engine.data.split import Split


class Duplicates:
    """Collects the later ones of equal rows."""

    def __init__(self, scope: Scope) -> None:
        self._seen: set[int] = set()
        self._again: set[int] = set()
        self._hits = Hits()

    def see(self, row: Row) -> None:
        """Compare with all rows before."""
        if not row.is_usable:
            return
        whole = row.whole_digest
        if whole in self._seen:
            self._again.add(whole)
            self._hits.add(row, snippet(row))
        else:
            self._seen.add(whole)

    def found(self, survey: Survey, split: Split | None) -> Sequence[Found]:
        """The repeats; the first of each stays."""
        number = len(self._hits)
        if not number:
            return ()
        several = f"{count_words(len(self._again), 'text')} {_comes(len(self._again))} back"
        return (
            tell(
                survey,
                check=CHECK.id,
                level="warn",
                title=f"{count_words(number, 'row')} repeated",
                detail=f"{several}, word for word or with other capitals and spaces; "
                f"{count_words(number, 'row')} could go without a loss.",
                effect="What is there twice is learned twice as hard, and recited more readily "
                "than the rest.",
                fix="Keep the first of each, unless the repeats are meant.",
                row_ids=array("q", self._hits.ids),
                examples=self._hits.examples,
                remedies=(
                    leave_out(
                        self._hits.ids,
                        "it repeats an earlier row",
                        id="keep_first",
                        label="Keep the first of each",
                        is_suggested=True,
                    ),
                ),
            ),
        )


def _comes(number: int) -> str:
    return "comes" if number == 1 else "come"


CHECK = CheckKind(id="duplicates", order=40, make=Duplicates, needs_all_rows=True)
