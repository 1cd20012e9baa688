"""The answer to "show me the curves": from the tracker, else from the event log, never too long.

A page polls with a cursor and wants nothing when nothing is new, and at most as many points as it
can draw. The route calls `SeriesReader.read`; both sources give the same curves, a test says so.
"""

import threading
from collections import OrderedDict
from pathlib import Path
from typing import Literal

from tailor.engine.curves import Curves
from tailor.engine.run_dir import RunDir
from tailor.engine.trackers.feed import Reading, TrackerFeed
from tailor.engine.types import Series, Trace

POINTS = 1000
"""Most points of a curve in one answer."""
KEPT_RUNS = 32
"""Runs whose curves stay in memory."""


class SeriesReader:
    """Reads curves of all runs of a home."""

    def __init__(self, runs: Path, feed: TrackerFeed) -> None:
        """`runs` holds the run folders."""
        self._runs = runs
        self._feed = feed
        self._lock = threading.Lock()
        self._curves: OrderedDict[str, Curves] = OrderedDict()

    def read(
        self, run_id: str, *, names: tuple[str, ...] = (), after: int = 0, points: int = POINTS
    ) -> Series:
        """Curves of these metrics (none = all), unless nothing is newer than the cursor `after`."""
        with self._lock:
            curves = self._refreshed(run_id)
            wanted, marks, seq = names or curves.names, curves.marks(), curves.seq
        tracked = self._feed.cursor(run_id)
        if (seq if tracked is None else tracked) <= after:
            return Series(cursor=after, unchanged=True, source=_name_source(tracked))
        reading = None if tracked is None else self._feed.read(run_id, wanted)
        if reading is None:
            with self._lock:
                reading = Reading(cursor=curves.seq, traces=curves.traces(wanted))
            tracked = None
        return Series(
            cursor=reading.cursor,
            source=_name_source(tracked),
            traces=tuple(downsample(trace, points) for trace in reading.traces),
            marks=marks,
        )

    def forget(self, run_id: str) -> None:
        """The run was deleted."""
        with self._lock:
            self._curves.pop(run_id, None)

    def _refreshed(self, run_id: str) -> Curves:
        curves = self._curves.pop(run_id, None) or Curves(RunDir(self._runs / run_id).events)
        self._curves[run_id] = curves
        if len(self._curves) > KEPT_RUNS:
            self._curves.popitem(last=False)
        curves.refresh()
        return curves


def downsample(trace: Trace, points: int) -> Trace:
    """At most `points` points: first, last, and the lowest and highest of each bucket between.

    Extremes are kept because a spike in the loss is what a person looks for; an average hides it.
    """
    count = len(trace.steps)
    if count <= points:
        return trace
    buckets = max(1, (points - 2) // 2)
    kept = [0]
    for bucket in range(buckets):
        inside = range(
            1 + bucket * (count - 2) // buckets, 1 + (bucket + 1) * (count - 2) // buckets
        )
        lowest = min(inside, key=trace.values.__getitem__)
        highest = max(inside, key=trace.values.__getitem__)
        kept.extend(sorted({lowest, highest}))
    kept.append(count - 1)
    return Trace(
        name=trace.name,
        steps=tuple(trace.steps[index] for index in kept),
        values=tuple(trace.values[index] for index in kept),
    )


def _name_source(cursor: int | None) -> Literal["aim", "events"]:
    return "events" if cursor is None else "aim"
