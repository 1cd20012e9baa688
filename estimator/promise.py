"""The nouns of a promise: ranges, the parts of the memory bar, one card of several, the estimate.

They are told apart from the arithmetic because cost, search and verdict speak of them too, and are
themselves asked by it. `estimate.py` fills them; screens, `run.json` and the result page show them.
"""

from typing import Literal

from tailor.estimator.record import record

Verdict = Literal["fits", "tight", "will_not_fit"]
Provenance = Literal["closed_form", "trace", "measured_here", "dry_run", "live"]
PartName = Literal["weights", "adapter", "optimizer", "activations", "loss", "sharding", "overhead"]
Layer = Literal["closed_form", "trace", "dry_run"]
Blocker = Literal["", "memory", "ram", "disk"]

PART_WORDS: dict[PartName, str] = {
    "weights": "the model itself",
    "adapter": "what it adds",
    "optimizer": "its learning notes",
    "activations": "the rows being read",
    "loss": "checking the answers",
    "sharding": "pieces lent between cards",
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
class CardMemory:
    """The likely peak of one card of several."""

    name: str
    parts: tuple[MemoryPart, ...]
    memory_bytes: Range
    capacity_bytes: int
    verdict: Verdict


@record
class Uncorrected:
    """What the formulas say before this machine's own runs correct them; learning compares with it,
    so that a correction is never learned from a corrected number."""

    memory_bytes: Range
    """On a card the allocated peak, without context; on a processor what the process holds."""
    step_seconds: Range
    around_seconds: Range
    """Everything beside the training steps."""
    device_name: str
    """Processor, or card as the table of cards names it: whose runs correct these."""
    layer: Layer = "closed_form"
    """What predicted the memory."""


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
    cards: tuple[CardMemory, ...] = ()
    """Every card that works on the run; the worst of them is told above. Empty on a processor."""
    phase: str = ""
    """The moment of the peak, in words."""
    step_seconds: Range | None = None
    """One optimizer step."""
    download_bytes: int = 0
    """What is fetched before the run; 0 when the model is here."""
    checkpoint_bytes: int = 0
    """One checkpoint."""
    money: Range | None = None
    """None when nobody told a price."""
    currency: str = ""
    advice: tuple[str, ...] = ()
    """What would be better on this machine, one sentence each."""
    runs_learned_from: int = 0
    """Finished or failed runs of this machine behind the numbers."""
    blocked_by: Blocker = ""
    """What does not suffice when it will not fit: the device's memory, the computer's own, disk."""
    uncorrected: Uncorrected | None = None
    """None in runs of older versions; nothing is learned from those."""
