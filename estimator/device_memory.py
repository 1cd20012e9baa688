"""Memory of the device that trains, card by card: what is likely, how sure that is, what is free.

Formulas, the exact trace and a dress rehearsal each give an allocated peak; the surest of them
that is there speaks, and calibration says how far such numbers were off. Cards may differ in what
is free on them and in what a process takes before it holds anything, so the shortest card decides.
`estimate()` and its advice ask here.
"""

from dataclasses import replace

from tailor.estimator.calibration import Calibration
from tailor.estimator.dry_run import DryRun
from tailor.estimator.formulas import Formulas, tell_uncorrected
from tailor.estimator.hardware import Card, HardwareSpec
from tailor.estimator.learned.corrected import correct, fit_parts, shift, spread
from tailor.estimator.learned.residual import ResidualKey
from tailor.estimator.memory.parts import Memory, Phase
from tailor.estimator.promise import CardMemory, Layer, MemoryPart, Range
from tailor.estimator.record import record
from tailor.estimator.trace import Phase as TracedPhase
from tailor.estimator.trace import TraceResult
from tailor.estimator.verdict import compare, worst_card
from tailor.estimator.workload import Workload

PHASE_WORDS: dict[Phase, str] = {
    "load": "while the model is loaded",
    "loss": "while the answers are checked",
    "layer": "while the model learns from its longest rows",
    "optimizer": "while the weights are changed",
    "evaluation": "while the held-out rows are read",
    "save": "while the model is saved",
}

TRACED_PHASE_WORDS: dict[TracedPhase, str] = {
    "weights": PHASE_WORDS["load"],
    "forward": PHASE_WORDS["loss"],
    "backward": PHASE_WORDS["layer"],
    "optimizer": PHASE_WORDS["optimizer"],
    "evaluation": PHASE_WORDS["evaluation"],
}


@record
class DeviceMemory:
    """The memory side of a promise."""

    bytes: Range
    """Of the shortest card, or of the computer."""
    capacity_bytes: int
    parts: tuple[MemoryPart, ...]
    cards: tuple[CardMemory, ...]
    """Empty on a processor."""
    place: str
    """Where that memory is, in words."""
    phase: str
    """The moment of the peak, in words."""
    layer: Layer
    formula_bytes: Range
    """Before this machine's own runs: allocated on a card, everything on a processor."""
    host_bytes: int
    """Of the computer around cards; 0 on a processor."""
    host_why: str


@record
class _Peak:
    """What is held at the peak, by whichever layer is surest, before this machine's own runs."""

    layer: Layer
    bytes: Range
    phase: str
    start: Range | None
    """The formulas' own range; None where calibration alone tells it."""


def compute_device_memory(
    workload: Workload,
    hardware: HardwareSpec,
    formulas: Formulas,
    calibration: Calibration,
    *,
    trace: TraceResult | None = None,
    dry: DryRun | None = None,
) -> DeviceMemory:
    """Work out the memory of every card that takes part."""
    peak = _find_peak(formulas, calibration, trace, dry)
    key = _of_layer(formulas.key, peak.layer)
    residual = calibration.residual("allocated", key, start=peak.start)
    corrected = correct(peak.bytes, residual)
    if formulas.memory.allocated:
        return _on_cards(
            peak, corrected, workload, hardware,
            formulas=formulas, calibration=calibration, dry=dry,
        )  # fmt: skip
    return _on_shared_memory(peak, corrected, hardware, formulas)


def _find_peak(
    formulas: Formulas, calibration: Calibration, trace: TraceResult | None, dry: DryRun | None
) -> _Peak:
    """A rehearsal outranks the trace, which outranks the formulas."""
    memory, key = formulas.memory, formulas.key
    before, phase = calibration.without_runs(), PHASE_WORDS[memory.phase]
    if dry is not None:
        told = spread(before, "allocated", _of_layer(key, "dry_run"), float(dry.peak_bytes))
        return _Peak(layer="dry_run", bytes=told, phase=phase, start=None)
    if trace is not None and trace.ok and memory.allocated:
        # Only cards are traced: what a processor's process holds besides tensors is more than they.
        told = spread(before, "allocated", _of_layer(key, "trace"), float(trace.peak_bytes))
        words = TRACED_PHASE_WORDS[trace.peak_phase]
        return _Peak(layer="trace", bytes=told, phase=words, start=None)
    told = tell_uncorrected(formulas, calibration).memory_bytes
    start = None if memory.allocated else told
    return _Peak(layer="closed_form", bytes=told, phase=phase, start=start)


def _on_shared_memory(
    peak: _Peak, corrected: Range, hardware: HardwareSpec, formulas: Formulas
) -> DeviceMemory:
    """A processor, or a card that shares the computer's memory: the process holds everything."""
    parts = fit_parts(list_parts(formulas.memory), corrected.likely)
    capacity = hardware.cards[0].free_bytes if hardware.cards else hardware.ram_free_bytes
    cards = tuple(
        CardMemory(
            name=card.name, parts=parts, memory_bytes=corrected, capacity_bytes=card.free_bytes,
            verdict=compare(corrected, card.free_bytes),
        )
        for card in hardware.cards[:1]
    )  # fmt: skip
    place = f"on {hardware.cards[0].name}" if hardware.cards else "in this computer's memory"
    return DeviceMemory(
        bytes=corrected, capacity_bytes=capacity, parts=parts, cards=cards, place=place,
        phase=peak.phase, layer=peak.layer, formula_bytes=peak.bytes, host_bytes=0, host_why="",
    )  # fmt: skip


def _on_cards(
    peak: _Peak,
    corrected: Range,
    workload: Workload,
    hardware: HardwareSpec,
    *,
    formulas: Formulas,
    calibration: Calibration,
    dry: DryRun | None,
) -> DeviceMemory:
    memory = formulas.memory
    reserve = _reserve(memory, corrected.likely, formulas.key, calibration, dry)
    cards = tuple(
        _one_card(card, memory, corrected, reserve) for card in hardware.cards[: workload.cards]
    )
    shortest = worst_card(cards)
    return DeviceMemory(
        bytes=shortest.memory_bytes,
        capacity_bytes=shortest.capacity_bytes,
        parts=shortest.parts,
        cards=cards,
        place=f"on {shortest.name}",
        phase=peak.phase,
        layer=peak.layer,
        formula_bytes=peak.bytes,
        host_bytes=memory.host_bytes,
        host_why=_host_why(workload),
    )


def _one_card(card: Card, memory: Memory, allocated: Range, reserve: float) -> CardMemory:
    context = memory.context if card.context_bytes is None else card.context_bytes
    needed = shift(allocated, context + reserve)
    parts = fit_parts(list_parts(memory), needed.likely)
    likely = float(sum(part.bytes for part in parts))
    return CardMemory(
        name=card.name,
        parts=parts,
        memory_bytes=Range(low=needed.low, likely=likely, high=needed.high),
        capacity_bytes=card.free_bytes,
        verdict=compare(needed, card.free_bytes),
    )


def _reserve(
    memory: Memory, allocated: float, key: ResidualKey, calibration: Calibration, dry: DryRun | None
) -> float:
    """What the allocator keeps beyond what is allocated: seen here, or the stack's habit."""
    if dry is not None and dry.reserved_bytes:
        return max(0.0, float(dry.reserved_bytes - dry.peak_bytes))
    here = calibration.residual("reserved_ratio", key)
    if here.runs:
        return max(0.0, allocated * (here.likely_factor - 1))
    return max(0.0, memory.likely - memory.allocated - memory.context)


def list_parts(memory: Memory) -> tuple[MemoryPart, ...]:
    """The parts of a peak, in the order in which they are drawn."""
    return (
        MemoryPart(name="weights", bytes=memory.weights),
        MemoryPart(name="adapter", bytes=memory.adapter),
        MemoryPart(name="optimizer", bytes=memory.optimizer),
        MemoryPart(name="activations", bytes=memory.activations),
        MemoryPart(name="loss", bytes=memory.loss),
        MemoryPart(name="sharding", bytes=memory.sharding),
        MemoryPart(name="overhead", bytes=memory.overhead),
    )


def _host_why(workload: Workload) -> str:
    if workload.sharding == "fsdp_offload":
        return "where the model's weights wait until a card needs them"
    if workload.is_offloading_activations:
        return "where rows in work wait until a card needs them"
    if workload.cards > 1:
        return "through which the model is loaded onto the cards"
    return "for the programs and for the model on its way to the card"


def _of_layer(key: ResidualKey, layer: Layer) -> ResidualKey:
    """The circumstances of a peak that another layer told: it saw the real model."""
    if layer == "closed_form":
        return key
    return replace(key, layer=layer, is_generic=False, is_new_version=False)
