"""Follows living runs: reads their events, notices their end, ends what does not end itself.

The worker is not our child and may have been started by an engine before us, so everything here
goes by files and locks. The supervisor calls `follow` for each living run twice a second.
"""

import logging
import signal
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from tailor.engine.events import Event, Phase
from tailor.engine.lifecycle import Fact, FinishBegan, FolderLost, Stopped, WorkerBegan
from tailor.engine.run_dir import RunDir
from tailor.engine.runs.checkpoint import drop_checkpoints
from tailor.engine.runs.diary import describe_events
from tailor.engine.runs.event_log import read_events
from tailor.engine.runs.outcome import Outcome, conclude, is_discarded
from tailor.engine.runs.progress import compute_progress
from tailor.engine.runs.reading import Reading, fold_event
from tailor.engine.runs.run_book import RunBook
from tailor.engine.runs.stop_deadline import StopDeadline
from tailor.engine.schedulers.local import AttemptState, LocalScheduler
from tailor.engine.types import RunRecord

log = logging.getLogger(__name__)

Listener = Callable[[str, list[Event]], None]
"""Hears new events of a run, after they are in the store; must be quick."""
EndListener = Callable[[RunRecord, Reading, Outcome], None]
"""Hears how an attempt ended, just before that is written down: after a kill it is told again."""

START_SECONDS = 60.0
"""From the start of a shim to its first file; 0.2 s on an idle computer."""
LINGER_SECONDS = 60.0
"""How long a worker may live after its last word."""


class Follower:
    """What is known in memory only about living runs: clocks that a restart may set to zero."""

    def __init__(self, book: RunBook, scheduler: LocalScheduler) -> None:
        """Follows runs of `scheduler` into `book`."""
        self._book = book
        self._scheduler = scheduler
        self.listeners: list[Listener] = []
        self.end_listeners: list[EndListener] = []
        self._first_seen: dict[str, float] = {}
        self._ended_seen: dict[str, float] = {}
        self._deadlines: dict[str, StopDeadline] = {}

    def follow(self, run: RunRecord) -> RunRecord:
        """Look once: read what is new, and conclude when nothing is left alive."""
        run_dir = RunDir(Path(run.folder))
        if not run_dir.path.is_dir():
            return self._book.commit(run, [FolderLost(at=self._book.clock())])
        # The state is taken before the events are read to their end: whatever a dead worker wrote
        # is in the file by then, so its last event cannot be missed.
        state = self._scheduler.state(run_dir, run.attempt)
        run, reading = self._read(run, run_dir)
        key = f"{run.id}/{run.attempt}"
        if state.is_over:
            self._forget(key)
            outcome = conclude(run, reading, self._book.clock())
            if isinstance(outcome, Stopped) and is_discarded(run_dir):
                # Before it is written down: after a kill in between this is simply done again.
                drop_checkpoints(run_dir)
            self._tell_end(run, reading, outcome)
            return self._book.commit(run, [outcome])
        if state.is_untouched:
            self._check_start(run_dir, run, key)
        elif reading.ended is not None and reading.attempt == run.attempt:
            self._end_lingering(run_dir, run, key)
        elif not state.is_shim_alive:
            self._enforce_stop(run_dir, run, key, state)
        return run

    def _read(self, run: RunRecord, run_dir: RunDir) -> tuple[RunRecord, Reading]:
        """Take in all whole lines that are there."""
        reading = self._book.store.reading(run.id)
        while True:
            events, offset = read_events(run_dir.events, reading.offset)
            if offset == reading.offset:
                return run, reading
            fresh = [event for event in events if event.stamp.seq > reading.seq]
            for event in fresh:
                reading = fold_event(reading, event)
            reading = replace(reading, offset=offset)
            run = self._take_in(run, reading, fresh)

    def _take_in(self, run: RunRecord, reading: Reading, fresh: list[Event]) -> RunRecord:
        run = replace(
            run,
            progress=compute_progress(reading, run.plan, run.estimate),
            is_resumable=run.is_resumable or reading.checkpoint_step is not None,
        )
        facts = _facts(run, fresh, self._book.clock())
        run = self._book.commit(run, facts, reading=reading, diary=describe_events(fresh))
        for listener in self.listeners if fresh else ():
            try:
                listener(run.id, fresh)
            except Exception:
                # A chart may never hurt a run: it reads the event log anew when it can.
                log.exception("%s: a listener failed", run.id)
        return run

    def _tell_end(self, run: RunRecord, reading: Reading, outcome: Outcome) -> None:
        for listener in self.end_listeners:
            try:
                listener(run, reading, outcome)
            except Exception:
                # What others make of a run's end may never keep it from being written down.
                log.exception("%s: a listener of its end failed", run.id)

    def _check_start(self, run_dir: RunDir, run: RunRecord, key: str) -> None:
        """A shim that has not shown up after a while is called off."""
        since = self._first_seen.setdefault(key, time.monotonic())
        if time.monotonic() > since + START_SECONDS and self._scheduler.give_up(
            run_dir, run.attempt
        ):
            log.error("%s: its shim never came", run.id)

    def _end_lingering(self, run_dir: RunDir, run: RunRecord, key: str) -> None:
        """A worker that said its last word but does not end would hold up the queue."""
        since = self._ended_seen.setdefault(key, time.monotonic())
        if time.monotonic() > since + LINGER_SECONDS:
            log.warning("%s: the worker did not end by itself and is ended", run.id)
            self._scheduler.end(run_dir, run.attempt, signal.SIGKILL)

    def _enforce_stop(self, run_dir: RunDir, run: RunRecord, key: str, state: AttemptState) -> None:
        """Without a shim its deadlines are ours."""
        if key not in self._deadlines:
            log.warning("%s: the shim is gone, the worker goes on without it", run.id)
            self._deadlines[key] = StopDeadline(run_dir, run_dir.attempt(run.attempt))
        due = self._deadlines[key].next_signal(time.monotonic())
        if due is not None and state.is_working:
            self._scheduler.end(run_dir, run.attempt, due)

    def _forget(self, key: str) -> None:
        for remembered in (self._first_seen, self._ended_seen, self._deadlines):
            remembered.pop(key, None)


def _facts(run: RunRecord, fresh: list[Event], at: float) -> list[Fact]:
    """What new events mean for the status."""
    facts: list[Fact] = []
    current = [event for event in fresh if event.stamp.attempt == run.attempt]
    if current and run.status == "starting":
        facts.append(WorkerBegan(at=at))
    is_finishing = any(
        isinstance(event, Phase) and event.name in ("prove", "finish") for event in current
    )
    if is_finishing and run.status in ("starting", "running"):
        facts.append(FinishBegan(at=at))
    return facts
