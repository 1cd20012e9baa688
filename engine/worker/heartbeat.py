"""A sign of life every 15 seconds, from a thread of its own.

The engine must tell a slow step from a dead worker. A beating heart is not progress: the main
thread may hang in a C call, so each beat also says when the last step ended.
"""

import threading
import time

from tailor.engine.events import Heartbeat, Phase, PhaseName
from tailor.engine.worker.event_log import EventLog
from tailor.engine.worker.memory import read_device_bytes, read_resident_bytes

EVERY_SECONDS = 15.0


class Pulse:
    """Knows the phase and step; beats until `stop`."""

    def __init__(self, log: EventLog, device: str, every_seconds: float = EVERY_SECONDS) -> None:
        """Nothing beats before `start`."""
        self._log = log
        self._device = device
        self._every_seconds = every_seconds
        self._phase: PhaseName = "load"
        self.step = 0
        """Last step that ended."""
        self._progress_mono = time.monotonic()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._beat, name="heartbeat", daemon=True)

    def start(self) -> None:
        """Begin to beat."""
        self._thread.start()

    def enter(self, name: PhaseName, words: str) -> None:
        """A new phase has begun: tell it, and count it as progress."""
        self._phase = name
        self._progress_mono = time.monotonic()
        self._log.tell(Phase, name=name, words=words)

    def progress(self, step: int) -> None:
        """A step, or a batch of an evaluation, has ended."""
        self.step = step
        self._progress_mono = time.monotonic()

    def stop(self) -> None:
        """The last beat is behind us: nothing is written after this returns."""
        self._over.set()
        if self._thread.is_alive():
            self._thread.join()

    def _beat(self) -> None:
        while not self._over.wait(self._every_seconds):
            self._log.tell(
                Heartbeat,
                phase=self._phase,
                step=self.step,
                progress_mono=self._progress_mono,
                resident_bytes=read_resident_bytes(),
                device_bytes=read_device_bytes(self._device),
            )
