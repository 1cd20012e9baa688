"""Where the engine listens: the private socket, and `engine.json` that tells callers about it.

A socket's path may hold 107 bytes only, and a home folder may be longer, so callers never guess the
path: they read it. The server writes the address, `start.py` and the client read it.
"""

import os
import socket
import sys
import tempfile
from pathlib import Path

from tailor.engine.json_file import read_json, write_json
from tailor.estimator.record import record

SOCKET_PATH_BYTES = 103 if sys.platform == "darwin" else 107
"""Longest path of a unix socket: `sun_path`, 104 bytes on macOS and 108 on Linux, less one."""

_FOLDER_PREFIX = "tailor-engine-"


@record
class Address:
    """`engine.json`."""

    socket: str
    pid: int
    version: str


def engine_folder(home: Path) -> Path:
    """The engine's own folder in a home, made private if it is not there."""
    folder = home / "engine"
    home.mkdir(parents=True, exist_ok=True, mode=0o700)
    folder.mkdir(exist_ok=True, mode=0o700)
    folder.chmod(0o700)
    return folder


def write_address(home: Path, address: Address) -> None:
    """Tell callers where the engine answers."""
    write_json(engine_folder(home) / "engine.json", address)


def read_address(home: Path) -> Address | None:
    """The last address that an engine of this home has told, None before the first."""
    try:
        return read_json(home / "engine" / "engine.json", Address)
    except FileNotFoundError:
        return None


def forget_address(home: Path) -> None:
    """Take address and socket of the last engine away; for the holder of the engine's lock."""
    address = read_address(home)
    if address is None:
        return
    path = Path(address.socket)
    path.unlink(missing_ok=True)
    if path.parent.name.startswith(_FOLDER_PREFIX) and not any(path.parent.glob("*")):
        path.parent.rmdir()
    (home / "engine" / "engine.json").unlink()


def bind_socket(home: Path) -> tuple[socket.socket, Path]:
    """A listening socket that this user alone can open, and its path.

    Bound by ourselves: uvicorn would make the file 0666. The caller holds the engine's lock, so
    whatever lies there is left over from an engine that is gone.
    """
    forget_address(home)
    path = _socket_path(home)
    path.unlink(missing_ok=True)
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    before = os.umask(0o177)
    try:
        listener.bind(str(path))
    finally:
        os.umask(before)
    listener.listen(128)
    return listener, path


def _socket_path(home: Path) -> Path:
    path = engine_folder(home) / "engine.sock"
    if len(os.fsencode(path)) <= SOCKET_PATH_BYTES:
        return path
    runtime = os.environ.get("XDG_RUNTIME_DIR", "")
    parent = runtime if runtime and Path(runtime).is_dir() else None
    # mkdtemp makes the folder 0700 and fresh, so nobody can wait for us in it.
    return Path(tempfile.mkdtemp(prefix=_FOLDER_PREFIX, dir=parent)) / "engine.sock"
