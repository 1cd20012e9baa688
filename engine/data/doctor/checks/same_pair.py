"""Preference pairs whose better and worse answer are the same."""

from array import array
from collections.abc import Sequence

from tailor.engine.data.counted import count_words
from tailor.engine.data.doctor.check import CheckKind, Found, Remedy, Scope
from tailor.engine.data.doctor.row import Row, plain
from tailor.engine.data.doctor.survey import Survey, shorten
from tailor.engine.data.doctor.telling import Hits, leave_out, tell
from tailor.engine.data.split import Split

_SAME = "are the same"
"""How the reason ends for which a row with two answers makes no example."""


class SamePair:
    """Compares the two answers of each row."""

    def __init__(self, scope: Scope) -> None:
        self._mapping = scope.mapping
        self._hits = Hits()
        self._usable = array("q")

    def see(self, row: Row) -> None:
        """Compare, also where the row is left out for that reason."""
        if not row.damage and row.example.left_out.endswith(_SAME):
            cell = row.cells[self._mapping.chosen or self._mapping.ranked]
            self._hits.add(row, shorten(cell))
        elif row.is_usable and any(plain(one) == plain(row.answer) for one in row.example.rejected):
            self._hits.add(row, shorten(row.answer))
            self._usable.append(row.id)

    def found(self, survey: Survey, split: Split | None) -> Sequence[Found]:
        """The pairs that teach nothing."""
        number = len(self._hits)
        if not number:
            return ()
        out = number - len(self._usable)
        already = (
            f" {count_words(out, 'row')} of them {'is' if out == 1 else 'are'} left out already."
        )
        return (
            tell(
                survey,
                check=CHECK.id,
                level="warn" if self._usable else "note",
                title=f"{count_words(number, 'pair')} with two equal answers",
                detail=f"In {count_words(number, 'row')} the better and the worse answer are the "
                f"same but for capitals and spaces.{already if out else ''}",
                effect="There is nothing to prefer, so the model is pushed to and fro.",
                fix="Leave these rows out.",
                row_ids=self._hits.ids,
                examples=self._hits.examples,
                remedies=self._remedies(),
            ),
        )

    def _remedies(self) -> tuple[Remedy, ...]:
        if not self._usable:
            return ()
        return (leave_out(self._usable, "its two answers are the same", is_suggested=True),)


CHECK = CheckKind(id="same_pair", order=52, make=SamePair, shapes=frozenset({"preference"}))
