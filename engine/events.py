"""What a worker tells: one event a line in `events.jsonl`, the durable story of a run.

Rank 0 of the worker alone writes them; the engine reads them into its store and into Aim. Order is
(attempt, seq) and step, never the wall clock: `at` is for display, `mono` for durations.
"""

from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from tailor.estimator.record import record

PhaseName = Literal["load", "prepare", "rehearsal", "train", "prove", "finish"]


@record
class Stamp:
    """Where an event stands in the story of its run."""

    seq: int
    """Rises by one with every event of the run, over all attempts."""
    attempt: int
    at: float
    """Seconds since 1970, wall clock."""
    mono: float
    """Seconds of CLOCK_MONOTONIC."""


@record
class Phase:
    """A part of the work has begun."""

    kind: Literal["phase"] = "phase"
    stamp: Stamp
    name: PhaseName
    words: str
    """One plain sentence."""


@record
class Metric:
    """Numbers of one step. Names are `noun/part`, such as "loss/train" and "loss/held_out"."""

    kind: Literal["metric"] = "metric"
    stamp: Stamp
    step: int
    epoch: float
    values: tuple[tuple[str, float], ...]


@record
class Sample:
    """The model's answer to one exam question at one step; step 0 is the untouched model."""

    kind: Literal["sample"] = "sample"
    stamp: Stamp
    step: int
    question: str
    """Id of the exam question."""
    text: str
    tokens: int
    ended: bool
    """Whether the model ended by itself."""
    score: float
    """0 to 1, by `recipes.scoring`."""


@record
class Checkpoint:
    """A checkpoint was sealed: complete on disk, hashed and renamed into place."""

    kind: Literal["checkpoint"] = "checkpoint"
    stamp: Stamp
    step: int
    why: Literal["periodic", "best", "stop", "asked", "last"]
    bytes: int
    seconds: float


@record
class Milestone:
    """Something worth a line in the diary."""

    kind: Literal["milestone"] = "milestone"
    stamp: Stamp
    name: str
    words: str


@record
class Warned:
    """Something a person should know; the run goes on."""

    kind: Literal["warning"] = "warning"
    stamp: Stamp
    title: str
    detail: str
    fix: str


@record
class Heartbeat:
    """The worker is alive; `progress_mono` tells when its last step ended."""

    kind: Literal["heartbeat"] = "heartbeat"
    stamp: Stamp
    phase: PhaseName
    step: int
    progress_mono: float
    resident_bytes: int
    device_bytes: int


@record
class Measured:
    """What the run really used, written before it ends; calibration learns from it."""

    kind: Literal["measured"] = "measured"
    stamp: Stamp
    peak_bytes: int
    seconds: float
    train_seconds: float
    tokens: int
    """Tokens that went through the model in training, padding included."""
    allocated_bytes: int = 0
    """What its tensors held at most on a card; 0 without one. `peak_bytes` counts what the card's
    allocator kept for them."""


@record
class Proof:
    """The saved model was loaded again from disk and compared."""

    kind: Literal["proof"] = "proof"
    stamp: Stamp
    answers_changed: int
    answers: int
    max_difference_from_memory: float
    """Largest absolute difference of a logit, reloaded against in memory."""
    max_difference_from_base: float
    """Largest absolute difference of a logit, reloaded against the untouched base."""
    score_before: float
    """Exam before, 0 to 100."""
    score_after: float
    held_out_before: float | None
    """Loss on held-out rows; None without held-out rows."""
    held_out_after: float | None


@record
class Ended:
    """The worker's last word. `outcome` "succeeded" is written after the proof only."""

    kind: Literal["ended"] = "ended"
    stamp: Stamp
    outcome: Literal["succeeded", "stopped", "failed"]
    step: int
    words: str


Event = Annotated[
    Phase
    | Metric
    | Sample
    | Checkpoint
    | Milestone
    | Warned
    | Heartbeat
    | Measured
    | Proof
    | Ended,
    Field(discriminator="kind"),
]

EVENT: TypeAdapter[Event] = TypeAdapter(Event)
"""Reads and writes one event as JSON."""
