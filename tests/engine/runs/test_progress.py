from dataclasses import replace

from small_runs import make_spec, plan_small

from tailor.engine.events import (
    Checkpoint,
    Ended,
    Event,
    Heartbeat,
    Metric,
    Phase,
    PhaseName,
    Stamp,
)
from tailor.engine.runs.progress import compute_progress
from tailor.engine.runs.reading import Reading, fold_event
from tailor.engine.types import Progress

PLANNED = plan_small(make_spec(steps=100), None, None)  # type: ignore[arg-type]


def stamp(mono: float, seq: int = 1, attempt: int = 1, at: float = 0.0) -> Stamp:
    return Stamp(seq=seq, attempt=attempt, at=at, mono=mono)


def phase(name: PhaseName, mono: float, attempt: int = 1) -> Phase:
    return Phase(stamp=stamp(mono, attempt=attempt), name=name, words=f"{name}.")


def step(number: int, mono: float, attempt: int = 1, **values: float) -> Metric:
    told = {"loss/train": 1.0, **{name.replace("__", "/"): value for name, value in values.items()}}
    return Metric(
        stamp=stamp(mono, attempt=attempt), step=number, epoch=0.0, values=tuple(told.items())
    )


def fold(*events: Event, start: Reading | None = None) -> Reading:
    reading = start or Reading()
    for event in events:
        reading = fold_event(reading, event)
    return reading


def progress(reading: Reading) -> Progress:
    return compute_progress(reading, PLANNED.plan, PLANNED.estimate)


def left(reading: Reading) -> tuple[float, float]:
    found = progress(reading)
    assert found.seconds_left_low is not None
    assert found.seconds_left_high is not None
    assert 0 <= found.seconds_left_low <= found.seconds_left_high
    return found.seconds_left_low, found.seconds_left_high


def test_before_the_first_step_the_estimate_speaks() -> None:
    assert left(fold(phase("load", 1000.0), phase("train", 1005.0))) == (15.0, 55.0)


def test_measured_steps_bound_the_rest_and_the_range_narrows() -> None:
    events: list[Event] = [phase("load", 0.0), phase("train", 10.0)]
    events += [step(number, 10.0 + 2 * number) for number in range(1, 51)]
    early, late = fold(*events[:5]), fold(*events)
    true_rest = 50 * 2.0 + 10.0
    low, high = left(late)
    assert low <= true_rest <= high
    assert (high - low) / true_rest < 0.5
    early_low, early_high = left(early)
    assert (early_high - early_low) / 97 > (high - low) / 50


def test_a_slow_evaluation_widens_the_range_instead_of_moving_it() -> None:
    events: list[Event] = [phase("load", 0.0), phase("train", 1.0)]
    events += [step(number, number * 1.0) for number in range(1, 11)]
    events += [step(number, number * 1.0 + 60) for number in range(11, 15)]
    low, high = left(fold(*events))
    # Perhaps that was the only evaluation, perhaps one comes each ten steps.
    assert low < 86
    assert high > 86 + 7 * 60


def test_the_wall_clock_plays_no_part() -> None:
    reading = fold(phase("train", 1.0), step(1, 2.0), step(2, 3.0))
    odd = replace(step(3, 4.0), stamp=stamp(4.0, at=-1e9))
    assert left(fold_event(reading, odd)) == left(fold_event(reading, step(3, 4.0)))


def test_after_training_only_the_checks_are_left_and_at_the_end_nothing() -> None:
    reading = fold(phase("load", 0.0), phase("train", 10.0), step(1, 11.0), phase("prove", 12.0))
    assert left(reading) == (0.0, 15.0)
    ended = fold_event(reading, Ended(stamp=stamp(13.0), outcome="succeeded", step=1, words=""))
    assert progress(ended).seconds_left_high is None


def test_a_resumed_attempt_counts_from_its_checkpoint_and_times_itself_anew() -> None:
    saved = Checkpoint(stamp=stamp(20.0), step=10, why="periodic", bytes=1, seconds=0.5)
    first = fold(
        phase("train", 0.0), *(step(n, 2.0 * n) for n in range(1, 11)), saved, step(11, 22.0)
    )
    second = fold_event(first, phase("load", 5.0, attempt=2))
    assert progress(second).step == 10
    assert (second.step_times, second.ended) == ((), None)
    late = fold_event(second, step(12, 24.0, attempt=1))
    assert late == second


def test_the_best_step_is_the_lowest_finite_held_out_loss() -> None:
    nan = float("nan")
    reading = fold(
        phase("train", 0.0),
        step(1, 1.0, loss__held_out=2.0),
        step(2, 2.0, loss__held_out=1.5),
        step(3, 3.0, loss__held_out=nan),
    )
    found = progress(reading)
    assert (found.best_step, found.loss_held_out) == (2, None)


def test_a_heartbeat_tells_memory_and_step() -> None:
    beat = Heartbeat(
        stamp=stamp(3.0),
        phase="train",
        step=7,
        progress_mono=2.0,
        resident_bytes=100,
        device_bytes=0,
    )
    reading = fold(phase("train", 0.0), beat)
    assert (progress(reading).step, progress(reading).resident_bytes, reading.peak_bytes) == (
        7,
        100,
        100,
    )


def timed_steps(count: int, *, every: int = 0, evaluation_seconds: float = 0.0) -> list[Event]:
    """Steps of two seconds and a hundred tokens a second, with an evaluation every so often."""
    events: list[Event] = [phase("load", 0.0), phase("train", 10.0)]
    mono = 10.0
    for number in range(1, count + 1):
        mono += 2.0
        if every and number % every == 0:
            mono += evaluation_seconds
        events.append(step(number, mono, step_seconds=2.0, tokens_per_second=100.0))
    return events


def test_after_twenty_steps_and_an_evaluation_the_runs_own_pace_takes_over() -> None:
    events = timed_steps(40, every=PLANNED.plan.evaluate_every_steps, evaluation_seconds=3.0)
    before = progress(fold(*events[:10]))
    assert before.forecast == PLANNED.estimate.provenance
    reading = fold(*events)
    told = progress(reading)
    assert told.forecast == "live"
    left_of_training = 60 * 2.0 + 12 * 3.0
    after = 10.0
    low, high = left(reading)
    assert low < left_of_training + after < high
    assert (high - low) / (left_of_training + after) < 0.25


def test_the_live_forecast_narrows_and_hits_steady_steps_within_three_percent() -> None:
    every = PLANNED.plan.evaluate_every_steps
    readings = [fold(*timed_steps(n, every=every)) for n in (25, 60, 90)]
    training = [(low - 5.0, high - 15.0) for low, high in map(left, readings)]
    for (low, high), steps_left in zip(training, (75, 40, 10), strict=True):
        assert low <= steps_left * 2.0 <= high
        middle = (low * high) ** 0.5
        assert abs(middle / (steps_left * 2.0) - 1) < 0.03


def test_before_the_first_evaluation_nobody_knows_how_long_they_take() -> None:
    rare = replace(PLANNED.plan, evaluate_every_steps=50, steps=100)
    reading = fold(*timed_steps(30))
    assert compute_progress(reading, rare, PLANNED.estimate).forecast != "live"


def test_an_old_reading_without_step_seconds_is_told_the_old_way() -> None:
    events: list[Event] = [phase("load", 0.0), phase("train", 10.0)]
    events += [step(number, 10.0 + 2 * number) for number in range(1, 51)]
    assert progress(fold(*events)).forecast == PLANNED.estimate.provenance
