"""The verbs of files and datasets: take over, read, look at, map, render.

Reading a stranger's file happens in a limited child, never here. The data library does the work;
this file names the verbs and starts the render job.
"""

from typing import Annotated, Any

from fastapi import APIRouter, Query, Response
from pydantic import Field, TypeAdapter

from tailor.engine.child import Child, Limits
from tailor.engine.data_types import Conversation, DataRow, DatasetRecord, FileRecord, Mapping
from tailor.engine.errors import UserError
from tailor.engine.http.answer import answer
from tailor.engine.http.caller import EngineParts, Id, Owner
from tailor.engine.http.once import WriteOnce
from tailor.engine.types import Job
from tailor.estimator.record import record
from tailor.recipes.spec import ModelSpec

ROUTER = APIRouter(prefix="/v1", tags=["data"])

RENDER_SECONDS = 900.0

Name = Annotated[str, Field(min_length=1, max_length=300)]


@record
class FileBody:
    """Body of add_file."""

    inbox_id: Name
    name: Name


@record
class DatasetBody:
    """Body of add_dataset."""

    file_ids: Annotated[tuple[Name, ...], Field(min_length=1, max_length=20)]
    choices: tuple[tuple[str, str], ...] = ()


@record
class ExampleBody:
    """Body of add_example."""

    example: Name = "maintenance"


@record
class MappingBody:
    """Body of preview and mapping."""

    mapping: Mapping


@record
class RenderOrder:
    """Body of render."""

    model_id: Name
    max_length_tokens: Annotated[int, Field(ge=0, le=1_000_000)] = 0
    added_words: Annotated[tuple[Name, ...], Field(max_length=1_000)] = ()


@ROUTER.post("/files", response_model=FileRecord)
def add_file(body: FileBody, write: WriteOnce, parts: EngineParts) -> Response:
    """Take over a file that the caller put into the inbox folder under a fresh uuid."""
    return write.once(
        FileRecord, lambda: parts.data.add_file(write.owner, body.inbox_id, body.name)
    )


@ROUTER.post("/datasets", response_model=DatasetRecord)
def add_dataset(body: DatasetBody, write: WriteOnce, parts: EngineParts) -> Response:
    """Read a file; ask for the dataset until it is ready."""
    return write.once(DatasetRecord, lambda: parts.data.add_dataset(write.owner, body.file_ids))


@ROUTER.post("/datasets/example", response_model=DatasetRecord)
def add_example(body: ExampleBody, write: WriteOnce, parts: EngineParts) -> Response:
    """The built-in example as a dataset, mapped already."""
    return write.once(DatasetRecord, lambda: parts.data.add_example(write.owner, body.example))


@ROUTER.get("/datasets/{dataset_id}", response_model=DatasetRecord)
def show_dataset(dataset_id: Id, parts: EngineParts, owner: Owner) -> Response:
    """One dataset."""
    return answer(DatasetRecord, parts.data.dataset(owner, dataset_id))


@ROUTER.get("/datasets/{dataset_id}/rows", response_model=tuple[DataRow, ...])
def list_rows(
    dataset_id: Id,
    parts: EngineParts,
    owner: Owner,
    offset: Annotated[int, Query(ge=0)] = 0,
    limit: Annotated[int, Query(ge=1, le=500)] = 20,
) -> Response:
    """Rows as they were read; cells are cut at 2,000 characters."""
    return answer(tuple[DataRow, ...], parts.data.rows(owner, dataset_id, offset, limit))


@ROUTER.post("/datasets/{dataset_id}/preview", response_model=tuple[Conversation, ...])
def preview_mapping(
    dataset_id: Id, body: MappingBody, parts: EngineParts, owner: Owner
) -> Response:
    """Three finished conversations under a mapping; nothing is stored."""
    found = parts.data.preview(owner, dataset_id, body.mapping)
    return answer(tuple[Conversation, ...], found)


@ROUTER.post("/datasets/{dataset_id}/mapping", response_model=DatasetRecord)
def map_dataset(
    dataset_id: Id, body: MappingBody, write: WriteOnce, parts: EngineParts
) -> Response:
    """The person said yes: keep the mapping, check the rows, split, pick the exam."""
    return write.once(DatasetRecord, lambda: parts.data.map(write.owner, dataset_id, body.mapping))


@ROUTER.post("/datasets/{dataset_id}/render", response_model=Job)
def render_dataset(
    dataset_id: Id, body: RenderOrder, write: WriteOnce, parts: EngineParts
) -> Response:
    """What a model will read; the job's answer is a `RenderReport`."""

    def render() -> Job:
        model = parts.models.get(body.model_id)
        if model.spec is None:
            raise UserError(
                title="This model is not on your computer yet",
                detail=f"{model.name} has to be fetched before it can read your examples.",
                fix="Fetch it on the Model screen.",
                status=409,
            )
        request: dict[str, Any] = {
            "dataset": parts.data.render_request(write.owner, dataset_id),
            "model": TypeAdapter(ModelSpec).dump_python(model.spec, mode="json"),
            "max_length_tokens": body.max_length_tokens,
        }
        return parts.jobs.start(
            "render",
            write.owner,
            lambda folder: Child(
                "tailor.engine.worker.render",
                folder,
                request,
                Limits(seconds=RENDER_SECONDS),
                environment={"HF_HUB_OFFLINE": "1"},
                crash=_render_crash(),
            ),
            key=TypeAdapter(dict[str, Any]).dump_json(request).decode(),
        )

    return write.once(Job, render)


def _render_crash() -> UserError:
    return UserError(
        title="Your examples could not be prepared for this model",
        detail="The program that prepares them ended unexpectedly, most often for want of memory.",
        fix="Close other programs that use much memory and try again. Your data is unchanged.",
    )
