"""What a tracker is: something outside Tailor that keeps the curves of runs, fed from events.

A tracker must never be able to hurt a run, so only the engine speaks to it and a failing one is
replaced by the null one, which is the interface in its plainest form. One file a tracker in this
folder; the feed calls them.
"""

from collections.abc import Sequence
from typing import Protocol

from tailor.engine.events import Event
from tailor.engine.types import Trace


class Tracker(Protocol):
    """Keeps curves. Calls come one at a time; any of them may raise, and the feed handles it."""

    @property
    def words(self) -> str:
        """Its name and version, or why there is none."""

    @property
    def is_on(self) -> bool:
        """Whether it keeps anything."""

    def holds(self, tracker_id: str) -> bool:
        """Whether it still has this record."""

    def open(self, stored_id: str, name: str) -> str:
        """Go on with `stored_id`, or begin a new record when that is empty or gone; its id."""

    def write(self, tracker_id: str, events: Sequence[Event]) -> None:
        """Keep the numbers of these events. A step that comes again replaces the older one."""

    def read(self, tracker_id: str, names: Sequence[str]) -> tuple[Trace, ...]:
        """The curves of these metrics, by rising step; a metric without points is left out."""

    def finish(self, tracker_id: str) -> None:
        """Nothing more comes for now; `open` goes on with it."""

    def remove(self, tracker_id: str) -> None:
        """Forget it."""

    def close(self) -> None:
        """Finish all."""


class NullTracker:
    """Keeps nothing and says why; charts then come from the event log."""

    is_on = False

    def __init__(self, words: str) -> None:
        """`words` is the reason, for a person."""
        self.words = words

    def holds(self, tracker_id: str) -> bool:
        """Nothing is held."""
        return False

    def open(self, stored_id: str, name: str) -> str:
        """Nothing is begun."""
        return ""

    def write(self, tracker_id: str, events: Sequence[Event]) -> None:
        """Nothing is kept."""

    def read(self, tracker_id: str, names: Sequence[str]) -> tuple[Trace, ...]:
        """Nothing is there."""
        return ()

    def finish(self, tracker_id: str) -> None:
        """Nothing is open."""

    def remove(self, tracker_id: str) -> None:
        """Nothing is there."""

    def close(self) -> None:
        """Nothing is open."""
