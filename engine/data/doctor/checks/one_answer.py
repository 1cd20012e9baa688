"""One answer that stands in more than a fifth of the rows, where answers are not classes."""

from array import array
from collections import Counter
from collections.abc import Sequence

from tailor.engine.data.counted import count_words
from tailor.engine.data.doctor.check import PROSE_SHAPES, CheckKind, Found, Scope
from tailor.engine.data.doctor.row import Row, digest
from tailor.engine.data.doctor.survey import Survey, shorten
from tailor.engine.data.doctor.telling import leave_out, tell
from tailor.engine.data.split import CLASS_ROWS_LEAST, Split

MOST_SHARE = 0.2
ROWS_LEAST = 10


class OneAnswer:
    """Counts equal answers."""

    def __init__(self, scope: Scope) -> None:
        self._ids, self._answers = array("q"), array("Q")
        self._counts: Counter[int] = Counter()
        self._texts: dict[int, str] = {}

    def see(self, row: Row) -> None:
        """Count one answer."""
        if not row.is_usable:
            return
        answer = digest(row.plain_answer)
        self._ids.append(row.id)
        self._answers.append(answer)
        self._counts[answer] += 1
        if self._counts[answer] == 2:
            self._texts[answer] = shorten(row.answer)

    def found(self, survey: Survey, split: Split | None) -> Sequence[Found]:
        """The answer that is given too often."""
        total = len(self._ids)
        if not total or self._are_few_words():
            return ()
        answer, number = self._counts.most_common(1)[0]
        if number < ROWS_LEAST or number <= MOST_SHARE * total:
            return ()
        ids = [one for one, said in zip(self._ids, self._answers, strict=True) if said == answer]
        kept = int(MOST_SHARE / (1 - MOST_SHARE) * (total - number))
        return (
            tell(
                survey,
                check=CHECK.id,
                level="warn",
                title=f"One answer in {number / total:.0%} of the rows",
                detail=f"{count_words(number, 'row')} of {total:,} have the same answer.",
                effect="The model would give it to questions that it does not fit.",
                fix="Leave some of them out, or add rows with other answers.",
                row_ids=ids,
                examples=[self._texts[answer]],
                remedies=(
                    leave_out(
                        ids[kept:],
                        "its answer is given in very many rows",
                        id="thin_out",
                        label="Keep as many as make a fifth",
                    ),
                ),
            ),
        )

    def _are_few_words(self) -> bool:
        """Whether the answers are a handful that come back by nature, such as yes and no."""
        return len(self._counts) * CLASS_ROWS_LEAST <= len(self._ids)


CHECK = CheckKind(id="one_answer", order=65, make=OneAnswer, shapes=PROSE_SHAPES)
