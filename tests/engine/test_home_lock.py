"""One engine per home: the lock names its holder and dies with it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tailor.engine.errors import UserError
from tailor.engine.home_lock import HomeLock, is_home_locked

HOLD = """
import sys, time
from pathlib import Path
from tailor.engine.home_lock import HomeLock
lock = HomeLock(Path(sys.argv[1]))
print("held", flush=True)
time.sleep(600)
"""


def test_a_second_engine_is_told_who_has_the_home(tmp_path: Path) -> None:
    lock = HomeLock(tmp_path)
    assert is_home_locked(tmp_path)

    with pytest.raises(UserError, match=str(os.getpid())) as caught:
        HomeLock(tmp_path)

    assert "engine since" in caught.value.detail
    lock.release()
    HomeLock(tmp_path).release()


def test_kill_minus_nine_of_the_holder_frees_the_home_at_once(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-P", "-c", HOLD, str(tmp_path)], stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        assert is_home_locked(tmp_path)
        holder.kill()
        holder.wait()

        assert not is_home_locked(tmp_path)
        HomeLock(tmp_path).release()


def test_a_damaged_lock_file_does_not_hide_the_message(tmp_path: Path) -> None:
    lock = HomeLock(tmp_path)
    (tmp_path / "engine" / "engine.lock").write_text("{half")

    with pytest.raises(UserError, match="Another process holds its lock"):
        HomeLock(tmp_path)
    lock.release()
