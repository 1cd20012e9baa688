"""What a column's name says about its part: question, answer, background, rating and the others.

Names are compared by whole words. Matching parts of words once took "context" for a text column and
made the passage the question (seen in another program). Pure; the detectors and `json_roots` ask
here.
"""

import re
import unicodedata
from collections.abc import Sequence
from functools import cache

from tailor.engine.data.detectors.part_words import (
    ANSWER_WORDS,
    ASIDE_WORDS,
    GERMAN_ENDS,
    NAMING_WORDS,
    OTHER_GERMAN,
    PERSON_WORDS,
    QUESTION_WORDS,
    Words,
)

__all__ = ["ANSWER_WORDS", "QUESTION_WORDS", "best_name", "is_aside", "rank_name", "split_words"]

_STEPS = (0.0, 0.1, 0.2, 0.5)
"""What each line of words is worth less; the last one names titles and classes."""
_WORD = re.compile(r"[^\W_]+")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def split_words(name: str) -> tuple[str, ...]:
    """The words of a column name, small: "QuestionText_2" has question, text and 2."""
    return tuple(_plain(word) for word in _WORD.findall(_CAMEL.sub(" ", name)))


def rank_name(name: str, words: Words, *, with_asides: bool = False) -> float:
    """How well a name fits a part, 0 to 1; the whole name counts more than one word of it.

    Names such as "question_id" fit nothing, unless `with_asides`.
    """
    parts = split_words(name)
    if not with_asides and is_aside(name):
        return 0.0
    is_alone = sum(not part.isdigit() for part in parts) == 1
    for line, known in enumerate(_known(words)):
        if any(_fits(part, known) for part in parts):
            return (1.0 if is_alone else 0.75) - _STEPS[line]
    return 0.0


def best_name(columns: Sequence[str], words: Words, *, with_asides: bool = False) -> str:
    """The column whose name fits best, the first of equals; "" when none does."""

    def rank(name: str) -> float:
        return rank_name(name, words, with_asides=with_asides)

    best = max(columns, key=rank, default="")
    return best if best and rank(best) > 0 else ""


def is_aside(name: str) -> bool:
    """Whether a name says that its column counts, dates or names something about another part."""
    parts = set(split_words(name))
    is_name = _holds(parts, PERSON_WORDS) and _holds(parts, NAMING_WORDS)
    return len(parts) > 1 and (_holds(parts, ASIDE_WORDS) or is_name)


def _holds(parts: set[str], words: Words) -> bool:
    return any(not known.isdisjoint(parts) for known in _known(words))


def _plain(word: str) -> str:
    """A word small and without accents, so that "Réponse" and "reponse" are one."""
    apart = unicodedata.normalize("NFKD", word.casefold())
    return "".join(letter for letter in apart if not unicodedata.combining(letter))


@cache
def _known(words: Words) -> tuple[frozenset[str], ...]:
    return tuple(frozenset(map(_plain, line.split())) for line in words)


def _fits(part: str, known: frozenset[str]) -> bool:
    if part in known or (part.endswith("s") and part[:-1] in known):
        return True
    if part in OTHER_GERMAN:
        return False
    return any(part.endswith(end) and end in known for end in GERMAN_ENDS)
