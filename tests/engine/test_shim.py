import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import psutil
import pytest
from small_runs import let_go, make_spec, plan_small, wait_for, worker_pids

from tailor.engine.json_file import read_json, write_json
from tailor.engine.launch import start_shim
from tailor.engine.machine.file_lock import is_held, take_lock
from tailor.engine.machine.oom import count_memory_kills
from tailor.engine.machine.process import identify, is_alive, read_boot_id, signal_group
from tailor.engine.run_dir import (
    EXIT_BUSY,
    EXIT_NOT_STARTED,
    EXIT_STOPPED_SAVED,
    Attempt,
    Exit,
    RunDir,
    Shim,
    StopRequest,
)
from tailor.engine.runs.log_cap import cap_log
from tailor.engine.runs.log_page import read_log_page
from tailor.engine.runs.stop_deadline import KILL_AFTER_SECONDS, StopDeadline
from tailor.engine.schedulers.local import LocalScheduler
from tailor.engine.types import FrozenRun, ProcessId


def make_run(run_home: Path, **knobs: object) -> RunDir:
    run_dir = RunDir(run_home / "runs" / "run_20261130-test")
    for name in ("control", "attempts/001", "checkpoints"):
        (run_dir.path / name).mkdir(parents=True)
    spec = make_spec(**knobs)
    planned = plan_small(spec, None, None)  # type: ignore[arg-type]
    frozen = FrozenRun(
        id=run_dir.id, spec=spec, plan=planned.plan, estimate=planned.estimate, owner="anna",
        created_at=0.0, versions=(),
    )  # fmt: skip
    write_json(run_dir.frozen, frozen)
    return run_dir


def launch(run_dir: RunDir) -> None:
    LocalScheduler("small_worker").launch(run_dir, Attempt(number=1))


def ending(run_dir: RunDir) -> Exit:
    path = run_dir.attempt(1).exit
    wait_for(path.exists, "exit.json")
    return read_json(path, Exit)


def test_an_attempt_leaves_its_exit_and_frees_its_locks(run_home: Path) -> None:
    run_dir = make_run(run_home, steps=3)
    launch(run_dir)
    assert ending(run_dir).code == 0
    shim = read_json(run_dir.attempt(1).shim, Shim)
    assert shim.worker is not None
    assert shim.worker.pid == worker_pids(run_dir)[0]
    wait_for(lambda: not is_held(run_dir.work_lock), "the work lock")
    state = LocalScheduler().state(run_dir, 1)
    assert (state.is_over, state.is_working) == (True, False)


def test_the_worker_has_no_token_no_hub_and_an_empty_home(
    run_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_TOKEN", "hf_secret")
    run_dir = make_run(run_home, steps=500, hold_at=1)
    launch(run_dir)
    wait_for(lambda: worker_pids(run_dir), "the worker")
    (pid,) = worker_pids(run_dir)
    environment = psutil.Process(pid).environ()
    assert "HF_TOKEN" not in environment
    assert environment["HF_HUB_OFFLINE"] == "1"
    assert environment["PYTHONSAFEPATH"] == "1"
    assert list(Path(environment["HOME"]).iterdir()) == []
    assert Path(f"/proc/{pid}/oom_score_adj").read_text().strip() == "500"
    assert os.getsid(pid) == pid
    os.kill(pid, signal.SIGKILL)
    assert ending(run_dir).code == -signal.SIGKILL


def test_the_shim_loads_no_library_but_psutil() -> None:
    code = (
        "import sys, tailor.engine.shim; print([m for m in sys.modules if m.split('.')[0] in "
        "('pydantic', 'httpx', 'torch', 'sqlite3', 'numpy')])"
    )
    told = subprocess.run(
        [sys.executable, "-P", "-c", code], capture_output=True, text=True, check=True
    )
    assert told.stdout.strip() == "[]"


def test_a_second_shim_of_the_same_attempt_does_nothing(run_home: Path) -> None:
    run_dir = make_run(run_home, steps=20, hold_at=1)
    launch(run_dir)
    wait_for(lambda: worker_pids(run_dir), "the worker")
    before = run_dir.attempt(1).shim.read_bytes()
    assert start_shim(run_dir, 1, "small_worker").wait() == 0
    let_go(run_dir)
    assert ending(run_dir).code == 0
    assert len(worker_pids(run_dir)) == 1
    assert run_dir.attempt(1).shim.read_bytes() == before


def test_a_shim_that_comes_after_the_end_does_nothing(run_home: Path) -> None:
    run_dir = make_run(run_home, steps=3)
    assert LocalScheduler().give_up(run_dir, 1)
    assert start_shim(run_dir, 1, "small_worker").wait() == 0
    wait_for(lambda: not is_held(run_dir.attempt(1).shim_lock), "the late shim")
    assert worker_pids(run_dir) == []


def test_a_shim_that_cannot_start_is_called_off(
    run_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (run_home / "psutil.py").write_text("raise ImportError('a broken installation')")
    monkeypatch.setenv("PYTHONPATH", str(run_home))
    run_dir = make_run(run_home, steps=3)
    launch(run_dir)
    assert ending(run_dir).code == EXIT_NOT_STARTED
    assert "a broken installation" in run_dir.attempt(1).shim_log.read_text()


def test_while_the_work_lock_is_held_no_second_worker_starts(run_home: Path) -> None:
    run_dir = make_run(run_home, steps=3)
    held = take_lock(run_dir.work_lock)
    assert held is not None
    launch(run_dir)
    assert ending(run_dir).code == EXIT_BUSY
    assert worker_pids(run_dir) == []
    os.close(held)


def test_a_stop_before_training_ends_the_worker_at_once(run_home: Path) -> None:
    run_dir = make_run(run_home, steps=3, slow_start=600)
    launch(run_dir)
    wait_for(lambda: worker_pids(run_dir), "the worker")
    write_json(run_dir.stop, StopRequest(mode="keep", reason="A test.", who="You"))
    assert ending(run_dir).code == -signal.SIGTERM


def test_a_worker_that_does_not_stop_is_ended_at_the_deadline(run_home: Path) -> None:
    run_dir = make_run(run_home, steps=100_000, deaf_to="keep")
    launch(run_dir)
    wait_for(run_dir.attempt(1).training.exists, "the first step")
    request = StopRequest(mode="keep", reason="A test.", who="You", deadline_seconds=0.3)
    write_json(run_dir.stop, request)
    assert ending(run_dir).code == -signal.SIGTERM


def test_sigterm_to_the_shim_saves_the_run(run_home: Path) -> None:
    run_dir = make_run(run_home, steps=100_000)
    launch(run_dir)
    wait_for(run_dir.attempt(1).training.exists, "the first step")
    os.kill(read_json(run_dir.attempt(1).shim, Shim).process.pid, signal.SIGTERM)
    assert ending(run_dir).code == EXIT_STOPPED_SAVED
    assert json.loads(run_dir.stop.read_bytes())["mode"] == "keep"


def test_each_signal_of_a_stop_comes_once_and_in_time(run_home: Path) -> None:
    run_dir = make_run(run_home)
    deadline = StopDeadline(run_dir, run_dir.attempt(1))
    run_dir.attempt(1).training.touch()
    assert deadline.next_signal(0.0) is None
    request = StopRequest(mode="keep", reason="A test.", who="You", deadline_seconds=120.0)
    write_json(run_dir.stop, request)
    assert deadline.next_signal(1000.0) is None
    assert deadline.next_signal(1119.0) is None
    assert deadline.next_signal(1120.0) == signal.SIGTERM
    assert deadline.next_signal(1121.0) is None
    assert deadline.next_signal(1120.0 + KILL_AFTER_SECONDS) == signal.SIGKILL
    assert deadline.next_signal(2000.0) is None


def test_the_kernel_frees_the_lock_when_its_last_holder_dies(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    lock = take_lock(path)
    assert lock is not None
    heir = subprocess.Popen(["sleep", "600"], pass_fds=(lock,))
    os.close(lock)
    assert is_held(path)
    assert take_lock(path) is None
    heir.kill()
    heir.wait()
    assert not is_held(path)


def test_asking_who_holds_a_lock_never_takes_it_from_a_taker(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    path.touch()
    is_done = threading.Event()
    asker = threading.Thread(target=lambda: [is_held(path) for _ in iter(is_done.is_set, True)])
    asker.start()
    try:
        for _ in range(200):
            lock = take_lock(path)
            assert lock is not None
            os.close(lock)
    finally:
        is_done.set()
        asker.join()


def test_a_process_is_known_by_birth_and_a_zombie_is_dead() -> None:
    boot = read_boot_id()
    child = subprocess.Popen(["sleep", "600"], start_new_session=True)
    process = identify(child.pid)
    assert is_alive(process, boot)
    assert not is_alive(process, "another boot")
    assert not is_alive(ProcessId(pid=child.pid, create_time=process.create_time - 1), boot)
    assert signal_group(process, boot, signal.SIGKILL)
    wait_for(lambda: psutil.Process(child.pid).status() == psutil.STATUS_ZOMBIE, "the zombie")
    assert not is_alive(process, boot)
    child.wait()
    assert not is_alive(process, boot)
    assert not signal_group(process, boot, signal.SIGKILL)


def test_a_long_log_keeps_its_beginning_and_its_end(tmp_path: Path) -> None:
    path = tmp_path / "worker.log"
    with path.open("ab", buffering=0) as writer:
        for number in range(1000):
            writer.write(f"line {number}\n".encode())
        assert not cap_log(path, 1 << 20)
        assert cap_log(path, 4000)
        writer.write(b"after\n")
    text = path.read_text()
    assert text.startswith("line 0\nline 1\n")
    assert "bytes were left out here" in text
    assert text.endswith("line 999\nafter\n")
    assert len(text) < 4000


def test_a_log_is_paged_without_cutting_characters_and_with_secrets_masked(tmp_path: Path) -> None:
    run_dir = RunDir(tmp_path)
    log = run_dir.attempt(1).log
    log.parent.mkdir(parents=True)
    text = "".join(f"Zeile {number}: schön, hf_{'a' * 30}\n" for number in range(3000))
    log.write_text(text, "utf-8")
    offset, pieces = 0, []
    while (page := read_log_page(run_dir, 1, offset)).text:
        offset = page.next_offset
        pieces.append(page.text)
    assert len(pieces) > 1
    assert "".join(pieces) == text.replace("hf_" + "a" * 30, "***")
    assert read_log_page(run_dir, 1, 10**9).text.startswith("Zeile 0")
    assert read_log_page(run_dir, 2, 0).text == ""


def test_memory_kills_are_counted_where_the_kernel_counts_them() -> None:
    assert count_memory_kills() >= 0
