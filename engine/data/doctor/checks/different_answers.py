"""One question with different answers: the model can only learn to be unsure.

Two classes for one text is a contradiction. Two wordings of one answer are none, so prose counts
only where the answers have less than half of their words in common.
"""

from array import array
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np

from tailor.engine.data.counted import count_words
from tailor.engine.data.doctor.check import CheckKind, Found, Remedy, Scope
from tailor.engine.data.doctor.row import Row, digest
from tailor.engine.data.doctor.survey import Survey, shorten
from tailor.engine.data.doctor.telling import leave_out, tell
from tailor.engine.data.split import Split

ALIKE = 0.5
SHORT_WORDS = 5
"""An answer of so few words may stand inside a longer one that says the same."""
KEPT_BYTES = 240
"""Of an answer the beginning is kept to compare and to show."""


class DifferentAnswers:
    """Remembers question and answer of every row."""

    def __init__(self, scope: Scope) -> None:
        self._is_classes = scope.mapping.shape == "classes"
        self._ids, self._questions, self._answers = array("q"), array("Q"), array("Q")
        self._texts = bytearray()
        self._ends = array("q")

    def see(self, row: Row) -> None:
        """Remember a row."""
        if not row.is_usable:
            return
        self._ids.append(row.id)
        self._questions.append(row.question_digest)
        # A class is kept byte for byte, so it is compared so.
        self._answers.append(digest(row.answer) if self._is_classes else digest(row.plain_answer))
        self._texts += row.plain_answer[:KEPT_BYTES].encode("utf-8", "replace")[:KEPT_BYTES]
        self._ends.append(len(self._texts))

    def found(self, survey: Survey, split: Split | None) -> Sequence[Found]:
        """All rows of questions whose answers differ."""
        torn = list(self._torn())
        if not torn:
            return ()
        places = sorted(place for group in torn for place in group)
        number = len(torn)
        said = "belong to two classes" if self._is_classes else "are answered in different ways"
        if number == 1:
            said = said.replace("belong", "belongs").replace("are", "is")
        return (
            tell(
                survey,
                check=CHECK.id,
                level="stop" if self._is_classes else "warn",
                title=f"{count_words(number, 'question')} with different answers",
                detail=f"{count_words(number, 'question')} in {len(places):,} rows {said}.",
                effect="The model cannot learn which one is right and will pick either.",
                fix="Keep the answer that is right and leave the others out.",
                row_ids=[self._ids[place] for place in places],
                examples=[self._example(survey, group) for group in torn[:3]],
                remedies=self._remedies(torn),
            ),
        )

    def _torn(self) -> Iterator[list[int]]:
        """Places of the rows of one question, for each whose answers differ."""
        questions = np.array(self._questions, np.uint64)
        order = np.argsort(questions, kind="stable")
        edges = np.flatnonzero(np.diff(questions[order])) + 1
        groups = (part.tolist() for part in np.split(order, edges) if len(part) > 1)
        for group in sorted(groups):
            if len({self._answers[place] for place in group}) > 1 and self._is_torn(group):
                yield group

    def _is_torn(self, group: list[int]) -> bool:
        if self._is_classes:
            return True
        different = {self._answers[place]: self._text(place) for place in group}
        first, *rest = different.values()
        return any(_likeness(first, other) < ALIKE for other in rest)

    def _text(self, place: int) -> str:
        begin = self._ends[place - 1] if place else 0
        return self._texts[begin : self._ends[place]].decode("utf-8", "ignore")

    def _remedies(self, torn: list[list[int]]) -> tuple[Remedy, ...]:
        all_rows = sorted(place for group in torn for place in group)
        lost, later = [], []
        for group in torn:
            counts = Counter(self._answers[place] for place in group)
            (best, most), (_, second) = counts.most_common(2)
            lost += [one for one in group if most == second or self._answers[one] != best]
            later += [one for one in group if self._answers[one] != self._answers[group[0]]]
        because = "its question is answered differently elsewhere"
        return (
            leave_out(
                self._named(lost),
                because,
                id="keep_majority",
                label="Keep what most rows say, nothing where it is even",
                is_suggested=self._is_classes,
            ),
            leave_out(self._named(later), because, id="keep_first", label="Keep the first answer"),
            leave_out(self._named(all_rows), because, label="Leave all of these rows out"),
        )

    def _named(self, places: list[int]) -> list[int]:
        return [self._ids[place] for place in sorted(places)]

    def _example(self, survey: Survey, group: list[int]) -> str:
        different = {self._answers[place]: place for place in reversed(group)}
        said = [
            f"{survey.where(self._ids[place])}: {shorten(self._text(place), 60)}"
            for place in sorted(different.values())[:2]
        ]
        return " | ".join(said)


def _likeness(one: str, other: str) -> float:
    """Share of words that two texts have in common; of pairs of signs where there are no spaces."""
    first, second = _pieces(one), _pieces(other)
    both = len(first & second)
    fewer = min(len(first), len(second))
    total = fewer if fewer <= SHORT_WORDS else len(first | second)
    return both / total if total else 0.0


def _pieces(text: str) -> frozenset[str]:
    words = text.split()
    is_unspaced = len(words) * 20 < len(text) and not text.isascii()
    if is_unspaced:
        return frozenset(map("".join, pairwise(text)))
    return frozenset(word.strip(".,;:!?()\"'") for word in words)


CHECK = CheckKind(
    id="different_answers",
    order=20,
    make=DifferentAnswers,
    shapes=frozenset({"question_answer", "classes", "chat"}),
)
