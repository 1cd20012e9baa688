"""Ratings that are all good or all bad, or nearly so: then there is nothing to compare."""

from collections.abc import Sequence

from tailor.engine.data.counted import count_words
from tailor.engine.data.doctor.check import CheckKind, Found, Scope
from tailor.engine.data.doctor.row import Row
from tailor.engine.data.doctor.survey import Survey, snippet
from tailor.engine.data.doctor.telling import Hits, tell
from tailor.engine.data.split import Split

FEW_SHARE = 0.05


class OneRating:
    """Counts good and bad."""

    def __init__(self, scope: Scope) -> None:
        self._good, self._bad = Hits(), Hits()

    def see(self, row: Row) -> None:
        """Count one rating."""
        if row.is_usable:
            side = self._bad if row.example.rating == "bad" else self._good
            side.add(row, snippet(row))

    def found(self, survey: Survey, split: Split | None) -> Sequence[Found]:
        """Whether one side is missing or nearly so."""
        few, many = sorted((self._good, self._bad), key=len)
        if not len(many) or len(few) >= FEW_SHARE * (len(few) + len(many)):
            return ()
        words = "good" if many is self._good else "bad"
        other = "bad" if many is self._good else "good"
        shown = few if len(few) else many
        title = f"All ratings are {words}" if not len(few) else f"Hardly any {other} ratings"
        return (
            tell(
                survey,
                check=CHECK.id,
                level="stop" if not len(few) else "warn",
                title=title,
                detail=f"{count_words(len(many), 'row')} rated {words}, "
                f"{count_words(len(few), 'row')} rated {other}.",
                effect="Without both sides the model cannot learn what to avoid.",
                fix="Check which column holds the rating and what its values mean, or add rows of "
                "the other side.",
                row_ids=shown.ids,
                examples=shown.examples,
            ),
        )


CHECK = CheckKind(id="one_rating", order=25, make=OneRating, shapes=frozenset({"thumbs"}))
