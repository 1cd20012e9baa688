"""From a run that is over to the record that calibration learns from.

What a run really used lies in its reading: the worker's own closing figures, or, when it did not
come to its end, what was seen on the way. The supervisor calls `learn_from_end` for each attempt
that is over.
"""

from itertools import pairwise
from pathlib import Path
from statistics import median

from tailor.engine.json_file import read_json
from tailor.engine.learned import digest_configuration, write_measured
from tailor.engine.lifecycle import Failed, Stopped, Succeeded
from tailor.engine.run_dir import RunDir
from tailor.engine.runs.outcome import Outcome
from tailor.engine.runs.reading import Reading
from tailor.engine.types import FrozenRun, RunRecord
from tailor.estimator.learned.run_measured import MeasuredRun, RunOutcome

OUT_OF_MEMORY = frozenset({"gpu_oom", "host_oom"})
"""Kinds of failure that tell something about memory."""
FEWEST_GAPS = 3
"""Steps of a stopped run whose gaps have a middle that one slow step does not move."""


def measure_run(
    run: RunRecord,
    reading: Reading,
    outcome: Outcome,
    *,
    versions: tuple[tuple[str, str], ...],
) -> MeasuredRun | None:
    """The record of a run; None when nothing can be learned from how it ended."""
    kind = _kind(outcome)
    predicted = run.estimate.uncorrected
    if kind is None or predicted is None:
        return None
    peak_bytes, reserved_bytes, is_whole = _memory(run, reading, kind)
    steps, step_seconds = _steps(reading)
    around = _around(run, reading, kind)
    if not peak_bytes and step_seconds is None and kind != "oom":
        return None
    return MeasuredRun(
        run_id=run.id,
        ended_at=outcome.at,
        outcome=kind,
        device=run.estimate.device,
        configuration=digest_configuration(run.plan.workload, run.spec.model.architecture),
        workload=run.plan.workload,
        architecture=run.spec.model.architecture,
        weights_bytes=run.spec.model.weights_bytes,
        versions=versions,
        predicted=predicted,
        promised_memory_bytes=run.estimate.memory_bytes,
        promised_step_seconds=run.estimate.step_seconds,
        capacity_bytes=run.estimate.capacity_bytes,
        peak_bytes=peak_bytes,
        is_peak_whole=is_whole,
        reserved_bytes=reserved_bytes,
        steps=steps,
        step_seconds=step_seconds,
        around_seconds=around,
        total_seconds=reading.measured.seconds if reading.measured is not None else None,
    )


def learn_from_end(home: Path, run: RunRecord, reading: Reading, outcome: Outcome) -> None:
    """Write down what can be learned from a run that is over."""
    frozen = read_json(RunDir(Path(run.folder)).frozen, FrozenRun)
    measured = measure_run(run, reading, outcome, versions=frozen.versions)
    if measured is not None:
        write_measured(home, measured)


def _kind(outcome: Outcome) -> RunOutcome | None:
    match outcome:
        case Succeeded():
            return "finished"
        case Stopped():
            return "stopped"
        case Failed() if outcome.failure in OUT_OF_MEMORY:
            return "oom"
    return None


def _memory(run: RunRecord, reading: Reading, kind: RunOutcome) -> tuple[int, int, bool]:
    """Peak on the device, what its allocator held, and whether the peak is the whole one.

    Beats and metrics see a card's reserved memory only, which is no measure of what was allocated.
    """
    measured, is_processor = reading.measured, run.estimate.device == "cpu"
    if measured is not None and kind == "finished":
        if is_processor:
            return measured.peak_bytes, 0, True
        return measured.allocated_bytes, measured.peak_bytes, bool(measured.allocated_bytes)
    return (reading.peak_bytes if is_processor else 0), 0, False


def _steps(reading: Reading) -> tuple[int, float | None]:
    """Steps and the time of one: the worker's clock of steps alone, else the middle of the gaps."""
    if reading.measured is not None and reading.step:
        return reading.step, reading.measured.train_seconds / reading.step
    gaps = [
        (later.mono - earlier.mono) / (later.step - earlier.step)
        for earlier, later in pairwise(reading.step_times)
        if later.step > earlier.step
    ]
    return (len(gaps), median(gaps)) if len(gaps) >= FEWEST_GAPS else (0, None)


def _around(run: RunRecord, reading: Reading, kind: RunOutcome) -> float | None:
    """Everything beside the steps, of a run that went from its start to its planned end at once."""
    measured = reading.measured
    is_whole = kind == "finished" and run.attempt == 1 and reading.step >= run.plan.steps
    if measured is None or not is_whole:
        return None
    return max(0.0, measured.seconds - measured.train_seconds) or None
