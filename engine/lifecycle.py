"""What can happen to a run, and what it then is: one pure function from record and fact to record.

A run's status is what every screen, queue and restart decides by, so it changes in one place only
and an unforeseen pair raises instead of inventing a state. The supervisor finds the facts, writes
them to the journal and the store; rebuilding an index folds the same function over the journal.
"""

from dataclasses import replace
from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from tailor.engine.types import FrozenRun, Progress, Result, RunRecord, Status
from tailor.estimator.record import record


@record
class Submitted:
    """A person pressed Start and the run folder is on disk."""

    kind: Literal["submitted"] = "submitted"
    at: float
    request: str = ""
    """Idempotency id of the request that started it."""
    request_hash: str = ""


@record
class TurnCame:
    """The run is first in the queue and what it needs is free."""

    kind: Literal["turn_came"] = "turn_came"
    at: float
    attempt: int
    resume_from: str = ""


@record
class ShimStarted:
    """The shim of the current attempt was started."""

    kind: Literal["shim_started"] = "shim_started"
    at: float


@record
class WorkerBegan:
    """The worker wrote its first event."""

    kind: Literal["worker_began"] = "worker_began"
    at: float


@record
class FinishBegan:
    """Training is over; the saved model is being proven."""

    kind: Literal["finish_began"] = "finish_began"
    at: float


@record
class StopAsked:
    """Somebody wants the run to stop."""

    kind: Literal["stop_asked"] = "stop_asked"
    at: float
    mode: Literal["keep", "discard"]
    who: str


@record
class Succeeded:
    """The worker proved its result and ended."""

    kind: Literal["succeeded"] = "succeeded"
    at: float
    result: Result


@record
class Stopped:
    """The attempt ended because somebody wanted it to."""

    kind: Literal["stopped"] = "stopped"
    at: float
    words: str
    fix: str
    is_resumable: bool


@record
class Failed:
    """The attempt ended and nobody wanted it to."""

    kind: Literal["failed"] = "failed"
    at: float
    failure: str
    words: str
    fix: str
    is_resumable: bool


@record
class SentBack:
    """What the attempt needs turned out to be taken; the run keeps its place in the queue."""

    kind: Literal["sent_back"] = "sent_back"
    at: float
    words: str


@record
class ResumeAsked:
    """A person wants the run to go on from a sealed checkpoint."""

    kind: Literal["resume_asked"] = "resume_asked"
    at: float
    checkpoint: str
    """Folder name of the checkpoint, verified just before."""
    words: str


@record
class RetryPlanned:
    """The failure can heal; the run waits and then queues again by itself."""

    kind: Literal["retry_planned"] = "retry_planned"
    at: float
    words: str


@record
class RetryDue:
    """The wait before a retry is over."""

    kind: Literal["retry_due"] = "retry_due"
    at: float


@record
class FolderLost:
    """The run's folder is gone."""

    kind: Literal["folder_lost"] = "folder_lost"
    at: float


@record
class Noted:
    """Something for the diary that changes no status."""

    kind: Literal["noted"] = "noted"
    at: float
    words: str
    level: Literal["note", "care"] = "note"


Fact = Annotated[
    Submitted | TurnCame | ShimStarted | WorkerBegan | FinishBegan | StopAsked | Succeeded
    | Stopped | Failed | SentBack | ResumeAsked | RetryPlanned | RetryDue | FolderLost | Noted,
    Field(discriminator="kind"),
]  # fmt: skip

FACT: TypeAdapter[Fact] = TypeAdapter(Fact)
"""Reads and writes one fact as JSON."""

ALIVE: frozenset[Status] = frozenset({"starting", "running", "stopping", "finishing"})
"""A worker is or may be there."""

ALL: tuple[Status, ...] = (
    "queued", "leasing", "starting", "running", "stopping", "finishing",
    "stopped", "succeeded", "failed", "retry_wait", "lost",
)  # fmt: skip


def _all_to(target: Status, *sources: Status) -> dict[Status, Status]:
    return dict.fromkeys(sources, target)


TARGETS: dict[str, dict[Status, Status]] = {
    "submitted": _all_to("queued", "queued"),
    "turn_came": _all_to("leasing", "queued"),
    "shim_started": _all_to("starting", "leasing"),
    "worker_began": _all_to("running", "starting") | _all_to("stopping", "stopping"),
    "finish_began": _all_to("finishing", "running") | _all_to("stopping", "stopping"),
    "stop_asked": _all_to("stopped", "queued", "leasing", "retry_wait")
    | _all_to("stopping", "starting", "running", "finishing", "stopping"),
    "succeeded": _all_to("succeeded", "running", "stopping", "finishing"),
    "stopped": _all_to("stopped", *ALIVE),
    "failed": _all_to("failed", "leasing", *ALIVE),
    "sent_back": _all_to("queued", "leasing", "starting"),
    "resume_asked": _all_to("queued", "stopped", "failed"),
    "retry_planned": _all_to("retry_wait", "starting", "running", "finishing"),
    "retry_due": _all_to("queued", "retry_wait"),
    "folder_lost": _all_to("lost", *(status for status in ALL if status != "lost")),
    "noted": {status: status for status in ALL},
}
"""By kind of fact: from which status to which. A pair that is not here is a bug."""


class IllegalTransitionError(Exception):
    """A fact came that cannot happen in this status."""


def first_record(frozen: FrozenRun, folder: str) -> RunRecord:
    """The record of a run that was just frozen to disk."""
    return RunRecord(
        id=frozen.id,
        owner=frozen.owner,
        title=frozen.spec.title,
        status="queued",
        reason="It waits for its turn.",
        spec=frozen.spec,
        plan=frozen.plan,
        estimate=frozen.estimate,
        created_at=frozen.created_at,
        progress=Progress(steps=frozen.plan.steps),
        folder=folder,
    )


def advance(record: RunRecord, fact: Fact) -> RunRecord:
    """The record after `fact`; raises `IllegalTransitionError` for a pair that cannot be."""
    target = TARGETS[fact.kind].get(record.status)
    if target is None:
        raise IllegalTransitionError(f"{record.id}: {fact.kind} while {record.status}")
    moved = replace(record, status=target)
    match fact:
        case TurnCame():
            moved = replace(
                moved,
                attempt=fact.attempt,
                reason="It is about to start.",
                started_at=record.started_at or fact.at,
            )
        case StopAsked():
            moved = _stop(record, moved, fact)
        case Succeeded():
            words = "It is finished, and the saved model is proven."
            ended = _ended(moved, fact.at, words, "")
            moved = replace(ended, result=fact.result, is_resumable=False)
        case Stopped():
            ended = _ended(moved, fact.at, fact.words, fact.fix)
            moved = replace(ended, is_resumable=fact.is_resumable)
        case Failed():
            ended = _ended(moved, fact.at, fact.words, fact.fix)
            moved = replace(ended, failure=fact.failure, is_resumable=fact.is_resumable)
        case ResumeAsked():
            moved = replace(_waiting(moved, fact.words), ended_at=None)
        case SentBack() | RetryPlanned():
            moved = _waiting(moved, fact.words)
        case FolderLost():
            moved = _lost(moved, fact.at)
        case Submitted() | RetryDue() | ShimStarted() | WorkerBegan() | FinishBegan():
            moved = replace(moved, reason=_ROUTINE_WORDS.get(moved.status, moved.reason))
        case Noted():
            # A diary line and nothing else.
            pass
    return moved


_ROUTINE_WORDS: dict[Status, str] = {
    "queued": "It waits for its turn.",
    "starting": "It is starting.",
    "running": "It is training.",
    "finishing": "Training is over; the saved model is being checked.",
}


def _stop(record: RunRecord, moved: RunRecord, fact: StopAsked) -> RunRecord:
    if record.status == "stopping":
        return moved
    if moved.status == "stopping":
        is_keeping = fact.mode == "keep"
        words = "It finishes its step, saves and stops." if is_keeping else "It is stopping now."
        return replace(moved, reason=words)
    fix = "Resume it whenever you like." if record.is_resumable else "Start it again from its plan."
    return _ended(moved, fact.at, "It was stopped while it waited, so nothing was lost.", fix)


def _ended(moved: RunRecord, at: float, words: str, fix: str) -> RunRecord:
    return replace(moved, ended_at=at, reason=words, fix=fix, failure="")


def _waiting(moved: RunRecord, words: str) -> RunRecord:
    return replace(moved, reason=words, fix="", failure="")


def _lost(moved: RunRecord, at: float) -> RunRecord:
    words = f"Its folder is gone, so nothing of it is left on this computer: {moved.folder}"
    fix = "Put the folder back if you moved it and start the app again, or delete the run."
    return replace(_ended(moved, at, words, fix), is_resumable=False)
