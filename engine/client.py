"""The typed client of the engine: one method a verb, the same for wizard, command line and tests.

It finds the engine through `engine.json` in the home folder and speaks JSON over its unix socket.
An engine that is being restarted is waited for; an error comes back as the `UserError` it was.
"""

import os
import uuid
from pathlib import Path
from urllib.parse import quote

from tailor.engine.data_verbs import DataVerbs
from tailor.engine.events import EVENT, Event
from tailor.engine.findings import Finding
from tailor.engine.http.calls import plain, url_part
from tailor.engine.settings import Settings
from tailor.engine.types import (
    DiaryLine,
    Draft,
    ExportRecord,
    Health,
    Job,
    LogPage,
    ModelRecord,
    RunRecord,
    Series,
)
from tailor.estimator.calibration import Calibration
from tailor.estimator.hardware import HardwareSpec
from tailor.estimator.learned.run_measured import MeasuredRun
from tailor.recipes.spec import Message, RunSpec


class EngineClient(DataVerbs):
    """A caller of the engine in the name of one owner. Cheap: one pooled connection.

    The verbs on files and datasets come from `DataVerbs`.
    """

    # Runs

    def submit(self, spec: RunSpec, *, idempotency_id: str) -> RunRecord:
        """Start a run; the same id with the same spec gives the same run again."""
        return self.write(RunRecord, "POST", "/v1/runs", {"spec": plain(spec)}, idempotency_id)

    def preflight(self, spec: RunSpec) -> tuple[Finding, ...]:
        """Everything that would stop the run or that a person should know before Start."""
        return self.read(tuple[Finding, ...], "POST", "/v1/preflight", {"spec": plain(spec)})

    def runs(self, *, limit: int = 50) -> tuple[RunRecord, ...]:
        """The owner's runs, newest first."""
        return self.read(tuple[RunRecord, ...], "GET", f"/v1/runs?limit={limit}")

    def run(self, run_id: str) -> RunRecord:
        """One run."""
        return self.read(RunRecord, "GET", f"/v1/runs/{url_part(run_id)}")

    def events(self, run_id: str, *, after: int = 0, limit: int = 500) -> tuple[Event, ...]:
        """Events with a `seq` above `after`, oldest first, at most 500."""
        answer = self.call("GET", f"/v1/runs/{url_part(run_id)}/events?after={after}&limit={limit}")
        return tuple(EVENT.validate_python(event) for event in answer)

    def diary(self, run_id: str) -> tuple[DiaryLine, ...]:
        """The run's story in sentences, oldest first."""
        return self.read(tuple[DiaryLine, ...], "GET", f"/v1/runs/{url_part(run_id)}/diary")

    def series(
        self, run_id: str, *, names: tuple[str, ...] = (), after: int = 0, points: int = 1000
    ) -> Series:
        """Curves out of Aim; `unchanged` when nothing is newer than the cursor `after`."""
        query = f"after={after}&points={points}&names={quote(','.join(names))}"
        return self.read(Series, "GET", f"/v1/runs/{url_part(run_id)}/series?{query}")

    def log(self, run_id: str, *, attempt: int = 0, offset: int = 0) -> LogPage:
        """At most 64 KiB of the worker's log; attempt 0 is the latest."""
        query = f"attempt={attempt}&offset={offset}"
        return self.read(LogPage, "GET", f"/v1/runs/{url_part(run_id)}/log?{query}")

    def stop(self, run_id: str, *, mode: str = "keep") -> RunRecord:
        """Finish the step, save, stop ("keep"), or stop without saving ("discard")."""
        return self.write(RunRecord, "POST", f"/v1/runs/{url_part(run_id)}/stop", {"mode": mode})

    def resume(self, run_id: str) -> RunRecord:
        """Go on from the newest sealed checkpoint."""
        return self.write(RunRecord, "POST", f"/v1/runs/{url_part(run_id)}/resume", {})

    def run_bytes(self, run_id: str) -> int:
        """What a run takes of the disk, which deleting it would give back."""
        return self.read(int, "GET", f"/v1/runs/{url_part(run_id)}/bytes")

    def delete(self, run_id: str) -> None:
        """Remove a run that is not running, with its folder."""
        self.call("DELETE", f"/v1/runs/{url_part(run_id)}", {}, uuid.uuid4().hex)

    def chat(self, run_id: str, messages: tuple[Message, ...]) -> Job:
        """Ask base and tuned model; the job's answer is a `ChatAnswer`."""
        body = {"messages": [plain(message) for message in messages]}
        return self.write(Job, "POST", f"/v1/runs/{url_part(run_id)}/answer", body)

    def export(self, run_id: str, *, kind: str) -> Job:
        """Make something to take along; the job's answer is an `ExportRecord`."""
        return self.write(Job, "POST", f"/v1/runs/{url_part(run_id)}/export", {"kind": kind})

    def exports(self, run_id: str) -> tuple[ExportRecord, ...]:
        """What can be taken along now."""
        return self.read(tuple[ExportRecord, ...], "GET", f"/v1/runs/{url_part(run_id)}/exports")

    # Drafts

    def drafts(self) -> tuple[Draft, ...]:
        """The owner's drafts, last touched first."""
        return self.read(tuple[Draft, ...], "GET", "/v1/drafts")

    def draft(self, draft_id: str) -> Draft:
        """One draft."""
        return self.read(Draft, "GET", f"/v1/drafts/{url_part(draft_id)}")

    def save_draft(self, draft: Draft) -> Draft:
        """Save; refused with status 409 when another tab saved a newer revision."""
        return self.write(Draft, "PUT", f"/v1/drafts/{url_part(draft.id)}", {"draft": plain(draft)})

    def delete_draft(self, draft_id: str) -> None:
        """Forget a draft; its runs stay."""
        self.call("DELETE", f"/v1/drafts/{url_part(draft_id)}", {}, uuid.uuid4().hex)

    # Exact traces

    def trace(self, spec: RunSpec) -> Job:
        """Follow one step of a plan exactly, for a card; the job's answer is a `TraceResult`.

        It is one also where nothing can be traced: then it says why.
        """
        return self.write(Job, "POST", "/v1/trace", {"spec": plain(spec)})

    def warm_trace(self) -> None:
        """Let the engine load what a trace needs, so that the first need not wait for it."""
        self.call("POST", "/v1/trace/warm", {}, uuid.uuid4().hex)

    # Models, jobs, machine

    def models(self) -> tuple[ModelRecord, ...]:
        """Models on this computer, and the starter model even before it is here."""
        return self.read(tuple[ModelRecord, ...], "GET", "/v1/models")

    def add_model(self, *, source: str, value: str = "") -> Job:
        """Bring a model: source "starter", "folder" (a path) or "hub" (a name).

        The job's answer is a `ModelRecord`.
        """
        return self.write(Job, "POST", "/v1/models", {"source": source, "value": value})

    def running_jobs(self) -> tuple[Job, ...]:
        """The owner's jobs that are under way."""
        return self.read(tuple[Job, ...], "GET", "/v1/jobs")

    def job(self, job_id: str) -> Job:
        """One job."""
        return self.read(Job, "GET", f"/v1/jobs/{url_part(job_id)}")

    def devices(self) -> HardwareSpec:
        """This computer, read now."""
        return self.read(HardwareSpec, "GET", "/v1/devices")

    def calibration(self) -> Calibration:
        """What measurements, this computer's own runs among them, teach about promises."""
        return self.read(Calibration, "GET", "/v1/calibration")

    def measured_runs(self) -> tuple[MeasuredRun, ...]:
        """What the runs of this computer have measured, oldest first; to be kept or taken along."""
        return self.read(tuple[MeasuredRun, ...], "GET", "/v1/calibration/runs")

    def settings(self) -> Settings:
        """The owner's prices; empty where nothing was told."""
        return self.read(Settings, "GET", "/v1/settings")

    def save_settings(self, settings: Settings) -> Settings:
        """Keep the owner's prices; refused in words when one makes no sense."""
        return self.write(Settings, "PUT", "/v1/settings", {"settings": plain(settings)})

    def health(self) -> Health:
        """The engine about itself."""
        return self.read(Health, "GET", "/v1/health")

    def stop_engine(self, *, runs: str = "leave") -> None:
        """Stop the engine; runs go on ("leave") or are stopped and kept ("stop")."""
        self.call("POST", "/v1/engine/stop", {"runs": runs}, uuid.uuid4().hex)


def default_home() -> Path:
    """`$TAILOR_HOME`, or `~/.tailor`."""
    return Path(os.environ.get("TAILOR_HOME") or Path.home() / ".tailor")
