"""What can be learned from measured runs: how fast steps are, and how far predictions were off.

Both are needed twice: `fit.py` learns from all development rows for what ships, and `leave_out.py`
from all but one model or source to see how well that works. Errors always come from predictions
whose speeds were learned without the model and source of the row, because errors of rows that were
learned from are too small.
"""

import math
from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace

from tailor.estimator.calibration import ResidualGroup
from tailor.estimator.evaluate.families import KINDS
from tailor.estimator.evaluate.measured import read_measured
from tailor.estimator.evaluate.predict import (
    build_case_point,
    count_fed,
    make_key,
    predict_memory,
    predict_step_seconds,
)
from tailor.estimator.evaluate.refused import Refused
from tailor.estimator.evaluate.rows import Case
from tailor.estimator.learned.residual import Quantity
from tailor.estimator.record import record
from tailor.estimator.timing.efficiency import Efficiency, Point
from tailor.estimator.timing.fit_efficiency import fit_efficiency

SHOWN = "mem_nvidia_smi"
"""Shows what the allocator keeps and the context of the process around it."""
MEMORY_QUANTITIES: dict[str, Quantity] = {
    "peak_mem_alloc": "allocated",
    "peak_mem_active": "allocated",
    "peak_mem_reserved": "reserved_ratio",
    "peak_mem_reserved_per_gpu": "reserved_ratio",
    "peak_mem_reserved_gpu0": "reserved_ratio",
    "peak_mem_reserved_gpu1": "reserved_ratio",
    SHOWN: "reserved_ratio",
}
"""Metrics that errors of memory are learned from; others do not say which memory they saw."""

Unit = Callable[[Case], Hashable]
"""What is left out together."""


@record
class Sample:
    """One measured row that may be learned from."""

    case: Case
    quantity: Quantity
    memory_error: float = 0.0
    """log(measured / predicted) of memory: no formula of it is learned, so it is the same whatever
    is left out."""
    step_seconds: float = 0.0
    """Measured, one optimizer step."""
    point: Point | None = None
    """What the step says about speed; None of memory, and of steps that waited."""


def model_of(case: Case) -> Hashable:
    """Models of one shape are one model, whatever their names and numbers."""
    shape = case.architecture
    return (
        shape.layers, shape.hidden, shape.heads, shape.kv_heads, shape.head_dim, shape.mlp,
        shape.vocabulary,
    )  # fmt: skip


def source_of(case: Case) -> Hashable:
    """The project that measured."""
    return case.source_group


def source_and_model_of(case: Case) -> Hashable:
    """Rows of one sweep over one model."""
    return source_of(case), model_of(case)


def gather_samples(cases: Sequence[Case], values: Sequence[str]) -> tuple[Sample, ...]:
    """Rows that errors may be learned from: shape and length told, one speed of each run."""
    found, seen = [], set()
    for case in cases:
        if case.is_generic or case.is_length_unknown:
            continue
        measured = read_measured(case, values)
        if isinstance(measured, Refused):
            continue
        quantity = MEMORY_QUANTITIES.get(case.metric.lower())
        if quantity is not None:
            error = _memory_error(case, measured)
            found.append(Sample(case=case, quantity=quantity, memory_error=error))
        elif KINDS[case.family] in ("speed", "time") and not case.is_length_cap:
            # Tokens and samples a second of one run are the same measurement.
            if case.group in seen:
                continue
            seen.add(case.group)
            found.append(_step_sample(case, measured))
    return tuple(found)


def fit_steps(samples: Sequence[Sample]) -> Efficiency:
    """What measured steps teach about speed."""
    return fit_efficiency([sample.point for sample in samples if sample.point is not None])


def gather_residuals(samples: Sequence[Sample], unit: Unit) -> tuple[ResidualGroup, ...]:
    """Errors by circumstance, each with speeds that were learned without its unit."""
    without: dict[Hashable, Efficiency] = {}
    found: dict[ResidualGroup, list[float]] = {}
    for sample in samples:
        left = unit(sample.case)
        if left not in without:
            without[left] = fit_steps([one for one in samples if unit(one.case) != left])
        error = _residual(sample, without[left])
        found.setdefault(_group_of(sample), []).append(error)
    return tuple(
        replace(group, residuals=tuple(sorted(found[group]))) for group in sorted(found, key=_order)
    )


def _group_of(sample: Sample) -> ResidualGroup:
    key = make_key(sample.case)
    return ResidualGroup(
        quantity=sample.quantity,
        layer=key.layer,
        technique=key.technique,
        sharing=key.sharing,
        device=key.device if sample.quantity == "step_seconds" else "",
        residuals=(),
    )


def _order(group: ResidualGroup) -> tuple[str, ...]:
    return group.quantity, group.layer, group.technique, group.sharing, group.device


def _step_sample(case: Case, measured: float) -> Sample:
    if KINDS[case.family] == "speed":
        seconds = count_fed(case) / measured
    else:
        seconds = measured / (1 if case.is_one_step else case.workload.steps)
    return Sample(
        case=case,
        quantity="step_seconds",
        step_seconds=seconds,
        point=build_case_point(case, seconds),
    )


def _memory_error(case: Case, measured: float) -> float:
    """Of what is reserved, against what is predicted as allocated."""
    memory = predict_memory(case)
    around = memory.context if case.metric.lower() == SHOWN else 0
    # A card that shows no more than the context holds nothing; one byte keeps the log.
    return math.log(max(1.0, measured - around) / memory.allocated)


def _residual(sample: Sample, efficiency: Efficiency) -> float:
    """log(measured / predicted)."""
    if sample.quantity != "step_seconds":
        return sample.memory_error
    return math.log(sample.step_seconds / predict_step_seconds(sample.case, efficiency))
