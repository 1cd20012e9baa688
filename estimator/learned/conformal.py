"""Intervals that hold as often as they say, from errors that were made before.

A split-conformal interval needs no bell curve: of n earlier errors of the same kind, the next one
is below the k-th smallest with a chance of k / (n + 1). `calibration.py` asks here for every range
that is shown, and the one-sided 95 % bound that decides whether a run fits.
"""

import math
from collections.abc import Sequence
from functools import cache
from statistics import NormalDist

LEVELS: tuple[float, ...] = (0.80, 0.90, 0.95)
"""Two-sided; the upper end of the second is the one-sided 95 % bound."""
FEWEST_RESIDUALS = 20
"""With fewer than this the largest error seen is no 95 % bound yet: 19 / (19 + 1) = 0.95."""

_NORMAL = NormalDist()


@cache
def normal_quantile(share: float) -> float:
    """Standard deviations below which this share of a bell curve lies."""
    return _NORMAL.inv_cdf(share)


def level_scale(level: float) -> float:
    """Half width of a two-sided interval of this level against the one of 90 %, by a bell curve."""
    return normal_quantile((1 + level) / 2) / normal_quantile(0.95)


def upper_quantile(ordered: Sequence[float], share: float) -> float:
    """The bound above which the next error lies with a chance of at most 1 - `share`.

    `ordered` rises. Its index is ceil((n + 1) * share). Where that is beyond the largest error, the
    largest is stretched away from the middle as far as a bell curve would reach.
    """
    count = len(ordered)
    # Rounding: 20 * 0.95 is 19.000000000000004 in binary, and its ceiling would be one too many.
    index = math.ceil(round((count + 1) * share, 9))
    if index <= count:
        return ordered[max(index, 1) - 1]
    middle = median(ordered)
    reach = normal_quantile(share) / normal_quantile(count / (count + 1)) if count > 1 else 1.0
    return middle + (ordered[-1] - middle) * max(1.0, reach)


def lower_quantile(ordered: Sequence[float], share: float) -> float:
    """The bound below which the next error lies with a chance of at most 1 - `share`."""
    return -upper_quantile([-error for error in reversed(ordered)], share)


def two_sided(ordered: Sequence[float], level: float) -> tuple[float, float]:
    """Both bounds; each side misses half of what the level leaves."""
    share = (1 + level) / 2
    return lower_quantile(ordered, share), upper_quantile(ordered, share)


def median(ordered: Sequence[float]) -> float:
    """The middle of rising numbers; of an even count the mean of both in the middle."""
    half = len(ordered) // 2
    return ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2
