"""The memory of a run by part and by phase, on the device that trains.

One noun that every screen and every check reads, whoever worked it out. `peak.py` fills it for
cards, `processor.py` for computers without one.
"""

from typing import Literal

from tailor.estimator.record import record

Phase = Literal["load", "loss", "layer", "optimizer", "evaluation", "save"]
"""Moments of a run that can hold its peak, in the order in which they come."""


@record
class PhasePeak:
    """What one phase holds at its own peak."""

    phase: Phase
    bytes: int
    """Allocated: without the context, without what the allocator keeps in reserve."""


@record
class Memory:
    """What a run holds at its peak, on the device that trains; one card of several."""

    weights: int
    adapter: int
    """Adapter weights with their gradients; 0 when the whole model learns."""
    optimizer: int
    """Moments, and the gradients of a model that learns as a whole."""
    activations: int
    loss: int
    overhead: int
    """Context, libraries' work space, and what the allocator keeps in reserve."""
    low: float
    likely: float
    high: float
    sharding: int = 0
    """Blocks gathered from other cards, and what their exchange keeps."""
    allocated: int = 0
    """Likely peak of the framework's allocator: without context and reserve."""
    context: int = 0
    """What the process takes before it holds anything; part of `overhead`."""
    phase: Phase = "loss"
    """The phase that holds the peak."""
    by_phase: tuple[PhasePeak, ...] = ()
    host_bytes: int = 0
    """RAM of the computer around the cards, for all of them together."""
