"""How far a run is and how long it may still take, as a range.

One number would be a promise that a busy computer breaks. Before the first step the range is the
estimate's; from then on it is measured, and it narrows as more steps are seen. After twenty steps
and a first evaluation the run's own pace takes over. The supervisor computes it after each batch of
events.
"""

import math
from itertools import pairwise
from statistics import median

from tailor.engine.runs.reading import Reading
from tailor.engine.types import Progress
from tailor.estimator.estimate import Estimate, Provenance
from tailor.estimator.record import record
from tailor.estimator.timing.reforecast import reforecast
from tailor.recipes.spec import TrainPlan

FEW_STEPS_SPREAD = 0.6
"""Share by which the range is widened after one measured gap; it shrinks with the square root of
their number, as the error of a mean does."""
BEFORE_TRAINING_SHARE = 0.5
"""How sure the time after training is: it is taken to last as long as the time before it (load and
exam happen twice), give or take this share."""


BESIDE_SHARE = 0.25
"""How much the evaluations to come may differ from those that were: answers grow or shrink as the
model learns."""


def compute_progress(reading: Reading, plan: TrainPlan, estimate: Estimate) -> Progress:
    """What a page shows of a reading."""
    left = _seconds_left(reading, plan, estimate)
    return Progress(
        phase=reading.phase,
        words=reading.words,
        step=reading.step,
        steps=plan.steps,
        seconds_left_low=left.low,
        seconds_left_high=left.high,
        forecast=left.forecast,
        loss_train=_finite(reading.loss_train),
        loss_held_out=_finite(reading.loss_held_out),
        best_step=reading.best_step,
        tokens_per_second=_finite(reading.tokens_per_second),
        resident_bytes=reading.resident_bytes,
    )


@record
class _Left:
    """Time left, and what it comes from."""

    low: float | None
    high: float | None
    forecast: Provenance


def _seconds_left(reading: Reading, plan: TrainPlan, estimate: Estimate) -> _Left:
    if reading.ended is not None:
        return _Left(low=None, high=None, forecast=estimate.provenance)
    after_low, after_high = _seconds_after_training(reading, estimate)
    if reading.phase in ("prove", "finish"):
        return _Left(low=0.0, high=after_high, forecast="live")
    live = _live_training(reading, plan)
    if live is not None:
        return _Left(low=live[0] + after_low, high=live[1] + after_high, forecast="live")
    speeds = _seconds_per_step(reading)
    if speeds is None:
        passed = reading.now_mono - (reading.began_mono or reading.now_mono)
        low = max(0.0, estimate.seconds.low - passed)
        high = max(low, estimate.seconds.high - passed)
        return _Left(low=low, high=high, forecast=estimate.provenance)
    fast, slow = speeds
    steps_left = max(0, plan.steps - reading.step)
    spread = FEW_STEPS_SPREAD / math.sqrt(max(1, len(reading.step_times) - 1))
    low = steps_left * fast * (1 - spread / 2) + after_low
    high = max(low, steps_left * slow * (1 + spread) + after_high)
    return _Left(low=low, high=high, forecast=estimate.provenance)


def _live_training(reading: Reading, plan: TrainPlan) -> tuple[float, float] | None:
    """The rest of training by the run's own steps and evaluations; None while too few are known."""
    points = [(time.tokens, time.seconds) for time in reading.step_times if time.seconds]
    first = reading.first_step
    if first is None or not points:
        return None
    steps_left = max(0, plan.steps - reading.step)
    tokens = sum(tokens for tokens, _ in points) / len(points)
    steps = reforecast(points, steps_left=steps_left, tokens_per_step=tokens)
    done = _evaluations(plan, first.step, reading.step)
    if steps is None or (not done and plan.evaluate_every_steps <= plan.steps):
        # Before the first evaluation nothing tells how long the others will take.
        return None
    beside = reading.beside_seconds * _evaluations(plan, reading.step, plan.steps) / max(1, done)
    return (
        steps.low + beside * (1 - BESIDE_SHARE),
        steps.high + beside * (1 + BESIDE_SHARE),
    )


def _evaluations(plan: TrainPlan, after_step: int, until_step: int) -> int:
    """Evaluations after one step and up to another; the last step always has one."""
    every = max(1, plan.evaluate_every_steps)
    count = until_step // every - after_step // every
    has_own = until_step >= plan.steps > after_step and plan.steps % every
    return count + (1 if has_own else 0)


def _seconds_per_step(reading: Reading) -> tuple[float, float] | None:
    """A plain step, and a step with its share of the evaluations; the faster of the two first.

    The first is the median of the recent gaps, which a rare evaluation does not move; the second is
    the mean since training began.
    """
    times, first = reading.step_times, reading.first_step
    gaps = [
        (later.mono - earlier.mono) / (later.step - earlier.step)
        for earlier, later in pairwise(times)
        if later.step > earlier.step
    ]
    if not gaps or first is None or times[-1].step <= first.step:
        return None
    mean = (times[-1].mono - first.mono) / (times[-1].step - first.step)
    plain = median(gaps)
    return max(0.0, min(plain, mean)), max(0.0, plain, mean)


def _seconds_after_training(reading: Reading, estimate: Estimate) -> tuple[float, float]:
    """Time to save, reload and examine: what loading and the first exam took, give or take."""
    if reading.train_mono is None or reading.began_mono is None:
        return 0.0, estimate.seconds.high
    before = max(0.0, reading.train_mono - reading.began_mono)
    return before * (1 - BEFORE_TRAINING_SHARE), before * (1 + BEFORE_TRAINING_SHARE)


def _finite(value: float | None) -> float | None:
    """A loss that is not a number is shown as none; the worker warns about it."""
    return value if value is not None and math.isfinite(value) else None
