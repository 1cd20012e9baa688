"""One engine per home folder: a lock that the kernel frees the moment its holder dies.

Two engines on one home would start every run twice. The server takes the lock before it touches
anything; `start.py` asks who holds it.
"""

import os
import time
from datetime import datetime
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from tailor.engine.errors import UserError
from tailor.engine.http.address import engine_folder
from tailor.engine.machine.file_lock import is_held, take_lock
from tailor.engine.machine.unix_user import read_unix_user
from tailor.estimator.record import record


@record
class Holder:
    """`engine.lock`'s text: who runs the engine of this home."""

    pid: int
    user: str
    since: float


EXIT_TAKEN = 3
"""Exit code of an engine that found its home taken."""

HOLDER = TypeAdapter(Holder)


class HomeLock:
    """The engine's lock, held until `release` or the end of the process."""

    def __init__(self, home: Path) -> None:
        """Take the lock, or raise a `UserError` that names the holder."""
        path = engine_folder(home) / "engine.lock"
        descriptor = take_lock(path)
        if descriptor is None:
            raise _taken(home, path.read_bytes())
        self._descriptor = descriptor
        holder = Holder(pid=os.getpid(), user=read_unix_user(), since=time.time())
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, HOLDER.dump_json(holder), 0)

    def release(self) -> None:
        """Let the next engine in."""
        os.close(self._descriptor)


def is_home_locked(home: Path) -> bool:
    """Whether a living engine holds this home."""
    return is_held(home / "engine" / "engine.lock")


def _taken(home: Path, told: bytes) -> UserError:
    try:
        holder = HOLDER.validate_json(told)
    except ValidationError:
        who = "Another process holds its lock."
    else:
        since = datetime.fromtimestamp(holder.since).strftime("%Y-%m-%d %H:%M")
        who = f"Process {holder.pid} of {holder.user} has been its engine since {since}."
    return UserError(
        title="Another engine already serves this folder",
        detail=f"{home}: {who}",
        fix="Use that one: python app.py connects to it. To end it: python app.py stop --engine.",
        status=409,
    )
