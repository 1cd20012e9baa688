"""The verbs of models: what is on the shelf, and bringing one more.

Looking into a model's folder is plain reading; bringing one takes minutes and loads libraries, so a
child does it as a job.
"""

from typing import Annotated, Literal

from fastapi import APIRouter, Response
from pydantic import Field

from tailor.engine.child import Child, Limits
from tailor.engine.errors import UserError
from tailor.engine.http.answer import answer
from tailor.engine.http.caller import EngineParts, Owner
from tailor.engine.http.once import WriteOnce
from tailor.engine.types import Job, ModelRecord
from tailor.estimator.record import record

ROUTER = APIRouter(prefix="/v1", tags=["models"])

FETCH_SECONDS = 12 * 3600.0


@record
class ModelBody:
    """Body of add_model."""

    source: Literal["starter", "folder", "hub"]
    value: Annotated[str, Field(max_length=4096)] = ""
    """A folder's path or a hub name; empty for the starter model."""


@ROUTER.get("/models", response_model=tuple[ModelRecord, ...])
def list_models(parts: EngineParts, _: Owner) -> Response:
    """Models on this computer, and the starter model even before it is here."""
    return answer(tuple[ModelRecord, ...], parts.models.list())


@ROUTER.post("/models", response_model=Job)
def add_model(body: ModelBody, write: WriteOnce, parts: EngineParts) -> Response:
    """Bring a model; the job's answer is a `ModelRecord`."""

    def fetch() -> Job:
        request = {
            "source": body.source,
            "value": body.value,
            "models_folder": str(parts.home / "models"),
        }
        return parts.jobs.start(
            "fetch_model",
            write.owner,
            lambda folder: Child(
                "tailor.engine.models.fetch",
                folder,
                request,
                Limits(seconds=FETCH_SECONDS),
                crash=_fetch_crash(),
            ),
            key=f"{body.source} {body.value}",
        )

    return write.once(Job, fetch)


def _fetch_crash() -> UserError:
    return UserError(
        title="The model could not be brought here",
        detail="The program that fetches it ended without a word, most often for want of memory.",
        fix="Check that the disk has room and try again.",
    )
