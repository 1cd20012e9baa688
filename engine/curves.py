"""The curves and marks of one run, folded out of its event log piece by piece.

The chart's marks (best version, saves, new attempts) come from here always; the curves do when the
tracker is not there. Reading is incremental: a poll costs what was appended since the last one.
"""

import math
from collections.abc import Iterable
from pathlib import Path

from tailor.engine.events import Checkpoint, Event, Metric
from tailor.engine.runs.event_log import read_events
from tailor.engine.types import Mark, Trace

BEST_METRIC = "loss/held_out"


class Curves:
    """What one `events.jsonl` says about curves so far."""

    def __init__(self, path: Path) -> None:
        """Nothing is read before the first `refresh`."""
        self._path = path
        self._offset = 0
        self._values: dict[str, dict[int, float]] = {}
        self._saves: dict[int, Mark] = {}
        self._attempts: dict[int, Mark] = {}
        self._attempt = 0
        self.seq = 0
        """Last event that was read."""

    @property
    def names(self) -> tuple[str, ...]:
        """Metrics seen so far."""
        return tuple(self._values)

    def refresh(self) -> None:
        """Read what was appended."""
        while True:
            events, offset = read_events(self._path, self._offset)
            if offset == self._offset:
                return
            self._offset = offset
            self.apply(events)

    def apply(self, events: Iterable[Event]) -> None:
        """Fold events in. A step that comes again replaces the older one, as in the tracker."""
        for event in events:
            if isinstance(event, Metric):
                self._apply_metric(event)
            elif isinstance(event, Checkpoint):
                self._saves[event.step] = Mark(
                    step=event.step, kind="checkpoint", words=f"Saved at step {event.step}"
                )
            self.seq = event.stamp.seq

    def traces(self, names: Iterable[str]) -> tuple[Trace, ...]:
        """Curves by rising step; a metric without points is left out."""
        found = []
        for name in names:
            points = sorted(self._values.get(name, {}).items())
            if points:
                steps, values = zip(*points, strict=True)
                found.append(Trace(name=name, steps=steps, values=values))
        return tuple(found)

    def marks(self) -> tuple[Mark, ...]:
        """Saves, new attempts and the best version, by step."""
        marks = [*self._saves.values(), *self._attempts.values()]
        held_out = self._values.get(BEST_METRIC, {})
        if held_out:
            best = min(held_out, key=lambda step: (held_out[step], step))
            marks.append(Mark(step=best, kind="best", words="Best version so far"))
        return tuple(sorted(marks, key=lambda mark: (mark.step, mark.kind)))

    def _apply_metric(self, event: Metric) -> None:
        if event.stamp.attempt != self._attempt:
            if self._attempt:
                self._attempts[event.stamp.attempt] = Mark(
                    step=event.step,
                    kind="attempt",
                    words=f"Went on here (attempt {event.stamp.attempt})",
                )
            self._attempt = event.stamp.attempt
        for name, value in event.values:
            if math.isfinite(value):
                self._values.setdefault(name, {})[event.step] = value
