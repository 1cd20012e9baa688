"""How processes of a run are started: the exact command and environment of shim and worker.

One place decides what a worker sees of this computer: no hub, no token, no home of the user. The
scheduler starts the shim with it, the shim starts the worker. Standard library only.
"""

import subprocess
import sys

from tailor.engine.child import child_environment
from tailor.engine.run_dir import RunDir

WORKER_MODULE = "tailor.engine.worker"


def build_worker_command(run_dir: RunDir, attempt: int, module: str) -> list[str]:
    """What the shim runs."""
    return [sys.executable, "-m", module, str(run_dir.path), str(attempt)]


def build_worker_environment(run_dir: RunDir) -> dict[str, str]:
    """The worker's environment: offline, and with an empty home of its own."""
    home = run_dir.path / "home"
    home.mkdir(mode=0o700, exist_ok=True)
    return child_environment() | {"HF_HUB_OFFLINE": "1", "HOME": str(home)}


def start_shim(run_dir: RunDir, attempt: int, module: str) -> "subprocess.Popen[bytes]":
    """Start a shim; answers its first half, which ends as soon as the rest is detached."""
    with run_dir.attempt(attempt).shim_log.open("ab") as log:
        return subprocess.Popen(
            [sys.executable, "-m", "tailor.engine.shim", str(run_dir.path), str(attempt), module],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            cwd=run_dir.path,
            env=child_environment(),
        )
