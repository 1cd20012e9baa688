"""A run that ran out of memory tells that its peak was higher, and nothing else."""

import random

import pytest

from tailor.estimator.learned.censored import find_middle


def test_without_floors_it_is_the_weighted_mean() -> None:
    middle, variance = find_middle(
        [(0.2, 0.01), (0.4, 0.01)], [], prior_mean=0.0, prior_variance=0.01
    )
    assert middle == pytest.approx(0.2)
    assert variance == pytest.approx(0.01 / 3)


@pytest.mark.parametrize("floor", [-5.0, -0.5, -0.1, 0.0, 0.1, 0.5, 3.0])
@pytest.mark.parametrize("seen", [0, 1, 10])
def test_a_floor_may_raise_the_middle_and_never_lowers_it(floor: float, seen: int) -> None:
    known = [(0.05, 0.01)] * seen
    before, _ = find_middle(known, [], prior_mean=0.0, prior_variance=0.02)
    after, variance = find_middle(known, [(floor, 0.01)], prior_mean=0.0, prior_variance=0.02)
    assert after >= before
    assert 0 < variance <= 0.02
    if floor >= 0.1:
        assert after > before + 0.001


def test_a_floor_far_below_changes_nothing() -> None:
    before, _ = find_middle([], [], prior_mean=0.1, prior_variance=0.01)
    after, _ = find_middle([], [(-2.0, 0.01)], prior_mean=0.1, prior_variance=0.01)
    assert after == pytest.approx(before, abs=1e-9)


def test_numbers_cut_off_at_a_limit_are_not_taken_for_the_limit() -> None:
    dice = random.Random(5)
    errors = [dice.gauss(0.3, 0.1) for _ in range(400)]
    limit = 0.3
    seen = [(error, 0.01) for error in errors if error < limit]
    floors = [(limit, 0.01) for error in errors if error >= limit]
    middle, _ = find_middle(seen, floors, prior_mean=0.0, prior_variance=1.0)
    naive, _ = find_middle(seen + floors, [], prior_mean=0.0, prior_variance=1.0)
    assert middle == pytest.approx(0.3, abs=0.015)
    assert naive < 0.27


def test_it_is_the_maximum() -> None:
    import math

    seen, floors = [(0.1, 0.01), (-0.05, 0.02)], [(0.2, 0.01), (0.6, 0.03)]

    def fit(middle: float) -> float:
        told = -((middle - 0.0) ** 2) / (2 * 0.05)
        told += sum(-((number - middle) ** 2) / (2 * variance) for number, variance in seen)
        for floor, variance in floors:
            told += math.log(0.5 * math.erfc((floor - middle) / math.sqrt(2 * variance)))
        return told

    middle, _ = find_middle(seen, floors, prior_mean=0.0, prior_variance=0.05)
    assert fit(middle) > fit(middle + 1e-4)
    assert fit(middle) > fit(middle - 1e-4)
