"""Jobs: what takes longer than an answer may (rendering, fetching, exporting, answering).

A page cannot wait minutes for one request, so such a verb starts a job and the caller asks for it
until it is done. One thread polls what runs; the routes start jobs and read them. A job does not
outlive its engine, and says so.
"""

import json
import logging
import shutil
import signal
import threading
import time
import uuid
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, Protocol

from pydantic import ValidationError

from tailor.engine.errors import UserError
from tailor.engine.findings import Problem
from tailor.engine.json_file import read_json, write_json
from tailor.engine.machine.process import identify, read_boot_id, signal_group
from tailor.engine.types import Job, ProcessId
from tailor.estimator.record import record

logger = logging.getLogger(__name__)

POLL_EVERY_SECONDS = 0.1
KEEP_SECONDS = 7 * 24 * 3600.0
"""Finished jobs are removed a week later, at an engine start."""

JobKind = Literal["render", "fetch_model", "export", "answer", "trace"]

_DOING: dict[JobKind, str] = {
    "render": "this example was being prepared",
    "fetch_model": "the model was being fetched",
    "export": "the model was being packed",
    "answer": "the model was answering",
    "trace": "a plan was being checked exactly",
}


class Work(Protocol):
    """Something that runs elsewhere: a `Child`, or a question to the speaker."""

    def progress(self) -> tuple[float, str]:
        """Share done and the last sentence."""

    def poll(self) -> Any | None:
        """The answer as plain JSON data, None while it works. Raises `UserError`."""

    def kill(self) -> None:
        """End it at once."""

    @property
    def pid(self) -> int | None:
        """The process that works and leads its own group, for an engine that comes later."""


@record
class StoredJob:
    """`job.json` in the job's folder."""

    schema: int = 1
    job: Job
    process: ProcessId | None
    ended_at: float | None = None


class Jobs:
    """All jobs of one engine."""

    def __init__(self, folder: Path) -> None:
        """`folder` keeps one folder a job; jobs of an earlier engine are closed here."""
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._folder = folder
        self._lock = threading.Lock()
        self._changed = threading.Condition(self._lock)
        self._starting = threading.Lock()
        self._running: dict[str, tuple[StoredJob, Work]] = {}
        self._is_closed = False
        for path in sorted(folder.iterdir()):
            self._settle(path)
        self._thread = threading.Thread(target=self._watch, name="jobs", daemon=True)
        self._thread.start()

    def start(
        self, kind: JobKind, owner: str, begin: Callable[[Path], Work], *, key: str = ""
    ) -> Job:
        """Start a job; `begin` gets the job's folder and starts the work.

        When the owner's job of this kind and `key` is under way already, that one is the answer.
        """
        with self._starting:
            same = self._find(kind, owner, key) if key else None
            if same is not None:
                return same
            job_id = f"job_{uuid.uuid4().hex}"
            job = Job(id=job_id, owner=owner, kind=kind, status="running", key=key)
            folder = self._folder / job.id
            folder.mkdir(mode=0o700)
            work = begin(folder)
            process = None if work.pid is None else identify(work.pid)
            stored = StoredJob(job=job, process=process)
            write_json(folder / "job.json", stored)
            with self._changed:
                self._running[job.id] = (stored, work)
                self._changed.notify_all()
        return job

    def running(self, owner: str) -> tuple[Job, ...]:
        """What is under way for this owner, so that a page opened anew can go on showing it."""
        with self._lock:
            found = [pair for pair in self._running.values() if pair[0].job.owner == owner]
        return tuple(_with_progress(stored.job, work) for stored, work in found)

    def get(self, job_id: str, owner: str) -> Job:
        """One job of this owner, with its progress."""
        with self._lock:
            found = self._running.get(job_id)
        path = self._folder / job_id / "job.json"
        if found is not None:
            job = _with_progress(found[0].job, found[1])
        elif path.exists():
            job = read_json(path, StoredJob).job
        else:
            raise _unknown_job()
        if job.owner != owner:
            raise _unknown_job()
        return job

    def close(self) -> None:
        """End what still runs; the next engine tells its owners."""
        with self._changed:
            self._is_closed = True
            running = list(self._running.values())
            self._changed.notify_all()
        self._thread.join()
        for _, work in running:
            work.kill()

    def _find(self, kind: JobKind, owner: str, key: str) -> Job | None:
        with self._lock:
            for stored, _ in self._running.values():
                if (stored.job.kind, stored.job.owner, stored.job.key) == (kind, owner, key):
                    return stored.job
        return None

    def _watch(self) -> None:
        """Poll what runs until the engine closes."""
        while True:
            with self._changed:
                while not self._running and not self._is_closed:
                    self._changed.wait()
                if self._is_closed:
                    return
                running = list(self._running.values())
            for stored, work in running:
                self._poll(stored, work)
            time.sleep(POLL_EVERY_SECONDS)

    def _poll(self, stored: StoredJob, work: Work) -> None:
        try:
            answer = work.poll()
        except UserError as error:
            problem = Problem(title=error.title, detail=error.detail, fix=error.fix)
            self._finish(stored, replace(stored.job, status="failed", problem=problem))
        except Exception:
            logger.exception("job %s broke", stored.job.id)
            problem = Problem(
                title="This did not work, and the fault is ours",
                detail=f"It is noted in the engine's log under {stored.job.id}.",
                fix="Try it once more. If it happens again, please report it with that id.",
            )
            self._finish(stored, replace(stored.job, status="failed", problem=problem))
        else:
            if answer is not None:
                done = replace(stored.job, status="done", done=1.0, answer=json.dumps(answer))
                self._finish(stored, done)

    def _finish(self, stored: StoredJob, job: Job) -> None:
        path = self._folder / job.id / "job.json"
        write_json(path, replace(stored, job=job, ended_at=time.time()))
        with self._lock:
            del self._running[job.id]

    def _settle(self, path: Path) -> None:
        """Close a job of an engine that is gone, or remove one that ended long ago."""
        try:
            stored = read_json(path / "job.json", StoredJob)
        except (FileNotFoundError, NotADirectoryError, ValidationError):
            logger.warning("removed a job folder that cannot be read: %s", path.name)
            shutil.rmtree(path, ignore_errors=True)
            return
        if stored.job.status != "running":
            if time.time() - (stored.ended_at or 0.0) > KEEP_SECONDS:
                shutil.rmtree(path)
            return
        if stored.process is not None:
            signal_group(stored.process, read_boot_id(), signal.SIGKILL)
        problem = Problem(
            title=f"The engine was restarted while {_DOING[stored.job.kind]}",
            detail="What it had done so far was dropped. Nothing of yours was changed.",
            fix="Try it again.",
        )
        job = replace(stored.job, status="failed", problem=problem)
        write_json(path / "job.json", replace(stored, job=job, ended_at=time.time()))


def _with_progress(job: Job, work: Work) -> Job:
    done, words = work.progress()
    return replace(job, done=done, words=words)


def _unknown_job() -> UserError:
    return UserError(
        title="This job is not known",
        detail="It belongs to somebody else, or it ended more than a week ago.",
        fix="Start it again from its page.",
        status=404,
    )
