"""A warm server for traces: `python -m tailor.engine.worker.trace FOLDER`.

Loading torch and its family takes longer than a trace, so they are loaded once and each question
gets a fork of its own, which is watched and ended at its limits. The engine puts `ask-<n>.json`
into the folder and finds `answer-<n>.json` there. Started by `engine/tracing.py` through
`engine/child.py`.
"""

import os
import signal
import sys
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil
from pydantic import TypeAdapter

from tailor.engine.child import Report, serve_child
from tailor.engine.json_file import write_bytes
from tailor.estimator.trace import TraceRequest, TraceResult

IDLE_SECONDS = 900.0
LOOK_EVERY_SECONDS = 0.02

_REQUEST = TypeAdapter(TraceRequest)
_RESULT = TypeAdapter(TraceResult)
Follow = Callable[[TraceRequest], TraceResult]


def serve(request: Any, report: Report) -> dict[str, str]:
    """Load, answer what is asked, and leave when nobody asks any more."""
    folder = Path(sys.argv[1])
    report(0.0, "Loading the libraries.")
    from tailor.engine.worker.trace.tracer import trace
    from tailor.engine.worker.trace.warm_up import load_all

    load_all()
    (folder / "ready").touch()
    report(1.0, "Ready.")
    answer_all(folder, trace, request["seconds"], request["resident_bytes"])
    return {}


def answer_all(folder: Path, follow: Follow, seconds: float, resident_bytes: int) -> None:
    """Answer one question after the other until nobody has asked for a while."""
    answered: set[str] = set()
    last = time.monotonic()
    while time.monotonic() - last < IDLE_SECONDS and folder.exists():
        fresh = [path for path in folder.glob("ask-*.json") if path.name not in answered]
        for path in sorted(fresh, key=_number):
            answered.add(path.name)
            _answer(path, follow, seconds, resident_bytes)
            last = time.monotonic()
        time.sleep(LOOK_EVERY_SECONDS)


def _answer(path: Path, follow: Follow, seconds: float, resident_bytes: int) -> None:
    """Let a fork answer; what ends it is the answer where it has none itself."""
    answer = path.with_name(f"answer-{_number(path)}.json")
    sys.stdout.flush()
    sys.stderr.flush()
    pid = os.fork()
    if pid == 0:
        _work(path, answer, follow)
    reason = _watch(pid, seconds, resident_bytes)
    if reason:
        refused = TraceResult(ok=False, reason=reason)
        write_bytes(answer, _RESULT.dump_json(refused))


def _work(path: Path, answer: Path, follow: Follow) -> None:
    """In the fork: trace, write, and end without running anything of the parent's."""
    code = 1
    try:
        told = follow(_REQUEST.validate_json(path.read_bytes()))
        write_bytes(answer, _RESULT.dump_json(told))
        code = 0
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(code)


def _watch(pid: int, seconds: float, resident_bytes: int) -> str:
    """Wait for a fork; why it has no answer, empty when it has one."""
    begun, process = time.monotonic(), psutil.Process(pid)
    while True:
        found, status = os.waitpid(pid, os.WNOHANG)
        if found:
            return "" if os.waitstatus_to_exitcode(status) == 0 else "The check broke off."
        if time.monotonic() - begun > seconds:
            _end(pid)
            return f"The check took longer than {seconds:.0f} seconds and was stopped."
        if process.memory_info().rss > resident_bytes:
            _end(pid)
            return f"The check needed more than {resident_bytes / 2**30:.0f} GiB and was stopped."
        time.sleep(LOOK_EVERY_SECONDS)


def _end(pid: int) -> None:
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)


def _number(path: Path) -> int:
    return int(path.stem.removeprefix("ask-"))


if __name__ == "__main__":
    serve_child(serve)
