"""The middle of some numbers of which a few are only known to be larger than something.

A run that ran out of memory tells that its peak was above what was free, not how far. Leaving such
runs out would teach that everything fits; taking the limit for the peak would too. Each counts with
the chance of what is known of it. `learning.py` asks here.
"""

import math
from collections.abc import Sequence

MOST_ROUNDS = 60
"""Newton's steps; the function is concave, so ten are enough from any start near the numbers."""
SMALLEST_MOVE = 1e-10
SQRT_2 = math.sqrt(2.0)


def find_middle(
    seen: Sequence[tuple[float, float]],
    floors: Sequence[tuple[float, float]],
    *,
    prior_mean: float,
    prior_variance: float,
) -> tuple[float, float]:
    """The most likely middle and its variance.

    `seen` are numbers with their variance, `floors` numbers that the true ones were above, with
    theirs. The prior is a bell curve. The logarithm of a chance of a bell curve's upper tail is
    concave in the middle, so Newton's steps find the one maximum. A floor can only pull it up.
    """
    middle = _without_floors(seen, prior_mean, prior_variance)
    curvature = 0.0
    for _ in range(MOST_ROUNDS):
        slope = (prior_mean - middle) / prior_variance
        curvature = 1.0 / prior_variance
        for number, variance in seen:
            slope += (number - middle) / variance
            curvature += 1.0 / variance
        for floor, variance in floors:
            sigma = math.sqrt(variance)
            hazard = _hazard((floor - middle) / sigma)
            slope += hazard / sigma
            curvature += hazard * (hazard - (floor - middle) / sigma) / variance
        move = slope / curvature
        middle += move
        if abs(move) < SMALLEST_MOVE:
            break
    return middle, 1.0 / curvature


def _without_floors(
    seen: Sequence[tuple[float, float]], prior_mean: float, prior_variance: float
) -> float:
    weight = 1.0 / prior_variance
    total = prior_mean * weight
    for number, variance in seen:
        weight += 1.0 / variance
        total += number / variance
    return total / weight


def _hazard(z: float) -> float:
    """Density over upper tail of a bell curve at `z`; far out, where both vanish, its limit."""
    if z > 25:
        return z + 1 / z
    return math.sqrt(2 / math.pi) * math.exp(-z * z / 2) / math.erfc(z / SQRT_2)
