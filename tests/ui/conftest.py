"""A run and an engine kept in memory, for screens: the fake worker's events drive what is shown.

The fake speaks the client's verbs and keeps the same nouns, so the screens cannot tell; time is
given by the test.
"""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from tailor.engine.errors import UserError
from tailor.engine.events import Event, Metric, Phase, Sample, Stamp
from tailor.engine.settings import Settings
from tailor.engine.types import (
    FINAL,
    ChatAnswer,
    DiaryLine,
    Draft,
    ExportRecord,
    Job,
    LogPage,
    Progress,
    Result,
    RunRecord,
    Series,
    Trace,
)
from tailor.estimator.architecture import Architecture
from tailor.estimator.calibration import SHIPPED, Calibration
from tailor.estimator.estimate import Estimate, MemoryPart, Range
from tailor.estimator.hardware import HardwareSpec
from tailor.estimator.workload import LengthHistogram, Workload
from tailor.recipes.spec import (
    DatasetSpec,
    ExamQuestion,
    Message,
    ModelSpec,
    PlanReason,
    RunSpec,
    TrainPlan,
)

GIB = 2**30
NOON = 1_780_000_000.0
"""When the fake run was created."""

LENGTHS = LengthHistogram(
    edges_tokens=(64, 128, 256),
    counts=(120, 110, 10),
    total_tokens=21_000,
    learned_tokens=6_200,
    longest_tokens=231,
)
NOTES = (
    ("Pump 3 leaks oil at the shaft, swapped the seal, runs dry", "P3 | leak | seal | done"),
    ("conveyor belt B stops twice a shift, sensor dirty, cleaned", "CB | stop | sensor | done"),
    ("Fan on line 7 screams, bearing gone, ordered, waiting", "F7 | noise | bearing | open"),
)


def exam_of(count: int = 3) -> tuple[ExamQuestion, ...]:
    """Exam questions with an expected answer each."""
    return tuple(
        ExamQuestion(
            id=f"q{number}",
            messages=(Message(role="user", content=NOTES[number % len(NOTES)][0]),),
            expected=NOTES[number % len(NOTES)][1],
        )
        for number in range(count)
    )


def workload_of(questions: int = 3) -> Workload:
    """A small adapter run."""
    return Workload(
        technique="lora",
        lengths=LENGTHS,
        max_length_tokens=256,
        micro_batch_rows=4,
        accumulation=4,
        steps=120,
        evaluations=10,
        held_out_rows=26,
        held_out_tokens=2_300,
        exam_questions=questions,
        exam_new_tokens=48,
        weight_bytes_per_parameter=4.0,
        lora_rank=16,
    )


def estimate_of(**changes: Any) -> Estimate:
    """What the fake run was promised."""
    promised = Estimate(
        device="cpu",
        parts=(
            MemoryPart(name="weights", bytes=int(0.54 * GIB)),
            MemoryPart(name="adapter", bytes=int(0.02 * GIB)),
            MemoryPart(name="optimizer", bytes=int(0.05 * GIB)),
            MemoryPart(name="activations", bytes=int(0.62 * GIB)),
            MemoryPart(name="loss", bytes=int(0.31 * GIB)),
            MemoryPart(name="overhead", bytes=int(0.7 * GIB)),
        ),
        memory_bytes=Range(low=2.0 * GIB, likely=2.24 * GIB, high=2.6 * GIB),
        capacity_bytes=18 * GIB,
        verdict="fits",
        reason="It needs about 2.2 GB of the 18 GB that are free.",
        seconds=Range(low=300, likely=420, high=600),
        tokens_per_second=Range(low=90, likely=125, high=160),
        ram_bytes=int(2.24 * GIB),
        disk_bytes=int(0.4 * GIB),
        assumed=("The processor's speed is taken from a short measurement.",),
    )
    return replace(promised, **changes)


def hardware_of() -> HardwareSpec:
    """A computer without a card."""
    return HardwareSpec(
        cpu_cores=2, cpu_has_bf16=False, ram_bytes=24 * GIB, ram_free_bytes=18 * GIB,
        disk_free_bytes=212 * GIB, cpu_name="a processor",
    )  # fmt: skip


def spec_of(exam: tuple[ExamQuestion, ...]) -> RunSpec:
    """What the fake run was asked to do."""
    return RunSpec(
        title="Maintenance notes",
        goal="format",
        recipe="sft_lora",
        model=ModelSpec(
            id="smollm2-135m-instruct",
            name="SmolLM2 135M Instruct",
            path="/models/smollm2-135m-instruct",
            family="llama",
            architecture=Architecture(
                model_type="llama", layers=30, hidden=576, heads=9, kv_heads=3, head_dim=64,
                mlp=1536, vocabulary=49_152, max_positions=8_192, has_tied_embeddings=True,
            ),
            weights_bytes=269_060_552,
        ),
        dataset=DatasetSpec(
            id="ds_20261130-kfpa", version=1, path="/data/mapped-1.arrow", content_hash="0" * 64,
            shape="chat", train_rows=240, held_out_rows=26, lengths=LENGTHS, held_out_tokens=2_300,
        ),
        exam=exam,
        draft_id="draft1",
    )  # fmt: skip


def plan_of(exam: tuple[ExamQuestion, ...]) -> TrainPlan:
    """How the fake run does it."""
    return TrainPlan(
        recipe="sft_lora", method="sft", technique="lora", device="cpu", precision="fp32",
        precision_reason="This processor has no bf16 instructions.",
        training=(("learning_rate", 2e-4), ("max_length", 256)), adapter=(("r", 16),),
        max_length_tokens=256, max_new_tokens=48, steps=120, evaluate_every_steps=12,
        reasons=(
            PlanReason(
                setting="num_train_epochs", value="8",
                words="Each row is read 8 times, because there are only 240 of them.",
            ),
        ),
        workload=workload_of(len(exam)),
    )  # fmt: skip


def run_of(**changes: Any) -> RunRecord:
    """A run in the middle of learning; any field can be changed."""
    exam = changes.pop("exam", exam_of())
    run = RunRecord(
        id="run_20261130-kfpa",
        owner="ada",
        title="Maintenance notes",
        status="running",
        reason="It is learning.",
        spec=spec_of(exam),
        plan=plan_of(exam),
        estimate=estimate_of(),
        attempt=1,
        created_at=NOON,
        started_at=NOON + 4,
        progress=Progress(
            phase="train",
            words="Learning from 240 rows.",
            step=42,
            steps=120,
            seconds_left_low=200,
            seconds_left_high=320,
            loss_train=1.1,
            loss_held_out=1.3,
            best_step=36,
            tokens_per_second=124.0,
            resident_bytes=int(2.1 * GIB),
        ),
        folder="/home/ada/.tailor/runs/run_20261130-kfpa",
    )
    return replace(run, **changes)


def result_of(**changes: Any) -> Result:
    """What a good run has proven."""
    result = Result(
        score_before=3.0, score_after=83.0, held_out_before=3.9, held_out_after=0.41,
        answers_changed=3, answers=3, seconds=431.0, peak_bytes=int(2.3 * GIB),
        folder="/home/ada/.tailor/runs/run_20261130-kfpa/final",
    )  # fmt: skip
    return replace(result, **changes)


class FakeEngine:
    """The client's verbs over a run that a test moves along."""

    def __init__(self, run: RunRecord) -> None:
        """`run` is what it knows; events are added with `tell`."""
        self.known = run
        self.told: list[Event] = []
        self.jobs: dict[str, Job] = {}
        self.made: list[ExportRecord] = []
        self.asked: list[tuple[Message, ...]] = []
        self.calls: list[str] = []
        self.printed = "step 1\n"
        self.lines: list[DiaryLine] = [DiaryLine(at=NOON, words="You started it.", level="note")]
        self.kept_draft = Draft(id="draft1", owner="ada", revision=1, run_id=run.id)
        self.is_deleted = False

    def stamp(self) -> Stamp:
        """The next place in the story."""
        seq = len(self.told) + 1
        return Stamp(seq=seq, attempt=self.known.attempt, at=NOON + 10 + seq, mono=10.0 + seq)

    def tell_phase(self, name: Any) -> None:
        """A part of the work begins."""
        self.told.append(Phase(stamp=self.stamp(), name=name, words=f"Now: {name}."))

    def tell_metric(self, step: int, **values: float) -> None:
        """Numbers of a step; `held_out` stands for "loss/held_out"."""
        named = tuple((f"loss/{name}", value) for name, value in values.items())
        self.told.append(Metric(stamp=self.stamp(), step=step, epoch=0.0, values=named))

    def tell_answers(self, step: int, *texts: str, score: float = 0.0, ended: bool = True) -> None:
        """Answers to the exam at a step."""
        for question, text in zip(self.known.spec.exam, texts, strict=False):
            self.told.append(
                Sample(
                    stamp=self.stamp(),
                    step=step,
                    question=question.id,
                    text=text,
                    tokens=9,
                    ended=ended,
                    score=score,
                )  # fmt: skip
            )

    # The client's verbs

    def runs(self) -> tuple[RunRecord, ...]:
        """The run, until it is deleted."""
        return () if self.is_deleted else (self.known,)

    def run_bytes(self, run_id: str) -> int:
        """What it takes of the disk."""
        return 2_400_000_000 if self.run(run_id) else 0

    def delete(self, run_id: str) -> None:
        """Refused while it works, as by the engine."""
        if self.run(run_id).status not in FINAL:
            raise UserError(title="This run is still working", detail="", fix="Stop it first.")
        self.is_deleted = True

    def run(self, run_id: str) -> RunRecord:
        """The run, or the engine's refusal."""
        self.calls.append("run")
        if run_id != self.known.id:
            raise UserError(title="No such run", detail="It is not yours.", fix="", status=404)
        return self.known

    def events(self, run_id: str, *, after: int = 0, limit: int = 500) -> tuple[Event, ...]:
        """Events above the cursor."""
        self.calls.append("events")
        return tuple(event for event in self.told if event.stamp.seq > after)[:limit]

    def diary(self, run_id: str) -> tuple[DiaryLine, ...]:
        """The story in sentences."""
        self.calls.append("diary")
        return tuple(self.lines)

    def series(
        self, run_id: str, *, names: tuple[str, ...] = (), after: int = 0, points: int = 1000
    ) -> Series:
        """Curves out of the metric events."""
        metrics = [event for event in self.told if isinstance(event, Metric)]
        cursor = metrics[-1].stamp.seq if metrics else 0
        if cursor <= after:
            return Series(cursor=after, unchanged=True)
        traces = []
        for name in names:
            pairs = [(m.step, dict(m.values)[name]) for m in metrics if name in dict(m.values)]
            steps, values = zip(*pairs, strict=True) if pairs else ((), ())
            traces.append(Trace(name=name, steps=tuple(steps), values=tuple(values)))
        return Series(cursor=cursor, traces=tuple(traces))

    def log(self, run_id: str, *, attempt: int = 0, offset: int = 0) -> LogPage:
        """What was printed, in pieces of 64 characters."""
        piece = self.printed[offset : offset + 64]
        return LogPage(text=piece, next_offset=offset + len(piece))

    def stop(self, run_id: str, *, mode: str = "keep") -> RunRecord:
        """Ask it to stop."""
        self.calls.append(f"stop {mode}")
        self.known = replace(self.run(run_id), status="stopping")
        return self.known

    def resume(self, run_id: str) -> RunRecord:
        """Go on."""
        self.calls.append("resume")
        self.known = replace(self.run(run_id), status="queued")
        return self.known

    def chat(self, run_id: str, messages: tuple[Message, ...]) -> Job:
        """Ask both."""
        self.asked.append(messages)
        return self._job("answer")

    def export(self, run_id: str, *, kind: str) -> Job:
        """Make something."""
        self.calls.append(f"export {kind}")
        return self._job("export", key=f"{run_id} {kind}")

    def exports(self, run_id: str) -> tuple[ExportRecord, ...]:
        """What is made."""
        return tuple(self.made)

    def job(self, job_id: str) -> Job:
        """One job."""
        return self.jobs[job_id]

    def running_jobs(self) -> tuple[Job, ...]:
        """What is under way."""
        return tuple(job for job in self.jobs.values() if job.status == "running")

    def finish(self, job_id: str, base: str, tuned: str) -> None:
        """Both have answered."""
        answer = json.dumps({"base": base, "tuned": tuned, "adapter_hash": "ab12cd34ef56ab78"})
        ChatAnswer(**json.loads(answer))
        self.jobs[job_id] = replace(self.jobs[job_id], status="done", done=1.0, answer=answer)

    def drafts(self) -> tuple[Draft, ...]:
        """All drafts."""
        return (self.kept_draft,)

    def draft(self, draft_id: str) -> Draft:
        """The draft of the run."""
        return self.kept_draft

    def save_draft(self, draft: Draft) -> Draft:
        """Keep it."""
        self.kept_draft = replace(draft, revision=draft.revision + 1)
        return self.kept_draft

    def devices(self) -> HardwareSpec:
        """This computer."""
        return hardware_of()

    def calibration(self) -> Calibration:
        """What came with Tailor."""
        return SHIPPED

    def settings(self) -> Settings:
        """No prices."""
        return Settings()

    def _job(self, kind: Any, key: str = "") -> Job:
        job = Job(id=f"job_{len(self.jobs)}", owner="ada", kind=kind, status="running", key=key)
        self.jobs[job.id] = job
        return job


@pytest.fixture
def make_run() -> Callable[..., RunRecord]:
    """Builds a run."""
    return run_of


@pytest.fixture
def make_engine() -> Callable[[RunRecord], FakeEngine]:
    """Builds an engine in memory."""
    return FakeEngine


@pytest.fixture
def make_result() -> Callable[..., Result]:
    """Builds a result."""
    return result_of


@pytest.fixture
def make_estimate() -> Callable[..., Estimate]:
    """Builds an estimate."""
    return estimate_of


@pytest.fixture
def make_hardware() -> Callable[[], HardwareSpec]:
    """Builds a computer without a card."""
    return hardware_of


@pytest.fixture
def make_workload() -> Callable[..., Workload]:
    """Builds a workload."""
    return workload_of
