"""An engine kept in memory for the screens before a run: drafts, rows, models and reading jobs.

It answers the client's own verbs with the client's own nouns: a fix changes the rows, undo gives
them back, a skipped finding stays skipped. Jobs are done when a test says so, so no test waits.
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from pydantic import TypeAdapter
from setup_machines import NO_CARD
from setup_nouns import (
    ENCODING,
    MEMBERS,
    MODEL,
    PAIR_GUESS,
    PAIRS,
    PERSONAL,
    ROWS,
    SEPARATOR,
    STARTER,
    TEXT_GUESS,
    report_of,
)

from tailor.engine.client import EngineClient
from tailor.engine.data_types import (
    Conversation,
    DataRow,
    DatasetRecord,
    FileRecord,
    Mapping,
    Mixing,
    Operation,
    RenderReport,
    SourceCount,
)
from tailor.engine.errors import UserError
from tailor.engine.findings import Finding, Problem
from tailor.engine.settings import Settings
from tailor.engine.types import Draft, Job, ModelRecord, RunRecord
from tailor.estimator.calibration import SHIPPED, Calibration
from tailor.estimator.hardware import HardwareSpec
from tailor.recipes.spec import ExamQuestion, Message, ModelSpec, RunSpec


def not_here() -> UserError:
    return UserError(title="This is not here", detail="", fix="", status=404)


class FakeEngine(EngineClient):
    """Everything that the setup screens ask for."""

    def __init__(self, home: Path) -> None:
        super().__init__(home, owner="ada")
        self.kept: dict[str, Draft] = {}
        self.sets: dict[str, DatasetRecord] = {}
        self.known_runs: dict[str, RunRecord] = {}
        self.jobs: dict[str, Job] = {}
        self.inbox: list[tuple[str, str]] = []
        self.mapped: list[Mapping] = []
        self.is_starter_here = True
        self.findings: tuple[Finding, ...] = ()
        self.reread_with: list[tuple[tuple[str, str], ...]] = []
        self.fixed: list[tuple[str, str, str]] = []
        self.rendered: list[tuple[int, tuple[str, ...]]] = []
        self.report = report_of()
        self.machine = NO_CARD
        self.is_quick = False
        """Whether a reading job is done at once."""
        self.other_models: tuple[ModelSpec, ...] = ()
        self.prices = Settings()
        self.stops: tuple[Finding, ...] = ()
        self.traced: list[RunSpec] = []

    def drafts(self) -> tuple[Draft, ...]:
        return tuple(self.kept.values())

    def draft(self, draft_id: str) -> Draft:
        if draft_id not in self.kept:
            raise not_here()
        return self.kept[draft_id]

    def save_draft(self, draft: Draft) -> Draft:
        before = self.kept.get(draft.id)
        if before is not None and before.revision != draft.revision:
            raise UserError(title="Newer", detail="", fix="", status=409)
        saved = replace(draft, revision=draft.revision + 1, updated_at=1000.0)
        self.kept[draft.id] = saved
        return saved

    def delete_draft(self, draft_id: str) -> None:
        del self.kept[draft_id]

    def runs(self, *, limit: int = 50) -> tuple[RunRecord, ...]:
        return tuple(self.known_runs.values())[:limit]

    def run(self, run_id: str) -> RunRecord:
        if run_id not in self.known_runs:
            raise not_here()
        return self.known_runs[run_id]

    def devices(self) -> HardwareSpec:
        return self.machine

    def calibration(self) -> Calibration:
        return SHIPPED

    def settings(self) -> Settings:
        return self.prices

    def save_settings(self, settings: Settings) -> Settings:
        self.prices = settings
        return settings

    def trace(self, spec: RunSpec) -> Job:
        self.traced.append(spec)
        return self.start("trace")

    def preflight(self, spec: RunSpec) -> tuple[Finding, ...]:
        return self.stops

    def add_file(self, inbox_id: str, name: str) -> FileRecord:
        self.inbox.append((inbox_id, name))
        return FileRecord(id=inbox_id, name=name, bytes=1, sha256="0" * 64)

    def add_dataset(
        self, file_ids: Sequence[str], *, choices: Sequence[tuple[str, str]] = ()
    ) -> DatasetRecord:
        names = tuple(name for _, name in self.inbox)
        return self.begin(names[0] if names else "notes.csv", status="reading", files=names)

    def reread(self, dataset_id: str, choices: Sequence[tuple[str, str]]) -> DatasetRecord:
        self.reread_with.append(tuple(choices))
        return self.change(dataset_id, status="reading", mapping=None)

    def add_example(self, example: str = "maintenance") -> DatasetRecord:
        return self.map(self.begin("Maintenance notes").id, PAIRS)

    def begin(self, title: str, **changes: object) -> DatasetRecord:
        dataset = DatasetRecord(
            id=f"ds_20261130-{len(self.sets):04d}",
            owner="ada",
            title=title,
            status="ready",
            found="Commas, UTF-8, 2 columns, 300 rows.",
            columns=("note", "form", "author"),
            rows=300,
            guesses=(PAIR_GUESS, TEXT_GUESS),
            kind="CSV",
            choices=(MEMBERS, ENCODING, SEPARATOR),
        )
        self.sets[dataset.id] = replace(dataset, **changes)  # type: ignore[arg-type]
        return self.sets[dataset.id]

    def change(self, dataset_id: str, **changes: object) -> DatasetRecord:
        self.sets[dataset_id] = replace(self.sets[dataset_id], **changes)  # type: ignore[arg-type]
        return self.sets[dataset_id]

    def finish_reading(self) -> None:
        self.sets = {key: replace(one, status="ready") for key, one in self.sets.items()}

    def dataset(self, dataset_id: str) -> DatasetRecord:
        if dataset_id not in self.sets:
            raise not_here()
        return self.sets[dataset_id]

    def rows(self, dataset_id: str, *, offset: int = 0, limit: int = 20) -> tuple[DataRow, ...]:
        return tuple(
            DataRow(id=n + 1, cells=(*row, "K. Meier"), origin=f"line {n + 2}")
            for n, row in enumerate(ROWS[offset : offset + limit])
        )

    def preview(self, dataset_id: str, mapping: Mapping) -> tuple[Conversation, ...]:
        return tuple(
            Conversation(
                row_id=n + 1,
                messages=(
                    Message(role="user", content=asked),
                    Message(role="assistant", content=answered),
                ),
            )
            for n, (asked, answered) in enumerate(ROWS)
        )

    def map(self, dataset_id: str, mapping: Mapping) -> DatasetRecord:
        self.mapped.append(mapping)
        self.sets[dataset_id] = replace(
            self.sets[dataset_id],
            mapping=mapping,
            version=1,
            train_rows=262,
            held_out_rows=30,
            left_out_rows=8,
            findings=self.findings,
            exam=tuple(
                ExamQuestion(
                    id=f"q{n}", messages=(Message(role="user", content=asked),), expected=answered
                )
                for n, (asked, answered) in enumerate(ROWS * 3)
            ),
        )
        return self.sets[dataset_id]

    def fix(self, dataset_id: str, check: str, fix: str, *, value: str = "") -> DatasetRecord:
        before = self.dataset(dataset_id)
        if value == "refuse":
            raise UserError(title="This cannot stand there", detail="", fix="Type another.")
        self.fixed.append((check, fix, value))
        done = Operation(check=check, fix=fix, words=f"{check} was settled.", rows=12, value=value)
        return self.change(
            dataset_id,
            operations=(*before.operations, done),
            findings=tuple(one for one in before.findings if one.check != check),
            train_rows=before.train_rows - 12,
            left_out_rows=before.left_out_rows + 12,
            left_out=((f"you left it out: {check}", 12), *before.left_out),
            version=before.version + 1,
        )

    def undo(self, dataset_id: str) -> DatasetRecord:
        before = self.dataset(dataset_id)
        if not before.operations:
            raise UserError(title="There is nothing to undo", detail="", fix="", status=409)
        back = [one for one in self.findings if one.check == before.operations[-1].check]
        return self.change(
            dataset_id,
            operations=before.operations[:-1],
            findings=(*back, *before.findings),
            train_rows=before.train_rows + 12,
            left_out_rows=before.left_out_rows - 12,
            left_out=before.left_out[1:],
            version=before.version + 1,
        )

    def skip(self, dataset_id: str, check: str, *, is_skipped: bool = True) -> DatasetRecord:
        findings = tuple(
            replace(one, is_skipped=is_skipped) if one.check == check else one
            for one in self.dataset(dataset_id).findings
        )
        return self.change(dataset_id, findings=findings)

    def request_check(self, dataset_id: str, check: str) -> DatasetRecord:
        before = self.dataset(dataset_id)
        return self.change(dataset_id, extra_checks=(check,), findings=(*before.findings, PERSONAL))

    def mix(self, dataset_id: str, mixing: Mixing) -> DatasetRecord:
        before = self.dataset(dataset_id)
        own = SourceCount(title=before.title, rows=300, used_rows=262, share=0.8)
        general = SourceCount(title="General questions", rows=80, used_rows=66, share=0.2)
        return self.change(
            dataset_id, mixing=mixing, sources=(own, general), version=before.version + 1
        )

    def models(self) -> tuple[ModelRecord, ...]:
        here = self.is_starter_here
        starter = ModelRecord(
            id=STARTER,
            spec=MODEL if here else None,
            name=MODEL.name,
            is_ready=here,
            words="Small and quick.",
            download_bytes=0 if here else 98_000_000,
        )
        others = (
            ModelRecord(id=one.id, spec=one, name=one.name, is_ready=True, words="")
            for one in self.other_models
        )
        return (starter, *others)

    def add_model(self, *, source: str, value: str = "") -> Job:
        job = self.start("fetch_model")
        self.jobs[job.id] = replace(job, key=f"{source} {value}")
        return self.jobs[job.id]

    def render(
        self,
        dataset_id: str,
        model_id: str,
        *,
        max_length_tokens: int = 0,
        added_words: Sequence[str] = (),
    ) -> Job:
        self.rendered.append((max_length_tokens, tuple(added_words)))
        job = self.start("render")
        if self.is_quick:
            self.finish_jobs()
        return self.jobs[job.id]

    def start(self, kind: str) -> Job:
        job = Job(id=f"job_{len(self.jobs)}", owner="ada", kind=kind, status="running")  # type: ignore[arg-type]
        self.jobs[job.id] = job
        return job

    def running_jobs(self) -> tuple[Job, ...]:
        return tuple(job for job in self.jobs.values() if job.status == "running")

    def job(self, job_id: str) -> Job:
        if job_id not in self.jobs:
            raise not_here()
        return self.jobs[job_id]

    def finish_jobs(self) -> None:
        """Every running job ends well."""
        for job in self.jobs.values():
            if job.kind == "fetch_model":
                self.is_starter_here = True
                answer = TypeAdapter(ModelRecord).dump_json(self.models()[0]).decode()
            else:
                answer = TypeAdapter(RenderReport).dump_json(self.report).decode()
            self.jobs[job.id] = replace(job, status="done", done=1.0, answer=answer)

    def fail_jobs(self) -> None:
        """Every running job ends in trouble."""
        told = Problem(title="This took too long", detail="300 seconds.", fix="Try again.")
        for job in self.jobs.values():
            self.jobs[job.id] = replace(job, status="failed", problem=told)
