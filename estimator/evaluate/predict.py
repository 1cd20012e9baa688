"""Predictions of cases, each with its intervals, from formulas and a calibration.

The promise card and this evaluation must not drift apart, so everything comes from the functions
that `estimate()` uses; only what the card does not show (allocated alone, one step alone) is taken
from a step earlier. `__main__.py`, `leave_out.py` and `fit.py` ask here.
"""

import math
from functools import lru_cache

from tailor.estimator.architecture import Architecture
from tailor.estimator.calibration import Calibration
from tailor.estimator.device_memory import compute_device_memory, list_parts
from tailor.estimator.evaluate.families import KINDS
from tailor.estimator.evaluate.lengths import LENGTH_SHARE, LONGEST_SHARE
from tailor.estimator.evaluate.rows import Case
from tailor.estimator.formulas import Formulas
from tailor.estimator.hardware import HardwareSpec
from tailor.estimator.learned.conformal import LEVELS, level_scale
from tailor.estimator.learned.residual import SHARING, Bounds, ResidualKey, hull
from tailor.estimator.memory.parts import Memory
from tailor.estimator.memory.peak import compute_memory
from tailor.estimator.memory.states import FP32_BYTES, HALF_BYTES
from tailor.estimator.promise import MemoryPart, Verdict
from tailor.estimator.record import record
from tailor.estimator.stack import Stack
from tailor.estimator.timing.efficiency import Efficiency, Point
from tailor.estimator.timing.pace import Pace, compute_pace
from tailor.estimator.timing.step_time import build_point
from tailor.estimator.timing.throughput import compute_step_seconds, compute_times
from tailor.estimator.workload import Batches, Workload

__all__ = ["LEVELS", "Prediction", "predict"]

RUNS_REMEMBERED = 16
"""Rows of one run stand together in a file; each run is worked out once."""
MEASURED_STACKS = ("fms", "fsdp-qlora", "peft-comparison")
"""How the names of the training programs begin whose errors ship (`stacks.csv`)."""
EITHER = frozenset(("peak_mem_reserved_or_alloc",))
"""Sources that do not say which of both they print."""


@record
class Prediction:
    """What is promised for one row."""

    case: Case
    value: float
    """Bytes of one card, seconds, or speed of all cards; of a failure what it would need."""
    bounds: Bounds
    """Low and high log of measured / value, for each of `LEVELS`."""
    parts: tuple[MemoryPart, ...] = ()
    verdict: Verdict | None = None
    """Whether the run fits; None where the card's memory is not known."""

    def interval(self, level: float) -> tuple[float, float]:
        """The two-sided interval of this level."""
        low, high = self.bounds[LEVELS.index(level)]
        return self.value * math.exp(low), self.value * math.exp(high)


def predict(case: Case, calibration: Calibration, *, is_measured: bool | None = None) -> Prediction:
    """Predict one row; its value is not known here."""
    kind, key = KINDS[case.family], make_key(case, is_measured=is_measured)
    formulas = _compute_formulas(
        _Run(
            workload=case.workload,
            architecture=case.architecture,
            hardware=case.hardware,
            batches=case.batches,
            stack=case.stack,
            efficiency=calibration.efficiency,
            key=key,
        )
    )
    verdict = _find_verdict(case, formulas, calibration)
    if kind in ("memory", "outcome"):
        memory = formulas.memory
        value, bounds = _memory_value(case, memory, key, calibration)
        bounds = _widened(bounds, LONGEST_SHARE if case.is_length_unknown else 0.0)
        return Prediction(
            case=case, value=value, bounds=bounds, parts=list_parts(memory), verdict=verdict
        )
    seconds = formulas.step_seconds.likely
    bounds = calibration.residual("step_seconds", key).bounds
    bounds = _widened(bounds, LENGTH_SHARE if case.is_length_cap else 0.0)
    if kind == "time":
        value = seconds * (1 if case.is_one_step else case.workload.steps)
        return Prediction(case=case, value=value, bounds=bounds, verdict=verdict)
    # A speed is highest where the step is shortest: its bounds are those of the time, turned round.
    turned = tuple((-high, -low) for low, high in bounds)
    return Prediction(case=case, value=count_fed(case) / seconds, bounds=turned, verdict=verdict)


@record
class _Run:
    """What the formulas of a run hang on."""

    workload: Workload
    architecture: Architecture
    hardware: HardwareSpec
    batches: Batches
    stack: Stack
    efficiency: Efficiency
    key: ResidualKey


@lru_cache(maxsize=RUNS_REMEMBERED)
def _compute_formulas(run: _Run) -> Formulas:
    """The formulas of one run, with the batches of its row instead of those of a histogram."""
    weights_bytes = run.architecture.parameters * HALF_BYTES
    is_half = run.workload.weight_bytes_per_parameter < FP32_BYTES
    pace = compute_pace(run.hardware, is_half=is_half)
    return Formulas(
        key=run.key,
        batches=run.batches,
        memory=compute_memory(
            run.workload, run.architecture, run.batches, "cuda", weights_bytes=weights_bytes,
            stack=run.stack,
        ),
        pace=pace,
        times=compute_times(
            run.workload, run.architecture, run.batches, pace, weights_bytes=weights_bytes,
            stack=run.stack, efficiency=run.efficiency,
        ),
    )  # fmt: skip


def predict_memory(case: Case) -> Memory:
    """The memory of one card."""
    return compute_memory(
        case.workload, case.architecture, case.batches, "cuda",
        weights_bytes=_weights_bytes(case), stack=case.stack,
    )  # fmt: skip


def predict_step_seconds(case: Case, efficiency: Efficiency) -> float:
    """One optimizer step."""
    return compute_step_seconds(
        case.workload, case.architecture, case.batches, _pace(case),
        weights_bytes=_weights_bytes(case), stack=case.stack, efficiency=efficiency,
    )  # fmt: skip


def build_case_point(case: Case, step_seconds: float) -> Point | None:
    """A measured step to learn speed from; None where it was not computing that took its time."""
    return build_point(
        case.workload, case.architecture, case.batches, _pace(case),
        weights_bytes=_weights_bytes(case), stack=case.stack, step_seconds=step_seconds,
    )  # fmt: skip


def count_fed(case: Case) -> float:
    """Rows or tokens of one optimizer step, all cards together."""
    workload = case.workload
    micro_batches = workload.accumulation * workload.cards
    if case.family == "samples/s":
        return float(micro_batches * workload.micro_batch_rows)
    tokens = case.batches.mean_tokens * micro_batches
    return tokens * (1 - case.batches.padding_share) if case.is_without_padding else tokens


def make_key(case: Case, *, is_measured: bool | None = None) -> ResidualKey:
    """Under which circumstances a case is predicted; `is_measured` says whether errors of its very
    program were learned from, None that those which ship were."""
    if is_measured is None:
        is_measured = case.stack.id.startswith(MEASURED_STACKS)
    return ResidualKey(
        technique=case.workload.technique,
        layer="closed_form",
        sharing=SHARING[case.workload.sharding],
        device=case.hardware.cards[0].name,
        is_own_stack=case.stack.is_own or is_measured,
        is_measured_stack=is_measured,
        is_generic=case.is_generic,
    )


def _memory_value(
    case: Case, memory: Memory, key: ResidualKey, calibration: Calibration
) -> tuple[float, Bounds]:
    """What a program that prints this metric would have printed."""
    allocated = float(memory.allocated)
    of_allocated = calibration.residual("allocated", key).bounds
    if case.family in ("peak_mem_alloc", "oom"):
        return allocated, of_allocated
    ratio = calibration.residual("reserved_ratio", key)
    middle = ratio.mean_log
    of_reserved = tuple((low - middle, high - middle) for low, high in ratio.bounds)
    reserved = allocated * math.exp(middle)
    name = case.metric.lower()
    if case.family == "peak_mem_reserved":
        return reserved, of_reserved
    if name in EITHER:
        either = math.sqrt(allocated * reserved)
        return either, hull(_shifted(of_allocated, -middle / 2), _shifted(of_reserved, middle / 2))
    shown = min(reserved + memory.context, _most_shown(case))
    return shown, hull(of_reserved, _shifted(of_allocated, math.log(allocated / shown)))


def _widened(bounds: Bounds, share: float) -> Bounds:
    """Bounds no narrower than a guess about the rows allows."""
    low, high = math.log1p(-share), math.log1p(share)
    guess = tuple((low * level_scale(level), high * level_scale(level)) for level in LEVELS)
    return hull(bounds, guess)


def _shifted(bounds: Bounds, by: float) -> Bounds:
    return tuple((low + by, high + by) for low, high in bounds)


def _most_shown(case: Case) -> float:
    """nvidia-smi cannot show more than the card has."""
    return float(case.hardware.cards[0].memory_bytes or math.inf)


def _find_verdict(case: Case, formulas: Formulas, calibration: Calibration) -> Verdict | None:
    if not case.hardware.cards[0].free_bytes:
        return None
    told = compute_device_memory(case.workload, case.hardware, formulas, calibration)
    return told.cards[0].verdict


def _weights_bytes(case: Case) -> int:
    return case.architecture.parameters * HALF_BYTES


def _pace(case: Case) -> Pace:
    is_half = case.workload.weight_bytes_per_parameter < FP32_BYTES
    return compute_pace(case.hardware, is_half=is_half)
