"""The forecast of a running run from its own steps: seconds of a step by its padded tokens.

Twenty real steps know more of this machine, this model and these rows than any formula, so they
take over. Time grows straight with tokens beyond a fixed part, and now and then a step is slow for
another reason (a save, another program), so the line goes through the middle of the points.
The engine's progress asks here.
"""

import math
from collections.abc import Sequence
from statistics import median

from tailor.estimator.promise import Range
from tailor.estimator.record import record

FEWEST_STEPS = 20
"""Steps before which the promise made beforehand is the better forecast."""
WARM_UP_STEPS = 2
"""The first steps compile and allocate; they are left out."""
KEPT_STEPS = 400
"""The newest steps; older ones may be from before another program came or went."""
NORMAL_90 = 1.645
MAD_TO_DEVIATION = 1.4826
"""Of a normal distribution: its deviation over its median absolute deviation."""
LEAST_WIDTH = 0.01
"""Machines drift by a per cent over hours; no forecast is surer."""
START_WIDTH = 0.30
"""Steps may change character later (longer rows, heat); this part shrinks as steps come in."""


@record
class StepPace:
    """Seconds of an optimizer step: a fixed part, and a part for each padded token."""

    fixed_seconds: float
    seconds_per_token: float
    deviation: float
    """Of one step around it, relative."""
    steps: int
    """Steps that it was learned from."""

    def seconds(self, tokens: float) -> float:
        """A step of this many padded tokens."""
        return self.fixed_seconds + self.seconds_per_token * tokens


def fit_step_pace(points: Sequence[tuple[float, float]]) -> StepPace | None:
    """Learn from (padded tokens, seconds) of each step in order; None while there are too few."""
    usable = [
        (tokens, seconds)
        for tokens, seconds in points[WARM_UP_STEPS:][-KEPT_STEPS:]
        if tokens > 0 and seconds > 0 and math.isfinite(seconds)
    ]
    if len(points) < FEWEST_STEPS or len(usable) < FEWEST_STEPS - WARM_UP_STEPS:
        return None
    slope = max(0.0, _middle_slope(usable))
    fixed = median(seconds - slope * tokens for tokens, seconds in usable)
    if fixed < 0:
        # More tokens never make the fixed part negative: all of the time is in the tokens then.
        slope = median(seconds / tokens for tokens, seconds in usable)
        fixed = 0.0
    misses = [
        abs(math.log(seconds / max(1e-9, fixed + slope * tokens))) for tokens, seconds in usable
    ]
    return StepPace(
        fixed_seconds=fixed,
        seconds_per_token=slope,
        deviation=MAD_TO_DEVIATION * median(misses),
        steps=len(usable),
    )


def reforecast(
    points: Sequence[tuple[float, float]], *, steps_left: int, tokens_per_step: float
) -> Range | None:
    """Seconds of the steps that are left, each of `tokens_per_step` padded tokens on average."""
    pace = fit_step_pace(points)
    if pace is None:
        return None
    likely = max(0, steps_left) * pace.seconds(tokens_per_step)
    width = compute_width(pace, steps_left)
    return Range(low=likely / (1 + width), likely=likely, high=likely * (1 + width))


def compute_width(pace: StepPace, steps_left: int) -> float:
    """Relative half-width at 90 %: error of the middle, error of the steps to come, drift."""
    learned = pace.deviation / math.sqrt(pace.steps)
    ahead = pace.deviation / math.sqrt(max(1, steps_left))
    drift = START_WIDTH / pace.steps * min(1.0, steps_left / pace.steps)
    return LEAST_WIDTH + NORMAL_90 * math.hypot(learned, ahead) + drift


def _middle_slope(points: Sequence[tuple[float, float]]) -> float:
    """Theil and Sen's slope: the median over pairs half the points apart in tokens.

    Up to three in ten steps may be slow for other reasons without moving it.
    """
    ordered = sorted(points)
    half = len(ordered) // 2
    slopes = [
        (right[1] - left[1]) / (right[0] - left[0])
        for left, right in zip(ordered[:half], ordered[-half:], strict=True)
        if right[0] > left[0]
    ]
    return median(slopes) if slopes else 0.0
