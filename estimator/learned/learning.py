"""Learning from this machine's own runs: how far the formulas are off here, and how sure that is.

A processor next door, a slow slot or another driver make the same formulas wrong by a share that
stays the same from run to run, so a few runs are enough to know it. The engine calls `learn` with
all records of the machine; the answer is a calibration whose ranges are moved and narrower.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Literal

from tailor.estimator.calibration import SHIPPED, Calibration, Learned
from tailor.estimator.learned.censored import find_middle
from tailor.estimator.learned.conformal import level_scale, normal_quantile
from tailor.estimator.learned.residual import (
    RESERVED_SHARE,
    SHARING,
    Quantity,
    ResidualKey,
    Sharing,
)
from tailor.estimator.learned.run_measured import MeasuredRun, find_fault
from tailor.estimator.promise import Range
from tailor.estimator.record import record
from tailor.estimator.workload import Technique

LEARNED: tuple[Quantity, ...] = ("allocated", "reserved_ratio", "step_seconds", "around_seconds")

RUN_SPREAD: dict[Quantity, float] = {
    # Public cards, closed form: 0.2 to 1.5 % in sample, 3 % is asked of unseen rows.
    "allocated": 0.03,
    "reserved_ratio": 0.05,
    # With five own runs of other shapes on one card the median error of time is 8.3 %: .083 / .675
    # / sqrt(1 + 1/5).
    "step_seconds": 0.11,
    # Exams, disks and loading: twice that of a step until it is measured.
    "around_seconds": 0.22,
}
"""How far runs of one machine and technique differ in log(measured / predicted), before that was
seen here."""
PROCESSOR_MEMORY_SPREAD = 0.10
"""The same for memory on a processor: bytes held for a byte in use were 1.7 to 2.25, ±14 %."""
TECHNIQUE_SPREAD = 0.12
"""Between techniques on one machine: medians of FLOP/s used are .55 full, .44 LoRA, .43 QLoRA."""
SPREAD_RUNS = 4.0
"""Weight of these spreads, in runs, against what was seen here."""
LEAST_PRIOR = 0.05
"""A machine may always differ by this much from what the range before its first run allows."""
OUT_OF_MEMORY_SHARE = {"cuda": 0.79, "mps": 0.79, "cpu": 1.0}
"""Share of what was free that a run held at least when it ran out: all 84 failures among 284 public
runs were predicted above 79 %, for a card's memory breaks into pieces; a computer's does not."""
LARGEST_SHIFT = 1.5
"""No run may move a promise by more than e ** 1.5; find_fault refuses records far beyond."""
WIDEST = 1.5
"""Runs that differ more than any range before allowed make it wider, up to this."""
DRIFT_MISSES = 3
"""So many runs in a row outside of their 95 % range, and what was learned before is left behind."""

DRIFT_WORDS: dict[Quantity, str] = {
    "allocated": "The last runs needed other memory than promised, so only they count from now on.",
    "reserved_ratio": "The last runs held other memory than promised, so only they count from now "
    "on.",
    "step_seconds": "The last runs had another speed than promised, so only they count from now "
    "on.",
    "around_seconds": "Loading and exams took other times than promised in the last runs, so only "
    "they count from now on.",
}


@record
class Sighting:
    """One run's word on one quantity."""

    technique: Technique
    sharing: Sharing
    log_ratio: float
    is_floor: bool
    """The true one was at least this."""
    prior_spread: float
    """Of the range before any run, as the deviation of a bell curve."""
    is_miss: bool
    """Outside of the 95 % range that was promised."""


def learn(
    records: Iterable[MeasuredRun],
    prior: Calibration = SHIPPED,
    *,
    versions: tuple[tuple[str, str], ...] = (),
) -> Calibration:
    """The calibration after these runs. A record that cannot be learned from is left out alone.

    `versions` are the libraries installed now: one that neither `prior` nor a run here has seen
    widens every range until a run has measured it.
    """
    runs = sorted(
        (run for run in records if not find_fault(run)), key=lambda run: (run.ended_at, run.run_id)
    )
    learned: list[Learned] = []
    drifting: list[str] = []
    for device in sorted({run.predicted.device_name for run in runs}):
        of_device = [run for run in runs if run.predicted.device_name == device]
        for quantity in LEARNED:
            sightings = [
                seen for run in of_device if (seen := _sight(run, quantity, prior)) is not None
            ]
            if _is_drifting(sightings):
                drifting.append(f"{DRIFT_WORDS[quantity]} This is about {device}.")
                sightings = sightings[-DRIFT_MISSES:]
            learned += _learn_quantity(quantity, device, of_device[0].device == "cpu", sightings)
    return replace(
        prior,
        learned=tuple(learned),
        drifting=tuple(drifting),
        is_new_version=_is_new(prior, runs, versions),
    )


def _sight(run: MeasuredRun, quantity: Quantity, prior: Calibration) -> Sighting | None:
    """What a run says; None when it does not speak of this quantity."""
    told = _TOLD[quantity](run)
    if told is None:
        return None
    key = ResidualKey(
        technique=run.workload.technique,
        sharing=SHARING[run.workload.sharding],
        device=run.predicted.device_name,
        layer=run.predicted.layer,
    )
    low, high = prior.residual(quantity, key, start=told.predicted).factor(0.90)
    spread = math.log(high / low) / (2 * normal_quantile(0.95))
    ratio = math.log(told.measured / told.predicted.likely)
    return Sighting(
        technique=run.workload.technique,
        sharing=SHARING[run.workload.sharding],
        log_ratio=max(-LARGEST_SHIFT, min(LARGEST_SHIFT, ratio)),
        is_floor=told.is_floor,
        prior_spread=max(spread, LEAST_PRIOR),
        is_miss=_misses(told),
    )


@record
class _Told:
    """A measurement beside what was predicted and promised."""

    measured: float
    predicted: Range
    promised: Range | None = None
    is_floor: bool = False


def _tell_memory(run: MeasuredRun) -> _Told | None:
    predicted = run.predicted.memory_bytes
    # On a card the promise is for everything and the measurement for what was allocated.
    promised = run.promised_memory_bytes if run.device == "cpu" else None
    measured, is_floor = float(run.peak_bytes), not run.is_peak_whole
    if run.outcome == "oom":
        floor = run.capacity_bytes * OUT_OF_MEMORY_SHARE[run.device]
        measured, is_floor = max(measured, floor), True
    if not measured:
        return None
    return _Told(measured=measured, predicted=predicted, promised=promised, is_floor=is_floor)


def _tell_reserve(run: MeasuredRun) -> _Told | None:
    if not run.reserved_bytes or not run.peak_bytes or not run.is_peak_whole:
        return None
    return _Told(
        measured=run.reserved_bytes / run.peak_bytes,
        predicted=Range(low=1 / (1 + RESERVED_SHARE), likely=1.0, high=1 + RESERVED_SHARE),
    )


def _tell_step(run: MeasuredRun) -> _Told | None:
    if not run.step_seconds:
        return None
    return _Told(
        measured=run.step_seconds,
        predicted=run.predicted.step_seconds,
        promised=run.promised_step_seconds,
    )


def _tell_around(run: MeasuredRun) -> _Told | None:
    if not run.around_seconds:
        return None
    return _Told(measured=run.around_seconds, predicted=run.predicted.around_seconds)


_TOLD: dict[Quantity, Callable[[MeasuredRun], _Told | None]] = {
    "allocated": _tell_memory,
    "reserved_ratio": _tell_reserve,
    "step_seconds": _tell_step,
    "around_seconds": _tell_around,
}


def _misses(told: _Told) -> bool:
    """Outside of the 95 % range that was promised."""
    promised = told.promised
    if promised is None or not 0 < promised.low <= promised.likely <= promised.high:
        return False
    wider = level_scale(0.95)
    high = promised.likely * (promised.high / promised.likely) ** wider
    low = promised.likely * (promised.low / promised.likely) ** wider
    return told.measured > high or (told.measured < low and not told.is_floor)


def _is_drifting(sightings: Sequence[Sighting]) -> bool:
    return len(sightings) > DRIFT_MISSES and all(seen.is_miss for seen in sightings[-DRIFT_MISSES:])


def _learn_quantity(
    quantity: Quantity, device: str, is_processor: bool, sightings: Sequence[Sighting]
) -> list[Learned]:
    """One correction for each technique that was run, and one for those that were not.

    The machine as a whole is known from the other techniques; that is what a technique starts from.
    Its own runs are not counted twice.
    """
    if not sightings:
        return []
    start = RUN_SPREAD[quantity]
    if quantity == "allocated" and is_processor:
        start = PROCESSOR_MEMORY_SPREAD
    variance = _run_variance(sightings, start)
    prior_spread = max(seen.prior_spread for seen in sightings)
    between = min(TECHNIQUE_SPREAD, prior_spread / 2) ** 2
    whole = max(prior_spread**2 - between - start**2, LEAST_PRIOR**2)
    learned = []
    groups = sorted({(seen.technique, seen.sharing) for seen in sightings})
    choices: list[tuple[Technique | Literal["any"], Sharing | Literal["any"]]]
    choices = [*groups, ("any", "any")]
    for technique, sharing in choices:
        own = [s for s in sightings if (s.technique, s.sharing) == (technique, sharing)]
        others = [s for s in sightings if (s.technique, s.sharing) != (technique, sharing)]
        mean, doubt = _middle(others, variance + between, 0.0, whole)
        mean, doubt = _middle(own, variance, mean, doubt + between)
        learned.append(
            Learned(
                quantity=quantity,
                device=device,
                technique=technique,
                sharing=sharing,
                mean_log=mean,
                width=min(WIDEST, math.sqrt(doubt + variance) / prior_spread),
                runs=len(sightings),
            )
        )
    return learned


def _middle(
    sightings: Sequence[Sighting], variance: float, mean: float, doubt: float
) -> tuple[float, float]:
    return find_middle(
        [(seen.log_ratio, variance) for seen in sightings if not seen.is_floor],
        [(seen.log_ratio, variance) for seen in sightings if seen.is_floor],
        prior_mean=mean,
        prior_variance=doubt,
    )


def _run_variance(sightings: Sequence[Sighting], start: float) -> float:
    """How far runs of one technique differ: the start, moved by what was seen."""
    weight, total = SPREAD_RUNS, SPREAD_RUNS * start**2
    for group in {(seen.technique, seen.sharing) for seen in sightings}:
        ratios = [
            seen.log_ratio
            for seen in sightings
            if (seen.technique, seen.sharing) == group and not seen.is_floor
        ]
        if len(ratios) > 1:
            mean = sum(ratios) / len(ratios)
            total += sum((ratio - mean) ** 2 for ratio in ratios)
            weight += len(ratios) - 1
    return total / weight


def _is_new(
    prior: Calibration, runs: Sequence[MeasuredRun], versions: tuple[tuple[str, str], ...]
) -> bool:
    """Whether a library is installed that neither the formulas nor a finished run here know."""
    checked = dict(prior.versions)
    # "not installed" is no version: what is not there is not used either.
    here = {name: _minor(told) for name, told in versions if name in checked and told[:1].isdigit()}
    if all(told == checked[name] for name, told in here.items()):
        return False
    return not any(
        run.outcome == "finished"
        and all(_minor(dict(run.versions).get(name, "")) == told for name, told in here.items())
        for run in runs
    )


def _minor(version: str) -> str:
    """ "2.13.0+cpu" as "2.13"."""
    return ".".join(version.split("+", maxsplit=1)[0].split(".")[:2])
