"""Processes that cannot be mistaken: pid and birth time, on the same boot, and not a zombie.

Pids are used again, and under a first process that reaps nobody a dead one keeps its pid. The shim
writes identities down; the engine asks here before it sends a signal. Standard library and psutil
only.
"""

import os
import signal
from pathlib import Path

import psutil

from tailor.engine.types import ProcessId

_PROC = Path("/proc")
_BOOT_ID = _PROC / "sys/kernel/random/boot_id"


def read_boot_id() -> str:
    """What changes with every start of the computer."""
    if _BOOT_ID.exists():
        return _BOOT_ID.read_text("ascii").strip()
    return f"{psutil.boot_time():.0f}"


def identify(pid: int) -> ProcessId:
    """Pid and birth time of a process that is there; `psutil.NoSuchProcess` when it is not."""
    state = _read_state(pid)
    if state is None:
        raise psutil.NoSuchProcess(pid)
    return ProcessId(pid=pid, create_time=state[0])


def is_alive(process: ProcessId, boot_id: str) -> bool:
    """Whether exactly this process still works."""
    state = _read_state(process.pid)
    if state is None or boot_id != read_boot_id():
        return False
    birth, is_zombie = state
    return birth == process.create_time and not is_zombie


def signal_group(process: ProcessId, boot_id: str, number: signal.Signals) -> bool:
    """Send a signal to the group that `process` leads; False when it is gone."""
    if not is_alive(process, boot_id):
        return False
    try:
        os.killpg(process.pid, number)
    except ProcessLookupError:
        return False
    return True


def _read_state(pid: int) -> tuple[float, bool] | None:
    """Birth time and whether it is a zombie; None when there is no such process.

    On Linux the birth is in seconds since boot: psutil's counts from 1970 and moves when the
    wall clock is set, which would make every process look like another one.
    """
    if not _BOOT_ID.exists():
        try:
            found = psutil.Process(pid)
            return found.create_time(), found.status() == psutil.STATUS_ZOMBIE
        except psutil.NoSuchProcess:
            return None
    try:
        told = (_PROC / str(pid) / "stat").read_text("utf-8", "replace")
    except (FileNotFoundError, ProcessLookupError):
        return None
    # The name in parentheses may hold anything. Fields 3 (state) and 22 (start) come after it.
    fields = told.rpartition(")")[2].split()
    return int(fields[19]) / os.sysconf("SC_CLK_TCK"), fields[0] == "Z"
