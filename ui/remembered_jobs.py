"""Jobs that several screens wait for, started once: reading rows with a model, fetching a model.

Check and Plan need the same report, and a page that is opened again must find the job it started
before. Only ids are kept, for as long as this process lives; the engine keeps the jobs themselves.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable

from tailor.engine.client import EngineClient
from tailor.engine.errors import UserError
from tailor.engine.types import Job

MOST_REMEMBERED = 200

Question = tuple[str, ...]
"""What a job answers, such as ("render", owner, dataset, version, model)."""


class RememberedJobs:
    """Which job answers which question."""

    def __init__(self) -> None:
        """Nothing is remembered yet."""
        self._ids: OrderedDict[Question, str] = OrderedDict()
        self._lock = threading.Lock()

    def ask(self, engine: EngineClient, question: Question, start: Callable[[], Job]) -> Job:
        """The job of a question as it stands now; started when there is none."""
        with self._lock:
            job_id = self._ids.get(question)
            if job_id is None:
                return self._remember(question, start())
        try:
            return engine.job(job_id)
        except UserError as problem:
            if problem.status != 404:
                raise
        with self._lock:
            return self._remember(question, start())

    def find(self, engine: EngineClient, question: Question) -> Job | None:
        """The job of a question as it stands now; None when it was never asked or is gone."""
        with self._lock:
            job_id = self._ids.get(question)
        if job_id is None:
            return None
        try:
            return engine.job(job_id)
        except UserError as problem:
            if problem.status != 404:
                raise
            return None

    def remember(self, question: Question, job: Job) -> None:
        """A job that was found under way answers this question from now on."""
        with self._lock:
            self._remember(question, job)

    def forget(self, question: Question) -> None:
        """Let the next `ask` start anew, after a failure."""
        with self._lock:
            self._ids.pop(question, None)

    def _remember(self, question: Question, job: Job) -> Job:
        self._ids[question] = job.id
        while len(self._ids) > MOST_REMEMBERED:
            self._ids.popitem(last=False)
        return job
