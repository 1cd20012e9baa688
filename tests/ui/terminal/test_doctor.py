"""Doctor tells the truth about this computer, in words, and changes nothing."""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tailor.engine.errors import UserError
from tailor.engine.home_lock import HomeLock
from tailor.ui.start_link import StartLink
from tailor.ui.terminal.doctor import run_doctor
from tailor.ui.terminal.health import Health, check_health


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / "home"
    (folder / "engine").mkdir(parents=True)
    folder.chmod(0o700)
    return folder


@pytest.fixture
def locked(home: Path) -> Iterator[Path]:
    lock = HomeLock(home)
    yield home
    lock.release()


def found(home: Path, title: str) -> Health:
    return next(health for health in check_health(home) if health.title == title)


def test_a_sound_computer_has_nothing_in_the_way(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_doctor(home) == 0
    told = capsys.readouterr().out
    for title in (
        "Python",
        "Packages",
        "Processor",
        "Memory",
        "Disk",
        "Folder",
        "Promises",
        "Engine",
        "Charts",
    ):
        assert f"{title}: " in told
    assert "STOP" not in told
    assert all(len(line) <= 96 for line in told.splitlines())


def test_doctor_makes_no_home(tmp_path: Path) -> None:
    away = tmp_path / "not-there"
    assert run_doctor(away) == 0
    assert not away.exists()
    assert "made at the first start" in found(away, "Folder").words


@pytest.mark.skipif(os.name != "posix", reason="permissions")
def test_an_open_home_is_told_with_its_cure(home: Path) -> None:
    home.chmod(0o755)
    told = found(home, "Folder")
    assert told.level == "care"
    assert told.fix == f"Run: chmod 700 {home}"


def test_a_home_that_is_a_file_stands_in_the_way(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "file"
    path.write_text("")
    path.chmod(0o600)
    assert run_doctor(path) == 1
    assert "One thing stands in the way" in capsys.readouterr().out


def test_a_held_home_without_an_answer_is_told(locked: Path) -> None:
    told = found(locked, "Engine")
    assert told.level == "care"
    assert "engine.log" in told.fix


def test_a_taken_port_is_told(home: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as holder:
        port = holder.getsockname()[1]
        from tailor.engine.json_file import write_json

        write_json(home / "ui.json", StartLink(port=port, token="t"))
        assert f"port {port} is in use" in found(home, "Wizard").words
    assert f"port {port} is free" in found(home, "Wizard").words


def test_the_index_is_not_rebuilt_while_the_engine_runs(locked: Path) -> None:
    with pytest.raises(UserError, match="engine is running"):
        run_doctor(locked, rebuild_index=True)


def test_the_index_is_rebuilt_from_the_run_folders(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (home / "runs" / "run_20260101-aaaa").mkdir(parents=True)
    assert run_doctor(home, rebuild_index=True) == 0
    told = capsys.readouterr().out
    assert "0 runs" in told
    assert "run_20260101-aaaa cannot be read" in told
    assert (home / "engine" / "engine.db").exists()
    HomeLock(home).release()


def test_doctor_loads_no_heavy_library(home: Path) -> None:
    code = (
        "import sys\nfrom pathlib import Path\n"
        "from tailor.ui.terminal.doctor import run_doctor\n"
        f"run_doctor(Path({str(home)!r}))\n"
        "sys.exit(bool({'torch', 'transformers', 'aim', 'gradio', 'pandas'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", code], check=False, stdout=subprocess.DEVNULL
    )
    assert done.returncode == 0


def test_a_broken_calibration_of_ones_own_is_told_and_the_shipped_one_is_used(home: Path) -> None:
    assert found(home, "Promises").level == "good"
    path = home / "engine" / "calibration.json"
    path.write_text("half a fi")
    told = found(home, "Promises")
    assert told.level == "care"
    assert str(path) in told.words
    assert "came with Tailor is used" in told.words
    assert str(path) in told.fix


def test_measured_runs_that_cannot_be_read_are_counted(home: Path) -> None:
    path = home / "engine" / "measured_runs.jsonl"
    path.write_text("nonsense\nmore of it\n")
    told = found(home, "Promises")
    assert told.level == "care"
    assert "2 lines" in told.words
