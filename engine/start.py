"""Makes sure that an engine serves a home folder, and answers a client of it.

Whoever needs the engine calls this first: the wizard, the commands, the demo. The engine is started
detached, so it outlives its starter; a second starter finds the first one's.
"""

import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from pathlib import Path

import httpx

from tailor.engine.child import child_environment
from tailor.engine.client import EngineClient
from tailor.engine.errors import UserError
from tailor.engine.home_lock import EXIT_TAKEN, is_home_locked
from tailor.engine.http.address import engine_folder, read_address
from tailor.engine.http.unix_transport import UnixTransport
from tailor.engine.secrets import mask_secrets

START_SECONDS = 60.0
"""How long an engine may take until it answers; 1 to 3 seconds are usual."""
LOG_BYTES = 8 << 20
"""A longer `engine.log` is put aside at a start; one older log is kept."""


def ensure_engine(
    home: Path, *, owner: str = "", environment: Mapping[str, str] | None = None
) -> EngineClient:
    """A client of the engine of `home`, started if there is none. Raises `UserError`.

    `environment` is what a new engine gets instead of this process's own.
    """
    deadline = time.monotonic() + START_SECONDS
    started: subprocess.Popen[bytes] | None = None
    while not is_answering(home):
        if time.monotonic() > deadline:
            raise _silent(home)
        code = None if started is None else started.poll()
        if code is not None and code != EXIT_TAKEN:
            raise _died(home, code)
        # A held lock is an engine that is starting or ending: wait for it instead.
        if (started is None or code is not None) and not is_home_locked(home):
            started = _start_engine(home, environment or child_environment())
        time.sleep(0.05)
    return EngineClient(home, owner=owner)


def is_answering(home: Path) -> bool:
    """Whether an engine of this home answers now."""
    address = read_address(home)
    if address is None:
        return False
    with httpx.Client(transport=UnixTransport(Path(address.socket)), timeout=5.0) as client:
        try:
            return client.get("http://engine/v1/health").is_success
        except httpx.TransportError:
            return False


def _start_engine(home: Path, environment: Mapping[str, str]) -> "subprocess.Popen[bytes]":
    folder = engine_folder(home)
    path = folder / "engine.log"
    if path.exists() and path.stat().st_size > LOG_BYTES:
        path.replace(folder / "engine.log.old")
    with path.open("ab") as log:
        path.chmod(0o600)
        process = subprocess.Popen(
            [sys.executable, "-m", "tailor.engine", "--home", str(home.resolve())],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            cwd=folder,
            start_new_session=True,
            env=environment,
        )
    # It may end while we live on, and would stay a zombie if nobody waited for it.
    threading.Thread(target=process.wait, name="engine-reaper", daemon=True).start()
    return process


def _died(home: Path, code: int) -> UserError:
    return UserError(
        title="Tailor's engine did not start",
        detail=f"It ended with code {code}. Its last line: {_last_line(home)}",
        fix=f"Mend that and try again. The whole log is {home / 'engine' / 'engine.log'}.",
        status=503,
    )


def _silent(home: Path) -> UserError:
    return UserError(
        title="Tailor's engine does not answer",
        detail=f"It was waited for {START_SECONDS:.0f} seconds. Its last line: {_last_line(home)}",
        fix="Close other programs that keep the computer busy, then try again.",
        status=503,
    )


def _last_line(home: Path) -> str:
    path = home / "engine" / "engine.log"
    if not path.exists():
        return "none."
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - 4096))
        lines = file.read().decode("utf-8", "replace").splitlines()
    return mask_secrets(next((line for line in reversed(lines) if line.strip()), "none."))
