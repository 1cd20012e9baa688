"""Which share of a card's speed a training step reaches, learned from measured steps.

A maker's figure is never reached, and by how much depends on what a step is made of: large products
run at most of it, attention at half, everything else waits for memory. So a step is a sum of four
kinds of work, each with the share that it reaches, a level for each card that was measured, and a
small correction for what the sum cannot see. `fit_efficiency.py` learns them from `Point`s; without
any, the shares below speak. `step_time.py` asks, `calibration.json` keeps it.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tailor.estimator.record import record
from tailor.estimator.workload import BaseFormat, Technique

KINDS = ("matmul", "attention", "traffic", "unpack")
"""Kinds of work, in the order of the slowdowns."""
PRIOR_SLOWDOWNS = (1.12, 2.0, 1.3, 5.5)
"""Times that each kind takes against the ideal: products against the best product measured on the
card (ml-engineering's largest matrix products); attention forward and backward against the card's
peak; bytes against its bandwidth; unpacking likewise (its kernels compute more than they move).
Read off development rows on A100 cards."""

CORRECTIONS = ("log_tokens", "log_hidden", "lora", "nf4", "gptq", "fused", "sharded", "kv_share")
LARGEST_CORRECTION = math.log(1.25)
"""A correction learned elsewhere is not trusted further."""
TYPICAL_TOKENS, TYPICAL_HIDDEN = 16_384.0, 4_096.0
"""Where the corrections of size are 0."""
DIGITS = 6
"""Kept of each number, so that another processor's rounding does not show."""


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
        plain = _product(list_ideals(features), self.slowdowns)
        told = _product(list_circumstances(features), self.corrections)
        told = min(LARGEST_CORRECTION, max(-LARGEST_CORRECTION, told))
        return plain * math.exp(self._level(features.card) - told)

    def _level(self, card: str) -> float:
        return next((level for name, level in self.card_levels if name == card), self.other_level)


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


def round_all(numbers: Iterable[float]) -> tuple[float, ...]:
    """Numbers as they are kept."""
    return tuple(round(float(number), DIGITS) for number in numbers)


def list_ideals(features: Features) -> tuple[float, ...]:
    """Seconds of each kind of work at the card's best, in the order of `KINDS`."""
    return (
        features.matmul_seconds,
        features.attention_seconds,
        features.traffic_seconds,
        features.unpack_seconds,
    )


def list_circumstances(features: Features) -> tuple[float, ...]:
    """What corrections hang on, in the order of `CORRECTIONS`."""
    return (
        math.log(features.tokens / TYPICAL_TOKENS),
        math.log(features.hidden / TYPICAL_HIDDEN),
        float(features.technique != "full"),
        float(features.base_format in ("nf4", "nf4_double", "int8")),
        float(features.base_format == "gptq"),
        float(features.has_fused_kernels),
        float(features.is_sharded),
        features.kv_share - 0.25,
    )


def _product(numbers: Sequence[float], factors: Sequence[float]) -> float:
    return sum(one * other for one, other in zip(numbers, factors, strict=True))
