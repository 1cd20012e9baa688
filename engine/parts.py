"""The parts of a running engine, opened in order and closed in the opposite one.

Routes need all of them and own none, so they are put together in one place. The server opens and
closes them; `api.py` hands them to the routes.
"""

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tailor.engine.data.library import DataLibrary
from tailor.engine.http.address import engine_folder
from tailor.engine.jobs import Jobs
from tailor.engine.lifecycle import ALIVE
from tailor.engine.machine.devices import read_circumstances, read_hardware
from tailor.engine.machine.probe import Prober
from tailor.engine.models.shelf import ModelShelf
from tailor.engine.series import SeriesReader
from tailor.engine.speaker import Speaker
from tailor.engine.store import Store
from tailor.engine.supervisor import Supervisor
from tailor.engine.tracing import Tracing
from tailor.engine.trackers.feed import TrackerFeed, load_tracker
from tailor.estimator.hardware import HardwareSpec

logger = logging.getLogger(__name__)

TRACKER_DELAY_SECONDS = 2.0
"""Importing aim keeps the engine busy for seconds; whoever opens the first page goes before."""


@dataclass(frozen=True)
class Parts:
    """What the routes work with."""

    home: Path
    store: Store
    supervisor: Supervisor
    data: DataLibrary
    models: ModelShelf
    jobs: Jobs
    speaker: Speaker
    tracing: Tracing
    feed: TrackerFeed
    series: SeriesReader
    prober: Prober
    stop_asked: threading.Event
    """Set when somebody asked the engine to end."""

    def hardware(self) -> HardwareSpec:
        """This computer, read now; its cards are measured while no run needs them."""
        hardware = read_hardware(self.home)
        if hardware.device == "cuda":
            self.prober.look(hardware, read_circumstances(), self._is_idle)
        return hardware

    def _is_idle(self) -> bool:
        return not self.store.runs_in(ALIVE)

    def close(self) -> None:
        """Close everything; runs go on. One part that fails does not keep the others open."""
        closing: tuple[Callable[[], None], ...] = (
            self.supervisor.close,
            self.prober.close,
            self.data.close,
            self.jobs.close,
            self.speaker.close,
            self.tracing.close,
            self.feed.close,
            self.store.close,
        )
        for close in closing:
            try:
                close()
            except Exception:
                logger.exception("a part of the engine did not close cleanly")


OpenSupervisor = Callable[[Path, Store, Callable[[], HardwareSpec]], Supervisor]


def open_parts(home: Path, open_supervisor: OpenSupervisor = Supervisor) -> Parts:
    """Open the engine of `home`; the caller holds its lock. Another supervisor is for tests."""
    runs = home / "runs"
    runs.mkdir(exist_ok=True, mode=0o700)
    store = Store(engine_folder(home) / "engine.db")
    supervisor = open_supervisor(home, store, lambda: read_hardware(home))
    feed = TrackerFeed(
        runs,
        store,
        lambda: load_tracker(engine_folder(home) / "aim"),
        delay_seconds=TRACKER_DELAY_SECONDS,
    )
    supervisor.on_events(feed.notice)
    parts = Parts(
        home=home,
        store=store,
        supervisor=supervisor,
        data=DataLibrary(home),
        models=ModelShelf(home),
        jobs=Jobs(home / "jobs"),
        speaker=Speaker(home / "speaker"),
        tracing=Tracing(home),
        feed=feed,
        series=SeriesReader(runs, feed),
        prober=Prober(home),
        stop_asked=threading.Event(),
    )
    supervisor.start()
    return parts
