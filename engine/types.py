"""What the engine's API speaks: runs, drafts, models and jobs, as frozen nouns.

The engine makes them, the client returns them, the wizard shows them. Every one survives a JSON
round trip and refuses unknown keys.
"""

from typing import Literal

from tailor.engine.data_types import Mapping
from tailor.engine.findings import Finding, Problem
from tailor.estimator.estimate import Estimate, Provenance
from tailor.estimator.record import record
from tailor.recipes.spec import (
    ExamQuestion,
    Goal,
    ModelSpec,
    RunSpec,
    TrainPlan,
)

Status = Literal[
    "queued", "leasing", "starting", "running", "stopping", "finishing",
    "stopped", "succeeded", "failed", "retry_wait", "lost",
]  # fmt: skip
FINAL: frozenset[Status] = frozenset({"stopped", "succeeded", "failed", "lost"})


@record
class ProcessId:
    """A process that cannot be taken for another one: pids are used again, pairs are not."""

    pid: int
    create_time: float


@record
class Progress:
    """How far a run is."""

    phase: str = ""
    """Name of the current `Phase`."""
    words: str = ""
    step: int = 0
    steps: int = 0
    seconds_left_low: float | None = None
    """None before the speed is known."""
    seconds_left_high: float | None = None
    forecast: Provenance = "closed_form"
    """What the time left comes from: "live" once the run's own steps tell it."""
    loss_train: float | None = None
    loss_held_out: float | None = None
    best_step: int | None = None
    """Step with the lowest held-out loss; that version is kept."""
    tokens_per_second: float | None = None
    resident_bytes: int | None = None


@record
class Result:
    """What a finished run has proven, from its `Proof` and `Measured` events."""

    score_before: float
    score_after: float
    held_out_before: float | None
    held_out_after: float | None
    answers_changed: int
    answers: int
    seconds: float
    peak_bytes: int
    folder: str
    """The finished model on disk."""


@record
class RunRecord:
    """One run, as the engine knows it."""

    id: str
    owner: str
    title: str
    status: Status
    reason: str
    """The status in one plain sentence: what happened, why, what was kept."""
    fix: str = ""
    """What the person can do now, one sentence; empty when nothing is needed."""
    failure: str = ""
    """Kind of failure, such as "host_oom"; empty when nothing failed."""
    spec: RunSpec
    plan: TrainPlan
    estimate: Estimate
    attempt: int = 0
    is_resumable: bool = False
    """Whether a sealed checkpoint is there to go on from."""
    created_at: float
    started_at: float | None = None
    ended_at: float | None = None
    position: int | None = None
    """Place in the queue, 1 is next; None when not queued."""
    progress: Progress
    result: Result | None = None
    folder: str = ""


@record
class DiaryLine:
    """One line of a run's diary, newest last: transitions, milestones and warnings in order."""

    at: float
    words: str
    level: Literal["note", "care"]


@record
class Trace:
    """One line of a chart."""

    name: str
    """Metric name, such as "loss/train"."""
    steps: tuple[int, ...]
    values: tuple[float, ...]


@record
class Mark:
    """Something to point at in a chart."""

    step: int
    kind: Literal["best", "checkpoint", "attempt"]
    words: str


@record
class Series:
    """The curves of a run, from Aim. `unchanged` when nothing is newer than the caller's cursor."""

    cursor: int
    unchanged: bool = False
    source: Literal["aim", "events"] = "aim"
    traces: tuple[Trace, ...] = ()
    marks: tuple[Mark, ...] = ()


@record
class LogPage:
    """A piece of the worker's log, secrets masked."""

    text: str
    next_offset: int


@record
class Draft:
    """A project that is being set up, saved at every change. `revision` tells two tabs apart."""

    id: str
    owner: str = ""
    revision: int = 0
    updated_at: float = 0.0
    title: str = ""
    goal: Goal = "answer"
    wish: str = ""
    """What the model should get better at, in the person's words."""
    dataset_id: str = ""
    model_id: str = ""
    recipe: str = "sft_lora"
    knobs: tuple[tuple[str, str], ...] = ()
    own_questions: tuple[ExamQuestion, ...] = ()
    run_id: str = ""
    """The last run that was started from it."""
    step: int = 0
    """Screen on which the person left, 0 is Goal."""
    mapping: Mapping | None = None
    """Columns as the person has them now; the dataset keeps what was confirmed."""
    added_words: tuple[str, ...] = ()
    """Words of the trade that become tokens of their own."""


@record
class ModelRecord:
    """A model that the wizard can offer."""

    id: str
    spec: ModelSpec | None
    """None until it is on disk."""
    name: str
    is_ready: bool
    words: str
    """One line about it."""
    download_bytes: int = 0
    findings: tuple[Finding, ...] = ()


@record
class Job:
    """Something that takes a while: reading, rendering, fetching, exporting, answering."""

    id: str
    owner: str
    kind: Literal["render", "fetch_model", "export", "answer", "trace"]
    status: Literal["running", "done", "failed"]
    done: float = 0.0
    """Share of the work, 0 to 1; stays 0 when it cannot be known."""
    words: str = ""
    problem: Problem | None = None
    answer: str = ""
    """JSON of the kind's answer type, once done."""
    key: str = ""
    """What it works on, such as "run_20261130-kfpa merged"; the same is begun once at a time."""


@record
class ChatAnswer:
    """The same question to the untouched and to the tuned model."""

    base: str
    tuned: str
    adapter_hash: str


@record
class ExportRecord:
    """Something to take along."""

    run_id: str
    kind: Literal["adapter", "merged"]
    path: str
    bytes: int
    words: str


@record
class Health:
    """The engine about itself."""

    version: str
    home: str
    pid: int
    tracker: str
    """"aim 3.29.1", or why charts come from the event log."""
    disk_free_bytes: int


@record
class FrozenRun:
    """`run.json`: spec, plan and estimate as frozen on submit. Never rewritten."""

    schema: int = 1
    id: str
    spec: RunSpec
    plan: TrainPlan
    estimate: Estimate
    owner: str
    created_at: float
    versions: tuple[tuple[str, str], ...]
