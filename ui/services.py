"""What pages need from outside: the engine in the caller's name, this computer, the upload inbox.

Handlers take one `Services` and nothing global, so that tests hand in a folder and an engine of
their own. It keeps no state that matters: everything is in the engine.
"""

import secrets
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from pydantic import TypeAdapter

from tailor.engine.client import EngineClient
from tailor.engine.data_types import DatasetRecord, RenderReport
from tailor.engine.errors import UserError
from tailor.engine.machine.unix_user import read_unix_user
from tailor.engine.settings import Settings
from tailor.engine.types import Draft, Job
from tailor.estimator.calibration import Calibration
from tailor.estimator.hardware import HardwareSpec
from tailor.recipes.spec import RunSpec
from tailor.ui.remembered_jobs import RememberedJobs

T = TypeVar("T")
Connect = Callable[[Path, str], EngineClient]

REPORT: TypeAdapter[RenderReport] = TypeAdapter(RenderReport)

KEPT_SECONDS = 5.0
"""How long a reading of this computer, or of its prices, is used again before it is read anew."""


def connect(home: Path, owner: str) -> EngineClient:
    """The real engine's client."""
    return EngineClient(home, owner=owner)


class Services:
    """The door from pages to the engine."""

    def __init__(self, home: Path, connect: Connect = connect) -> None:
        """`connect` is given by tests that bring an engine of their own."""
        self.home = home
        self._connect = connect
        self._engines: dict[str, EngineClient] = {}
        self._lock = threading.Lock()
        self._jobs = RememberedJobs()
        self._names: dict[str, str] = {}
        self.kept_choices: dict[tuple[str, str], tuple[int, tuple[tuple[str, str], ...]]] = {}
        self.kept_plans: dict[str, tuple[Any, Any]] = {}
        """For each owner what was asked last about plans beside the chosen one, and the answer."""
        self.choices_made: Counter[tuple[str, str]] = Counter()
        """How often a plan was promised anew, by owner and draft: late work tells by it that it was
        overtaken."""
        self._readings: dict[str, tuple[float, Any]] = {}

    def engine(self, owner: str) -> EngineClient:
        """The engine, spoken to in the name of `owner`."""
        with self._lock:
            if owner not in self._engines:
                self._engines[owner] = self._connect(self.home, owner)
            return self._engines[owner]

    def hardware(self) -> HardwareSpec:
        """This computer, at most a few seconds old."""
        return self._kept("hardware", lambda: self.engine("").devices())

    def calibration(self) -> Calibration:
        """What the runs of this computer have taught, at most a few seconds old."""
        return self._kept("calibration", lambda: self.engine("").calibration())

    def settings(self, owner: str) -> Settings:
        """The owner's prices, at most a few seconds old: another tab may have changed them."""
        return self._kept(f"settings {owner}", lambda: self.engine(owner).settings())

    def keep_settings(self, owner: str, settings: Settings) -> Settings:
        """Keep prices; refused in words when one makes no sense."""
        kept = self.engine(owner).save_settings(settings)
        self._readings[f"settings {owner}"] = (time.monotonic(), kept)
        return kept

    def model_name(self, owner: str, model_id: str) -> str:
        """What people call a model; a name never changes, so it is asked for once."""
        if model_id not in self._names:
            models = self.engine(owner).models()
            self._names.update({model.id: model.name for model in models})
        return self._names.get(model_id, model_id)

    def inbox(self, owner: str) -> Path:
        """Where uploads are put for the engine to take over."""
        folder = self.home / "data" / (owner or read_unix_user()) / "inbox"
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        return folder

    def render(
        self,
        owner: str,
        dataset: DatasetRecord,
        model_id: str,
        *,
        max_length_tokens: int = 0,
        added_words: tuple[str, ...] = (),
        is_anew: bool = False,
    ) -> Job:
        """The job that reads a dataset with a model's tokenizer; started once a version."""
        engine = self.engine(owner)
        question = (
            "render", owner, dataset.id, str(dataset.version), model_id, str(max_length_tokens),
            *added_words,
        )  # fmt: skip
        if is_anew:
            self._jobs.forget(question)
        return self._jobs.ask(
            engine,
            question,
            lambda: engine.render(
                dataset.id, model_id, max_length_tokens=max_length_tokens, added_words=added_words
            ),
        )

    def fetch_model(
        self, owner: str, source: str, value: str = "", *, is_anew: bool = False
    ) -> Job:
        """The job that brings a model to this computer; started once."""
        engine = self.engine(owner)
        question = ("fetch", owner, source, value)
        if is_anew:
            self._jobs.forget(question)
        return self._jobs.ask(
            engine, question, lambda: engine.add_model(source=source, value=value)
        )

    def trace(self, owner: str, plan_key: str, spec: RunSpec) -> Job:
        """The job that follows one step of a plan exactly; started once for a plan."""
        engine = self.engine(owner)
        return self._jobs.ask(engine, ("trace", owner, plan_key), lambda: engine.trace(spec))

    def traced(self, owner: str, plan_key: str) -> Job | None:
        """That job, if it was asked for."""
        return self._jobs.find(self.engine(owner), ("trace", owner, plan_key))

    def forget_choices(self, owner: str, draft_id: str) -> None:
        """What was chosen so far changed without the draft, such as how many rows are used."""
        self.kept_choices.pop((owner, draft_id), None)

    def follow_fetch(self, owner: str, source: str, value: str, job: Job) -> None:
        """A fetch that was begun elsewhere or before a restart; `fetch_model` answers with it."""
        self._jobs.remember(("fetch", owner, source, value), job)

    def forget_readings(self) -> None:
        """Read this computer and its prices anew at the next question."""
        self._readings.clear()

    def _kept(self, name: str, read: Callable[[], T]) -> T:
        """A reading that is used again for a few seconds."""
        now = time.monotonic()
        kept = self._readings.get(name)
        if kept is None or now - kept[0] > KEPT_SECONDS:
            kept = self._readings[name] = (now, read())
        told: T = kept[1]
        return told

    def draft(self, owner: str, draft_id: str) -> Draft:
        """A draft; one that was never saved is empty, not an error."""
        try:
            return self.engine(owner).draft(draft_id)
        except UserError as problem:
            if problem.status != 404:
                raise
            return Draft(id=draft_id, owner=owner)

    def edit_draft(self, owner: str, draft_id: str, **changes: Any) -> Draft:
        """Change fields of a draft and save it."""
        return self.save(owner, replace(self.draft(owner, draft_id), **changes))

    def save(self, owner: str, draft: Draft) -> Draft:
        """Save a draft; raises when another tab was faster."""
        return self.engine(owner).save_draft(draft)

    def draft_of_run(self, owner: str, run_id: str) -> Draft:
        """The draft that a run was started from, showing that run; rebuilt when it is gone."""
        run = self.engine(owner).run(run_id)
        draft_id = run.spec.draft_id or run_id
        draft = self.draft(owner, draft_id)
        if draft.revision == 0:
            rebuilt = replace(
                draft,
                title=run.title,
                goal=run.spec.goal,
                dataset_id=run.spec.dataset.id,
                model_id=run.spec.model.id,
                recipe=run.spec.recipe,
                knobs=run.spec.knobs,
                run_id=run_id,
                step=RUN_STEP,
            )
            draft = self.save(owner, rebuilt)
        return replace(draft, run_id=run_id)


def read_report(job: Job) -> RenderReport | None:
    """The report of a reading job; None while it works, its `UserError` when it failed."""
    if job.problem is not None:
        raise UserError.of(job.problem)
    return REPORT.validate_json(job.answer) if job.status == "done" else None


RUN_STEP = 5
"""The screen that shows a run."""


def fresh_draft_id() -> str:
    """An id for a new draft; it is nobody's until it is saved."""
    return secrets.token_hex(8)
