"""Learns from measured steps which share of a card's speed they reach: least squares, in rounds.

Kept apart from what is learned (`efficiency.py`), because only this needs numpy, and the wizard and
the shim load the rest. `fit.py` and the evaluator's leaving out call it.
"""

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from tailor.estimator.timing.efficiency import (
    CORRECTIONS,
    DIGITS,
    KINDS,
    PRIOR_SLOWDOWNS,
    Efficiency,
    Point,
    list_circumstances,
    list_ideals,
    round_all,
)

Vector = npt.NDArray[np.float64]

PRIOR_WEIGHTS = (1.0, 1.0, 0.5, 1.0)
"""How firmly each stands against measurements, in tenths of the root of their number. Products and
attention are the same kernels everywhere, and rows of one length cannot tell them apart."""
RIDGE = 3.0
"""Pull of each correction towards none, in measurements. Development rows left out by model: 1 to
30 give median errors of 3.2 to 3.8 %, no corrections at all 5.6 %."""
CARD_PULL = 8.0
"""Pull of a card's level towards the others', in measurements: those of one card come from one
program and say less than their number."""
OTHER_CARD_PULL = 3.0
"""Pull of the level of cards that nobody measured towards none, in cards."""
ROUNDS = 30
"""Of fitting shares, levels and corrections in turn; twice as many change the median error by less
than a tenth of a per cent."""
USUAL_MISS = 0.06
"""Log error beyond which a measurement counts less (Huber's rule): repeated runs differ by 3 %, and
a few rows stand for something else, such as a card that was almost out of memory."""
SMALLEST_RATIO = 0.05
"""Ideal over measured time below which a measurement is not of computing."""


def fit_efficiency(points: Sequence[Point]) -> Efficiency:
    """Learn slowdowns and corrections; the same points give the same answer in any order."""
    usable = sorted((point for point in points if _is_usable(point)), key=_key)
    if not usable:
        return Efficiency()
    ideals = np.array([list_ideals(point.features) for point in usable])
    logs = np.log(np.array([point.seconds for point in usable]))
    cards = np.array([point.features.card for point in usable])
    names = sorted(set(cards.tolist()))
    levels, told = np.zeros(len(usable)), np.zeros(len(usable))
    circumstances = np.array([list_circumstances(point.features) for point in usable])
    weights = np.ones(len(usable))
    for _ in range(ROUNDS):
        around = np.exp(logs - levels + told)
        slowdowns = _fit_slowdowns(ideals / around[:, None], weights)
        left = logs - np.log(ideals @ slowdowns)
        for name in names:
            of_card = cards == name
            above = weights[of_card] * (left + told)[of_card]
            levels[of_card] = above.sum() / (weights[of_card].sum() + CARD_PULL)
        corrections = _fit_corrections(circumstances, levels - left, weights)
        told = circumstances @ corrections
        missed = np.abs(left - levels + told)
        weights = np.minimum(1.0, USUAL_MISS / np.maximum(missed, 1e-9))
    by_card = [float(levels[cards == name][0]) for name in names]
    return Efficiency(
        slowdowns=round_all(slowdowns),
        corrections=round_all(corrections),
        card_levels=tuple(zip(names, round_all(by_card), strict=True)),
        other_level=round(sum(by_card) / (len(names) + OTHER_CARD_PULL), DIGITS),
        points=len(usable),
    )


def _fit_slowdowns(ratios: Vector, weights: Vector) -> Vector:
    """Least squares of relative errors around the prior, none below zero."""
    prior = np.array(PRIOR_SLOWDOWNS)
    firm = np.array(PRIOR_WEIGHTS) * 0.1 * math.sqrt(len(ratios))
    roots = np.sqrt(weights)
    rows = np.vstack([ratios * roots[:, None], np.diag(firm / prior)])
    wanted = np.concatenate([roots, firm])
    kept = np.ones(len(KINDS), dtype=bool)
    found = np.zeros(len(KINDS))
    while kept.any():
        found[:] = 0.0
        found[kept] = np.linalg.lstsq(rows[:, kept], wanted, rcond=None)[0]
        if (found >= 0).all():
            break
        kept &= found > 0
    return found


def _fit_corrections(circumstances: Vector, missed: Vector, weights: Vector) -> Vector:
    """Ridge regression of what the parts do not explain."""
    weighted = circumstances * weights[:, None]
    pull = RIDGE * np.eye(len(CORRECTIONS))
    return np.asarray(np.linalg.solve(weighted.T @ circumstances + pull, weighted.T @ missed))


def _is_usable(point: Point) -> bool:
    ideal = sum(list_ideals(point.features))
    return ideal > 0 and point.seconds > 0 and ideal / point.seconds >= SMALLEST_RATIO


def _key(point: Point) -> tuple[str | float, ...]:
    return (
        point.features.card,
        point.seconds,
        *list_ideals(point.features),
        *list_circumstances(point.features),
    )
