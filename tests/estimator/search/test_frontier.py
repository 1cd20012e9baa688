"""Nobody rules out what stands on the frontier, and everything else is beaten by something on it."""

import random

from tailor.estimator.search import frontier


def beats(one: tuple[float, float], other: tuple[float, float]) -> bool:
    return one != other and one[0] <= other[0] and one[1] <= other[1]


def test_a_plan_with_more_of_both_is_ruled_out() -> None:
    assert frontier([(10, 5), (20, 2), (20, 6), (30, 2)]) == (True, True, False, False)


def test_equal_plans_stand_or_fall_together() -> None:
    assert frontier([(10, 5), (10, 5), (12, 6), (12, 6)]) == (True, True, False, False)


def test_nothing_and_one() -> None:
    assert frontier([]) == ()
    assert frontier([(1.0, 1.0)]) == (True,)


def test_it_is_what_comparing_each_with_each_gives() -> None:
    chance = random.Random(4)
    for _ in range(200):
        points = [(chance.randrange(8), chance.randrange(8)) for _ in range(chance.randrange(12))]
        expected = tuple(not any(beats(other, one) for other in points) for one in points)
        assert frontier(points) == expected
