"""The file of measured runs: durable, private, and read with whatever is broken in it."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from small_runs import HARDWARE, make_spec, plan_small

from tailor.engine.learned import (
    RUN,
    own_calibration_file,
    read_calibration,
    read_experience,
    runs_file,
    write_measured,
)
from tailor.engine.runs.run_folder import read_versions
from tailor.estimator.calibration import SHIPPED, Calibration
from tailor.estimator.learned.learning import learn
from tailor.estimator.learned.run_measured import MeasuredRun
from tailor.estimator.promise import Range, Uncorrected

SHAPE = make_spec().model.architecture
WORKLOAD = replace(plan_small(make_spec(), HARDWARE, Path()).plan.workload, lora_rank=8)
SPAN = Range(low=1.0, likely=2.0, high=4.0)


def measured(number: int = 1, step_seconds: float = 3.0) -> MeasuredRun:
    return MeasuredRun(
        run_id=f"run_20260101-{number:04d}", ended_at=float(number), outcome="finished",
        device="cpu", configuration="0", workload=WORKLOAD, architecture=SHAPE, weights_bytes=0,
        predicted=Uncorrected(
            memory_bytes=SPAN, step_seconds=SPAN, around_seconds=SPAN, device_name="Processor X"
        ),
        promised_memory_bytes=SPAN, capacity_bytes=8, peak_bytes=2, steps=9,
        step_seconds=step_seconds,
    )  # fmt: skip


def test_a_home_without_runs_has_what_ships(tmp_path: Path) -> None:
    told = read_experience(tmp_path, HARDWARE)
    assert (told.runs, told.left_out, told.trouble) == ((), 0, "")
    assert told.calibration == learn([], SHIPPED, versions=read_versions())
    assert not runs_file(tmp_path).exists()


def test_what_is_written_is_learned_at_once(tmp_path: Path) -> None:
    write_measured(tmp_path, measured(1))
    assert read_calibration(tmp_path, HARDWARE).runs("Processor X") == 1
    write_measured(tmp_path, measured(2))
    assert read_calibration(tmp_path, HARDWARE).runs("Processor X") == 2
    assert read_experience(tmp_path, HARDWARE).runs == (measured(1), measured(2))
    assert runs_file(tmp_path).stat().st_mode & 0o077 == 0


def test_the_same_run_counts_once_with_its_last_word(tmp_path: Path) -> None:
    for step_seconds in (3.0, 3.5):
        write_measured(tmp_path, measured(1, step_seconds))
    assert read_experience(tmp_path, HARDWARE).runs == (measured(1, 3.5),)


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"no json",
        b"\xff\xfe\x00",
        b"[]",
        b'{"run_id": "half"',
        b'{"schema": 1, "run_id": "x", "unknown_key": 1}',
        RUN.dump_json(measured(7, step_seconds=1e9)),
        RUN.dump_json(measured(7, step_seconds=float("nan"))),
    ],
)
def test_a_bad_line_is_left_out_alone_and_counted(tmp_path: Path, line: bytes) -> None:
    write_measured(tmp_path, measured(1))
    with runs_file(tmp_path).open("ab") as file:
        file.write(line + b"\n")
    write_measured(tmp_path, measured(2))
    told = read_experience(tmp_path, HARDWARE)
    assert told.runs == (measured(1), measured(2))
    assert told.left_out == 1


def test_a_run_of_this_device_is_predicted_again_for_what_is_known_of_it_now(
    tmp_path: Path,
) -> None:
    here = replace(HARDWARE, cpu_name="Processor X", cpu_flops_per_second=100e9)
    write_measured(tmp_path, replace(measured(1, 0.05), peak_bytes=0))
    told = read_experience(tmp_path, here)
    assert told.left_out == 0
    assert told.runs[0].predicted.step_seconds != SPAN
    faster = read_experience(tmp_path, replace(here, cpu_flops_per_second=200e9))
    step = told.runs[0].predicted.step_seconds.likely
    assert faster.runs[0].predicted.step_seconds.likely < step
    # What is free at the moment changes nothing, and nothing is read again for it.
    assert read_experience(tmp_path, replace(here, ram_free_bytes=1)) is told


def test_half_a_line_at_the_end_is_written_over(tmp_path: Path) -> None:
    write_measured(tmp_path, measured(1))
    with runs_file(tmp_path).open("ab") as file:
        file.write(b'{"schema":1,"run_id":"torn' + b"x" * 3_000)
    assert read_experience(tmp_path, HARDWARE).left_out == 0
    write_measured(tmp_path, measured(2))
    assert read_experience(tmp_path, HARDWARE).runs == (measured(1), measured(2))


def test_a_calibration_of_ones_own_takes_the_place_of_the_shipped_one(tmp_path: Path) -> None:
    own = replace(SHIPPED, made_from="measurements of this lab", groups=())
    path = own_calibration_file(tmp_path)
    path.parent.mkdir()
    path.write_text(own.to_json())
    assert read_calibration(tmp_path, HARDWARE).made_from == "measurements of this lab"


@pytest.mark.parametrize("text", ["", "{", "[1]", '{"schema": 9}', '{"schema": 1, "groups": 3}'])
def test_a_broken_calibration_leaves_the_shipped_one_in_force_and_says_so(
    tmp_path: Path, text: str
) -> None:
    path = own_calibration_file(tmp_path)
    path.parent.mkdir()
    path.write_text(text)
    told = read_experience(tmp_path, HARDWARE)
    assert told.calibration.made_from == SHIPPED.made_from
    assert str(path) in told.trouble
    path.unlink()
    assert read_experience(tmp_path, HARDWARE).trouble == ""


def test_a_record_survives_json_and_holds_no_words_of_the_data(tmp_path: Path) -> None:
    line = RUN.dump_json(measured(1))
    assert RUN.validate_json(line) == measured(1)
    assert set(json.loads(line)) <= {
        "schema", "run_id", "ended_at", "outcome", "device", "workload", "architecture",
        "weights_bytes", "configuration", "versions", "predicted", "promised_memory_bytes", "promised_step_seconds",
        "capacity_bytes", "peak_bytes", "is_peak_whole", "reserved_bytes", "steps", "step_seconds",
        "around_seconds", "total_seconds",
    }  # fmt: skip


def test_a_calibration_survives_the_wire() -> None:
    from pydantic import TypeAdapter

    adapter = TypeAdapter(Calibration)
    taught = learn([measured(n) for n in range(4)])
    assert adapter.validate_json(adapter.dump_json(taught)) == taught
