"""Answers that only say the question again, as exports do when two columns were mixed up."""

from collections.abc import Sequence

from tailor.engine.data.counted import count_words
from tailor.engine.data.doctor.check import PROSE_SHAPES, CheckKind, Found, Scope
from tailor.engine.data.doctor.row import Row, plain
from tailor.engine.data.doctor.survey import Survey, snippet
from tailor.engine.data.doctor.telling import Hits, leave_out, tell
from tailor.engine.data.split import Split

LONG_ENOUGH_CHARACTERS = 15
LITTLE_MORE = 1.15
"""An answer that holds the question and is hardly longer adds nothing."""


class RepeatedQuestion:
    """Compares each last question with its answer."""

    def __init__(self, scope: Scope) -> None:
        self._hits = Hits()

    def see(self, row: Row) -> None:
        """Compare the two of one row."""
        if not row.is_usable or len(row.answer) > 2 * len(row.question) + 20:
            return
        asked, said = plain(row.question), row.plain_answer
        is_long = len(asked) >= LONG_ENOUGH_CHARACTERS
        if (asked == said and asked) or (
            is_long and asked in said and len(said) <= LITTLE_MORE * len(asked)
        ):
            self._hits.add(row, snippet(row))

    def found(self, survey: Survey, split: Split | None) -> Sequence[Found]:
        """The rows whose answer adds nothing."""
        if not self._hits:
            return ()
        number = len(self._hits)
        rows = count_words(number, "answer")
        return (
            tell(
                survey,
                check=CHECK.id,
                level="warn",
                title=f"{rows} only {'repeats' if number == 1 else 'repeat'} the question",
                detail=f"In {count_words(number, 'row')} the answer is the question itself.",
                effect="The model would learn to echo what it is asked.",
                fix="Leave these rows out, unless the task is to say the same again.",
                row_ids=self._hits.ids,
                examples=self._hits.examples,
                remedies=(leave_out(self._hits.ids, "its answer only repeats the question"),),
            ),
        )


CHECK = CheckKind(id="repeated_question", order=60, make=RepeatedQuestion, shapes=PROSE_SHAPES)
