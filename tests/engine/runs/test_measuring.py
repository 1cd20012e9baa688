"""What a run that is over teaches, by how it ended."""

from dataclasses import replace
from pathlib import Path

from small_runs import HARDWARE, make_spec, plan_small

from tailor.engine.events import Measured, Stamp
from tailor.engine.json_file import write_json
from tailor.engine.learned import read_experience
from tailor.engine.lifecycle import Failed, Stopped, Succeeded, first_record
from tailor.engine.run_dir import RunDir
from tailor.engine.runs.measuring import learn_from_end, measure_run
from tailor.engine.runs.reading import Reading, StepTime
from tailor.engine.types import FrozenRun, Result, RunRecord
from tailor.estimator.learned.run_measured import find_fault
from tailor.estimator.promise import Range, Uncorrected

VERSIONS = (("torch", "2.13.0"),)
PREDICTED = Uncorrected(
    memory_bytes=Range(low=1e9, likely=2e9, high=3e9),
    step_seconds=Range(low=0.5, likely=1.0, high=2.0),
    around_seconds=Range(low=10, likely=20, high=40),
    device_name="Test processor",
)
RESULT = Result(
    score_before=0, score_after=1, held_out_before=None, held_out_after=None, answers_changed=0,
    answers=0, seconds=32.0, peak_bytes=1, folder="",
)  # fmt: skip
STEPS = tuple(StepTime(step=n, mono=100.0 + 1.5 * n) for n in range(1, 13))
MEASURED = Measured(
    stamp=Stamp(seq=90, attempt=1, at=0.0, mono=0.0), peak_bytes=2_200_000_000, seconds=32.0,
    train_seconds=14.4, tokens=1_000,
)  # fmt: skip
FINISHED = Reading(
    attempt=1, step=12, step_times=STEPS, measured=MEASURED, peak_bytes=1_500_000_000
)


def make_frozen() -> FrozenRun:
    spec = make_spec(steps=12)
    planned = plan_small(spec, None, None)  # type: ignore[arg-type]
    estimate = replace(planned.estimate, uncorrected=PREDICTED)
    return FrozenRun(
        id="run_20260101-aaaa", spec=spec, plan=planned.plan, estimate=estimate, owner="anna",
        created_at=1.0, versions=VERSIONS,
    )  # fmt: skip


def make_run(folder: str = "") -> RunRecord:
    return replace(first_record(make_frozen(), folder), attempt=1)


def stopped() -> Stopped:
    return Stopped(at=50.0, words="", fix="", is_resumable=True)


def failed(failure: str) -> Failed:
    return Failed(at=50.0, failure=failure, words="", fix="", is_resumable=False)


def test_a_finished_run_tells_peak_steps_and_everything_around_them() -> None:
    told = measure_run(make_run(), FINISHED, Succeeded(at=50.0, result=RESULT), versions=VERSIONS)
    assert told is not None
    assert (told.outcome, told.peak_bytes, told.is_peak_whole) == ("finished", 2_200_000_000, True)
    assert (told.steps, told.step_seconds) == (12, 14.4 / 12)
    assert told.around_seconds == 32.0 - 14.4
    assert (told.versions, told.predicted) == (VERSIONS, PREDICTED)
    assert find_fault(told) == ""
    assert len(told.configuration) == 16


def test_a_run_that_ended_early_or_was_resumed_tells_nothing_about_the_time_around() -> None:
    early = replace(FINISHED, step=6)
    told = measure_run(make_run(), early, Succeeded(at=1.0, result=RESULT), versions=VERSIONS)
    assert told is not None
    assert told.around_seconds is None
    resumed = replace(make_run(), attempt=2)
    told = measure_run(resumed, FINISHED, Succeeded(at=1.0, result=RESULT), versions=VERSIONS)
    assert told is not None
    assert told.around_seconds is None


def test_a_stopped_run_tells_its_pace_and_that_its_peak_was_at_least_what_was_seen() -> None:
    reading = replace(FINISHED, measured=None)
    told = measure_run(make_run(), reading, stopped(), versions=VERSIONS)
    assert told is not None
    assert (told.outcome, told.is_peak_whole, told.peak_bytes) == ("stopped", False, 1_500_000_000)
    assert told.step_seconds == 1.5


def test_a_run_out_of_memory_tells_what_was_free() -> None:
    told = measure_run(make_run(), Reading(attempt=1), failed("host_oom"), versions=VERSIONS)
    assert told is not None
    assert (told.outcome, told.capacity_bytes) == ("oom", 1 << 30)
    assert (told.peak_bytes, told.step_seconds) == (0, None)


def test_other_failures_and_runs_of_older_versions_tell_nothing() -> None:
    assert measure_run(make_run(), FINISHED, failed("disk_full"), versions=VERSIONS) is None
    old = make_run()
    old = replace(old, estimate=replace(old.estimate, uncorrected=None))
    done = Succeeded(at=1.0, result=RESULT)
    assert measure_run(old, FINISHED, done, versions=VERSIONS) is None
    assert measure_run(make_run(), Reading(attempt=1), stopped(), versions=VERSIONS) is None


def test_a_card_tells_what_was_allocated_and_what_was_reserved() -> None:
    run = make_run()
    run = replace(run, estimate=replace(run.estimate, device="cuda"))
    on_card = replace(
        FINISHED, measured=replace(MEASURED, peak_bytes=12_000, allocated_bytes=10_000)
    )
    told = measure_run(run, on_card, Succeeded(at=1.0, result=RESULT), versions=VERSIONS)
    assert told is not None
    assert (told.peak_bytes, told.reserved_bytes, told.is_peak_whole) == (10_000, 12_000, True)
    told = measure_run(run, replace(FINISHED, measured=None), stopped(), versions=VERSIONS)
    assert told is not None
    assert told.peak_bytes == 0


def test_the_end_of_a_run_is_written_down_with_the_versions_it_ran_with(tmp_path: Path) -> None:
    folder = tmp_path / "runs" / "run_20260101-aaaa"
    folder.mkdir(parents=True)
    write_json(RunDir(folder).frozen, make_frozen())
    run = make_run(str(folder))
    learn_from_end(tmp_path, run, replace(FINISHED, measured=None), stopped())
    learn_from_end(tmp_path, run, FINISHED, Succeeded(at=60.0, result=RESULT))
    learn_from_end(tmp_path, run, FINISHED, failed("code"))
    told = read_experience(tmp_path, HARDWARE)
    # The run was resumed: its last word counts.
    assert [run.outcome for run in told.runs] == ["finished"]
    assert told.runs[0].versions == VERSIONS
    assert told.calibration.runs("Test processor") == 1
