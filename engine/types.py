"""What the engine's API speaks: runs, drafts, data, models and jobs, as frozen nouns.

The engine makes them, the client returns them, the wizard shows them. Every one survives a JSON
round trip and refuses unknown keys.
"""

from typing import Literal

from tailor.estimator.estimate import Estimate
from tailor.estimator.record import record
from tailor.recipes.spec import (
    DatasetSpec,
    ExamQuestion,
    Goal,
    Message,
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
class Finding:
    """A check's result: nothing is raised, the person decides."""

    level: Literal["stop", "warn", "note"]
    title: str
    detail: str
    fix: str
    where: str = ""
    """Rows, file or setting that it speaks of."""


@record
class Problem:
    """A `UserError` as data: why something could not be done."""

    title: str
    detail: str
    fix: str


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
    mapping: "Mapping | None" = None
    """Columns as the person has them now; the dataset keeps what was confirmed."""


@record
class FileRecord:
    """An uploaded original. It is never changed."""

    id: str
    name: str
    """The person's name for it: a label, never a path."""
    bytes: int
    sha256: str


@record
class Mapping:
    """Which columns are what. For `chat` data `messages` names the column of turns."""

    shape: Literal["chat", "question_answer", "text"]
    question: str = ""
    answer: str = ""
    context: str = ""
    """Optional column put before the question."""
    system: str = ""
    """Optional column with standing instructions."""
    messages: str = ""
    text: str = ""
    instruction: str = ""
    """The same standing instruction for every row, typed by the person; empty means none."""


@record
class ShapeGuess:
    """One reading of the table, with its reason."""

    mapping: Mapping
    confidence: float
    why: str


@record
class DataRow:
    """One row as it was read. Everything is text."""

    id: int
    cells: tuple[str, ...]
    origin: str
    """Where it stands, such as "line 17"."""
    split: Literal["train", "held_out", ""] = ""


@record
class Conversation:
    """A finished example: what the model will be shown and asked to answer."""

    row_id: int
    messages: tuple[Message, ...]
    text: str = ""
    """For raw text rows; then `messages` is empty."""


@record
class DatasetRecord:
    """A table on its way to becoming training data."""

    id: str
    owner: str
    title: str
    """Name of the file it came from."""
    status: Literal["reading", "ready", "failed"]
    progress: str = ""
    problem: Problem | None = None
    version: int = 0
    found: str = ""
    """What was found, one sentence: "Semicolons, UTF-8, 10 columns, 21,692 rows."."""
    columns: tuple[str, ...] = ()
    rows: int = 0
    guesses: tuple[ShapeGuess, ...] = ()
    """Best first."""
    mapping: Mapping | None = None
    """None until the person said yes to a finished example."""
    findings: tuple[Finding, ...] = ()
    train_rows: int = 0
    held_out_rows: int = 0
    left_out_rows: int = 0
    exam: tuple[ExamQuestion, ...] = ()
    """Ten held-out rows picked for spread, once mapped."""


@record
class Span:
    """A piece of a rendered example."""

    text: str
    kind: Literal["read", "learned", "end", "cut"]


@record
class RenderedExample:
    """A row exactly as the model will read it. The spans join to the text."""

    which: Literal["typical", "longest", "strangest"]
    row_id: int
    spans: tuple[Span, ...]
    read_tokens: int
    learned_tokens: int


@record
class RenderReport:
    """What the model will read, by its own tokenizer and template."""

    model_id: str
    dataset_id: str
    version: int
    max_length_tokens: int
    examples: tuple[RenderedExample, ...]
    spec: DatasetSpec
    """The frozen rows that a run would use."""
    cut_rows: int
    """Training rows longer than the limit, after which nothing is read."""
    findings: tuple[Finding, ...]


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
    kind: Literal["render", "fetch_model", "export", "answer"]
    status: Literal["running", "done", "failed"]
    done: float = 0.0
    """Share of the work, 0 to 1; stays 0 when it cannot be known."""
    words: str = ""
    problem: Problem | None = None
    answer: str = ""
    """JSON of the kind's answer type, once done."""


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
