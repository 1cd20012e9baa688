"""Intervals from earlier errors hold as often as they say, whatever the errors look like."""

import random
from collections.abc import Callable

import pytest

from tailor.estimator.learned.conformal import (
    FEWEST_RESIDUALS,
    LEVELS,
    lower_quantile,
    median,
    two_sided,
    upper_quantile,
)

SHAPES: dict[str, Callable[[random.Random], float]] = {
    "bell": lambda dice: dice.gauss(0.0, 0.1),
    "shifted": lambda dice: dice.gauss(0.3, 0.05),
    "skewed": lambda dice: dice.expovariate(8.0) - 0.05,
    "two humps": lambda dice: dice.gauss(dice.choice((-0.2, 0.2)), 0.03),
}


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("level", LEVELS)
def test_the_next_error_is_inside_as_often_as_the_level_says(shape: str, level: float) -> None:
    dice, draw = random.Random(7), SHAPES[shape]
    inside = below = 0
    tries = 4_000
    for _ in range(tries):
        seen = sorted(draw(dice) for _ in range(99))
        low, high = two_sided(seen, level)
        new = draw(dice)
        inside += low <= new <= high
        below += new <= upper_quantile(seen, 0.95)
    assert inside / tries == pytest.approx(level, abs=0.02)
    assert below / tries == pytest.approx(0.95, abs=0.02)


def test_the_index_is_the_ceiling_of_n_plus_one_times_the_share() -> None:
    seen = [float(number) for number in range(1, 20)]
    assert upper_quantile(seen, 0.95) == 19.0
    assert lower_quantile(seen, 0.95) == 1.0
    assert upper_quantile(seen, 0.90) == 18.0
    assert two_sided(seen, 0.90) == (1.0, 19.0)


def test_the_fewest_have_a_one_sided_bound_within_what_was_seen() -> None:
    seen = [float(number) for number in range(FEWEST_RESIDUALS)]
    assert upper_quantile(seen, 0.95) <= seen[-1]


def test_a_level_beyond_what_was_seen_reaches_further_than_the_largest() -> None:
    seen = [float(number) for number in range(-10, 11)]
    assert upper_quantile(seen, 0.975) > 10.0
    assert upper_quantile(seen, 0.975) == -lower_quantile(seen, 0.975)


def test_higher_levels_are_never_narrower() -> None:
    dice = random.Random(3)
    seen = sorted(dice.gauss(0.0, 1.0) for _ in range(25))
    bounds = [two_sided(seen, level) for level in LEVELS]
    assert bounds[0][0] >= bounds[1][0] >= bounds[2][0]
    assert bounds[0][1] <= bounds[1][1] <= bounds[2][1]


def test_the_median_is_in_the_middle() -> None:
    assert median([1.0, 2.0, 9.0]) == 2.0
    assert median([1.0, 2.0, 4.0, 9.0]) == 3.0
