"""Five real runs of the example on this processor, and the promise for the sixth."""

import csv
import time
from dataclasses import replace
from importlib.resources import files
from pathlib import Path

import psutil
import pytest

from tailor.engine.json_file import write_json
from tailor.engine.learned import read_calibration, write_measured
from tailor.engine.lifecycle import Succeeded, first_record
from tailor.engine.machine.devices import read_hardware
from tailor.engine.models.read import read_model
from tailor.engine.run_dir import RunDir
from tailor.engine.runs.measuring import measure_run
from tailor.engine.runs.outcome import conclude
from tailor.engine.runs.reading import Reading, fold_event
from tailor.engine.types import FrozenRun, RunRecord
from tailor.engine.worker.data import read_row
from tailor.engine.worker.endings import read_end_ids
from tailor.engine.worker.render import compute_histogram
from tailor.engine.worker.row_count import RowCount, count_row
from tailor.engine.worker.rows import Row, read_rows
from tailor.engine.worker.template import load_tokenizer
from tailor.estimator.calibration import Calibration
from tailor.estimator.estimate import estimate
from tailor.recipes.catalog import get_recipe
from tailor.recipes.spec import DatasetSpec, RunSpec

pytestmark = pytest.mark.long

# Rows, strength and passes of each run; the sixth is like none of the five.
RUNS = (
    (12, "strong", "1"),
    (24, "normal", "1"),
    (12, "normal", "3"),
    (20, "strong", "1"),
    (28, "strong", "1"),
    (20, "normal", "1"),
)
HELD_OUT = 4
BUSY_CORES = 0.7
"""Of the cores beside the worker's own: with so much taken by others its speed is not its own."""


class Series:
    """Runs one after the other, each planned with what the ones before have taught."""

    def __init__(self, bench, model_folder: Path, home: Path) -> None:
        self.bench = bench
        self.home = home
        self.model = read_model(model_folder)
        self.tokenizer = load_tokenizer(model_folder)
        self.end_ids = frozenset(read_end_ids(self.tokenizer, model_folder))
        # One thread is what the bench gives its workers; the speed is any steady figure.
        self.hardware = replace(
            read_hardware(home), cards=(), cpu_cores=1, cpu_flops_per_second=50e9
        )

    def run(self, number: int) -> tuple[RunRecord, float]:
        """One run to its end, and how many cores others had meanwhile."""
        rows, strength, passes = RUNS[number]
        run = self.prepare(number, rows, (("strength", strength), ("passes", passes)))
        before, begun = cores_used(), time.monotonic()
        assert self.bench.work(RunDir(Path(run.folder))) == 0
        passed = time.monotonic() - begun
        others = (cores_used() - before) / passed - 1
        return self.conclude(run), others

    def prepare(self, number: int, rows: int, knobs: tuple[tuple[str, str], ...]) -> RunRecord:
        """The run's folder with its plan and its promise."""
        run_dir = RunDir(self.bench.root / f"run_{number}")
        (run_dir.path / "control").mkdir(parents=True)
        dataset = self.write_dataset(run_dir.path / "mapped-1.arrow", rows)
        spec = RunSpec(
            title="Example", goal="format", recipe="sft_lora", model=self.model, dataset=dataset,
            knobs=knobs,
        )  # fmt: skip
        plan = get_recipe("sft_lora").plan(spec, self.hardware)
        promise = estimate(
            plan.workload, self.model.architecture, self.hardware,
            weights_bytes=self.model.weights_bytes, calibration=self.calibration,
        )  # fmt: skip
        frozen = FrozenRun(
            id=run_dir.id, spec=spec, plan=plan, estimate=promise, owner="me",
            created_at=float(number), versions=(),
        )  # fmt: skip
        write_json(run_dir.frozen, frozen)
        return replace(
            first_record(frozen, str(run_dir.path)), attempt=1, status="running", started_at=0.0
        )

    def write_dataset(self, path: Path, rows: int) -> DatasetSpec:
        """So many rows of the example, measured with the model's own tokenizer."""
        pairs = read_example()[: rows + HELD_OUT]
        content_hash = self.bench.write_rows(path, pairs[:rows], pairs[rows:])
        counts = [self.count(row, place) for place, row in enumerate(read_rows(path))]
        return DatasetSpec(
            id="ds_1", version=1, path=str(path), content_hash=content_hash, shape="chat",
            train_rows=rows, held_out_rows=HELD_OUT, lengths=compute_histogram(counts[:rows]),
            held_out_tokens=sum(count.tokens for count in counts[rows:]),
        )  # fmt: skip

    def count(self, row: Row, place: int) -> RowCount:
        reading = read_row(self.tokenizer, row)
        limit = self.model.architecture.max_positions
        return count_row(self.tokenizer, row, reading, limit, self.end_ids, place=place)

    def conclude(self, run: RunRecord) -> RunRecord:
        """What the engine does with a run that is over: judge it and learn from it."""
        reading = Reading()
        for event in self.bench.events(RunDir(Path(run.folder))):
            reading = fold_event(reading, event)
        outcome = conclude(run, reading, at=run.created_at)
        assert isinstance(outcome, Succeeded), outcome
        measured = measure_run(run, reading, outcome, versions=())
        assert measured is not None
        write_measured(self.home, measured)
        return replace(run, result=outcome.result)

    @property
    def calibration(self) -> Calibration:
        """What the runs so far have taught."""
        return read_calibration(self.home, self.hardware)


def read_example() -> list[tuple[str, str]]:
    text = files("tailor.recipes.examples").joinpath("maintenance.csv").read_text("utf-8")
    return [(row["note"], row["entry"]) for row in csv.DictReader(text.splitlines())]


def cores_used() -> float:
    """Seconds of work that all cores together have done since the computer started."""
    told = psutil.cpu_times()
    return float(told.user + told.system + told.nice)


def test_the_sixth_run_of_the_example_takes_the_time_that_five_have_taught(
    bench, starter_model_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    series = Series(bench, starter_model_folder, tmp_path / "home")
    told, others = [], []
    for number in range(len(RUNS)):
        run, busy = series.run(number)
        assert run.result is not None
        told.append((run.estimate, run.result.seconds))
        others.append(busy)
    errors = [promise.seconds.likely / seconds - 1 for promise, seconds in told]
    with capsys.disabled():
        print("\nerror of the promised time, run by run:", [f"{error:+.1%}" for error in errors])
    first, sixth = told[0][0], told[-1][0]
    assert (first.runs_learned_from, sixth.runs_learned_from) == (0, 5)
    assert (first.provenance, sixth.provenance) == ("closed_form", "measured_here")
    assert sixth.seconds.high / sixth.seconds.low < 0.6 * (first.seconds.high / first.seconds.low)
    assert sixth.memory_bytes.high / sixth.memory_bytes.low < (
        first.memory_bytes.high / first.memory_bytes.low
    )
    is_near = abs(errors[-1]) <= 0.15 and sixth.seconds.low <= told[-1][1] <= sixth.seconds.high
    spare = (psutil.cpu_count() or 1) - 1
    if not is_near and max(others) > BUSY_CORES * max(spare, 0.3):
        pytest.skip(f"other programs kept {max(others):.1f} cores busy meanwhile")
    assert is_near, (errors, others)
