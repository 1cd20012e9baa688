"""Exact traces for the engine: asked for by a plan, made by a warm server, kept on disk.

A trace takes seconds and is the same every time, so an answer is kept under the versions, the model
and the step that it is about. Whatever goes wrong is an answer too ("not ok", with the reason): the
formulas then speak alone. The route asks; `engine/worker/trace` does the work.
"""

import json
import logging
import shutil
import signal
import threading
import time
import uuid
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from tailor.engine.child import Child, Limits
from tailor.engine.json_file import read_json, write_json
from tailor.engine.machine.process import identify, read_boot_id, signal_group
from tailor.engine.machine.whole_file import write_bytes
from tailor.engine.types import ProcessId
from tailor.engine.worker.trace.versions import read_versions
from tailor.estimator.trace import TraceRequest, TraceResult, compute_key

logger = logging.getLogger(__name__)

MODULE = "tailor.engine.worker.trace"
TRACE_SECONDS = 60.0
TRACE_RESIDENT_BYTES = 4 * 2**30
LOADING_SECONDS = 120.0
"""For the libraries on a slow disk, beside the trace itself."""
ENVIRONMENT = {
    "HF_HUB_OFFLINE": "1",
    # One thread: a trace computes nothing, and whoever trains here wants the cores.
    "OMP_NUM_THREADS": "1",
    # A trace is about a card and needs none.
    "CUDA_VISIBLE_DEVICES": "",
    "HIP_VISIBLE_DEVICES": "",
}

_REQUEST = TypeAdapter(TraceRequest)
_RESULT = TypeAdapter(TraceResult)


class Tracing:
    """The answers of this home, and one server for those that are missing."""

    def __init__(
        self,
        home: Path,
        *,
        module: str = MODULE,
        seconds: float = TRACE_SECONDS,
        resident_bytes: int = TRACE_RESIDENT_BYTES,
    ) -> None:
        """A server of an earlier engine is ended here."""
        self._kept = home / "traces"
        self._folder = home / "tracer"
        self._module = module
        self._limits = {"seconds": seconds, "resident_bytes": resident_bytes}
        self._lock = threading.Lock()
        self._child: Child | None = None
        self._asked = 0
        for path in self._folder.glob("*/process.json"):
            signal_group(read_json(path, ProcessId), read_boot_id(), signal.SIGKILL)
        shutil.rmtree(self._folder, ignore_errors=True)
        self._folder.mkdir(parents=True, mode=0o700)

    def ask(self, request: TraceRequest) -> "TraceQuestion":
        """Ask for a trace; a kept answer is there at once."""
        key = compute_key(request, read_versions())
        return TraceQuestion(self, request, key, self._read(key))

    def refuse(self, reason: str) -> "TraceQuestion":
        """An answer without a trace."""
        return TraceQuestion(self, None, "", TraceResult(ok=False, reason=reason))

    def warm(self) -> None:
        """Load the libraries now, so that the first trace need not wait for them."""
        with self._lock:
            self._living_child()

    def put(self, request: TraceRequest) -> tuple[Child, int]:
        """Hand a question to the server: it, and the question's number."""
        with self._lock:
            child = self._living_child()
            self._asked += 1
            write_bytes(child.folder / f"ask-{self._asked}.json", _REQUEST.dump_json(request))
            return child, self._asked

    def keep(self, key: str, told: TraceResult) -> None:
        """Keep an answer. Without one there is nothing to keep: another try may be luckier."""
        if told.ok:
            self._kept.mkdir(exist_ok=True, mode=0o700)
            write_json(self._kept / f"{key}.json", told)

    def drop(self, child: Child) -> None:
        """End a server that does not answer."""
        with self._lock:
            child.kill()
            if self._child is child:
                self._child = None

    def close(self) -> None:
        """End the server."""
        with self._lock:
            if self._child is not None:
                self._child.kill()
                self._child = None

    @property
    def patience_seconds(self) -> float:
        """How long an answer is waited for, loading included."""
        return LOADING_SECONDS + self._limits["seconds"]

    def _read(self, key: str) -> TraceResult | None:
        path = self._kept / f"{key}.json"
        try:
            return read_json(path, TraceResult)
        except FileNotFoundError:
            return None
        except (OSError, ValidationError):
            logger.warning("a kept trace cannot be read and is made anew: %s", path.name)
            return None

    def _living_child(self) -> Child:
        if self._child is None or not self._child.is_alive():
            if self._child is not None:
                shutil.rmtree(self._child.folder, ignore_errors=True)
            self._child = Child(
                self._module,
                self._folder / uuid.uuid4().hex,
                self._limits,
                Limits(seconds=float("inf")),
                environment=ENVIRONMENT,
            )
            write_json(self._child.folder / "process.json", identify(self._child.pid))
        return self._child


class TraceQuestion:
    """One question on its way; `Jobs` polls it."""

    def __init__(
        self,
        tracing: Tracing,
        request: TraceRequest | None,
        key: str,
        known: TraceResult | None,
    ) -> None:
        """Ask at once, unless the answer is known."""
        self._tracing = tracing
        self._request = request
        self._key = key
        self._known = known
        self._deaths = 0
        self._started = time.monotonic()
        self._asked: tuple[Child, int] | None = None
        if known is None and request is not None:
            self._asked = tracing.put(request)

    @property
    def pid(self) -> None:
        """No process of its own: the server is looked after by `Tracing`."""

    def progress(self) -> tuple[float, str]:
        """What the person sees while waiting."""
        if self._asked is not None and not (self._asked[0].folder / "ready").exists():
            return 0.0, "Loading the libraries. This is needed once."
        return 0.0, "Following one real step of your plan, without numbers."

    def poll(self) -> Any | None:
        """The answer as JSON data, None while it is worked on. Never raises for a bad end."""
        if self._known is None and self._asked is not None:
            self._known = self._look(*self._asked)
        return None if self._known is None else _RESULT.dump_python(self._known, mode="json")

    def kill(self) -> None:
        """Nobody waits any more; the server goes on or ends with the engine."""

    def _look(self, child: Child, number: int) -> TraceResult | None:
        # Asked before the file is looked at: a server may answer and end in between.
        is_alive = child.is_alive()
        answer = child.folder / f"answer-{number}.json"
        if answer.exists():
            told: TraceResult = _RESULT.validate_python(json.loads(answer.read_bytes()))
            self._tracing.keep(self._key, told)
            return told
        if time.monotonic() - self._started > self._tracing.patience_seconds:
            self._tracing.drop(child)
            return TraceResult(ok=False, reason="The check did not answer in time.")
        if not is_alive:
            return self._ask_again()
        return None

    def _ask_again(self) -> TraceResult | None:
        # Once is no fault: an idle server ends by itself and may just have done so.
        self._deaths += 1
        if self._deaths > 1 or self._request is None:
            return TraceResult(ok=False, reason="The check ended twice without an answer.")
        self._asked = self._tracing.put(self._request)
        return None
