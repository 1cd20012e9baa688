"""The typed client of the engine: one method a verb, the same for wizard, command line and tests.

It finds the engine through `engine.json` in the home folder and speaks JSON over its unix socket.
An engine that is being restarted is waited for; an error comes back as the `UserError` it was.
"""

import json
import os
import shutil
import time
import uuid
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import quote

import httpx
from pydantic import TypeAdapter

from tailor.engine.errors import UserError
from tailor.engine.events import EVENT, Event
from tailor.engine.http.unix_transport import UnixTransport
from tailor.engine.machine.unix_user import read_unix_user
from tailor.engine.types import (
    Conversation,
    DataRow,
    DatasetRecord,
    DiaryLine,
    Draft,
    ExportRecord,
    FileRecord,
    Finding,
    Health,
    Job,
    LogPage,
    Mapping,
    ModelRecord,
    RunRecord,
    Series,
)
from tailor.estimator.hardware import HardwareSpec
from tailor.recipes.spec import Message, RunSpec

T = TypeVar("T")

RESTART_WAIT_SECONDS = 10.0
"""How long a call waits for an engine that is being restarted."""


class EngineClient:
    """A caller of the engine in the name of one owner. Cheap: one pooled connection."""

    def __init__(self, home: Path, *, owner: str = "") -> None:
        """`owner` empty means the UNIX user; the wizard passes its signed-in user."""
        self.home = home
        self.owner = owner
        self._http: httpx.Client | None = None

    # Runs

    def submit(self, spec: RunSpec, *, idempotency_id: str) -> RunRecord:
        """Start a run; the same id with the same spec gives the same run again."""
        return self._write(RunRecord, "POST", "/v1/runs", {"spec": _plain(spec)}, idempotency_id)

    def preflight(self, spec: RunSpec) -> tuple[Finding, ...]:
        """Everything that would stop the run or that a person should know before Start."""
        return self._read(tuple[Finding, ...], "POST", "/v1/preflight", {"spec": _plain(spec)})

    def runs(self, *, limit: int = 50) -> tuple[RunRecord, ...]:
        """The owner's runs, newest first."""
        return self._read(tuple[RunRecord, ...], "GET", f"/v1/runs?limit={limit}")

    def run(self, run_id: str) -> RunRecord:
        """One run."""
        return self._read(RunRecord, "GET", f"/v1/runs/{_part(run_id)}")

    def events(self, run_id: str, *, after: int = 0, limit: int = 500) -> tuple[Event, ...]:
        """Events with a `seq` above `after`, oldest first, at most 500."""
        answer = self._call("GET", f"/v1/runs/{_part(run_id)}/events?after={after}&limit={limit}")
        return tuple(EVENT.validate_python(event) for event in answer)

    def diary(self, run_id: str) -> tuple[DiaryLine, ...]:
        """The run's story in sentences, oldest first."""
        return self._read(tuple[DiaryLine, ...], "GET", f"/v1/runs/{_part(run_id)}/diary")

    def series(
        self, run_id: str, *, names: tuple[str, ...] = (), after: int = 0, points: int = 1000
    ) -> Series:
        """Curves out of Aim; `unchanged` when nothing is newer than the cursor `after`."""
        query = f"after={after}&points={points}&names={quote(','.join(names))}"
        return self._read(Series, "GET", f"/v1/runs/{_part(run_id)}/series?{query}")

    def log(self, run_id: str, *, attempt: int = 0, offset: int = 0) -> LogPage:
        """At most 64 KiB of the worker's log; attempt 0 is the latest."""
        query = f"attempt={attempt}&offset={offset}"
        return self._read(LogPage, "GET", f"/v1/runs/{_part(run_id)}/log?{query}")

    def stop(self, run_id: str, *, mode: str = "keep") -> RunRecord:
        """Finish the step, save, stop ("keep"), or stop without saving ("discard")."""
        return self._write(RunRecord, "POST", f"/v1/runs/{_part(run_id)}/stop", {"mode": mode})

    def resume(self, run_id: str) -> RunRecord:
        """Go on from the newest sealed checkpoint."""
        return self._write(RunRecord, "POST", f"/v1/runs/{_part(run_id)}/resume", {})

    def delete(self, run_id: str) -> None:
        """Remove a run that is not running, with its folder."""
        self._call("DELETE", f"/v1/runs/{_part(run_id)}", {}, uuid.uuid4().hex)

    def chat(self, run_id: str, messages: tuple[Message, ...]) -> Job:
        """Ask base and tuned model; the job's answer is a `ChatAnswer`."""
        body = {"messages": [_plain(message) for message in messages]}
        return self._write(Job, "POST", f"/v1/runs/{_part(run_id)}/answer", body)

    def export(self, run_id: str, *, kind: str) -> Job:
        """Make something to take along; the job's answer is an `ExportRecord`."""
        return self._write(Job, "POST", f"/v1/runs/{_part(run_id)}/export", {"kind": kind})

    def exports(self, run_id: str) -> tuple[ExportRecord, ...]:
        """What can be taken along now."""
        return self._read(tuple[ExportRecord, ...], "GET", f"/v1/runs/{_part(run_id)}/exports")

    # Drafts

    def drafts(self) -> tuple[Draft, ...]:
        """The owner's drafts, last touched first."""
        return self._read(tuple[Draft, ...], "GET", "/v1/drafts")

    def draft(self, draft_id: str) -> Draft:
        """One draft."""
        return self._read(Draft, "GET", f"/v1/drafts/{_part(draft_id)}")

    def save_draft(self, draft: Draft) -> Draft:
        """Save; refused with status 409 when another tab saved a newer revision."""
        return self._write(Draft, "PUT", f"/v1/drafts/{_part(draft.id)}", {"draft": _plain(draft)})

    def delete_draft(self, draft_id: str) -> None:
        """Forget a draft; its runs stay."""
        self._call("DELETE", f"/v1/drafts/{_part(draft_id)}", {}, uuid.uuid4().hex)

    # Data

    def upload(self, source: Path, name: str) -> FileRecord:
        """Copy a file of this computer into the inbox and hand it over; the source stays."""
        inbox_id = uuid.uuid4().hex
        inbox = self.home / "data" / (self.owner or read_unix_user()) / "inbox"
        inbox.mkdir(parents=True, exist_ok=True, mode=0o700)
        beside = inbox / f"{inbox_id}.part"
        shutil.copyfile(source, beside)
        beside.rename(inbox / inbox_id)
        return self.add_file(inbox_id, name)

    def add_file(self, inbox_id: str, name: str) -> FileRecord:
        """Take over a file that the caller put into the inbox folder under a fresh uuid."""
        return self._write(FileRecord, "POST", "/v1/files", {"inbox_id": inbox_id, "name": name})

    def add_dataset(self, file_id: str) -> DatasetRecord:
        """Read a file in a limited child; ask `dataset` until it is ready."""
        return self._write(DatasetRecord, "POST", "/v1/datasets", {"file_id": file_id})

    def add_example(self, example: str = "maintenance") -> DatasetRecord:
        """The built-in example as a dataset, mapped already."""
        return self._write(DatasetRecord, "POST", "/v1/datasets/example", {"example": example})

    def dataset(self, dataset_id: str) -> DatasetRecord:
        """One dataset."""
        return self._read(DatasetRecord, "GET", f"/v1/datasets/{_part(dataset_id)}")

    def rows(self, dataset_id: str, *, offset: int = 0, limit: int = 20) -> tuple[DataRow, ...]:
        """Rows as they were read; cells are cut at 2,000 characters."""
        query = f"offset={offset}&limit={limit}"
        return self._read(
            tuple[DataRow, ...], "GET", f"/v1/datasets/{_part(dataset_id)}/rows?{query}"
        )

    def preview(self, dataset_id: str, mapping: Mapping) -> tuple[Conversation, ...]:
        """Three finished conversations under a mapping, nothing stored."""
        path = f"/v1/datasets/{_part(dataset_id)}/preview"
        return self._read(tuple[Conversation, ...], "POST", path, {"mapping": _plain(mapping)})

    def map(self, dataset_id: str, mapping: Mapping) -> DatasetRecord:
        """The person said yes: store the mapping, check the rows, split, pick the exam."""
        path = f"/v1/datasets/{_part(dataset_id)}/mapping"
        return self._write(DatasetRecord, "POST", path, {"mapping": _plain(mapping)})

    def render(self, dataset_id: str, model_id: str, *, max_length_tokens: int = 0) -> Job:
        """What a model will read; the job's answer is a `RenderReport`. 0 = the model's limit."""
        body = {"model_id": model_id, "max_length_tokens": max_length_tokens}
        return self._write(Job, "POST", f"/v1/datasets/{_part(dataset_id)}/render", body)

    # Models, jobs, machine

    def models(self) -> tuple[ModelRecord, ...]:
        """Models on this computer, and the starter model even before it is here."""
        return self._read(tuple[ModelRecord, ...], "GET", "/v1/models")

    def add_model(self, *, source: str, value: str = "") -> Job:
        """Bring a model: source "starter", "folder" (a path) or "hub" (a name).

        The job's answer is a `ModelRecord`.
        """
        return self._write(Job, "POST", "/v1/models", {"source": source, "value": value})

    def job(self, job_id: str) -> Job:
        """One job."""
        return self._read(Job, "GET", f"/v1/jobs/{_part(job_id)}")

    def devices(self) -> HardwareSpec:
        """This computer, read now."""
        return self._read(HardwareSpec, "GET", "/v1/devices")

    def health(self) -> Health:
        """The engine about itself."""
        return self._read(Health, "GET", "/v1/health")

    def stop_engine(self, *, runs: str = "leave") -> None:
        """Stop the engine; runs go on ("leave") or are stopped and kept ("stop")."""
        self._call("POST", "/v1/engine/stop", {"runs": runs}, uuid.uuid4().hex)

    # Transport

    def close(self) -> None:
        """Let go of the connection."""
        if self._http is not None:
            self._http.close()
            self._http = None

    def _read(self, kind: type[T], verb: str, path: str, body: Any = None) -> T:
        told: T = _adapter(kind).validate_python(self._call(verb, path, body))
        return told

    def _write(
        self, kind: type[T], verb: str, path: str, body: dict[str, Any], idempotency_id: str = ""
    ) -> T:
        answer = self._call(verb, path, body, idempotency_id or uuid.uuid4().hex)
        told: T = _adapter(kind).validate_python(answer)
        return told

    def _call(self, verb: str, path: str, body: Any = None, idempotency_id: str = "") -> Any:
        """One request; waits for an engine that is away, raises the engine's own `UserError`."""
        headers = {"X-Tailor-Owner": self.owner} if self.owner else {}
        if idempotency_id:
            headers["Idempotency-Id"] = idempotency_id
        deadline = time.monotonic() + RESTART_WAIT_SECONDS
        pause_seconds = 0.05
        while True:
            try:
                answer = self._connection().request(verb, path, json=body, headers=headers)
                return _checked(answer)
            except (httpx.TransportError, FileNotFoundError) as gone:
                self.close()
                if time.monotonic() > deadline:
                    raise UserError(
                        title="Tailor's engine does not answer",
                        detail=f"It was asked for {RESTART_WAIT_SECONDS:.0f} seconds.",
                        fix="Start it again with: python app.py. Your runs go on without it.",
                        status=503,
                    ) from gone
                time.sleep(pause_seconds)
                pause_seconds = min(1.0, pause_seconds * 2)

    def _connection(self) -> httpx.Client:
        """The pooled connection to the address in `engine.json`, read anew after each failure."""
        if self._http is None:
            address = json.loads((self.home / "engine" / "engine.json").read_text("utf-8"))
            self._http = httpx.Client(
                transport=UnixTransport(Path(address["socket"])),
                base_url="http://engine",
                timeout=30.0,
            )
        return self._http


def default_home() -> Path:
    """`$TAILOR_HOME`, or `~/.tailor`."""
    return Path(os.environ.get("TAILOR_HOME") or Path.home() / ".tailor")


def _adapter(kind: Any) -> TypeAdapter[Any]:
    """Made once a kind: one for a large noun takes longer to make than a call (16 ms measured)."""
    if kind not in _ADAPTERS:
        _ADAPTERS[kind] = TypeAdapter(kind)
    return _ADAPTERS[kind]


_ADAPTERS: dict[Any, TypeAdapter[Any]] = {}


def _part(name: str) -> str:
    """An id as one part of a path: nothing in it, dots included, can lead to another place."""
    return quote(name, safe="").replace(".", "%2E")


def _plain(noun: Any) -> Any:
    return _adapter(type(noun)).dump_python(noun, mode="json")


def _checked(answer: httpx.Response) -> Any:
    if answer.is_success:
        return answer.json() if answer.content else None
    problem = answer.json()
    raise UserError(
        title=problem["title"],
        detail=problem["detail"],
        fix=problem["fix"],
        status=answer.status_code,
    )
