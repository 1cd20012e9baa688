"""The shim: stands between the engine and the worker so that either may die without the other.

`python -m tailor.engine.shim RUN_DIR ATTEMPT [WORKER_MODULE]` takes the run's locks, starts the
worker, enforces stop deadlines, keeps the log small and writes `exit.json` last of all. It loads
the standard library and psutil only: what is not loaded cannot fail. The engine starts it and never
waits for it.
"""

import json
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, replace
from pathlib import Path
from types import FrameType

from tailor.engine.launch import build_worker_command, build_worker_environment
from tailor.engine.machine.file_lock import take_lock
from tailor.engine.machine.oom import count_memory_kills
from tailor.engine.machine.process import identify, read_boot_id
from tailor.engine.machine.whole_file import write_bytes
from tailor.engine.run_dir import EXIT_BUSY, AttemptDir, Exit, RunDir, Shim, StopRequest
from tailor.engine.runs.log_cap import cap_log
from tailor.engine.runs.stop_deadline import StopDeadline

LOOK_EVERY_SECONDS = 0.5
WAIT_FOR_ROOM_SECONDS = 60.0
WORKER_OOM_SCORE = 500
"""The kernel then ends a trainer rather than the engine or the desktop (proc(5), oom_score_adj)."""

WORKER_NICENESS = 10
"""Training takes what is left over: on a computer with two cores the wizard must still answer."""


def main(arguments: list[str]) -> int:
    """Detach, run one attempt, and say how it ended."""
    run_dir = RunDir(Path(arguments[0]))
    number = int(arguments[1])
    attempt = run_dir.attempt(number)
    os.chdir(run_dir.path)
    if os.fork() > 0:
        # The engine waits for this first half only, so it never has the shim as its child: adopting
        # a shim after a restart and owning it from the start are then the same thing.
        return 0
    os.setsid()
    own_lock = take_lock(attempt.shim_lock)
    if own_lock is None or attempt.exit.exists():
        # Another shim has this attempt or had it; whatever it says counts.
        return EXIT_BUSY
    work_lock = take_lock(run_dir.work_lock)
    if work_lock is None:
        _write(attempt.exit, _exit(EXIT_BUSY, 0, "Another attempt of this run still works."))
        return EXIT_BUSY
    _run(run_dir, number, arguments[2], work_lock)
    return 0


def _run(run_dir: RunDir, number: int, module: str, work_lock: int) -> None:
    """Start the worker, stay with it, write down its end."""
    attempt = run_dir.attempt(number)
    boot_id = read_boot_id()
    shim = Shim(process=identify(os.getpid()), boot_id=boot_id)
    _write(attempt.shim, shim)
    signal.signal(signal.SIGTERM, _stop_handler(run_dir))
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    kills_before = count_memory_kills()
    worker = _start_worker(run_dir, number, module, work_lock)
    _write_patiently(attempt.shim, replace(shim, worker=identify(worker.pid)))
    code = _wait(run_dir, attempt, worker)
    kills = max(0, count_memory_kills() - kills_before)
    _write_patiently(attempt.exit, _exit(code, kills, ""))


def _start_worker(
    run_dir: RunDir, number: int, module: str, work_lock: int
) -> "subprocess.Popen[bytes]":
    log = os.open(run_dir.attempt(number).log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    worker = subprocess.Popen(
        build_worker_command(run_dir, number, module),
        stdin=subprocess.DEVNULL,
        stdout=log,
        stderr=log,
        cwd=run_dir.path,
        env=build_worker_environment(run_dir),
        pass_fds=(work_lock,),
        start_new_session=True,
    )
    os.close(log)
    os.setpriority(os.PRIO_PROCESS, worker.pid, WORKER_NICENESS)
    score = Path(f"/proc/{worker.pid}/oom_score_adj")
    if score.exists():
        score.write_text(str(WORKER_OOM_SCORE), "ascii")
    return worker


def _wait(run_dir: RunDir, attempt: AttemptDir, worker: "subprocess.Popen[bytes]") -> int:
    """Look after the worker until it has ended; answers its exit code."""
    deadline = StopDeadline(run_dir, attempt)
    while True:
        try:
            code = worker.wait(timeout=LOOK_EVERY_SECONDS)
        except subprocess.TimeoutExpired:
            due = deadline.next_signal(time.monotonic())
            if due is not None:
                os.killpg(worker.pid, due)
            with suppress(OSError):
                # A log that cannot be cut, as on a full disk, is no reason to leave the worker.
                cap_log(attempt.log)
        else:
            with suppress(ProcessLookupError):
                # Helpers of a dead worker would keep its memory and its lock.
                os.killpg(worker.pid, signal.SIGKILL)
            return code


def _stop_handler(run_dir: RunDir) -> Callable[[int, FrameType | None], None]:
    def ask_to_stop(_number: int, _frame: FrameType | None) -> None:
        if not run_dir.stop.exists():
            run_dir.stop.parent.mkdir(exist_ok=True)
            request = StopRequest(
                mode="keep", reason="The computer is shutting down.", who="this computer"
            )
            _write(run_dir.stop, request)

    return ask_to_stop


def _exit(code: int, kills: int, words: str) -> Exit:
    return Exit(code=code, ended_at=time.time(), out_of_memory_kills=kills, words=words)


def _write_patiently(path: Path, noun: Shim | Exit) -> None:
    """Write, and on a full disk wait a while for room: the worker is there or was, and it counts.

    In vain is no loss: the engine then goes by the locks and by the worker's own last event.
    """
    deadline = time.monotonic() + WAIT_FOR_ROOM_SECONDS
    while True:
        try:
            return _write(path, noun)
        except OSError as error:
            if time.monotonic() > deadline:
                sys.stderr.write(f"{path.name} could not be written: {error}\n")
                return None
            time.sleep(LOOK_EVERY_SECONDS)


def _write(path: Path, noun: Shim | Exit | StopRequest) -> None:
    write_bytes(path, json.dumps(asdict(noun)).encode())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
