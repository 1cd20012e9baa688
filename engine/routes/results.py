"""The verbs of a finished run: talk to the model, pack it, list what was packed.

All of them need torch, which the engine never loads, so each starts a job: a warm speaker for a
chat, a child for an export.
"""

from pathlib import Path
from typing import Annotated, Literal

from fastapi import APIRouter, Response
from pydantic import Field

from tailor.engine.child import Child, Limits
from tailor.engine.errors import UserError
from tailor.engine.exports import list_exports
from tailor.engine.http.answer import answer
from tailor.engine.http.caller import EngineParts, Id, Owner
from tailor.engine.http.once import WriteOnce
from tailor.engine.parts import Parts
from tailor.engine.run_dir import RunDir
from tailor.engine.types import ExportRecord, Job, RunRecord
from tailor.estimator.record import record
from tailor.recipes.spec import Message

ROUTER = APIRouter(prefix="/v1", tags=["results"])

EXPORT_SECONDS = 3600.0
CHAT_TOKENS = 256
"""A chat answer may be as long as an exam answer, and at least this long."""


@record
class Chat:
    """Body of answer: the conversation so far, the person's turn last."""

    messages: Annotated[tuple[Message, ...], Field(min_length=1, max_length=64)]


@record
class ExportOrder:
    """Body of export."""

    kind: Literal["adapter", "merged"]


@ROUTER.post("/runs/{run_id}/answer", response_model=Job)
def ask_models(run_id: Id, body: Chat, write: WriteOnce, parts: EngineParts) -> Response:
    """Ask the model before and after training; the job's answer is a `ChatAnswer`."""

    def ask() -> Job:
        run, run_dir = _finished(parts, write.owner, run_id)
        tokens = max(CHAT_TOKENS, run.plan.max_new_tokens)
        return parts.jobs.start(
            "answer",
            write.owner,
            lambda _: parts.speaker.ask(run_dir.path, body.messages, max_new_tokens=tokens),
        )

    return write.once(Job, ask)


@ROUTER.post("/runs/{run_id}/export", response_model=Job)
def export_run(run_id: Id, body: ExportOrder, write: WriteOnce, parts: EngineParts) -> Response:
    """Make something to take along; the job's answer is an `ExportRecord`."""

    def export() -> Job:
        _, run_dir = _finished(parts, write.owner, run_id)
        request = {"run_dir": str(run_dir.path), "kind": body.kind}
        return parts.jobs.start(
            "export",
            write.owner,
            lambda folder: Child(
                "tailor.engine.worker.export",
                folder,
                request,
                Limits(seconds=EXPORT_SECONDS),
                environment={"HF_HUB_OFFLINE": "1"},
                crash=_export_crash(),
            ),
            key=f"{run_id} {body.kind}",
        )

    return write.once(Job, export)


@ROUTER.get("/runs/{run_id}/exports", response_model=tuple[ExportRecord, ...])
def show_exports(run_id: Id, parts: EngineParts, owner: Owner) -> Response:
    """What can be taken along now."""
    run = parts.supervisor.get(run_id, owner)
    return answer(tuple[ExportRecord, ...], list_exports(run, RunDir(Path(run.folder))))


def _finished(parts: Parts, owner: str, run_id: str) -> tuple[RunRecord, RunDir]:
    run = parts.supervisor.get(run_id, owner)
    run_dir = RunDir(Path(run.folder))
    if not run_dir.final.is_dir():
        raise UserError(
            title="There is no finished model yet",
            detail=f"This run is not done: {run.reason}",
            fix="Wait until it is done, or resume it.",
            status=409,
        )
    return run, run_dir


def _export_crash() -> UserError:
    return UserError(
        title="The model could not be packed",
        detail="The program that packs it ended without a word, most often for want of memory.",
        fix="Close other programs that use much memory and try again. Your model is unharmed.",
    )
