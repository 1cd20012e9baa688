"""Errors of many predictions as the few figures that can be compared: medians, tails, coverage.

One way of counting for every family, every source and every set that is told apart, so that no
table flatters itself. `report.py` asks here.
"""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from statistics import fmean, median

from tailor.estimator.evaluate.families import KINDS, Family
from tailor.estimator.evaluate.predict import LEVELS, Prediction
from tailor.estimator.evaluate.refused import Refused
from tailor.estimator.record import record

HARM = 0.95
"""A promise is harmfully wrong when the truth is more than a twentieth beyond it: memory and time
above, speed below."""


@record
class Compared:
    """A prediction beside what was measured, in the same unit."""

    prediction: Prediction
    measured: float

    @property
    def error(self) -> float:
        """predicted / measured - 1."""
        return self.prediction.value / self.measured - 1

    @property
    def is_harmful(self) -> bool:
        """Whether the truth is more than 5 % worse than what was promised."""
        if KINDS[self.prediction.case.family] == "speed":
            return self.prediction.value > self.measured / HARM
        return self.prediction.value < HARM * self.measured

    def is_covered(self, level: float) -> bool:
        """Whether the measured value lies in the interval."""
        low, high = self.prediction.interval(level)
        return low <= self.measured <= high

    @property
    def is_within_bound(self) -> bool:
        """Whether the truth is no worse than the one-sided 95 % bound."""
        low, high = self.prediction.interval(0.90)
        is_speed = KINDS[self.prediction.case.family] == "speed"
        return self.measured >= low if is_speed else self.measured <= high


@record
class Score:
    """What is told of one set of rows; shares are of the rows that were predicted."""

    rows: int
    predicted: int
    refused: tuple[tuple[str, int], ...]
    """Codes and how often, the most frequent first."""
    median_error: float
    """Of the absolute value of predicted / measured - 1."""
    mean_error: float
    p90_error: float
    median_signed_error: float
    harmful_share: float
    coverage: tuple[float, ...]
    """Of the intervals of 80, 90 and 95 %."""
    within_bound_share: float
    """Not beyond the one-sided 95 % bound."""
    median_width: float
    """Of the 90 % interval, against the predicted value."""


def compute_score(compared: Sequence[Compared], refused: Iterable[Refused] = ()) -> Score:
    """The figures of one set; NaN where nothing was predicted."""
    codes = Counter(one.code for one in refused)
    errors = sorted(abs(one.error) for one in compared)
    widths = [_width(one.prediction) for one in compared]
    return Score(
        rows=len(compared) + sum(codes.values()),
        predicted=len(compared),
        refused=tuple(sorted(codes.items(), key=lambda pair: (-pair[1], pair[0]))),
        median_error=median(errors) if errors else math.nan,
        mean_error=fmean(errors) if errors else math.nan,
        p90_error=quantile(errors, 0.90),
        median_signed_error=median(one.error for one in compared) if compared else math.nan,
        harmful_share=share(one.is_harmful for one in compared),
        coverage=tuple(share(one.is_covered(level) for one in compared) for level in LEVELS),
        within_bound_share=share(one.is_within_bound for one in compared),
        median_width=median(widths) if widths else math.nan,
    )


def quantile(ordered: Sequence[float], at: float) -> float:
    """A quantile of rising numbers, between neighbours where it falls between two."""
    if not ordered:
        return math.nan
    place = at * (len(ordered) - 1)
    below = math.floor(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (place - below) * (ordered[above] - ordered[below])


def share(answers: Iterable[bool]) -> float:
    """How many of the answers are yes; NaN of none."""
    counted = list(answers)
    return sum(counted) / len(counted) if counted else math.nan


def sort_by_source(compared: Iterable[Compared], family: Family) -> dict[str, list[Compared]]:
    """The rows of one family by their project."""
    found: dict[str, list[Compared]] = {}
    for one in compared:
        if one.prediction.case.family == family:
            found.setdefault(one.prediction.case.source_group, []).append(one)
    return dict(sorted(found.items()))


def _width(prediction: Prediction) -> float:
    low, high = prediction.interval(0.90)
    return (high - low) / prediction.value
