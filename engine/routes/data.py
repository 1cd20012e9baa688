"""The verbs of files and datasets: take over, read, look at, map, mend, mix, render.

Reading a stranger's file happens in a limited child, never here. The data library does the work;
this file names the verbs and starts the render job.
"""

from typing import Annotated, Any

from fastapi import APIRouter, Query, Response
from pydantic import Field, TypeAdapter

from tailor.engine.child import Child, Limits
from tailor.engine.data_types import (
    Conversation,
    DataRow,
    DatasetRecord,
    FileRecord,
    Mapping,
    Mixing,
)
from tailor.engine.errors import UserError
from tailor.engine.http.answer import answer
from tailor.engine.http.caller import EngineParts, Id, Owner
from tailor.engine.http.once import WriteOnce
from tailor.engine.types import Job
from tailor.estimator.hardware import HardwareSpec
from tailor.estimator.record import record
from tailor.recipes.spec import ModelSpec

ROUTER = APIRouter(prefix="/v1", tags=["data"])

RENDER_SECONDS = 900.0

Name = Annotated[str, Field(min_length=1, max_length=300)]
ReadingChoice = tuple[Name, Annotated[str, Field(max_length=500_000)]]
"""Id and value; the names of ticked members of an archive may be many."""


@record
class FileBody:
    """Body of add_file."""

    inbox_id: Name
    name: Name


@record
class DatasetBody:
    """Body of add_dataset."""

    file_ids: Annotated[tuple[Name, ...], Field(min_length=1, max_length=20)]
    choices: Annotated[tuple[ReadingChoice, ...], Field(max_length=20)] = ()


@record
class ExampleBody:
    """Body of add_example."""

    example: Name = "maintenance"


@record
class MappingBody:
    """Body of preview and mapping."""

    mapping: Mapping


@record
class RereadBody:
    """Body of reread."""

    choices: Annotated[tuple[ReadingChoice, ...], Field(max_length=20)] = ()


@record
class FixBody:
    """Body of fixes."""

    check: Name
    fix: Name
    value: Annotated[str, Field(max_length=1_000_000)] = ""


@record
class SkipBody:
    """Body of skips."""

    check: Name
    is_skipped: bool = True


@record
class CheckBody:
    """Body of checks."""

    check: Name


@record
class MixBody:
    """Body of mixing."""

    mixing: Mixing


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
    """Read files as one table; ask for the dataset until it is ready."""
    return write.once(
        DatasetRecord,
        lambda: parts.data.add_dataset(write.owner, body.file_ids, body.choices),
    )


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


@ROUTER.post("/datasets/{dataset_id}/reread", response_model=DatasetRecord)
def reread_dataset(
    dataset_id: Id, body: RereadBody, write: WriteOnce, parts: EngineParts
) -> Response:
    """Read the originals again with other choices; fixes and mapping begin anew."""
    return write.once(
        DatasetRecord, lambda: parts.data.reread(write.owner, dataset_id, body.choices)
    )


@ROUTER.post("/datasets/{dataset_id}/fixes", response_model=DatasetRecord)
def fix_dataset(dataset_id: Id, body: FixBody, write: WriteOnce, parts: EngineParts) -> Response:
    """Apply a fix that a finding offers."""
    return write.once(
        DatasetRecord,
        lambda: parts.data.fix(write.owner, dataset_id, body.check, body.fix, body.value),
    )


@ROUTER.post("/datasets/{dataset_id}/undo", response_model=DatasetRecord)
def undo_fix(dataset_id: Id, write: WriteOnce, parts: EngineParts) -> Response:
    """Take the newest fix back."""
    return write.once(DatasetRecord, lambda: parts.data.undo(write.owner, dataset_id))


@ROUTER.post("/datasets/{dataset_id}/skips", response_model=DatasetRecord)
def skip_finding(dataset_id: Id, body: SkipBody, write: WriteOnce, parts: EngineParts) -> Response:
    """Leave what a check found as it is, or look at it again."""
    return write.once(
        DatasetRecord,
        lambda: parts.data.skip(write.owner, dataset_id, body.check, is_skipped=body.is_skipped),
    )


@ROUTER.post("/datasets/{dataset_id}/checks", response_model=DatasetRecord)
def request_check(
    dataset_id: Id, body: CheckBody, write: WriteOnce, parts: EngineParts
) -> Response:
    """Run a check that only runs on request."""
    return write.once(
        DatasetRecord, lambda: parts.data.request_check(write.owner, dataset_id, body.check)
    )


@ROUTER.post("/datasets/{dataset_id}/mixing", response_model=DatasetRecord)
def mix_dataset(dataset_id: Id, body: MixBody, write: WriteOnce, parts: EngineParts) -> Response:
    """Learn from other datasets and from general questions as well."""
    return write.once(DatasetRecord, lambda: parts.data.mix(write.owner, dataset_id, body.mixing))


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
            "added_words": list(body.added_words),
        }
        # Prices the limits. Not part of the key: free memory changes from second to second.
        machine = {"hardware": TypeAdapter(HardwareSpec).dump_python(parts.hardware(), mode="json")}
        return parts.jobs.start(
            "render",
            write.owner,
            lambda folder: Child(
                "tailor.engine.worker.render",
                folder,
                request | machine,
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
