"""The promise before a run: memory by part, a verdict, time, disk, energy and money, each with a
range.

Pure: the same workload, architecture and hardware give the same estimate on any machine. The Plan
screen shows it, `run.json` freezes it, and the result page sets it beside what was measured.
"""

from dataclasses import replace

from tailor.estimator.advice import Situation, find_advice
from tailor.estimator.architecture import Architecture
from tailor.estimator.assumed import list_assumed
from tailor.estimator.calibration import SHIPPED, Calibration
from tailor.estimator.cost import Price, compute_energy, compute_money
from tailor.estimator.device_memory import DeviceMemory, compute_device_memory
from tailor.estimator.dry_run import DryRun
from tailor.estimator.formulas import Formulas, compute_formulas, find_key, tell_uncorrected
from tailor.estimator.hardware import HardwareSpec
from tailor.estimator.learned.corrected import add, correct, times
from tailor.estimator.memory.disk import compute_checkpoint_bytes, compute_disk_bytes
from tailor.estimator.memory.states import compute_parameters, compute_trained_parameters
from tailor.estimator.promise import (
    PART_WORDS,
    CardMemory,
    Estimate,
    MemoryPart,
    PartName,
    Provenance,
    Range,
    Uncorrected,
    Verdict,
)
from tailor.estimator.record import record
from tailor.estimator.sense import refuse_nonsense
from tailor.estimator.trace import TraceResult
from tailor.estimator.verdict import Decision, Needs, decide
from tailor.estimator.workload import Workload

__all__ = [
    "PART_WORDS",
    "CardMemory",
    "Estimate",
    "MemoryPart",
    "PartName",
    "Provenance",
    "Range",
    "Verdict",
    "estimate",
    "find_key",
]


def estimate(
    workload: Workload,
    architecture: Architecture,
    hardware: HardwareSpec,
    *,
    weights_bytes: int,
    calibration: Calibration = SHIPPED,
    trace: TraceResult | None = None,
    dry: DryRun | None = None,
    price: Price | None = None,
    download_bytes: int = 0,
) -> Estimate:
    """Promise what a run will need on this hardware; `weights_bytes` is the model on disk.

    `calibration` knows how far such promises were off, `trace` is the step followed exactly, `dry`
    a dress rehearsal of this very run, `price` what somebody told about costs, `download_bytes`
    what is fetched first. What makes no sense is refused with a ValueError in words.
    """
    refuse_nonsense(workload, architecture, hardware, weights_bytes)
    asked = Situation(
        workload=workload, architecture=architecture, hardware=hardware,
        weights_bytes=weights_bytes, calibration=calibration,
    )  # fmt: skip
    formulas = compute_formulas(
        workload, architecture, hardware, weights_bytes=weights_bytes, calibration=calibration
    )
    memory = compute_device_memory(workload, hardware, formulas, calibration, trace=trace, dry=dry)
    spans = _compute_spans(workload, formulas, calibration, dry)
    disk = _compute_disk(asked, download_bytes)
    needs = _list_needs(memory, disk)
    decision = decide(needs, workload, architecture, hardware, formulas.batches)
    return _tell(asked, formulas, memory, decision=decision, spans=spans, disk=disk, price=price)


def _tell(
    asked: Situation,
    formulas: Formulas,
    memory: DeviceMemory,
    *,
    decision: Decision,
    spans: "_Spans",
    disk: "_Disk",
    price: Price | None,
) -> Estimate:
    """Everything in the form in which it is shown and kept."""
    costs = _compute_costs(asked, spans, price)
    return Estimate(
        device=asked.hardware.device,
        parts=memory.parts,
        memory_bytes=memory.bytes,
        capacity_bytes=memory.capacity_bytes,
        verdict=decision.verdict,
        reason=decision.reason,
        seconds=spans.total,
        tokens_per_second=spans.tokens_per_second,
        ram_bytes=memory.host_bytes or round(memory.bytes.likely),
        disk_bytes=disk.run_bytes,
        kwh=costs.kwh,
        assumed=_list_assumed(asked, formulas, price),
        provenance=_find_provenance(memory, formulas, asked.calibration),
        cards=memory.cards,
        phase=memory.phase,
        step_seconds=spans.step,
        download_bytes=disk.download_bytes,
        checkpoint_bytes=disk.checkpoint_bytes,
        money=costs.money,
        currency=price.currency if price is not None else "",
        advice=find_advice(asked, decision.verdict, formulas.step_seconds.likely),
        runs_learned_from=asked.calibration.runs(formulas.key.device),
        blocked_by=decision.blocked_by,
        uncorrected=_tell_uncorrected(asked, formulas, memory),
    )


@record
class _Spans:
    """How long a run takes."""

    step: Range
    total: Range
    tokens_per_second: Range


def _compute_spans(
    workload: Workload, formulas: Formulas, calibration: Calibration, dry: DryRun | None
) -> _Spans:
    """Steps and everything around them are corrected apart: they are off for other reasons."""
    key, step, around = formulas.key, formulas.step_seconds, formulas.around_seconds
    if dry is not None and dry.step_seconds:
        measured = replace(key, layer="dry_run", is_generic=False)
        seconds = dry.step_seconds
        told = Range(low=seconds, likely=seconds, high=seconds)
        residual = calibration.without_runs().residual("step_seconds", measured)
        step = correct(told, residual)
    else:
        step = correct(step, calibration.residual("step_seconds", key, start=step))
    around = correct(around, calibration.residual("around_seconds", key, start=around))
    train = times(step, workload.steps)
    tokens = formulas.times.tokens_per_second[1] * formulas.times.train_seconds[1]
    return _Spans(
        step=step,
        total=add(train, around),
        tokens_per_second=Range(
            low=tokens / train.high, likely=tokens / train.likely, high=tokens / train.low
        ),
    )


@record
class _Disk:
    """What a run leaves on disk, and what is fetched before it."""

    run_bytes: int
    checkpoint_bytes: int
    download_bytes: int


def _compute_disk(asked: Situation, download_bytes: int) -> _Disk:
    total = compute_parameters(asked.architecture, asked.weights_bytes)
    trained = compute_trained_parameters(asked.workload, asked.architecture, total)
    return _Disk(
        run_bytes=compute_disk_bytes(asked.workload, trained),
        checkpoint_bytes=compute_checkpoint_bytes(asked.workload, trained),
        download_bytes=download_bytes,
    )


@record
class _Costs:
    """Electricity and money; None where nobody can know."""

    kwh: Range | None
    money: Range | None


def _compute_costs(asked: Situation, spans: _Spans, price: Price | None) -> _Costs:
    seconds = (spans.total.low, spans.total.likely, spans.total.high)
    cards = asked.workload.cards
    kwh = compute_energy(asked.hardware, seconds, price, cards=cards)
    return _Costs(kwh=kwh, money=compute_money(kwh, seconds, price, cards=cards))


def _list_needs(memory: DeviceMemory, disk: _Disk) -> Needs:
    return Needs(
        memory_bytes=memory.bytes,
        capacity_bytes=memory.capacity_bytes,
        parts=memory.parts,
        place=memory.place,
        ram_bytes=memory.host_bytes,
        ram_why=memory.host_why,
        disk_bytes=disk.run_bytes + disk.download_bytes,
    )


def _list_assumed(asked: Situation, formulas: Formulas, price: Price | None) -> tuple[str, ...]:
    return list_assumed(
        asked.workload,
        asked.architecture,
        asked.hardware,
        pace=formulas.pace,
        calibration=asked.calibration,
        price=price,
    )


def _tell_uncorrected(asked: Situation, formulas: Formulas, memory: DeviceMemory) -> Uncorrected:
    told = tell_uncorrected(formulas, asked.calibration, memory_bytes=memory.formula_bytes)
    return replace(told, layer=memory.layer)


def _find_provenance(
    memory: DeviceMemory, formulas: Formulas, calibration: Calibration
) -> Provenance:
    """The surest that spoke."""
    if memory.layer != "closed_form":
        return memory.layer
    return "measured_here" if calibration.runs(formulas.key.device) else "closed_form"
