"""The promise before a run: memory by part, a verdict, time, disk, energy and money, each with a
range.

Pure: the same workload, architecture and hardware give the same estimate on any machine. The Plan
screen shows it, `run.json` freezes it, and the result page sets it beside what was measured.
"""

from typing import Literal

from tailor.estimator.architecture import Architecture
from tailor.estimator.hardware import HardwareSpec
from tailor.estimator.memory import (
    FP32_BYTES,
    HOST_BYTES,
    Memory,
    compute_disk_bytes,
    compute_memory,
    compute_parameters,
    compute_trained_parameters,
)
from tailor.estimator.pace import Pace, Triple, compute_pace
from tailor.estimator.record import record
from tailor.estimator.throughput import compute_times
from tailor.estimator.workload import Batches, Workload, compute_batches

Verdict = Literal["fits", "tight", "will_not_fit"]
Provenance = Literal["closed_form", "measured_here", "live"]
PartName = Literal["weights", "adapter", "optimizer", "activations", "loss", "overhead"]

GIB = 2**30
HOST_WATTS = 150.0
"""A computer around its card; a common desktop under light load, not measured."""
CARD_POWER_SHARE = 0.85
"""Mean draw of a card in training against its limit; seen on public runs."""
JOULES_PER_KWH = 3.6e6

PART_WORDS: dict[PartName, str] = {
    "weights": "the model itself",
    "adapter": "what it adds",
    "optimizer": "its learning notes",
    "activations": "the rows being read",
    "loss": "checking the answers",
    "overhead": "the programs",
}


@record
class Range:
    """A number that is not known exactly. `low` to `high` holds it nine times in ten."""

    low: float
    likely: float
    high: float


@record
class MemoryPart:
    """One part of the memory bar."""

    name: PartName
    bytes: int


@record
class Estimate:
    """What one run will need."""

    device: Literal["cpu", "cuda", "mps"]
    """Whose memory `memory_bytes` speaks of: a card's, or the computer's own on a CPU."""
    parts: tuple[MemoryPart, ...]
    """Parts of the likely peak, in the order in which they are drawn."""
    memory_bytes: Range
    """Peak."""
    capacity_bytes: int
    """What is free for the run now."""
    verdict: Verdict
    reason: str
    """The verdict's reason with its numbers: one plain sentence."""
    seconds: Range
    """From the start to the finished, proven model."""
    tokens_per_second: Range
    ram_bytes: int
    disk_bytes: int
    kwh: Range | None = None
    """None when the power of this device is not known."""
    assumed: tuple[str, ...] = ()
    """Every input that was guessed, in plain words."""
    provenance: Provenance = "closed_form"


def estimate(
    workload: Workload, architecture: Architecture, hardware: HardwareSpec, *, weights_bytes: int
) -> Estimate:
    """Promise what a run will need on this hardware; `weights_bytes` is the model on disk."""
    device = hardware.device
    batches = compute_batches(workload)
    memory = compute_memory(workload, architecture, batches, device, weights_bytes=weights_bytes)
    pace = compute_pace(hardware, is_half=workload.weight_bytes_per_parameter < FP32_BYTES)
    times = compute_times(workload, architecture, batches, pace, weights_bytes=weights_bytes)
    capacity = hardware.cards[0].free_bytes if hardware.cards else hardware.ram_free_bytes
    parts = _parts(memory)
    verdict = _verdict(memory, capacity)
    total = compute_parameters(architecture, weights_bytes)
    trained = compute_trained_parameters(workload, architecture, total)
    return Estimate(
        device=device,
        parts=parts,
        memory_bytes=Range(low=memory.low, likely=memory.likely, high=memory.high),
        capacity_bytes=capacity,
        verdict=verdict,
        reason=_reason(verdict, memory, _free_words(capacity, hardware), batches),
        seconds=_range(times.seconds),
        tokens_per_second=_range(times.tokens_per_second),
        ram_bytes=round(memory.likely) if device != "cuda" else HOST_BYTES,
        disk_bytes=compute_disk_bytes(workload, trained),
        kwh=_energy(hardware, times.seconds),
        assumed=_assumed(workload, architecture, hardware, pace),
    )


def _range(triple: Triple) -> Range:
    low, likely, high = triple
    return Range(low=low, likely=likely, high=high)


def _parts(memory: Memory) -> tuple[MemoryPart, ...]:
    return (
        MemoryPart(name="weights", bytes=memory.weights),
        MemoryPart(name="adapter", bytes=memory.adapter),
        MemoryPart(name="optimizer", bytes=memory.optimizer),
        MemoryPart(name="activations", bytes=memory.activations),
        MemoryPart(name="loss", bytes=memory.loss),
        MemoryPart(name="overhead", bytes=memory.overhead),
    )


def _verdict(memory: Memory, capacity: int) -> Verdict:
    if memory.high <= capacity:
        return "fits"
    return "tight" if memory.likely <= capacity else "will_not_fit"


def _free_words(capacity: int, hardware: HardwareSpec) -> str:
    place = f"on {hardware.cards[0].name}" if hardware.cards else "in this computer's memory"
    return f"{_gb(capacity)} are free {place}"


def _reason(verdict: Verdict, memory: Memory, free: str, batches: Batches) -> str:
    if verdict == "fits":
        return f"It needs at most about {_gb(memory.high)}, and {free}."
    largest = max(_parts(memory), key=lambda part: part.bytes)
    words = f"{PART_WORDS[largest.name]} with {_gb(largest.bytes)}"
    if largest.name in ("activations", "loss"):
        words += f", for up to {batches.longest_tokens:,} tokens at once"
    needs = f"It needs about {_gb(memory.likely)}"
    if verdict == "tight":
        needs += f" and may need {_gb(memory.high)}"
    return f"{needs}, but {free}. The largest part is {words}."


def _gb(count: float) -> str:
    return f"{count / GIB:.1f} GB"


def _energy(hardware: HardwareSpec, seconds: Triple) -> Range | None:
    watts = hardware.cards[0].power_watts if hardware.cards else None
    if watts is None:
        return None
    drawn = CARD_POWER_SHARE * watts + HOST_WATTS
    low, likely, high = (drawn * each / JOULES_PER_KWH for each in seconds)
    return Range(low=low, likely=likely, high=high)


def _assumed(
    workload: Workload, architecture: Architecture, hardware: HardwareSpec, pace: Pace
) -> tuple[str, ...]:
    words = list(pace.assumed)
    if architecture.is_guess:
        words.append("The model's shape is only partly known, so its size comes from its files.")
    if workload.technique != "full":
        words.append("The adapter is taken to sit on every linear layer.")
    if workload.exam_questions:
        words.append("Answers in the exam are taken to be a bit over half as long as they may be.")
    if not hardware.cards:
        words.append("Nothing else that needs much of the processor runs at the same time.")
    elif hardware.cards[0].power_watts is not None:
        words.append(f"The computer around the card is taken to draw {HOST_WATTS:.0f} watts.")
    return tuple(words)
