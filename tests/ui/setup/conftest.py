"""An engine kept in memory for the screens before a run: drafts, rows, models and reading jobs.

It answers the client's own verbs with the client's own nouns. Jobs are done when a test says so, so
no test waits.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from pydantic import TypeAdapter

from tailor.engine.client import EngineClient
from tailor.engine.data_types import (
    Conversation,
    DataRow,
    DatasetRecord,
    FileRecord,
    Mapping,
    RenderedExample,
    RenderReport,
    ShapeGuess,
    Span,
)
from tailor.engine.errors import UserError
from tailor.engine.findings import Finding, Problem
from tailor.engine.types import Draft, Job, ModelRecord, RunRecord
from tailor.estimator.architecture import Architecture
from tailor.estimator.hardware import HardwareSpec
from tailor.estimator.workload import LengthHistogram
from tailor.recipes.spec import DatasetSpec, ExamQuestion, Message, ModelSpec
from tailor.ui.services import Services

STARTER = "smollm2-135m-instruct"
PAIRS = Mapping(shape="question_answer", question="note", answer="form")
ROWS = (
    ("pump 3 is loud again", "P-03 | noise | check bearing"),
    ("leak under tank B <img src=x onerror=alert(1)>", "T-B | leak | inspect seal"),
    ("light flickers in hall 2", "H-2 | flicker | replace ballast"),
)
MODEL = ModelSpec(
    id=STARTER,
    name="SmolLM2 135M Instruct",
    path="/models/smollm2",
    family="llama",
    architecture=Architecture(
        model_type="llama", layers=30, hidden=576, heads=9, kv_heads=3, head_dim=64, mlp=1536,
        vocabulary=49152, max_positions=8192, has_tied_embeddings=True,
    ),
    weights_bytes=269_060_552,
    licence="Apache 2.0",
)  # fmt: skip


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
        return HardwareSpec(
            cpu_cores=2, cpu_has_bf16=False, ram_bytes=24 << 30, ram_free_bytes=20 << 30,
            disk_free_bytes=100 << 30, cpu_name="a processor",
        )  # fmt: skip

    def add_file(self, inbox_id: str, name: str) -> FileRecord:
        self.inbox.append((inbox_id, name))
        return FileRecord(id=inbox_id, name=name, bytes=1, sha256="0" * 64)

    def add_dataset(self, file_ids: Sequence[str]) -> DatasetRecord:
        return self.begin("notes.csv", status="reading")

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
            guesses=(ShapeGuess(mapping=PAIRS, confidence=0.9, why="“form” is short"),),
        )
        self.sets[dataset.id] = replace(dataset, **changes)  # type: ignore[arg-type]
        return self.sets[dataset.id]

    def finish_reading(self) -> None:
        self.sets = {key: replace(one, status="ready") for key, one in self.sets.items()}

    def dataset(self, dataset_id: str) -> DatasetRecord:
        if dataset_id not in self.sets:
            raise not_here()
        return self.sets[dataset_id]

    def rows(self, dataset_id: str, *, offset: int = 0, limit: int = 20) -> tuple[DataRow, ...]:
        return tuple(
            DataRow(id=n, cells=(*row, "K. Meier"), origin=f"line {n + 2}")
            for n, row in enumerate(ROWS[offset : offset + limit])
        )

    def preview(self, dataset_id: str, mapping: Mapping) -> tuple[Conversation, ...]:
        return tuple(
            Conversation(
                row_id=n,
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
        return (starter,)

    def add_model(self, *, source: str, value: str = "") -> Job:
        return self.start("fetch_model")

    def render(self, dataset_id: str, model_id: str, *, max_length_tokens: int = 0) -> Job:
        return self.start("render")

    def start(self, kind: str) -> Job:
        job = Job(id=f"job_{len(self.jobs)}", owner="ada", kind=kind, status="running")  # type: ignore[arg-type]
        self.jobs[job.id] = job
        return job

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
                answer = TypeAdapter(RenderReport).dump_json(report_of()).decode()
            self.jobs[job.id] = replace(job, status="done", done=1.0, answer=answer)

    def fail_jobs(self) -> None:
        """Every running job ends in trouble."""
        told = Problem(title="This took too long", detail="300 seconds.", fix="Try again.")
        for job in self.jobs.values():
            self.jobs[job.id] = replace(job, status="failed", problem=told)


def report_of() -> RenderReport:
    """What the starter model reads."""
    spans = (
        Span(text="<|im_start|>user\npump 3<|im_end|>\n<|im_start|>assistant\n", kind="read"),
        Span(text="P-03 | noise", kind="learned"),
        Span(text="<|im_end|>", kind="end"),
        Span(text="\n<b>lost</b>", kind="cut"),
    )
    return RenderReport(
        model_id=STARTER,
        dataset_id="ds_20261130-0000",
        version=1,
        max_length_tokens=8192,
        examples=(
            RenderedExample(
                which="typical", row_id=0, spans=spans, read_tokens=40, learned_tokens=8
            ),
        ),
        spec=DatasetSpec(
            id="ds_20261130-0000",
            version=1,
            path="/data/mapped-1.arrow",
            content_hash="0" * 64,
            shape="chat",
            train_rows=262,
            held_out_rows=30,
            lengths=LengthHistogram(
                edges_tokens=(50, 100),
                counts=(200, 62),
                total_tokens=15_000,
                learned_tokens=4_000,
                longest_tokens=97,
            ),
            held_out_tokens=1_700,
        ),
        cut_rows=0,
        findings=(),
    )


@pytest.fixture
def engine(tmp_path: Path) -> FakeEngine:
    """The engine in memory."""
    return FakeEngine(tmp_path)


@pytest.fixture
def services(tmp_path: Path, engine: FakeEngine) -> Services:
    """Services that speak to it."""
    return Services(tmp_path, connect=lambda _home, _owner: engine)


@pytest.fixture
def report() -> Callable[[], RenderReport]:
    """Builds a report."""
    return report_of
