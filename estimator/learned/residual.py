"""How far a prediction is off, and how sure that is: the ranges around every number that is shown.

A residual is log(measured / predicted). `Calibration.residual` finds those that were made under
the most similar circumstances (`ResidualKey`); a `Residual` is what comes of them. Where nothing
similar was ever measured, the starts below speak, which are wide on purpose.
"""

import math
from typing import Literal

from tailor.estimator.learned.conformal import LEVELS, level_scale
from tailor.estimator.promise import Layer, Range
from tailor.estimator.record import record
from tailor.estimator.workload import Sharding, Technique

Quantity = Literal["allocated", "reserved_ratio", "step_seconds", "around_seconds"]
"""Peak memory (on a card the allocated one); what the allocator holds for it; one optimizer step;
everything of a run beside its steps."""
Sharing = Literal["one", "replicated", "sharded", "offloaded"]
"""How cards share a model, as far as errors differ by it."""

SHARING: dict[Sharding, Sharing] = {
    "none": "one",
    "ddp": "replicated",
    "zero1": "sharded",
    "zero2": "sharded",
    "fsdp": "sharded",
    "fsdp_offload": "offloaded",
}

MEMORY_SHARE: dict[Sharing, float] = {
    "one": 0.15,
    "replicated": 0.15,
    "sharded": 0.23,
    # The plain formula was 25 % low on the one public 70B measurement on two cards: twice that.
    "offloaded": 0.50,
}
"""Half width of 90 % for memory in closed form before a group is calibrated: unverified starts of
the estimator's design."""
NARROWEST_SHARE = 0.01
"""No 90 % range is narrower: the allocator's rounding and small versions of libraries. Whole groups
of development rows are hit to 0.0 %, and ranges without width held 84 % of the rows of a model left
out, with this 88 %."""
OTHER_STACK_SHARE = 0.50
"""Memory and time of training programs other than Hugging Face's (unverified start)."""
GENERIC_SHARE = 0.60
"""A model whose shape was guessed from its size alone (unverified start)."""
TRACE_SHARES = (0.03, 0.07)
"""Memory by the exact trace, below and above: section 8; the worst of eight published rows was
7 %."""
DRY_RUN_SHARE = 0.03
"""Memory and steps measured by a dress rehearsal of the same run: noise of one repetition."""
UNKNOWN_CARD_SHARE = 0.30
"""Speed of a card that no residual comes from: medians of FLOP/s used lie within 30 % of .45."""
RESERVED_SHARE = 0.25
"""What the allocator reserves above what is allocated, before it was measured here: 308 public rows
have a ratio of 1.33 in the median and 1.69 at the ninth tenth, of which a part is the context."""
AROUND_SHARE = 0.50
"""Loading, evaluating and saving hang on disks and exams as much as on the model."""
NEW_VERSION_WIDENING = 1.5
"""An unknown version of a library widens every range by half until it has been measured."""


@record
class ResidualKey:
    """Under which circumstances a prediction is made."""

    technique: Technique
    layer: Layer = "closed_form"
    sharing: Sharing = "one"
    device: str = ""
    """Name of the card (as in gpus.csv where it is there) or processor. Only speed hangs on it."""
    is_own_stack: bool = True
    """Hugging Face's trainer, which Tailor's worker is too."""
    is_measured_stack: bool = False
    """The very training programs that the shipped errors were made with. The formulas were written
    beside those rows; of others, Tailor's newer libraries among them, they may be less sure."""
    is_generic: bool = False
    """The model's shape is a guess."""
    is_new_version: bool = False


@record
class Residual:
    """What to expect of log(measured / predicted)."""

    mean_log: float = 0.0
    """The middle: 0 until this machine's own runs have taught another. What the allocator reserves
    has one from the start, for it is a ratio and not an error."""
    count: int = 0
    """Measurements behind the range; 0 for a start without any."""
    runs: int = 0
    """Runs of this machine behind it."""
    key_used: str
    """The group that spoke, such as "closed_form lora one", for reports."""
    bounds: tuple[tuple[float, float], ...]
    """Low and high log for each of `LEVELS`."""

    def factor(self, level: float) -> tuple[float, float]:
        """What to multiply a prediction by for a two-sided interval of 80, 90 or 95 %."""
        low, high = self.bounds[LEVELS.index(level)]
        return math.exp(low), math.exp(high)

    @property
    def likely_factor(self) -> float:
        """What to multiply a prediction by for the likely value."""
        return math.exp(self.mean_log)

    @property
    def upper_factor(self) -> float:
        """The one-sided 95 % bound: the upper end of the two-sided 90 %."""
        return self.factor(0.90)[1]


Bounds = tuple[tuple[float, float], ...]


def start_bounds(quantity: Quantity, key: ResidualKey) -> Bounds:
    """Bounds before anything similar was measured."""
    low, high = _start_shares(quantity, key)
    return _scaled(math.log1p(-low), math.log1p(high))


def formula_bounds(told: Range) -> Bounds:
    """Bounds from a range that the formulas themselves can give, such as a processor's speed."""
    return _scaled(math.log(told.low / told.likely), math.log(told.high / told.likely))


def stranger_bounds(quantity: Quantity, key: ResidualKey, has_device: bool) -> Bounds:
    """Bounds that no group may be narrower than: other programs, guessed shapes, unknown cards."""
    shares = [NARROWEST_SHARE]
    if not key.is_own_stack:
        shares.append(OTHER_STACK_SHARE)
    if key.is_generic:
        shares.append(GENERIC_SHARE)
    if quantity == "step_seconds" and not has_device:
        shares.append(UNKNOWN_CARD_SHARE)
    widest = max(shares)
    return _scaled(math.log1p(-widest), math.log1p(widest))


def hull(one: Bounds, other: Bounds) -> Bounds:
    """The narrowest bounds that hold both."""
    return tuple(
        (min(low, lower), max(high, higher))
        for (low, high), (lower, higher) in zip(one, other, strict=True)
    )


def stretched(bounds: Bounds, middle: float, factor: float) -> Bounds:
    """Bounds moved so that their middle is `middle` instead of 0, and wider by `factor`."""
    return tuple((middle + low * factor, middle + high * factor) for low, high in bounds)


def _start_shares(quantity: Quantity, key: ResidualKey) -> tuple[float, float]:
    if key.layer == "dry_run" and quantity in ("allocated", "step_seconds"):
        return DRY_RUN_SHARE, DRY_RUN_SHARE
    if quantity == "reserved_ratio":
        return RESERVED_SHARE, RESERVED_SHARE
    if quantity == "around_seconds":
        return AROUND_SHARE, AROUND_SHARE
    if quantity == "step_seconds":
        return UNKNOWN_CARD_SHARE, UNKNOWN_CARD_SHARE
    if key.layer == "trace":
        return TRACE_SHARES
    return MEMORY_SHARE[key.sharing], MEMORY_SHARE[key.sharing]


def _scaled(low: float, high: float) -> Bounds:
    """Bounds of every level from those of 90 %."""
    return tuple((low * level_scale(level), high * level_scale(level)) for level in LEVELS)
