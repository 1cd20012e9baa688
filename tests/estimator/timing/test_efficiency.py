"""Learning which share of its speed a card reaches, on steps whose truth is made up."""

import json
import random
from dataclasses import replace
from math import exp, log

import pytest

from tailor.estimator.timing.efficiency import (
    CORRECTIONS,
    LARGEST_CORRECTION,
    PRIOR_SLOWDOWNS,
    Efficiency,
    Features,
    Point,
    efficiency_from_json,
    efficiency_to_json,
)
from tailor.estimator.timing.fit_efficiency import fit_efficiency

BASE = Features(
    card="A", flops_seconds=1.0, matmul_seconds=1.0, attention_seconds=0.1, traffic_seconds=0.3,
    unpack_seconds=0.0, tokens=16_384.0, hidden=4_096, technique="full", base_format="plain",
    has_fused_kernels=False, is_sharded=False, kv_share=0.25,
)  # fmt: skip
TRUE = (1.3, 1.8, 1.6, 8.0)


def some_points(count: int, seed: int = 0, noise: float = 0.0) -> list[Point]:
    source = random.Random(seed)
    points = []
    for _ in range(count):
        is_packed = source.random() < 0.5
        features = replace(
            BASE,
            matmul_seconds=source.uniform(0.5, 4),
            attention_seconds=source.uniform(0.05, 0.5),
            traffic_seconds=source.uniform(0.1, 1.5),
            unpack_seconds=source.uniform(0.01, 0.1) if is_packed else 0.0,
            technique="qlora" if is_packed else "full",
            base_format="nf4" if is_packed else "plain",
        )
        points.append(
            Point(features=features, seconds=truth(features) * exp(source.gauss(0, noise)))
        )
    return points


def truth(features: Features) -> float:
    parts = (
        features.matmul_seconds, features.attention_seconds, features.traffic_seconds,
        features.unpack_seconds,
    )  # fmt: skip
    return sum(part * times for part, times in zip(parts, TRUE, strict=True))


def test_without_measurements_the_prior_speaks() -> None:
    assert fit_efficiency([]) == Efficiency()
    seconds = PRIOR_SLOWDOWNS[0] + 0.1 * PRIOR_SLOWDOWNS[1] + 0.3 * PRIOR_SLOWDOWNS[2]
    assert Efficiency().seconds(BASE) == pytest.approx(seconds)
    assert Efficiency().predict(BASE) == pytest.approx(-log(seconds))


def test_what_steps_are_made_of_is_learned() -> None:
    learned = fit_efficiency(some_points(200))
    for point in some_points(50, seed=1):
        assert learned.seconds(point.features) == pytest.approx(point.seconds, rel=0.06)


def test_noise_does_not_carry_the_shares_away() -> None:
    learned = fit_efficiency(some_points(200, noise=0.1))
    assert learned.slowdowns[0] == pytest.approx(TRUE[0], rel=0.15)
    assert all(times >= 0 for times in learned.slowdowns)


def test_few_measurements_move_it_little() -> None:
    one = fit_efficiency(some_points(1))
    assert abs(log(one.seconds(BASE) / Efficiency().seconds(BASE))) < 0.25


def test_the_order_of_measurements_does_not_matter() -> None:
    points = some_points(40, noise=0.05)
    assert fit_efficiency(points) == fit_efficiency(points[::-1])


def test_a_correction_is_learned_and_limited() -> None:
    slow = [
        Point(features=replace(p.features, is_sharded=True), seconds=3 * p.seconds)
        for p in some_points(100)
    ]
    learned = fit_efficiency(some_points(100) + slow)
    apart = replace(BASE, is_sharded=True)
    assert learned.seconds(apart) > 1.2 * learned.seconds(BASE)
    far = Efficiency(corrections=(9.0,) * len(CORRECTIONS))
    assert far.seconds(apart) == pytest.approx(
        Efficiency().seconds(apart) * exp(-LARGEST_CORRECTION)
    )


def test_steps_that_waited_for_something_else_teach_nothing() -> None:
    points = some_points(50)
    waiting = [Point(features=p.features, seconds=100 * p.seconds) for p in points[:10]]
    assert fit_efficiency(points + waiting) == fit_efficiency(points)


def test_it_survives_its_file() -> None:
    learned = fit_efficiency(some_points(60, noise=0.05))
    told = json.loads(json.dumps(efficiency_to_json(learned)))
    assert efficiency_from_json(told) == learned
    assert efficiency_from_json(None) == Efficiency()
