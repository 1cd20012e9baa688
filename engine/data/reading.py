"""Children at work on datasets: started, watched, ended in time, and their results put in place.

A file may take a minute, a click may not. Each piece of work has a thread that waits for its turn
and for its child, so a run-away child is ended even when nobody asks for it. Used by the library.
"""

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from tailor.engine.child import Child, Limits
from tailor.engine.data.request import MODULE, Request
from tailor.engine.errors import UserError
from tailor.engine.machine.full_disk import full_disk_in_words

AT_ONCE = 2
"""Children at the same time: each may take 2 GiB."""
POLL_SECONDS = 0.05

Done = Callable[[Path, Any, UserError | None], None]
"""Gets the child's folder and its answer, or its problem. Runs in the work's own thread."""


class Work:
    """One child's work, from waiting for its turn to its result in place."""

    def __init__(self, thread: threading.Thread) -> None:
        self.thread = thread
        self.child: Child | None = None

    def progress(self) -> tuple[float, str]:
        """Share done and one sentence."""
        if self.child is None:
            return 0.0, "Waiting for another file."
        return self.child.progress()


class ReadingRoom:
    """The children of one library."""

    def __init__(self) -> None:
        self._turns = threading.Semaphore(AT_ONCE)
        self._works: dict[str, Work] = {}
        self._lock = threading.Lock()
        self._is_closed = False

    def start(self, key: str, folder: Path, request: Request, limits: Limits, done: Done) -> Work:
        """Begin a piece of work for a dataset; `done` is called once, then it is forgotten."""
        thread = threading.Thread(
            target=self._run, args=(key, folder, request, limits, done), daemon=True, name=key
        )
        work = Work(thread)
        with self._lock:
            self._works[key] = work
        thread.start()
        return work

    def find(self, key: str) -> Work | None:
        """The work that is going on for a dataset."""
        with self._lock:
            return self._works.get(key)

    def close(self) -> None:
        """End all children; what they were reading is begun anew next time."""
        self._is_closed = True
        with self._lock:
            works = list(self._works.values())
        for work in works:
            work.thread.join()

    def _run(self, key: str, folder: Path, request: Request, limits: Limits, done: Done) -> None:
        try:
            with self._turns:
                answer, problem = self._answer(key, folder, request, limits)
            if not self._is_closed:
                done(folder, answer, problem)
        finally:
            with self._lock:
                del self._works[key]

    def _answer(
        self, key: str, folder: Path, request: Request, limits: Limits
    ) -> tuple[Any, UserError | None]:
        if self._is_closed:
            return None, None
        plain = TypeAdapter(Request).dump_python(request, mode="json")
        try:
            with full_disk_in_words(folder.parent, "Your file is unchanged."):
                child = Child(MODULE, folder, plain, limits)
        except UserError as problem:
            return None, problem
        except OSError as error:
            return None, _not_started(error)
        self._works[key].child = child
        try:
            while (answer := child.poll()) is None:
                if self._is_closed:
                    child.kill()
                    return None, None
                time.sleep(POLL_SECONDS)
        except UserError as problem:
            return None, problem
        return answer, None


def _not_started(error: OSError) -> UserError:
    return UserError(
        title="Reading could not begin",
        detail=f"The computer did not let Tailor start a process: {error.strerror}.",
        fix="Close other programs and try again.",
        status=503,
    )
