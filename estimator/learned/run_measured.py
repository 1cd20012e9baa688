"""What one run of this machine really used, beside what was promised for it.

Calibration learns from these. A record holds counts, names of parts and versions, and nothing of
the data or the model's words, so that it can be shown to anybody. It holds the plan as the formulas
see it, so that better formulas can be compared with older runs. The engine writes one after each
run that finished, was stopped or ran out of memory; `learning.py` reads them.
"""

import math
from typing import Literal

from tailor.estimator.architecture import Architecture
from tailor.estimator.hardware import DeviceKind
from tailor.estimator.promise import Range, Uncorrected
from tailor.estimator.record import record
from tailor.estimator.workload import Workload

RunOutcome = Literal["finished", "stopped", "oom"]
LARGEST_RATIO = 20.0
"""A measurement this many times off its prediction is of something else: a machine that slept, a
clock that jumped, a record that was edited. CPUs without bf16 differ by 100, but the formulas know
that."""


@record
class MeasuredRun:
    """One run."""

    schema: int = 1
    run_id: str
    ended_at: float
    """Seconds since 1970; only for the order of records."""
    outcome: RunOutcome
    device: DeviceKind
    configuration: str
    """Digest of the workload and the model's shape: the same run twice has the same."""
    workload: Workload
    architecture: Architecture
    weights_bytes: int
    versions: tuple[tuple[str, str], ...] = ()
    predicted: Uncorrected
    """By the formulas alone as they were then, with the name of the device that they were for."""
    promised_memory_bytes: Range
    """What the person was told."""
    promised_step_seconds: Range | None = None
    capacity_bytes: int
    """What was free when it was planned."""
    peak_bytes: int = 0
    """On a card the allocated peak, on a processor the process's own high-water mark; 0 when it was
    not measured."""
    is_peak_whole: bool = True
    """False when the peak is only what was seen now and then: the true one may be higher."""
    reserved_bytes: int = 0
    """What the card's allocator held at most; 0 when it was not measured."""
    steps: int = 0
    """Optimizer steps that were timed."""
    step_seconds: float | None = None
    around_seconds: float | None = None
    """Everything beside the steps; None unless the run went from its start to its end at once."""
    total_seconds: float | None = None


def find_fault(run: MeasuredRun) -> str:
    """Why a record cannot be learned from, in words; empty when it can."""
    numbers = [
        ("peak_bytes", float(run.peak_bytes)),
        ("reserved_bytes", float(run.reserved_bytes)),
        ("capacity_bytes", float(run.capacity_bytes)),
        ("step_seconds", run.step_seconds or 0.0),
        ("around_seconds", run.around_seconds or 0.0),
    ]
    for name, number in numbers:
        if not math.isfinite(number) or number < 0:
            return f"{name} is {number}"
    told = run.predicted
    for name, likely, found in (
        ("memory_bytes", told.memory_bytes, float(run.peak_bytes)),
        ("step_seconds", told.step_seconds, run.step_seconds or 0.0),
        ("around_seconds", told.around_seconds, run.around_seconds or 0.0),
    ):
        if not _is_range(likely):
            return f"the prediction of {name} is no range"
        if found and not 1 / LARGEST_RATIO < found / likely.likely < LARGEST_RATIO:
            return f"{name} is more than {LARGEST_RATIO:.0f} times off its prediction"
    return ""


def _is_range(told: Range) -> bool:
    ends = (told.low, told.likely, told.high)
    return all(math.isfinite(end) for end in ends) and 0 < told.low <= told.likely <= told.high
