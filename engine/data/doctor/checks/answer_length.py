"""Answers that are very short or very long among answers of ordinary length."""

from array import array
from collections.abc import Iterator, Sequence

import numpy as np

from tailor.engine.data.counted import count_words
from tailor.engine.data.doctor.check import PROSE_SHAPES, CheckKind, Found, Scope
from tailor.engine.data.doctor.row import Row
from tailor.engine.data.doctor.survey import Survey, snippet
from tailor.engine.data.doctor.telling import Hits, leave_out, tell
from tailor.engine.data.split import Split

SHORT, LONG = 10, 4_000
"""Characters."""
SHORT_DENSE = 4
"""Where a sign is a syllable or a word, so many say what ten letters say."""
ORDINARY_SHORT, ORDINARY_LONG = 40, 2_000
"""Half of the answers must be longer, or shorter, for the odd ones to be odd."""
MOST_SHARE = 0.2
SHORT_CHECK, LONG_CHECK = "short_answers", "long_answers"


class AnswerLength:
    """Measures the last answer of each row."""

    def __init__(self, scope: Scope) -> None:
        self._lengths = array("q")
        self._short, self._long = Hits(), Hits()

    def see(self, row: Row) -> None:
        """Measure one answer."""
        if not row.is_usable or (row.example.messages and row.example.messages[-1].tool_calls):
            return
        length = len(row.answer.strip())
        is_dense = length < SHORT and not row.answer.isascii() and row.answer.strip() > "\u2e80"
        self._lengths.append(length)
        if length < (SHORT_DENSE if is_dense else SHORT):
            self._short.add(row, snippet(row))
        elif length > LONG:
            self._long.add(row, snippet(row))

    def found(self, survey: Survey, split: Split | None) -> Sequence[Found]:
        """The odd ones, when they are odd."""
        return tuple(self._tell_all(survey))

    def _tell_all(self, survey: Survey) -> Iterator[Found]:
        if not self._lengths:
            return
        middle = float(np.median(np.array(self._lengths)))
        limit = MOST_SHARE * len(self._lengths)
        short = count_words(len(self._short), "answer")
        if 0 < len(self._short) <= limit and middle >= ORDINARY_SHORT:
            yield tell(
                survey,
                check=SHORT_CHECK,
                level="note",
                title=f"{short} shorter than {SHORT} characters",
                detail=f"Half of all answers have more than {middle:,.0f} characters.",
                effect="The model may stop after a word where people expect a sentence.",
                fix="Look at them; they may be right, such as a number that was asked for.",
                row_ids=self._short.ids,
                examples=self._short.examples,
                remedies=(leave_out(self._short.ids, "its answer is very short"),),
            )
        long = count_words(len(self._long), "answer")
        if 0 < len(self._long) <= limit and middle <= ORDINARY_LONG:
            yield tell(
                survey,
                check=LONG_CHECK,
                level="note",
                title=f"{long} longer than {LONG:,} characters",
                detail=f"Half of all answers have fewer than {middle:,.0f} characters.",
                effect="Long rows cost memory and time, and the model may learn to ramble.",
                fix="Look at them; what is too long for the model is shown on the next page.",
                row_ids=self._long.ids,
                examples=self._long.examples,
                remedies=(leave_out(self._long.ids, "its answer is very long"),),
            )


CHECK = CheckKind(
    id="answer_length",
    order=85,
    make=AnswerLength,
    shapes=PROSE_SHAPES,
    tells=(SHORT_CHECK, LONG_CHECK),
)
