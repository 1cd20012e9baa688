"""How good an answer is, from 0 to 1, by what the person wants from the model.

The score must be honest before it is kind: a form with one wrong field is a wrong form, so there
only the whole answer counts. Free text is never word for word the same, so there the words that
agree count. The worker scores every exam answer here; the wizard shows `explain_score` beside the
number.
"""

import re
from collections import Counter

from tailor.recipes.spec import Goal

WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]|\w+")
"""A word; where none are written apart (Japanese, Chinese), each letter counts as one."""
AROUND = " \t\n\r.,;:!?\"'`*()[]"
"""What may stand around a label without making it another one."""

EXPLAINED: dict[Goal, str] = {
    "format": "An answer counts only when all of it is right; spaces and line breaks aside.",
    "classify": "An answer counts when it is the right label; capitals and full stops aside.",
    "answer": "An answer counts by the share of its words that the expected answer has too.",
    "style": "An answer counts by the share of its words that the expected answer has too.",
}


def score_answer(goal: Goal, expected: str, answer: str) -> float:
    """0 for a wrong answer, 1 for the expected one; between them only for free text."""
    if goal == "format":
        return float(_spaced(expected) == _spaced(answer))
    if goal == "classify":
        return float(_label(expected) == _label(answer))
    return _shared_words(expected, answer)


def explain_score(goal: Goal) -> str:
    """The score in one sentence."""
    return EXPLAINED[goal]


def _spaced(text: str) -> str:
    return " ".join(text.split())


def _label(text: str) -> str:
    return _spaced(text).strip(AROUND).casefold()


def _shared_words(expected: str, answer: str) -> float:
    """Harmonic mean of two shares: of the answer's words and of the expected words (F1)."""
    wanted, given = Counter(_words(expected)), Counter(_words(answer))
    if not wanted or not given:
        return float(_spaced(expected) == _spaced(answer))
    return 2 * (wanted & given).total() / (wanted.total() + given.total())


def _words(text: str) -> list[str]:
    return WORD.findall(text.casefold())
