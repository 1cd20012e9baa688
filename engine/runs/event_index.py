"""Events of one run after a given number, without reading its whole log for every question.

A page polls with the number of the last event it has; a long run has 100,000 of them. The index
keeps, for each piece that was read once, where the piece begins. The supervisor holds one for each
run that somebody looks at.
"""

import threading
from pathlib import Path

from tailor.engine.events import Event
from tailor.engine.runs.event_log import read_events


class EventIndex:
    """The events of one run; safe to share between threads."""

    def __init__(self, path: Path) -> None:
        """Reads nothing yet."""
        self._path = path
        self._lock = threading.Lock()
        self._starts: list[tuple[int, int]] = [(0, 0)]
        """Event numbers with a byte offset: whatever has a higher number begins at or behind it."""

    def after(self, seq: int, limit: int) -> tuple[Event, ...]:
        """At most `limit` events with a number above `seq`, oldest first."""
        found: list[Event] = []
        with self._lock:
            offset = max(start for number, start in self._starts if number <= seq)
        while len(found) < limit:
            events, next_offset = read_events(self._path, offset)
            if next_offset == offset:
                break
            found.extend(event for event in events if event.stamp.seq > seq)
            if events:
                self._remember(max(event.stamp.seq for event in events), next_offset)
            offset = next_offset
        return tuple(found[:limit])

    def _remember(self, seq: int, offset: int) -> None:
        with self._lock:
            last_seq, last_offset = self._starts[-1]
            if offset > last_offset and seq > last_seq:
                self._starts.append((seq, offset))
