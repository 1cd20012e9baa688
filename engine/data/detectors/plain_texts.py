"""Running text to learn words and style from, and code with a gap in the middle."""

from collections.abc import Iterator

from tailor.engine.data.detectors.classes import may_be_label
from tailor.engine.data.detectors.column_facts import Form
from tailor.engine.data.detectors.column_names import best_name, rank_name
from tailor.engine.data.detectors.part_words import (
    AFTER_WORDS,
    ANSWER_WORDS,
    BEFORE_WORDS,
    MIDDLE_WORDS,
    QUESTION_WORDS,
    TEXT_WORDS,
    TITLE_WORDS,
)
from tailor.engine.data.detectors.sampled_table import SampledTable
from tailor.engine.data_types import Mapping, ShapeGuess

CODE_FORMS: tuple[Form, ...] = ("text", "transcript", "code", "json", "number")
LONG_CHARACTERS = 300
"""From here on a text beside a title is an article and no answer to its title."""
BEFORE_CHARACTERS = 20
"""What stands before a gap in code is longer than the "Dr" before a name."""


def guess_middles(table: SampledTable) -> Iterator[ShapeGuess]:
    """Code before a gap, the piece that fills it, code behind it."""
    names = table.pick(CODE_FORMS)
    before = best_name(names, BEFORE_WORDS)
    after = best_name(table.pick((*CODE_FORMS, "empty"), without={before}), AFTER_WORDS)
    middle = best_name(table.pick(CODE_FORMS, without={before, after}), MIDDLE_WORDS)
    if not (before and middle and after) or _mean(table, before) < BEFORE_CHARACTERS:
        return
    is_exact = rank_name(before, BEFORE_WORDS[:1]) or rank_name(middle, MIDDLE_WORDS[:1])
    yield ShapeGuess(
        mapping=table.with_group(
            Mapping(shape="middle", before=before, answer=middle, after=after)
        ),
        confidence=0.97 if is_exact else 0.965,
        why=f"“{middle}” fills the gap between “{before}” and “{after}”.",
    )


def guess_texts(table: SampledTable) -> Iterator[ShapeGuess]:
    """The longest text, or the one that is called so, wherever there is text at all."""
    written = table.varied() or table.pick(CODE_FORMS) or table.pick(("link", "texts", "date"))
    if not written:
        return
    name = max(written, key=lambda one: (rank_name(one, TEXT_WORDS) > 0, _mean(table, one)))
    others = [one for one in table.varied(without={name}) if not rank_name(one, TITLE_WORDS)]
    others += [
        one
        for one in table.columns
        if one != name and (_is_label(table, one) or _is_side(table, one))
    ]
    others += table.short_forms() if table.facts[name].is_text else []
    titles = [one for one in table.varied(without={name}) if rank_name(one, TITLE_WORDS)]
    if not table.facts[name].is_text:
        confidence, why = 0.3, f"“{name}” comes nearest to running text."
    elif len(table.columns) == 1:
        confidence, why = 0.9, f"“{name}” is the only column."
    elif not others and not titles:
        confidence, why = 0.85, f"“{name}” is the only column with text."
    elif not others and _mean(table, name) >= LONG_CHARACTERS:
        confidence, why = 0.8, f"“{name}” holds long texts; “{titles[0]}” only names them."
    else:
        confidence, why = 0.2, f"“{name}” alone, as running text."
    yield ShapeGuess(
        mapping=table.with_group(Mapping(shape="text", text=name)),
        confidence=confidence,
        why=why,
    )


def _is_label(table: SampledTable, name: str) -> bool:
    return table.facts[name].is_class and may_be_label(name)


def _is_side(table: SampledTable, name: str) -> bool:
    """Whether a column asks or answers by its name."""
    if table.facts[name].form not in CODE_FORMS:
        return False
    return rank_name(name, ANSWER_WORDS) > 0 or rank_name(name, QUESTION_WORDS[:2]) > 0


def _mean(table: SampledTable, name: str) -> float:
    return table.facts[name].mean_characters
