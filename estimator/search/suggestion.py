"""A plan near the one that was asked for: what changes, and what a person gives up for it.

The search makes them, screens and the command line show them. A move carries its kind and its new
value as plain text, so that a screen can offer a button for what its own choices can hold.
"""

from typing import Literal

from tailor.estimator.architecture import Architecture
from tailor.estimator.promise import Estimate
from tailor.estimator.record import record
from tailor.estimator.workload import Workload

MoveKind = Literal[
    "dropout",
    "attention",
    "checkpointing",
    "offload_activations",
    "micro_batch",
    "optimizer",
    "base_format",
    "sharding",
    "max_length",
    "technique",
    "model",
]


@record
class Move:
    """One change of a plan."""

    kind: MoveKind
    harm: int
    """0 none; 1 slower; 2 smaller pieces; 3 coarser notes; 4 a packed model; 5 other use of the
    cards; 6 shorter rows; 7 an adapter instead of the whole model; 8 a smaller model."""
    before: str
    value: str
    """The new value as text, such as "1024" tokens, "20" layers or "fsdp"."""
    words: str
    """What is done, one sentence."""
    cost: str = ""
    """What is given up beside time and memory, one sentence; empty when nothing is."""


@record
class ModelChoice:
    """A model that could be taken instead."""

    name: str
    architecture: Architecture
    weights_bytes: int


@record
class Suggestion:
    """A plan near the asked one, with its own promise."""

    moves: tuple[Move, ...]
    workload: Workload
    estimate: Estimate
    words: str
    """What changes."""
    gives_up: str
    """What that costs, with its numbers."""
    is_improvement: bool = False
    """The asked plan fits as it is, and this one uses the room that is left."""
    model: ModelChoice | None = None
    """Another model than the asked one; only where somebody offered it."""

    @property
    def harm(self) -> int:
        """The worst of its moves."""
        return max((move.harm for move in self.moves), default=0)
