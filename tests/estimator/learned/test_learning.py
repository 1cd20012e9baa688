"""A machine's own runs: what they move, how fast a range narrows, and what they may never do."""

import math
import random
from dataclasses import replace
from typing import Any

import pytest

from tailor.estimator.architecture import Architecture
from tailor.estimator.calibration import SHIPPED, Calibration
from tailor.estimator.learned.learning import DRIFT_MISSES, learn
from tailor.estimator.learned.residual import Quantity, ResidualKey
from tailor.estimator.learned.run_measured import MeasuredRun, find_fault
from tailor.estimator.promise import Range, Uncorrected
from tailor.estimator.workload import LengthHistogram, Workload

PRIOR = Calibration(versions=SHIPPED.versions)
GB = 10**9
PROCESSOR = "Test processor"
KEY = ResidualKey(technique="lora", device=PROCESSOR)
STEP = Range(low=1.0, likely=2.0, high=5.0)
AROUND = Range(low=20.0, likely=40.0, high=90.0)
MEMORY = Range(low=1.4 * GB, likely=2.0 * GB, high=2.7 * GB)

SHAPE = Architecture(
    model_type="llama", layers=2, hidden=64, heads=4, kv_heads=2, head_dim=16, mlp=128,
    vocabulary=300, max_positions=512,
)  # fmt: skip
WORKLOAD = Workload(
    technique="lora", max_length_tokens=16, micro_batch_rows=4, accumulation=1, steps=20,
    evaluations=1, held_out_rows=4, held_out_tokens=40, weight_bytes_per_parameter=4.0, lora_rank=8,
    lengths=LengthHistogram(
        edges_tokens=(16,), counts=(40,), total_tokens=400, learned_tokens=100, longest_tokens=16
    ),
)  # fmt: skip
FULL = replace(WORKLOAD, technique="full", lora_rank=0)


def run(number: int = 1, **changes: Any) -> MeasuredRun:
    told = MeasuredRun(
        run_id=f"run_{number:04d}", ended_at=float(number), outcome="finished", device="cpu",
        configuration="0", workload=WORKLOAD, architecture=SHAPE, weights_bytes=0,
        predicted=Uncorrected(
            memory_bytes=MEMORY, step_seconds=STEP, around_seconds=AROUND, device_name=PROCESSOR
        ),
        promised_memory_bytes=MEMORY, promised_step_seconds=STEP, capacity_bytes=8 * GB,
        peak_bytes=2 * GB, steps=20, step_seconds=2.0, around_seconds=40.0, total_seconds=80.0,
    )  # fmt: skip
    return replace(told, **changes)


def slower(number: int, factor: float, **changes: Any) -> MeasuredRun:
    return run(number, step_seconds=STEP.likely * factor, **changes)


def expected(
    calibration: Calibration, quantity: Quantity = "step_seconds", key: ResidualKey = KEY
) -> float:
    start = {"step_seconds": STEP, "around_seconds": AROUND, "allocated": MEMORY}[quantity]
    return calibration.residual(quantity, key, start=start).likely_factor


def span(
    calibration: Calibration, quantity: Quantity = "step_seconds", key: ResidualKey = KEY
) -> float:
    start = {"step_seconds": STEP, "around_seconds": AROUND, "allocated": MEMORY}[quantity]
    low, high = calibration.residual(quantity, key, start=start).factor(0.90)
    return math.log(high / low)


# What is learned


def test_without_records_nothing_changes() -> None:
    assert learn([], PRIOR) == PRIOR


def test_five_runs_teach_how_slow_this_machine_is() -> None:
    taught = learn([slower(n, 1.6) for n in range(5)], PRIOR)
    assert expected(taught) == pytest.approx(1.6, rel=0.03)
    assert expected(taught, "around_seconds") == pytest.approx(1.0, abs=0.02)
    assert taught.runs(PROCESSOR) == 5


def test_a_range_narrows_with_every_run_and_stays_around_its_middle() -> None:
    spans = [
        span(learn([slower(n, 1.6) for n in range(count)], PRIOR)) for count in (0, 1, 2, 5, 20)
    ]
    assert spans == sorted(spans, reverse=True)
    assert spans[3] < 0.45 * spans[0]
    taught = learn([slower(n, 1.6) for n in range(20)], PRIOR)
    low, high = taught.residual("step_seconds", KEY, start=STEP).factor(0.90)
    assert low < expected(taught) < high


def test_runs_that_differ_keep_the_range_wide() -> None:
    same = learn([slower(n, 1.5) for n in range(6)], PRIOR)
    differing = learn([slower(n, (0.8, 2.4)[n % 2]) for n in range(6)], PRIOR)
    assert span(differing) > 1.8 * span(same)


def test_another_machine_learns_nothing_from_it() -> None:
    taught = learn([slower(n, 1.6) for n in range(5)], PRIOR)
    elsewhere = replace(KEY, device="Another processor")
    assert expected(taught, key=elsewhere) == 1.0
    assert span(taught, key=elsewhere) == pytest.approx(span(PRIOR))


def test_another_technique_learns_most_of_it() -> None:
    taught = learn([slower(n, 1.6) for n in range(5)], PRIOR)
    full = replace(KEY, technique="full")
    assert 1.3 < expected(taught, key=full) < 1.6
    assert span(taught) < span(taught, key=full) < span(PRIOR)


def test_a_technique_with_its_own_runs_keeps_its_own_middle() -> None:
    runs = [slower(n, 1.3) for n in range(8)]
    runs += [slower(10 + n, 1.6, workload=FULL) for n in range(8)]
    taught = learn(runs, PRIOR)
    assert expected(taught) == pytest.approx(1.3, rel=0.03)
    assert expected(taught, key=replace(KEY, technique="full")) == pytest.approx(1.6, rel=0.03)


def test_the_order_of_records_does_not_matter() -> None:
    runs = [slower(n, 1.2 + n / 10) for n in range(6)]
    assert learn(runs, PRIOR) == learn(list(reversed(runs)), PRIOR)


def test_ninety_of_a_hundred_next_runs_are_inside() -> None:
    # Machines differ as the first range says, runs of a machine by the spread that is assumed.
    dice, inside, tries = random.Random(4), 0, 1_500
    for _ in range(tries):
        machine = dice.gauss(0.0, 0.42)
        drawn = [math.exp(machine + dice.gauss(0.0, 0.11)) for _ in range(6)]
        taught = learn([slower(n, drawn[n]) for n in range(5)], PRIOR)
        low, high = taught.residual("step_seconds", KEY, start=STEP).factor(0.90)
        inside += low <= drawn[5] <= high
    assert inside / tries == pytest.approx(0.90, abs=0.03)


# Memory, and runs that ran out of it


def test_memory_of_a_processor_is_learned() -> None:
    taught = learn([run(n, peak_bytes=int(2.4 * GB)) for n in range(5)], PRIOR)
    assert expected(taught, "allocated") == pytest.approx(1.2, rel=0.03)


def oom(number: int, capacity: float) -> MeasuredRun:
    return run(
        number, outcome="oom", capacity_bytes=int(capacity * GB), peak_bytes=0, step_seconds=None,
        around_seconds=None, total_seconds=None, steps=0,
    )  # fmt: skip


@pytest.mark.parametrize("capacity", [0.5, 1.5, 2.0, 2.4, 4.0])
@pytest.mark.parametrize("before", [0, 5])
def test_running_out_may_raise_and_never_lowers(capacity: float, before: int) -> None:
    runs = [run(n, peak_bytes=int(2.1 * GB)) for n in range(before)]
    without = expected(learn(runs, PRIOR), "allocated")
    taught = expected(learn([*runs, oom(99, capacity)], PRIOR), "allocated")
    assert taught >= without - 1e-9
    if capacity >= 2.4:
        assert taught > without + 0.01


def test_a_run_that_ran_out_below_the_promise_makes_the_next_promise_cross_the_limit() -> None:
    taught = learn([oom(1, 2.3)], PRIOR)
    told = taught.residual("allocated", KEY, start=MEMORY)
    assert MEMORY.likely * told.upper_factor > 2.3 * GB


def test_a_peak_seen_now_and_then_is_only_a_floor() -> None:
    low = [run(n, outcome="stopped", is_peak_whole=False, peak_bytes=GB // 2) for n in range(5)]
    assert expected(learn(low, PRIOR), "allocated") >= 1.0
    high = [run(n, outcome="stopped", is_peak_whole=False, peak_bytes=3 * GB) for n in range(5)]
    assert expected(learn(high, PRIOR), "allocated") > 1.3


def test_what_a_card_reserves_is_learned_beside_what_is_allocated() -> None:
    told = Uncorrected(
        memory_bytes=Range(low=9.0 * GB, likely=10.0 * GB, high=11.0 * GB), step_seconds=STEP,
        around_seconds=AROUND, device_name="RTX 3090",
    )  # fmt: skip
    runs = [
        run(n, device="cuda", predicted=told, peak_bytes=10 * GB, reserved_bytes=12 * GB)
        for n in range(5)
    ]
    on_card = replace(KEY, device="RTX 3090")
    taught = learn(runs, PRIOR)
    assert taught.residual("reserved_ratio", on_card).likely_factor == pytest.approx(1.2, rel=0.03)
    assert taught.residual("allocated", on_card).likely_factor == pytest.approx(1.0, rel=0.01)


# Bad records, other versions, drift


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"step_seconds": float("nan")}, "step_seconds"),
        ({"step_seconds": -1.0}, "step_seconds"),
        ({"step_seconds": 2000.0}, "times off"),
        ({"peak_bytes": -5}, "peak_bytes"),
        ({"peak_bytes": 900 * GB}, "times off"),
        ({"around_seconds": float("inf")}, "around_seconds"),
        (
            {"predicted": replace(run().predicted, step_seconds=Range(low=0, likely=0, high=0))},
            "no range",
        ),
    ],
)
def test_a_bad_record_is_refused_alone_and_says_why(changes: dict[str, Any], words: str) -> None:
    bad = run(77, **changes)
    assert words in find_fault(bad)
    good = [slower(n, 1.6) for n in range(5)]
    assert learn([*good, bad], PRIOR) == learn(good, PRIOR)


def test_a_library_that_nobody_measured_widens_until_a_run_has_finished() -> None:
    versions = tuple({**dict(PRIOR.versions), "transformers": "6.1.0"}.items())
    unknown = learn([], PRIOR, versions=versions)
    assert unknown.is_new_version
    assert span(unknown) == pytest.approx(1.5 * span(PRIOR))
    known = learn([run(versions=versions)], PRIOR, versions=versions)
    assert not known.is_new_version
    assert not learn([], PRIOR, versions=PRIOR.versions).is_new_version
    missing = tuple({**dict(PRIOR.versions), "bitsandbytes": "not installed"}.items())
    assert not learn([], PRIOR, versions=missing).is_new_version
    patch = tuple((name, f"{told}.7+cpu") for name, told in PRIOR.versions)
    assert not learn([], PRIOR, versions=patch).is_new_version


def test_three_misses_in_a_row_leave_the_past_behind() -> None:
    narrow = Range(low=1.9, likely=2.0, high=2.1)
    past = [slower(n, 1.0, promised_step_seconds=narrow) for n in range(10)]
    late = [slower(100 + n, 2.5, promised_step_seconds=narrow) for n in range(DRIFT_MISSES)]
    assert expected(learn([*past, *late[:-1]], PRIOR)) < 1.5
    taught = learn([*past, *late], PRIOR)
    assert expected(taught) == pytest.approx(2.5, rel=0.1)
    assert any(PROCESSOR in words for words in taught.drifting)
    assert learn(past, PRIOR).drifting == ()


def test_learning_from_five_hundred_runs_is_quick() -> None:
    import time

    runs = [slower(n, 1.0 + n % 7 / 10, workload=(WORKLOAD, FULL)[n % 2]) for n in range(500)]
    started = time.process_time()
    learn(runs, PRIOR)
    assert time.process_time() - started < 1.0
