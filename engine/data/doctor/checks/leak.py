"""Test rows that are also among the rows to learn from, where the data brings its own split.

Equal questions count, and near-duplicates, even when the answer is another: a score on what was
learned by heart says nothing. Where Tailor splits, `split` keeps such rows together itself.
"""

from array import array
from collections.abc import Sequence

from tailor.engine.data.counted import count_words
from tailor.engine.data.doctor.check import CheckKind, Found, Scope
from tailor.engine.data.doctor.row import Row
from tailor.engine.data.doctor.survey import Survey
from tailor.engine.data.doctor.telling import leave_out, tell
from tailor.engine.data.split import Split


class Leak:
    """Remembers what every row asks."""

    def __init__(self, scope: Scope) -> None:
        self._ids, self._questions = array("q"), array("Q")
        self._has_questions = scope.mapping.shape not in ("text", "middle")

    def see(self, row: Row) -> None:
        """Remember the question, or the whole text where nothing is asked."""
        if row.is_usable:
            self._ids.append(row.id)
            asked = row.question_digest if self._has_questions else row.whole_digest
            self._questions.append(asked)

    def found(self, survey: Survey, split: Split | None) -> Sequence[Found]:
        """The rows to learn from that are held out too."""
        if split is None or not split.is_given:
            return ()
        twin = self._equal_twins(split)
        equal = len(twin)
        twin |= self._near_twins(survey, split, twin)
        if not twin:
            return ()
        leaked = sorted(twin)
        return (
            _tell(survey, leaked, equal, [_pair(survey, one, twin[one]) for one in leaked[:3]]),
        )

    def _equal_twins(self, split: Split) -> dict[int, int]:
        """Row to learn from -> test row that asks the same."""
        pairs = list(zip(self._ids, self._questions, strict=True))
        tested = {asked: one for one, asked in pairs if one in split.held_out}
        learned = ((one, asked) for one, asked in pairs if one not in split.held_out)
        return {one: tested[asked] for one, asked in learned if asked in tested}

    def _near_twins(self, survey: Survey, split: Split, equal: dict[int, int]) -> dict[int, int]:
        """The same for rows that say nearly the same, and for those that repeat them."""
        near: dict[int, int] = {}
        for ids in survey.groups:
            tests = [equal.get(one, one) for one in ids if one in split.held_out or one in equal]
            near |= {one: tests[0] for one in ids if tests and one not in split.held_out}
        asked = dict(zip(self._ids, self._questions, strict=True))
        again = {asked[one]: test for one, test in near.items()}
        for one, question in asked.items():
            if question in again and one not in split.held_out:
                near.setdefault(one, again[question])
        return {one: test for one, test in near.items() if one not in equal}


def _tell(survey: Survey, leaked: list[int], equal: int, examples: list[str]) -> Found:
    number, nearly = len(leaked), len(leaked) - equal
    parts = [f"{equal:,} ask the same"] if equal else []
    parts += [f"{nearly:,} say nearly the same"] if nearly else []
    return tell(
        survey,
        check=CHECK.id,
        level="stop",
        title=f"{count_words(number, 'row')} to learn from {_stands(number)} in the test as well",
        detail=f"Your own split puts them on both sides: {' and '.join(parts)} as a test row.",
        effect="The score would praise what was learned by heart, and be higher than the model "
        "deserves.",
        fix="Take these rows out of what is learned; the test rows stay.",
        row_ids=leaked,
        examples=examples,
        remedies=(
            leave_out(
                leaked,
                "a test row asks the same",
                id="take_out",
                label="Take them out of training",
                is_suggested=True,
            ),
        ),
    )


def _stands(number: int) -> str:
    return "stands" if number == 1 else "stand"


def _pair(survey: Survey, learned: int, tested: int) -> str:
    return (
        f"{survey.where(learned)} (to learn): {survey.text_of(learned)} | "
        f"{survey.where(tested)} (test): {survey.text_of(tested)}"
    )


CHECK = CheckKind(id="leak", order=10, make=Leak, needs_likeness=True)
