"""What a dress rehearsal of the very run measured: its peak and its pace, before the run.

Nothing predicts a run as well as three of its own steps with its longest rows. The worker measures
them; `estimate()` takes them as data and lets them outrank every formula.
"""

from tailor.estimator.record import record


@record
class DryRun:
    """Three steps of the run, measured."""

    peak_bytes: int
    """On a card the allocated peak, on a processor the process's own high-water mark."""
    reserved_bytes: int = 0
    """What a card's allocator held for it; 0 where it was not measured."""
    step_seconds: float | None = None
    """One optimizer step, without the first; None when no step was whole."""
