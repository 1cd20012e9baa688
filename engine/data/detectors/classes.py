"""A text and its class: few short values that come back, one in every row."""

from collections.abc import Iterator

from tailor.engine.data.detectors.asking_side import find_asking_side
from tailor.engine.data.detectors.column_names import best_name, rank_name
from tailor.engine.data.detectors.pairs import find_answer
from tailor.engine.data.detectors.part_words import (
    ASIDE_WORDS,
    GROUP_WORDS,
    LABEL_WORDS,
    SPEAKER_WORDS,
    SPLIT_WORDS,
)
from tailor.engine.data.detectors.sampled_table import SampledTable
from tailor.engine.data_types import Mapping, ShapeGuess


def guess_classes(table: SampledTable) -> Iterator[ShapeGuess]:
    """At most one guess: the class that its name and its words speak for most."""
    label, is_named = _find_label(table)
    asking = find_asking_side(table, {label}) if label else None
    if asking is None or table.facts[asking.question].is_class:
        return
    answer = find_answer(table)
    is_beside = bool(answer) and answer != label and not table.facts[answer].is_class
    facts = table.facts[label]
    yield ShapeGuess(
        mapping=table.complete(
            Mapping(
                shape="classes",
                question=asking.question,
                answer=label,
                context=asking.context,
            )
        ),
        # Beside a written answer a class only sorts the rows.
        confidence=0.5 if is_beside else 0.95 if is_named else 0.7,
        why=f"“{label}” has {facts.distinct} different values that come back; "
        f"“{asking.question}” is what they are about.{asking.words}",
    )


def may_be_label(name: str) -> bool:
    """Whether a name leaves it open that a column sorts rows; authors and splits do not."""
    return not any(rank_name(name, words, with_asides=True) for words in _NO_LABELS)


def _find_label(table: SampledTable) -> tuple[str, bool]:
    """The column of classes, and whether its name says so. Words come before numbers."""
    classes = [name for name in table.columns if table.facts[name].is_class]
    for form in ("text", "code", "number"):
        named = best_name([one for one in classes if table.facts[one].form == form], LABEL_WORDS)
        if named:
            return named, True
    others = [
        name
        for name in classes
        if table.facts[name].form in ("text", "code") and may_be_label(name)
    ]
    return (others[-1], False) if others else ("", False)


_NO_LABELS = (ASIDE_WORDS, SPLIT_WORDS, GROUP_WORDS, SPEAKER_WORDS)
