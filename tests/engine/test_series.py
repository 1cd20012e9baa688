"""The series answer: unchanged when nothing is new, short enough, extremes kept."""

import math

import pytest

from tailor.engine.series import downsample
from tailor.engine.types import Trace


def trace(count: int) -> Trace:
    values = tuple(math.sin(step / 30) for step in range(count))
    return Trace(name="loss/train", steps=tuple(range(1, count + 1)), values=values)


@pytest.mark.parametrize("count", [0, 1, 2, 999, 1000])
def test_a_short_curve_stays_as_it_is(count: int) -> None:
    assert downsample(trace(count), 1000) == trace(count)


@pytest.mark.parametrize("count", [5, 1001, 1500, 5000, 12345])
@pytest.mark.parametrize("points", [4, 10, 1000])
def test_a_long_curve_keeps_both_ends_and_rises_in_steps(count: int, points: int) -> None:
    short = downsample(trace(count), points)

    assert len(short.steps) <= points
    assert short.steps[0] == 1
    assert short.steps[-1] == count
    assert list(short.steps) == sorted(set(short.steps))
    assert set(zip(short.steps, short.values, strict=True)) <= set(
        zip(trace(count).steps, trace(count).values, strict=True)
    )


def test_a_single_spike_survives() -> None:
    values = [1.0] * 5000
    values[3333], values[1234] = 9.0, -9.0
    spiked = Trace(name="x", steps=tuple(range(5000)), values=tuple(values))

    short = downsample(spiked, 1000)

    assert (3333, 9.0) in zip(short.steps, short.values, strict=True)
    assert (1234, -9.0) in zip(short.steps, short.values, strict=True)
