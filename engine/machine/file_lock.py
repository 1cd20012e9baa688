"""Locks that the kernel frees when their last holder dies, whatever killed it.

A pid file outlives its process and a heartbeat comes too late; `flock` does neither. The shim takes
a run's locks and hands the work lock down to the worker, so it stays held as long as any of them
lives. Standard library only.
"""

import fcntl
import os
import time
from pathlib import Path

PROBE_SECONDS = 0.5
"""How long a taker tries: `is_held` has the lock for a moment and is not a holder."""


def take_lock(path: Path) -> int | None:
    """Take the lock and answer its descriptor, which must stay open; None when it is held."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    deadline = time.monotonic() + PROBE_SECONDS
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > deadline:
                os.close(descriptor)
                return None
            time.sleep(0.01)
        else:
            return descriptor


def is_held(path: Path) -> bool:
    """Whether somebody holds the lock. A lock file that is not there is held by nobody."""
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except FileNotFoundError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(descriptor)
    return False
