"""The forecast from a run's own steps, on made-up runs whose truth is known."""

import random
from itertools import pairwise

import pytest

from tailor.estimator.timing.reforecast import FEWEST_STEPS, fit_step_pace, reforecast

FIXED, EACH = 0.4, 0.002


def steps(count: int, noise: float = 0.03, seed: int = 0, slow_share: float = 0.0):
    source = random.Random(seed)
    told = [(1_000.0, 30.0), (1_000.0, 8.0)]
    for _ in range(count - 2):
        tokens = source.randint(400, 2_000)
        seconds = (FIXED + EACH * tokens) * source.lognormvariate(0, noise)
        if source.random() < slow_share:
            seconds *= 4
        told.append((float(tokens), seconds))
    return told


def truth(left: int, tokens: float = 1_200.0) -> float:
    return left * (FIXED + EACH * tokens)


def test_nothing_is_told_before_twenty_steps() -> None:
    assert reforecast(steps(FEWEST_STEPS - 1), steps_left=100, tokens_per_step=1_200) is None
    assert reforecast(steps(FEWEST_STEPS), steps_left=100, tokens_per_step=1_200) is not None


def test_twenty_steps_are_within_three_per_cent_nearly_always() -> None:
    near = 0
    for seed in range(50):
        told = reforecast(steps(22, seed=seed), steps_left=500, tokens_per_step=1_200)
        assert told is not None
        near += abs(told.likely / truth(500) - 1) < 0.03
    assert near >= 45


@pytest.mark.parametrize("count", [22, 60, 300])
def test_the_truth_lies_in_the_interval_nine_times_in_ten(count: int) -> None:
    inside = 0
    for seed in range(100):
        told = reforecast(steps(count, seed=seed), steps_left=400, tokens_per_step=1_200)
        assert told is not None
        inside += told.low <= truth(400) <= told.high
    assert inside >= 88


def test_the_interval_shrinks_with_steps() -> None:
    widths = []
    for count in (20, 60, 200, 600):
        told = reforecast(steps(count), steps_left=400, tokens_per_step=1_200)
        assert told is not None
        widths.append(told.high / told.low)
    assert all(later < earlier for earlier, later in pairwise(widths))


def test_steps_that_are_slow_for_another_reason_do_not_move_it() -> None:
    told = reforecast(steps(60, slow_share=0.15), steps_left=400, tokens_per_step=1_200)
    assert told is not None
    assert told.likely == pytest.approx(truth(400), rel=0.05)


def test_the_first_steps_that_warm_up_are_left_out() -> None:
    pace = fit_step_pace(steps(22, noise=0.001))
    assert pace is not None
    assert pace.fixed_seconds == pytest.approx(FIXED, abs=0.05)
    assert pace.seconds_per_token == pytest.approx(EACH, rel=0.05)


def test_rows_of_one_length_give_the_middle_step() -> None:
    points = [(512.0, 2.0)] * 30
    told = reforecast(points, steps_left=10, tokens_per_step=512)
    assert told is not None
    assert told.likely == pytest.approx(20.0)


def test_longer_rows_to_come_take_longer() -> None:
    points = steps(60)
    short = reforecast(points, steps_left=10, tokens_per_step=600)
    long = reforecast(points, steps_left=10, tokens_per_step=1_800)
    assert short is not None
    assert long is not None
    assert long.likely > 2 * short.likely


def test_nothing_left_takes_no_time_and_nonsense_is_left_out() -> None:
    done = reforecast(steps(60), steps_left=0, tokens_per_step=1_200)
    assert done is not None
    assert done.high == 0
    broken = [*steps(60), (float("nan"), 1.0), (100.0, float("inf")), (0.0, 1.0)]
    told = reforecast(broken, steps_left=10, tokens_per_step=1_200)
    assert told is not None
    assert told.likely == pytest.approx(truth(10), rel=0.05)
