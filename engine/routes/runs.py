"""The verbs of runs: submit, look at, stop, resume, delete.

The supervisor does the work and checks first that the run belongs to the caller; curves come from
the series reader.
"""

from pathlib import Path
from typing import Annotated, Literal

from fastapi import APIRouter, Query, Response

from tailor.engine.events import Event
from tailor.engine.findings import Finding
from tailor.engine.http.answer import answer
from tailor.engine.http.caller import EngineParts, Id, Owner
from tailor.engine.http.once import WriteOnce
from tailor.engine.machine.folder_size import count_folder_bytes
from tailor.engine.types import DiaryLine, LogPage, RunRecord, Series
from tailor.estimator.record import record
from tailor.recipes.spec import RunSpec

ROUTER = APIRouter(prefix="/v1", tags=["runs"])

Number = Annotated[int, Query(ge=0)]


@record
class Submission:
    """Body of submit and preflight."""

    spec: RunSpec


@record
class StopOrder:
    """Body of stop."""

    mode: Literal["keep", "discard"] = "keep"


@ROUTER.post("/runs", response_model=RunRecord)
def submit_run(body: Submission, write: WriteOnce, parts: EngineParts) -> Response:
    """Start a run. The same id with the same spec gives the same run again."""
    # The supervisor keeps the answer itself, in the transaction that makes the run.
    return answer(RunRecord, parts.supervisor.submit(body.spec, write.owner, write.id))


@ROUTER.post("/preflight", response_model=tuple[Finding, ...])
def check_run(body: Submission, parts: EngineParts, owner: Owner) -> Response:
    """Everything that would stop a run or that a person should know before it starts."""
    return answer(tuple[Finding, ...], parts.supervisor.preflight(body.spec, owner))


@ROUTER.get("/runs", response_model=tuple[RunRecord, ...])
def list_runs(
    parts: EngineParts, owner: Owner, limit: Annotated[int, Query(ge=1, le=500)] = 50
) -> Response:
    """The owner's runs, newest first."""
    return answer(tuple[RunRecord, ...], parts.supervisor.list(owner, limit))


@ROUTER.get("/runs/{run_id}", response_model=RunRecord)
def show_run(run_id: Id, parts: EngineParts, owner: Owner) -> Response:
    """One run."""
    return answer(RunRecord, parts.supervisor.get(run_id, owner))


@ROUTER.get("/runs/{run_id}/events", response_model=tuple[Event, ...])
def list_events(
    run_id: Id,
    parts: EngineParts,
    owner: Owner,
    after: Number = 0,
    limit: Annotated[int, Query(ge=1, le=500)] = 500,
) -> Response:
    """Events numbered above `after`, oldest first."""
    return answer(tuple[Event, ...], parts.supervisor.events(run_id, owner, after, limit))


@ROUTER.get("/runs/{run_id}/diary", response_model=tuple[DiaryLine, ...])
def show_diary(run_id: Id, parts: EngineParts, owner: Owner) -> Response:
    """The run's story in sentences, oldest first."""
    return answer(tuple[DiaryLine, ...], parts.supervisor.diary(run_id, owner))


@ROUTER.get("/runs/{run_id}/series", response_model=Series)
def show_series(
    run_id: Id,
    *,
    parts: EngineParts,
    owner: Owner,
    names: Annotated[str, Query(max_length=2000)] = "",
    after: Number = 0,
    points: Annotated[int, Query(ge=4, le=1000)] = 1000,
) -> Response:
    """Curves, unless nothing is newer than the cursor `after`. `names` is split at commas."""
    parts.supervisor.get(run_id, owner)
    wanted = tuple(name for name in names.split(",") if name)
    series = parts.series.read(run_id, names=wanted, after=after, points=points)
    return answer(Series, series)


@ROUTER.get("/runs/{run_id}/log", response_model=LogPage)
def show_log(
    run_id: Id, parts: EngineParts, owner: Owner, attempt: Number = 0, offset: Number = 0
) -> Response:
    """A piece of the worker's log, secrets masked. Attempt 0 is the latest."""
    return answer(LogPage, parts.supervisor.log(run_id, owner, attempt, offset))


@ROUTER.post("/runs/{run_id}/stop", response_model=RunRecord)
def stop_run(run_id: Id, body: StopOrder, write: WriteOnce, parts: EngineParts) -> Response:
    """Finish the step, save and stop; or stop without saving."""
    return write.once(RunRecord, lambda: parts.supervisor.stop(run_id, write.owner, body.mode))


@ROUTER.post("/runs/{run_id}/resume", response_model=RunRecord)
def resume_run(run_id: Id, write: WriteOnce, parts: EngineParts) -> Response:
    """Go on from the newest sealed checkpoint."""
    return write.once(RunRecord, lambda: parts.supervisor.resume(run_id, write.owner))


@ROUTER.get("/runs/{run_id}/bytes", response_model=int)
def measure_run(run_id: Id, parts: EngineParts, owner: Owner) -> Response:
    """What a run takes of the disk, which deleting it would give back."""
    return answer(int, count_folder_bytes(Path(parts.supervisor.get(run_id, owner).folder)))


@ROUTER.delete("/runs/{run_id}", response_model=None)
def delete_run(run_id: Id, write: WriteOnce, parts: EngineParts) -> Response:
    """Remove a run that is not running, with its folder."""

    def delete() -> None:
        run = parts.supervisor.get(run_id, write.owner)
        tracker_id = parts.feed.find(run_id)
        parts.speaker.drop(Path(run.folder))
        parts.supervisor.delete(run_id, write.owner)
        parts.feed.remove(run_id, tracker_id)
        parts.series.forget(run_id)

    return write.once(None, delete)
