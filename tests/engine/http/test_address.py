"""The engine's socket is private, short enough, and told in `engine.json`."""

import os
import socket
import stat
from pathlib import Path

from tailor.engine.http.address import (
    SOCKET_PATH_BYTES,
    Address,
    bind_socket,
    forget_address,
    read_address,
    write_address,
)


def test_the_socket_and_its_folder_are_private(tmp_path: Path) -> None:
    home = tmp_path / "home"
    listener, path = bind_socket(home)
    listener.close()

    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert stat.S_IMODE(home.stat().st_mode) == 0o700


def test_binding_leaves_the_umask_as_it_was(tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        listener, _ = bind_socket(tmp_path / "home")
        listener.close()
        assert os.umask(0o022) == 0o022
    finally:
        os.umask(before)


def test_a_long_home_path_gets_a_socket_elsewhere_that_goes_with_the_engine(tmp_path: Path) -> None:
    home = tmp_path / ("long " * 20).strip() / "ünï 🙂"
    listener, path = bind_socket(home)
    write_address(home, Address(socket=str(path), pid=1, version="1"))

    assert len(os.fsencode(path)) <= SOCKET_PATH_BYTES
    assert not path.is_relative_to(home)
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    with socket.socket(socket.AF_UNIX) as caller:
        caller.connect(str(path))
    listener.close()

    forget_address(home)
    assert not path.parent.exists()
    assert read_address(home) is None


def test_a_socket_that_a_killed_engine_left_is_taken_over(tmp_path: Path) -> None:
    home = tmp_path / ("x" * 120)
    left, old_path = bind_socket(home)
    left.close()
    write_address(home, Address(socket=str(old_path), pid=1, version="1"))

    listener, path = bind_socket(home)
    listener.close()

    assert path.exists()
    assert not old_path.exists()
    path.unlink()
    path.parent.rmdir()
