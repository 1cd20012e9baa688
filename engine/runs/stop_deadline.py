"""When a worker that was asked to stop is ended by force.

The worker saves and ends by itself; one that hangs must not hold the computer for ever. The shim
asks here each second, and the engine does when the shim is gone. Standard library only.
"""

import json
import signal

from tailor.engine.run_dir import AttemptDir, RunDir, StopRequest

KILL_AFTER_SECONDS = 30.0
"""From SIGTERM to SIGKILL."""


def read_stop(run_dir: RunDir) -> StopRequest | None:
    """`control/stop`, None when nobody asked."""
    try:
        return StopRequest(**json.loads(run_dir.stop.read_bytes()))
    except FileNotFoundError:
        return None


class StopDeadline:
    """The clock of one attempt, from the moment at which its stop request is first seen."""

    def __init__(self, run_dir: RunDir, attempt: AttemptDir) -> None:
        """Nobody has asked yet, as far as this knows."""
        self._run_dir = run_dir
        self._attempt = attempt
        self._seen_at: float | None = None
        self._asked_to_end_at: float | None = None
        self._is_killed = False

    def next_signal(self, now: float) -> signal.Signals | None:
        """The signal that is due at monotonic time `now`; each comes once."""
        if self._asked_to_end_at is not None:
            if self._is_killed or now < self._asked_to_end_at + KILL_AFTER_SECONDS:
                return None
            self._is_killed = True
            return signal.SIGKILL
        request = read_stop(self._run_dir)
        if request is None:
            return None
        if self._seen_at is None:
            self._seen_at = now
        # Before the first step there is nothing to save, so there is nothing to wait for.
        wait_seconds = request.deadline_seconds if self._attempt.training.exists() else 0.0
        if now < self._seen_at + wait_seconds:
            return None
        self._asked_to_end_at = now
        return signal.SIGTERM
