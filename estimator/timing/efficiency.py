"""Which share of a card's speed a training step reaches, learned from measured steps.

A maker's figure is never reached, and by how much depends on what a step is made of: large products
run at most of it, attention at half, everything else waits for memory. So a step is a sum of four
kinds of work, each with the share that it reaches, a level for each card that was measured, and a
small correction for what the sum cannot see. `fit_efficiency` learns them from `Point`s; without
any, the shares below speak. `step_time.py` asks, `fit.py` fits, `calibration.json` keeps it.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from tailor.estimator.record import record
from tailor.estimator.workload import BaseFormat, Technique

Vector = npt.NDArray[np.float64]

KINDS = ("matmul", "attention", "traffic", "unpack")
"""Kinds of work, in the order of the slowdowns."""
PRIOR_SLOWDOWNS = (1.12, 2.0, 1.3, 5.5)
"""Times that each kind takes against the ideal: products against the best product measured on the
card (ml-engineering's largest matrix products); attention forward and backward against the card's
peak; bytes against its bandwidth; unpacking likewise (its kernels compute more than they move).
Read off development rows on A100 cards."""
PRIOR_WEIGHTS = (1.0, 1.0, 0.5, 1.0)
"""How firmly each stands against measurements, in tenths of the root of their number. Products and
attention are the same kernels everywhere, and rows of one length cannot tell them apart."""

CORRECTIONS = ("log_tokens", "log_hidden", "lora", "nf4", "gptq", "fused", "sharded", "kv_share")
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
LARGEST_CORRECTION = math.log(1.25)
"""A correction learned elsewhere is not trusted further."""
TYPICAL_TOKENS, TYPICAL_HIDDEN = 16_384.0, 4_096.0
"""Where the corrections of size are 0."""
DIGITS = 6
"""Kept of each number, so that another processor's rounding does not show."""
SMALLEST_RATIO = 0.05
"""Ideal over measured time below which a measurement is not of computing."""


@record
class Features:
    """What a step computes on one card, in seconds at its ideal, and its circumstances."""

    card: str
    """The card's name in the table, or the driver's."""
    flops_seconds: float
    """All operations at the maker's figure: what a share of the peak is told against."""
    matmul_seconds: float
    attention_seconds: float
    traffic_seconds: float
    unpack_seconds: float
    tokens: float
    """Of one micro-batch."""
    hidden: int
    technique: Technique
    base_format: BaseFormat
    has_fused_kernels: bool
    is_sharded: bool
    kv_share: float
    """Key heads over query heads."""


@record
class Point:
    """One measured step."""

    features: Features
    seconds: float
    """That it computed, waiting for other cards taken off."""


@record
class Efficiency:
    """What was learned."""

    slowdowns: tuple[float, ...] = PRIOR_SLOWDOWNS
    """In the order of `KINDS`."""
    corrections: tuple[float, ...] = (0.0,) * len(CORRECTIONS)
    """Of the log of the share, in the order of `CORRECTIONS`."""
    card_levels: tuple[tuple[str, float], ...] = ()
    """Log of the time against the formula, of each card that was measured, by name."""
    other_level: float = 0.0
    """Of all other cards."""
    points: int = 0

    def predict(self, features: Features) -> float:
        """The log of the share of the maker's figure that the step reaches."""
        return math.log(features.flops_seconds) - math.log(self.seconds(features))

    def seconds(self, features: Features) -> float:
        """Seconds that the step computes."""
        plain = float(_ideals(features) @ np.array(self.slowdowns))
        told = float(_circumstances(features) @ np.array(self.corrections))
        told = min(LARGEST_CORRECTION, max(-LARGEST_CORRECTION, told))
        return plain * math.exp(self._level(features.card) - told)

    def _level(self, card: str) -> float:
        return next((level for name, level in self.card_levels if name == card), self.other_level)


def fit_efficiency(points: Sequence[Point]) -> Efficiency:
    """Learn slowdowns and corrections; the same points give the same answer in any order."""
    usable = sorted((point for point in points if _is_usable(point)), key=_key)
    if not usable:
        return Efficiency()
    ideals = np.array([_ideals(point.features) for point in usable])
    logs = np.log(np.array([point.seconds for point in usable]))
    cards = np.array([point.features.card for point in usable])
    names = sorted(set(cards.tolist()))
    levels, told = np.zeros(len(usable)), np.zeros(len(usable))
    circumstances = np.array([_circumstances(point.features) for point in usable])
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
        slowdowns=_rounded(slowdowns),
        corrections=_rounded(corrections),
        card_levels=tuple(zip(names, _rounded(by_card), strict=True)),
        other_level=round(sum(by_card) / (len(names) + OTHER_CARD_PULL), DIGITS),
        points=len(usable),
    )


def efficiency_to_json(efficiency: Efficiency) -> dict[str, Any]:
    """Plain data, with a name beside each number."""
    return {
        "slowdowns": dict(zip(KINDS, efficiency.slowdowns, strict=True)),
        "corrections": dict(zip(CORRECTIONS, efficiency.corrections, strict=True)),
        "card_levels": dict(efficiency.card_levels),
        "other_level": efficiency.other_level,
        "points": efficiency.points,
    }


def efficiency_from_json(told: Mapping[str, Any] | None) -> Efficiency:
    """What `efficiency_to_json` wrote; None is the prior alone."""
    if told is None:
        return Efficiency()
    return Efficiency(
        slowdowns=tuple(float(told["slowdowns"][kind]) for kind in KINDS),
        corrections=tuple(float(told["corrections"][name]) for name in CORRECTIONS),
        card_levels=tuple(
            (str(name), float(level)) for name, level in sorted(told["card_levels"].items())
        ),
        other_level=float(told["other_level"]),
        points=int(told["points"]),
    )


def _rounded(numbers: Iterable[float]) -> tuple[float, ...]:
    return tuple(round(float(number), DIGITS) for number in numbers)


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


def _ideals(features: Features) -> Vector:
    return np.array(
        [
            features.matmul_seconds,
            features.attention_seconds,
            features.traffic_seconds,
            features.unpack_seconds,
        ]
    )


def _circumstances(features: Features) -> Vector:
    return np.array(
        [
            math.log(features.tokens / TYPICAL_TOKENS),
            math.log(features.hidden / TYPICAL_HIDDEN),
            float(features.technique != "full"),
            float(features.base_format in ("nf4", "nf4_double", "int8")),
            float(features.base_format == "gptq"),
            float(features.has_fused_kernels),
            float(features.is_sharded),
            features.kv_share - 0.25,
        ]
    )


def _is_usable(point: Point) -> bool:
    ideal = float(_ideals(point.features).sum())
    return ideal > 0 and point.seconds > 0 and ideal / point.seconds >= SMALLEST_RATIO


def _key(point: Point) -> tuple[str | float, ...]:
    return (
        point.features.card,
        point.seconds,
        *_ideals(point.features),
        *_circumstances(point.features),
    )
