"""The supervisor: takes orders about runs, lets the next one start, watches those that are alive.

One thread looks after everything twice a second; orders come from the API's threads. All of them
change runs under one lock and through the run book, so each decision is on disk before anybody
hears of it. The engine process opens one supervisor and closes it; runs go on without it.
"""

import logging
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Literal

from tailor.engine.events import Event
from tailor.engine.findings import Finding
from tailor.engine.lifecycle import ALIVE
from tailor.engine.planning import PlanRun, plan_run
from tailor.engine.reconcile import reconcile
from tailor.engine.run_dir import RunDir
from tailor.engine.runs.event_index import EventIndex
from tailor.engine.runs.follow import EndListener, Follower, Listener
from tailor.engine.runs.launcher import Launcher
from tailor.engine.runs.log_page import read_log_page
from tailor.engine.runs.measuring import learn_from_end
from tailor.engine.runs.orders import Orders
from tailor.engine.runs.run_book import RunBook
from tailor.engine.runs.run_folder import runs_folder
from tailor.engine.schedulers.local import LocalScheduler
from tailor.engine.store import Store
from tailor.engine.types import DiaryLine, LogPage, RunRecord
from tailor.estimator.hardware import HardwareSpec
from tailor.recipes.spec import RunSpec

log = logging.getLogger(__name__)

LOOK_EVERY_SECONDS = 0.5
EVENTS_LIMIT = 500


class Supervisor:
    """Everything about the runs of one home folder."""

    def __init__(
        self,
        home: Path,
        store: Store,
        hardware: Callable[[], HardwareSpec],
        *,
        plan_run: PlanRun = plan_run,
        scheduler: LocalScheduler | None = None,
        clock: Callable[[], float] = time.time,
        look_every_seconds: float = LOOK_EVERY_SECONDS,
    ) -> None:
        """The caller holds the engine's lock of `home`. Nothing happens before `start`."""
        self._runs = runs_folder(home)
        self._lock = threading.RLock()
        self._scheduler = scheduler or LocalScheduler()
        self._book = RunBook(store, clock)
        self._follower = Follower(self._book, self._scheduler)
        self.on_end(partial(learn_from_end, home))
        self._launcher = Launcher(self._book, self._scheduler)
        self._orders = Orders(home, self._book, hardware, plan_run)
        self._indexes: dict[str, EventIndex] = {}
        self._troubles: dict[str, str] = {}
        self._look_every_seconds = look_every_seconds
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._work, name="supervisor", daemon=True)

    def start(self) -> None:
        """Find out what became of the runs of the engine before us, then watch."""
        damaged = self._book.store.damaged_copy
        if damaged is not None:
            log.warning(
                "the index was damaged and is now %s; runs are read from their folders, "
                "projects that were not started yet are lost",
                damaged,
            )
        with self._lock:
            reconcile(self._book, self._runs, self._scheduler)
        self._thread.start()

    def close(self) -> None:
        """Stop watching. Runs go on; the next engine adopts them."""
        self._closing.set()
        if self._thread.is_alive():
            self._thread.join()

    def on_events(self, listener: Listener) -> None:
        """Call `listener(run_id, events)` after new events are in the store; it must be quick."""
        self._follower.listeners.append(listener)

    def on_end(self, listener: EndListener) -> None:
        """Call `listener(run, reading, outcome)` before an attempt's end is written down."""
        self._follower.end_listeners.append(listener)

    # Orders

    def submit(self, spec: RunSpec, owner: str, idempotency_id: str) -> RunRecord:
        """Start a run; the same id with the same spec answers the same run again."""
        with self._lock:
            return self._orders.submit(spec, owner, idempotency_id)

    def preflight(self, spec: RunSpec, owner: str) -> tuple[Finding, ...]:
        """Everything that would stop a run or that a person should know before it starts."""
        return self._orders.preflight(spec, owner)

    def stop(
        self, run_id: str, owner: str | None, mode: Literal["keep", "discard"] = "keep"
    ) -> RunRecord:
        """Finish the step, save and stop; or stop without saving. Twice is once."""
        with self._lock:
            return self._orders.stop(run_id, owner, mode)

    def resume(self, run_id: str, owner: str | None) -> RunRecord:
        """Go on from the newest checkpoint that is whole."""
        with self._lock:
            return self._orders.resume(run_id, owner)

    def delete(self, run_id: str, owner: str | None) -> None:
        """Remove a run that is not running, with its folder."""
        with self._lock:
            self._orders.delete(run_id, owner)
            self._indexes.pop(run_id, None)

    # Questions. `owner` None is the engine itself; somebody else's run answers 404.

    def get(self, run_id: str, owner: str | None) -> RunRecord:
        """One run."""
        return self._book.require(run_id, owner)

    def list(self, owner: str | None, limit: int = 50) -> tuple[RunRecord, ...]:
        """The owner's runs, newest first."""
        return self._book.store.runs(owner=owner, limit=limit)

    def events(
        self, run_id: str, owner: str | None, after: int = 0, limit: int = EVENTS_LIMIT
    ) -> tuple[Event, ...]:
        """Events numbered above `after`, oldest first, at most 500."""
        run = self._book.require(run_id, owner)
        index = self._indexes.setdefault(run_id, EventIndex(RunDir(Path(run.folder)).events))
        return index.after(after, min(limit, EVENTS_LIMIT))

    def diary(self, run_id: str, owner: str | None) -> tuple[DiaryLine, ...]:
        """The run's story in sentences, oldest first."""
        self._book.require(run_id, owner)
        return self._book.store.diary(run_id)

    def log(self, run_id: str, owner: str | None, attempt: int = 0, offset: int = 0) -> LogPage:
        """A piece of the worker's log; attempt 0 is the latest."""
        run = self._book.require(run_id, owner)
        return read_log_page(RunDir(Path(run.folder)), attempt or run.attempt, offset)

    # Watching

    def look(self) -> None:
        """One look at everything; the thread does it twice a second, tests when they like."""
        for run in self._book.store.runs_in(ALIVE):
            self._guarded(run.id, partial(self._follow, run.id))
        self._guarded("the queue", self._launcher.launch_next)

    def _follow(self, run_id: str) -> None:
        """Read the record anew: an order may have come since the list of living runs was read."""
        run = self._book.store.run(run_id)
        if run is not None and run.status in ALIVE:
            self._follower.follow(run)

    def _guarded(self, what: str, act: Callable[[], object]) -> None:
        """One run in trouble must not keep the others from being watched."""
        try:
            with self._lock:
                act()
        except Exception as error:
            trouble = f"{type(error).__name__}: {error}"
            if self._troubles.get(what) != trouble:
                log.exception("%s: looking after it failed; tried again twice a second", what)
            self._troubles[what] = trouble
        else:
            self._troubles.pop(what, None)

    def _work(self) -> None:
        while not self._closing.wait(self._look_every_seconds):
            self.look()
