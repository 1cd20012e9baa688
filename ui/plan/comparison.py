"""The chosen plan and its neighbours side by side: which cannot be beaten, and how each differs.

The chart and the table of the Plan screen show the same `Comparison`. Plans that memory and time
cannot tell apart are shown once, as the one that changes least.
"""

from collections.abc import Callable

from tailor.estimator.record import record
from tailor.estimator.search import frontier
from tailor.estimator.workload import Technique
from tailor.ui.plan.ranking import SAME, figures, harm, is_same
from tailor.ui.plan.variants import Variant
from tailor.ui.text_compare import ChartText
from tailor.ui.views.quantities import bytes_words, duration_words


@record
class Compared:
    """One plan among others."""

    variant: Variant
    technique: Technique
    is_chosen: bool
    is_best: bool
    """No other plan needs less of both memory and time."""
    difference: str
    """Against the chosen plan, in words; empty for the chosen one."""


@record
class Comparison:
    """The chosen plan first, then those that nothing beats, each group by time."""

    plans: tuple[Compared, ...]


def compare(chosen: Variant, ones: tuple[Variant, ...]) -> Comparison:
    """Look at all plans together."""
    kept = [chosen]
    for one in sorted(ones, key=lambda one: (harm(chosen, one), one.sent)):
        if not any(is_same(one, other) for other in kept):
            kept.append(one)
    are_best = frontier(tuple(figures(one) for one in kept))
    compared = [
        Compared(
            variant=one,
            technique=one.planned.plan.technique,
            is_chosen=one is chosen,
            is_best=is_best,
            difference="" if one is chosen else difference_words(chosen, one),
        )
        for one, is_best in zip(kept, are_best, strict=True)
    ]
    order = sorted(
        compared[1:], key=lambda one: (not one.is_best, one.variant.estimate.seconds.likely)
    )
    return Comparison(plans=(compared[0], *order))


def difference_words(chosen: Variant, one: Variant) -> str:
    """ "1.2 GB less memory, 12 min longer" against the chosen plan."""
    (memory, seconds), (memory_then, seconds_then) = figures(one), figures(chosen)
    parts = []
    if abs(memory - memory_then) > SAME * memory_then:
        less, more = ChartText.LESS_MEMORY, ChartText.MORE_MEMORY
        parts.append(_part(memory - memory_then, less, more, bytes_words))
    if abs(seconds - seconds_then) > SAME * seconds_then:
        less, more = ChartText.SHORTER, ChartText.LONGER
        parts.append(_part(seconds - seconds_then, less, more, duration_words))
    return ", ".join(parts) or ChartText.SAME


def _part(gap: float, less: str, more: str, words_of: Callable[[float], str]) -> str:
    return (less if gap < 0 else more).format(gap=words_of(abs(gap)))
