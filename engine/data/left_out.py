"""Rows that are not learned from, counted by reason: nothing goes missing without a word.

With the used rows they add up to the rows read. Filled by `survey`; its counts and findings are
stored with the mapping.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator

from tailor.engine.data.counted import LISTED, count_words, list_places
from tailor.engine.data.doctor.fixing import LEFT_OUT
from tailor.engine.data.making.examples import DAMAGED
from tailor.engine.data.making.threads import PART_OF_THREAD
from tailor.engine.findings import Finding

REASONS_MOST = 20
"""A reason may name what is in the row; after so many of them the rest is counted together."""
OTHER_REASON = "it does not fit, each for a reason of its own"
_EMPTY = " is empty"
"""How the reasons end that the doctor's check of empty cells tells of."""
_EXPECTED = frozenset({PART_OF_THREAD})
"""Reasons that are as they should be."""


class LeftOut:
    """Rows that cannot be used, by reason."""

    def __init__(self) -> None:
        self._places: dict[str, list[str]] = defaultdict(list)
        self._ids: dict[str, list[int]] = defaultdict(list)
        self._counts: Counter[str] = Counter()

    def add(self, reason: str, row_id: int, place: str) -> None:
        """Count one row."""
        if reason not in self._counts and len(self._counts) >= REASONS_MOST:
            reason = OTHER_REASON
        self._counts[reason] += 1
        if len(self._places[reason]) < LISTED:
            self._places[reason].append(place)
            self._ids[reason].append(row_id)

    def counts(self) -> tuple[tuple[str, int], ...]:
        """Reason and number, most frequent first."""
        return tuple(self._counts.most_common())

    def findings(self, checks: Collection[str]) -> Iterator[Finding]:
        """One finding for each reason that no other finding tells of.

        `checks` are those that have found something.
        """
        for reason, number in self.counts():
            if reason == DAMAGED or reason.startswith(LEFT_OUT):
                continue  # told by the reading, and done by the person
            if reason.endswith(_EMPTY) and "empty" in checks:
                continue
            rows = count_words(number, "row")
            is_expected = reason in _EXPECTED
            yield Finding(
                level="note" if is_expected else "warn",
                title=f"{rows} left out: {reason}",
                detail=f"{rows} make no example of their own because {reason}."
                if is_expected
                else f"{rows} cannot be used because {reason}. Your file is unchanged.",
                fix="Nothing to do."
                if is_expected
                else "If you need them, mend them in your file and drop it again.",
                where=list_places(self._places[reason], number),
                count=number,
                row_ids=tuple(self._ids[reason]),
                effect="" if is_expected else "The model learns nothing from them.",
            )
