"""The side of a table that asks: the question, and what is put before it.

A help desk has a subject and a message, an exam a passage and a question, a form a text alone.
Pairs, classes, thumbs and preferences all look for their question here.
"""

from collections.abc import Collection

from tailor.engine.data.detectors.column_facts import Form
from tailor.engine.data.detectors.column_names import rank_name
from tailor.engine.data.detectors.part_words import (
    CONTEXT_WORDS,
    QUESTION_WORDS,
    SYSTEM_WORDS,
    TITLE_WORDS,
    Words,
)
from tailor.engine.data.detectors.sampled_table import WRITTEN, SampledTable
from tailor.estimator.record import record

ASKED_FORMS: tuple[Form, ...] = (*WRITTEN, "code", "number")
PASSAGE_CHARACTERS = 40
_BODY_WORDS: Words = QUESTION_WORDS[:3]
"""What a person writes in full; a subject or a name is less."""


@record
class AskingSide:
    """What asks."""

    question: str
    context: str = ""
    fit: float
    """How surely the names say it, 0 to 1; 0 when only the content does."""

    @property
    def words(self) -> str:
        """The part of a reason that tells what stands before the question."""
        return f" “{self.context}” is put before it." if self.context else ""


def find_asking_side(table: SampledTable, without: Collection[str]) -> AskingSide | None:
    """The columns that ask, by name and else by content; None when nothing is left to ask."""
    standing = table.named(SYSTEM_WORDS, without=without)
    without = {*without, standing}
    brief = [name for name in table.pick(WRITTEN) if _is_brief(table, name)]
    context = table.named(CONTEXT_WORDS, without={*without, *brief})
    question = table.named(QUESTION_WORDS, ASKED_FORMS, without={*without, context})
    if question and context and not rank_name(question, _BODY_WORDS):
        # A passage with nothing but its title: the passage is what is asked about.
        question, context = context, question
    if not question and context:
        question, context = context, ""
    if not question:
        written = table.longest(table.varied(without=without))
        return AskingSide(question=written, fit=0.0) if written else None
    if not context and not rank_name(question, QUESTION_WORDS[:2]):
        context = table.named(TITLE_WORDS, without={*without, question})
    return AskingSide(question=question, context=context, fit=rank_name(question, QUESTION_WORDS))


def _is_brief(table: SampledTable, name: str) -> bool:
    """Whether a "source" or a "reference" only names where something stands."""
    is_called_so = rank_name(name, CONTEXT_WORDS[:1]) > 0
    return not is_called_so and table.facts[name].mean_characters < PASSAGE_CHARACTERS
