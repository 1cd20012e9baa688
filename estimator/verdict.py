"""Fits, tight or will not fit, and why: the sentence that a person reads before Start.

The bound that decides is the one that nineteen of twenty runs stay below. Beside the device's
memory the computer's own and the disk can forbid a run too; whichever is shortest is told.
`estimate()` asks here.
"""

from tailor.estimator.architecture import Architecture
from tailor.estimator.hardware import HardwareSpec
from tailor.estimator.promise import (
    PART_WORDS,
    Blocker,
    CardMemory,
    MemoryPart,
    Range,
    Verdict,
)
from tailor.estimator.record import record
from tailor.estimator.workload import Batches, Workload

GIB = 2**30
HOST_HIGH_SHARE = 1.05
"""The computer's own memory beside cards is counted with every copy; the one published measurement
of a 70B model on two cards (107 GB) lies 5 % below the count, so as much is kept above it."""


@record
class Needs:
    """Everything that a run needs of a machine, and what is free of it."""

    memory_bytes: Range
    """Of the device that trains; of the shortest of several cards."""
    capacity_bytes: int
    parts: tuple[MemoryPart, ...]
    place: str
    """Where that memory is, in words, such as "on RTX 3090"."""
    ram_bytes: int
    """Of the computer around cards; 0 where the device is the computer itself."""
    ram_why: str
    """What lies there, in words."""
    disk_bytes: int
    """With what is fetched."""


@record
class Decision:
    """The verdict with its reason."""

    verdict: Verdict
    reason: str
    blocked_by: Blocker = ""


def compare(memory_bytes: Range, capacity_bytes: int) -> Verdict:
    """The rule: nineteen of twenty stay below `high`."""
    if memory_bytes.high <= capacity_bytes:
        return "fits"
    return "tight" if memory_bytes.likely <= capacity_bytes else "will_not_fit"


RANK: dict[Verdict, int] = {"fits": 0, "tight": 1, "will_not_fit": 2}


def worst_card(cards: tuple[CardMemory, ...]) -> CardMemory:
    """The card that decides: the worst verdict, and of equals the least room."""
    return max(
        cards,
        key=lambda card: (RANK[card.verdict], card.memory_bytes.high - card.capacity_bytes),
    )


def decide(
    needs: Needs,
    workload: Workload,
    architecture: Architecture,
    hardware: HardwareSpec,
    batches: Batches,
) -> Decision:
    """The worst of device, computer and disk."""
    device = compare(needs.memory_bytes, needs.capacity_bytes)
    if device == "will_not_fit":
        words = _memory_words(device, needs, workload, architecture, batches)
        return Decision(verdict=device, reason=words, blocked_by="memory")
    if needs.ram_bytes > hardware.ram_free_bytes:
        return Decision(
            verdict="will_not_fit", reason=_ram_words(needs, hardware), blocked_by="ram"
        )
    if needs.disk_bytes > hardware.disk_free_bytes:
        reason = (
            f"It needs about {gb(needs.disk_bytes)} on the disk, and "
            f"{gb(hardware.disk_free_bytes)} are free where Tailor keeps its runs."
        )
        return Decision(verdict="will_not_fit", reason=reason, blocked_by="disk")
    words = _memory_words(device, needs, workload, architecture, batches)
    if device == "fits" and needs.ram_bytes * HOST_HIGH_SHARE > hardware.ram_free_bytes:
        return Decision(verdict="tight", reason=_ram_words(needs, hardware), blocked_by="")
    return Decision(verdict=device, reason=words)


def gb(count: float) -> str:
    """Bytes as a person reads them, with no more digits than a promise has."""
    size = count / GIB
    return f"{size:.0f} GB" if size >= 100 else f"{size:.1f} GB"


def _memory_words(
    verdict: Verdict,
    needs: Needs,
    workload: Workload,
    architecture: Architecture,
    batches: Batches,
) -> str:
    free = f"{gb(needs.capacity_bytes)} are free {needs.place}"
    if verdict == "fits":
        return f"It needs at most about {gb(needs.memory_bytes.high)}, and {free}."
    told = f"It needs about {gb(needs.memory_bytes.likely)}"
    if verdict == "tight":
        told += f" and may need {gb(needs.memory_bytes.high)}"
    largest = max(needs.parts, key=lambda part: part.bytes)
    words = f"{PART_WORDS[largest.name]} with {gb(largest.bytes)}"
    words += _size_words(largest, workload, architecture, batches)
    return f"{told}, but {free}. The largest part is {words}."


def _size_words(
    part: MemoryPart, workload: Workload, architecture: Architecture, batches: Batches
) -> str:
    """What makes a part that large."""
    if part.name == "loss":
        return (
            f", for {architecture.vocabulary:,} words of its vocabulary and up to "
            f"{batches.longest_tokens:,} tokens at once"
        )
    if part.name == "activations":
        return f", for up to {batches.longest_tokens:,} tokens at once"
    if part.name == "optimizer" and workload.technique == "full":
        return ", because all of the model learns"
    return ""


def _ram_words(needs: Needs, hardware: HardwareSpec) -> str:
    told = (
        f"Beside the graphics card{'s' if len(hardware.cards) > 1 else ''} it needs about "
        f"{gb(needs.ram_bytes)} of the computer's own memory, {needs.ram_why}, and "
        f"{gb(hardware.ram_free_bytes)} of {gb(hardware.ram_bytes)} are free."
    )
    if needs.ram_bytes <= hardware.ram_bytes:
        told += " Closing other programs may be enough."
    return told
