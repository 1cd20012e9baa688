"""Rows that say nearly the same as another: a word changed here, a sentence added there.

They share at least four fifths of their runs of five words. Often they are meant (one question in
two wordings), so nothing is suggested; the split keeps them on one side whatever is decided.
"""

from collections.abc import Sequence

from tailor.engine.data.counted import count_words
from tailor.engine.data.doctor.check import CheckKind, Found, Scope
from tailor.engine.data.doctor.row import Row
from tailor.engine.data.doctor.survey import Survey
from tailor.engine.data.doctor.telling import leave_out, tell
from tailor.engine.data.split import Split


class NearDuplicates:
    """Asks the survey, which compares the rows."""

    def __init__(self, scope: Scope) -> None:
        pass

    def see(self, row: Row) -> None:
        """The survey has seen it."""

    def found(self, survey: Survey, split: Split | None) -> Sequence[Found]:
        """All rows that are nearly the same as an earlier one."""
        clusters = survey.clusters
        if not clusters:
            return ()
        later = sorted(one for ids in clusters for one in ids[1:])
        number = len(later)
        return (
            tell(
                survey,
                check=CHECK.id,
                level="note",
                title=f"{count_words(number, 'row')} nearly the same as another",
                detail=f"There {'is' if len(clusters) == 1 else 'are'} "
                f"{count_words(len(clusters), 'group')} of rows that share four fifths of their "
                "wording or more. When rows are held out for testing, each group stays together.",
                effect="The model hears these cases more often than the others.",
                fix="Leave them in where the differences matter.",
                row_ids=later,
                examples=[_pair(survey, ids) for ids in clusters[:3]],
                remedies=(
                    leave_out(
                        later,
                        "it is nearly the same as an earlier row",
                        id="keep_first",
                        label="Keep one of each group",
                    ),
                ),
            ),
        )


def _pair(survey: Survey, ids: Sequence[int]) -> str:
    first, second = (f"{survey.where(one)}: {survey.text_of(one)}" for one in ids[:2])
    return f"{first} | {second}"


CHECK = CheckKind(id="near_duplicates", order=90, make=NearDuplicates, needs_likeness=True)
