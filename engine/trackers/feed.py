"""Feeds the tracker from event logs, in a thread of its own, and reads curves back for the charts.

Importing a tracker takes seconds and a write may fail; neither may hold up the engine or a run. The
feed tails each run's events from a place kept in the store, so live work, a replay after kill -9
and a fresh tracker are one and the same. The supervisor calls `notice`, the charts call `read`.
"""

import importlib
import logging
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from tailor.engine.events import Ended, Event
from tailor.engine.run_dir import RunDir
from tailor.engine.runs.change import TrackerRun
from tailor.engine.runs.event_log import read_events
from tailor.engine.store import Store
from tailor.engine.trackers.tracker import NullTracker, Tracker
from tailor.engine.types import Trace
from tailor.estimator.record import record

logger = logging.getLogger(__name__)

TRACKER = "aim"
"""The tracker's name in the store."""
FALLBACK = "Charts come from the event log"
ERRORS_UNTIL_OFF = 3
WRITE_EVENTS = 64
"""Written under one hold of the lock: a reader waits for 0.1 s at most."""
RETRY_SECONDS = 1.0
IDLE_SECONDS = 60.0
"""A run without news for so long is closed in the tracker; its next event opens it again."""


@record
class Reading:
    """Curves of a run as the tracker has them."""

    cursor: int
    traces: tuple[Trace, ...]


class TrackerFeed:
    """One tracker and the thread that feeds it."""

    def __init__(
        self, runs: Path, store: Store, load: Callable[[], Tracker], *, delay_seconds: float = 0.0
    ) -> None:
        """`runs` holds the run folders; `load` is called in the feed's thread, after the delay."""
        self._runs = runs
        self._store = store
        self._load = load
        self._delay_seconds = delay_seconds
        self._tracker: Tracker = NullTracker("The tracker is being started.")
        self._calls = threading.RLock()
        """Held around every call of the tracker: trackers are not thread-safe."""
        self._news = threading.Condition()
        self._dirty: set[str] = set()
        self._is_closing = False
        self._caught_up: set[str] = set()
        """Runs that the tracker has whole, as of this engine's life."""
        self._offsets: dict[str, int] = {}
        """Byte of each event log that was read in this engine's life."""
        self._heard_at: dict[str, float] = {}
        self._errors = 0
        self._thread = threading.Thread(target=self._work, name="tracker", daemon=True)

    @property
    def words(self) -> str:
        """The tracker's name, or why charts come from the event log."""
        return self._tracker.words

    def start(self) -> None:
        """Load the tracker and replay what it missed, in the background."""
        self._thread.start()

    def notice(self, run_id: str, events: Sequence[Event]) -> None:
        """A run has new events; returns at once."""
        if events:
            self._mark(run_id)

    def read(self, run_id: str, names: Sequence[str]) -> Reading | None:
        """Curves out of the tracker; None while it is off, loading or behind after a restart."""
        place = self._readable_place(run_id)
        if place is None:
            return None
        try:
            with self._calls:
                return Reading(cursor=place.seq, traces=self._tracker.read(place.name, names))
        except Exception:
            self._count_error("could not read the curves of", run_id)
            return None

    def cursor(self, run_id: str) -> int | None:
        """Last event that the tracker has of a run; None as in `read`."""
        place = self._readable_place(run_id)
        return None if place is None else place.seq

    def find(self, run_id: str) -> str:
        """The tracker's own id of a run, to `remove` it after the run is gone; "" without one."""
        place = self._store.tracker_run(run_id, TRACKER)
        return "" if place is None else place.name

    def remove(self, run_id: str, tracker_id: str) -> None:
        """The run was deleted."""
        with self._calls:
            self._caught_up.discard(run_id)
            self._offsets.pop(run_id, None)
            self._heard_at.pop(run_id, None)
            if tracker_id and self._tracker.is_on:
                try:
                    self._tracker.remove(tracker_id)
                except Exception:
                    self._count_error("could not remove", run_id)

    def close(self) -> None:
        """Finish what is being written and close the tracker."""
        with self._news:
            self._is_closing = True
            self._news.notify_all()
        self._thread.join()

    def _work(self) -> None:
        with self._news:
            if self._news.wait_for(lambda: self._is_closing, self._delay_seconds):
                return
        self._start_tracker()
        self._mark_all()
        while (run_ids := self._wait()) is not None:
            for run_id in run_ids:
                self._catch_up(run_id)
            self._finish_idle()
        with self._calls:
            try:
                self._tracker.close()
            except Exception:
                logger.exception("the tracker did not close cleanly")

    def _start_tracker(self) -> None:
        try:
            tracker = self._load()
        except Exception as error:
            logger.warning("the tracker did not start", exc_info=True)
            tracker = NullTracker(f"{FALLBACK}: {type(error).__name__}: {error}")
        with self._calls:
            self._tracker = tracker
        logger.info("tracker: %s", tracker.words)

    def _mark_all(self) -> None:
        """Look at every run once; those that the tracker has whole are not read again."""
        for run in self._store.runs():
            read = self._store.reading(run.id)
            is_read_whole = _length(RunDir(self._runs / run.id).events) == read.offset
            if is_read_whole and read.seq and self._place(run.id).seq >= read.seq:
                self._offsets[run.id] = read.offset
                self._caught_up.add(run.id)
            else:
                self._mark(run.id)

    def _place(self, run_id: str) -> TrackerRun:
        """The stored place; the beginning when the tracker has lost the run."""
        place = self._store.tracker_run(run_id, TRACKER)
        with self._calls:
            if place is None or not self._tracker.holds(place.name):
                return TrackerRun(name="", seq=0)
        return place

    def _readable_place(self, run_id: str) -> TrackerRun | None:
        if not self._tracker.is_on or run_id not in self._caught_up:
            return None
        return self._store.tracker_run(run_id, TRACKER)

    def _mark(self, run_id: str) -> None:
        with self._news:
            self._dirty.add(run_id)
            self._news.notify_all()

    def _wait(self) -> tuple[str, ...] | None:
        """Runs with news; none when a minute passed, None when the engine closes."""
        with self._news:
            self._news.wait_for(lambda: self._dirty or self._is_closing, IDLE_SECONDS)
            if self._is_closing:
                return None
            run_ids = tuple(sorted(self._dirty))
            self._dirty.clear()
        return run_ids

    def _catch_up(self, run_id: str) -> None:
        """Apply everything behind the stored offset; on an error try again a little later."""
        while self._tracker.is_on and not self._is_closing:
            try:
                if not self._apply_chunk(run_id):
                    self._caught_up.add(run_id)
                    self._errors = 0
                    return
            except Exception:
                self._count_error("could not write the curves of", run_id)
                time.sleep(RETRY_SECONDS)

    def _apply_chunk(self, run_id: str) -> bool:
        """Apply the next piece of the event log; False when there is none."""
        offset = self._offsets.get(run_id, 0)
        try:
            events, next_offset = read_events(RunDir(self._runs / run_id).events, offset)
        except OSError:
            # No fault of the tracker's: the other runs keep their curves.
            logger.warning("the events of %s cannot be read", run_id, exc_info=True)
            return False
        if next_offset == offset:
            return False
        place = self._place(run_id)
        fresh = [event for event in events if event.stamp.seq > place.seq]
        if fresh:
            self._write(run_id, place, fresh)
        self._offsets[run_id] = next_offset
        return True

    def _write(self, run_id: str, place: TrackerRun, fresh: Sequence[Event]) -> None:
        with self._calls:
            name = self._tracker.open(place.name, run_id)
        if name != place.name:
            # Before the first write: an engine that dies now goes on with the same record.
            self._save(run_id, name, 0)
        self._heard_at[run_id] = time.monotonic()
        for start in range(0, len(fresh), WRITE_EVENTS):
            with self._calls:
                self._tracker.write(name, fresh[start : start + WRITE_EVENTS])
        self._save(run_id, name, fresh[-1].stamp.seq)
        if isinstance(fresh[-1], Ended):
            self._finish(run_id, name)

    def _save(self, run_id: str, name: str, seq: int) -> None:
        self._store.save_tracker_run(run_id, TRACKER, TrackerRun(name=name, seq=seq))

    def _finish(self, run_id: str, tracker_id: str) -> None:
        self._heard_at.pop(run_id, None)
        with self._calls:
            self._tracker.finish(tracker_id)

    def _finish_idle(self) -> None:
        now = time.monotonic()
        for run_id, heard_at in tuple(self._heard_at.items()):
            if now - heard_at > IDLE_SECONDS:
                try:
                    self._finish(run_id, self.find(run_id))
                except Exception:
                    self._count_error("could not close", run_id)

    def _count_error(self, what: str, run_id: str) -> None:
        """Three errors in a row switch the tracker off, with one warning; runs are not touched."""
        logger.warning("the tracker %s %s", what, run_id, exc_info=True)
        self._errors += 1
        if self._errors >= ERRORS_UNTIL_OFF and self._tracker.is_on:
            words = f"{FALLBACK}: {self._tracker.words} failed {self._errors} times."
            logger.warning(words)
            with self._calls:
                self._tracker = NullTracker(words)


def _length(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def load_tracker(folder: Path) -> Tracker:
    """Aim in `folder`, or a null tracker that says why not. A damaged repository is moved aside."""
    try:
        module: Any = importlib.import_module("tailor.engine.trackers.aim")
    except ImportError as error:
        return NullTracker(f"{FALLBACK}: aim cannot be imported ({error}).")
    try:
        tracker: Tracker = module.AimTracker(folder)
    except Exception as error:
        aside = folder.with_name(f"{folder.name}.damaged-{time.strftime('%Y%m%d-%H%M%S')}")
        why = f"{type(error).__name__}: {error}".splitlines()[0]
        logger.warning("the Aim folder cannot be opened (%s); moved to %s", why, aside)
    else:
        return tracker
    folder.rename(aside)
    fresh: Tracker = module.AimTracker(folder)
    return fresh
