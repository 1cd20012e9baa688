"""Which other plans are worth a look: the nearest that fit, a faster, a smaller, a better one.

A person wants three good offers and no list of thirty. They are chosen by least harm to what the
model learns, then by time; a plan that does not fit is never offered. The Plan screen draws them.
"""

from collections.abc import Iterable
from typing import Final, Literal

from tailor.estimator.record import record
from tailor.recipes.passes import PASSES
from tailor.recipes.row_length import LONGEST_ROW
from tailor.recipes.strength import STRENGTH
from tailor.ui.plan.variants import MODEL, RECIPE, Variant

Role = Literal["nearest", "safer", "faster", "smaller", "better"]
MOST_OFFERS: Final = 3
LESS: Final = 0.8
"""An offer to be faster or smaller must save a fifth; less is not worth a change of plan."""
SAME: Final = 0.04
"""Plans whose memory and time differ by less than this are the same plan in these figures."""

HARMLESS, CHANGES_LEARNING, READS_LESS, PACKS, CUTS_ROWS, ADAPTS_LESS, SMALLER_MODEL = range(7)
"""Harms, the least first. The order is the search's own (`estimator/search.py`), with what only a
person can choose between: how strongly and how often it learns."""


@record
class Offer:
    """One plan, and what it is offered for."""

    role: Role
    variant: Variant


def offers_of(chosen: Variant, ones: tuple[Variant, ...]) -> tuple[Offer, ...]:
    """At most three. Nothing that does not fit; where the chosen plan does not, only what does."""
    if chosen.estimate.verdict == "will_not_fit":
        return nearest(chosen, ones)
    found: dict[str, Offer] = {}
    pools: tuple[tuple[Role, list[Variant]], ...] = (
        ("safer", _safer(chosen, ones)),
        ("better", _better(chosen, ones)),
        ("faster", _faster(chosen, ones)),
        ("smaller", _smaller(chosen, ones)),
    )
    for role, pool in pools:
        free = [one for one in pool if one.sent not in found]
        if free:
            found[free[0].sent] = Offer(role=role, variant=free[0])
    return tuple(found.values())[:MOST_OFFERS]


def nearest(chosen: Variant, ones: Iterable[Variant]) -> tuple[Offer, ...]:
    """The plans that fit and change least; of equals, those that surely fit before tight ones."""
    pool = [one for one in ones if one.estimate.verdict != "will_not_fit"]
    picked = _distinct(pool, chosen)[:MOST_OFFERS]
    return tuple(Offer(role="nearest", variant=one) for one in picked)


def harm(chosen: Variant, one: Variant) -> int:
    """The worst that a variant does to what is learned, against the chosen plan."""
    return max((_harm(kind, chosen, one) for kind in one.kinds), default=HARMLESS)


def is_same(one: Variant, other: Variant) -> bool:
    """Whether two plans cannot be told apart by memory and time."""
    return all(
        abs(first - second) <= SAME * max(first, second)
        for first, second in zip(figures(one), figures(other), strict=True)
    )


def figures(one: Variant) -> tuple[float, float]:
    """Memory on the fullest card, and time from start to end."""
    return one.estimate.memory_bytes.likely, one.estimate.seconds.likely


def _harm(kind: str, chosen: Variant, one: Variant) -> int:
    before, after = chosen.planned.plan, one.planned.plan
    if kind == RECIPE:
        pair = (before.technique, after.technique)
        if pair[0] == "full":
            return ADAPTS_LESS
        return PACKS if pair[1] == "qlora" else HARMLESS if pair[0] == "qlora" else ADAPTS_LESS
    if kind == MODEL:
        smaller = one.planned.spec.model.weights_bytes < chosen.planned.spec.model.weights_bytes
        return SMALLER_MODEL if smaller else HARMLESS
    if kind == LONGEST_ROW.id:
        is_shorter = after.max_length_tokens < before.max_length_tokens
        return CUTS_ROWS if is_shorter and _cuts(one) else HARMLESS
    if kind == PASSES.id:
        return READS_LESS if after.steps < before.steps else HARMLESS
    return CHANGES_LEARNING


def _better(chosen: Variant, ones: tuple[Variant, ...]) -> list[Variant]:
    """Teaches more and fits: whole rows, an unpacked model, a larger model."""
    found = []
    for one in ones:
        if one.estimate.verdict != "fits":
            continue
        after, before = one.planned, chosen.planned
        is_whole = one.kinds == (LONGEST_ROW.id,) and _cuts(chosen) and _reads_more(chosen, one)
        is_plain = one.kinds == (RECIPE,) and harm(chosen, one) == HARMLESS
        is_larger = one.kinds == (MODEL,) and (
            after.spec.model.weights_bytes > before.spec.model.weights_bytes
        )
        if is_whole or is_plain or is_larger:
            found.append(one)
    return sorted(found, key=lambda one: (one.kinds == (MODEL,), figures(one)[1]))


def _safer(chosen: Variant, ones: tuple[Variant, ...]) -> list[Variant]:
    """For a tight plan: what surely fits."""
    if chosen.estimate.verdict != "tight":
        return []
    pool = [one for one in ones if one.estimate.verdict == "fits"]
    return sorted(pool, key=lambda one: _order(chosen, one))


def _faster(chosen: Variant, ones: tuple[Variant, ...]) -> list[Variant]:
    limit = LESS * chosen.estimate.seconds.likely
    pool = [one for one in _open(chosen, ones) if one.estimate.seconds.likely <= limit]
    return sorted(pool, key=lambda one: _order(chosen, one))


def _smaller(chosen: Variant, ones: tuple[Variant, ...]) -> list[Variant]:
    limit = LESS * chosen.estimate.memory_bytes.likely
    pool = [one for one in _open(chosen, ones) if one.estimate.memory_bytes.likely <= limit]
    return sorted(pool, key=lambda one: _order(chosen, one))


def _open(chosen: Variant, ones: tuple[Variant, ...]) -> list[Variant]:
    """Plans that may be offered without need: none that loses the ends of rows.

    A strength that only makes the adapter smaller is a choice about learning, not about memory.
    """
    return [
        one
        for one in ones
        if one.estimate.verdict == "fits"
        and one.kinds != (STRENGTH.id,)
        and harm(chosen, one) != CUTS_ROWS
    ]


def _order(chosen: Variant, one: Variant) -> tuple[int, bool, int, float, str]:
    harms = [_harm(kind, chosen, one) for kind in one.kinds]
    is_tight = one.estimate.verdict == "tight"
    return max(harms), is_tight, sum(harms), one.estimate.seconds.likely, one.sent


def _distinct(pool: list[Variant], chosen: Variant) -> list[Variant]:
    """One of those that look alike, the one with the least harm."""
    kept: list[Variant] = []
    for one in sorted(pool, key=lambda one: _order(chosen, one)):
        if not any(is_same(one, other) for other in kept):
            kept.append(one)
    return kept


def _cuts(one: Variant) -> bool:
    plan = one.planned.plan
    return plan.workload.lengths.longest_tokens > plan.max_length_tokens


def _reads_more(chosen: Variant, one: Variant) -> bool:
    return one.planned.plan.max_length_tokens > chosen.planned.plan.max_length_tokens
