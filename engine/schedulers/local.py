"""Runs on this computer: starts a shim for an attempt, tells what is left alive of it, ends it.

The supervisor decides what runs; a scheduler only knows how. Each file in this folder offers the
same four verbs, so a cluster is one more file. State is read from locks that the kernel keeps,
never from a memory of our own, so an engine that was just restarted sees the same as the one before
it.
"""

import logging
import os
import signal
import threading
import time
from pathlib import Path

from tailor.engine.json_file import read_json, write_json
from tailor.engine.launch import WORKER_MODULE, start_shim
from tailor.engine.machine.file_lock import is_held, take_lock
from tailor.engine.machine.process import signal_group
from tailor.engine.run_dir import EXIT_NOT_STARTED, Attempt, Exit, RunDir, Shim
from tailor.estimator.record import record

log = logging.getLogger(__name__)


@record
class AttemptState:
    """What is there of an attempt."""

    has_started: bool
    """Its shim wrote its first file."""
    has_exit: bool
    is_shim_alive: bool
    is_working: bool
    """The shim or the worker, or both, are alive."""

    @property
    def is_over(self) -> bool:
        """Nothing will happen any more."""
        return self.has_exit or (self.has_started and not self.is_working)

    @property
    def is_untouched(self) -> bool:
        """It was never started, or died before its first act."""
        return not (self.has_started or self.has_exit or self.is_shim_alive)


class LocalScheduler:
    """One run at a time on this computer."""

    def __init__(self, worker_module: str = WORKER_MODULE) -> None:
        """`worker_module` is what `python -m` runs as the worker."""
        self._worker_module = worker_module

    def capacity(self) -> int:
        """How many runs may work at once."""
        return 1

    def launch(self, run_dir: RunDir, attempt: Attempt) -> None:
        """Start an attempt that outlives this process; answers before it works.

        A second call for the same attempt does no harm: the locks let one shim through.
        """
        folder = run_dir.attempt(attempt.number)
        folder.path.mkdir(parents=True, exist_ok=True, mode=0o700)
        write_json(folder.plan, attempt)
        first_half = start_shim(run_dir, attempt.number, self._worker_module)

        def see_off() -> None:
            if first_half.wait() != 0:
                log.error("%s: the shim could not start, see %s", run_dir.id, folder.shim_log)
                self.give_up(run_dir, attempt.number)

        threading.Thread(target=see_off, name=f"start of {run_dir.id}", daemon=True).start()

    def state(self, run_dir: RunDir, number: int) -> AttemptState:
        """What is there now."""
        attempt = run_dir.attempt(number)
        # Locks first: a shim that ends in between has written its exit file by the time we look.
        is_shim_alive = is_held(attempt.shim_lock)
        is_working = is_shim_alive or is_held(run_dir.work_lock)
        return AttemptState(
            has_started=attempt.shim.exists(),
            has_exit=attempt.exit.exists(),
            is_shim_alive=is_shim_alive,
            is_working=is_working,
        )

    def give_up(self, run_dir: RunDir, number: int) -> bool:
        """Call off an attempt whose shim has not come; False when it has come after all.

        The exit file is written under the shim's own lock: a shim that comes later finds it.
        """
        attempt = run_dir.attempt(number)
        lock = take_lock(attempt.shim_lock)
        if lock is None:
            return False
        try:
            if not attempt.exit.exists():
                called_off = Exit(code=EXIT_NOT_STARTED, ended_at=time.time())
                write_json(attempt.exit, called_off)
        finally:
            os.close(lock)
        return True

    def end(self, run_dir: RunDir, number: int, due: signal.Signals) -> bool:
        """Send a signal to the worker's processes; False when they cannot be found."""
        shim = _read_shim(run_dir.attempt(number).shim)
        if shim is None or shim.worker is None:
            return False
        return signal_group(shim.worker, shim.boot_id, due)


def _read_shim(path: Path) -> Shim | None:
    try:
        return read_json(path, Shim)
    except FileNotFoundError:
        return None
