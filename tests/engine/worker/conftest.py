"""Run folders as the engine makes them, small enough to train in seconds on a processor."""

import hashlib
import json
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow
import pytest

from tailor.engine.child import child_environment
from tailor.engine.events import EVENT, Event
from tailor.engine.json_file import read_json, write_json
from tailor.engine.run_dir import Attempt, RunDir, StopRequest
from tailor.engine.types import FrozenRun
from tailor.estimator.architecture import Architecture
from tailor.estimator.estimate import Estimate, Range
from tailor.estimator.workload import LengthHistogram, Workload
from tailor.recipes.spec import DatasetSpec, ExamQuestion, Message, ModelSpec, RunSpec, TrainPlan

ROWS = tuple((f"What is {a} plus {b}?", f"{a + b}") for a in range(2, 8) for b in range(3, 7))
LENGTHS = LengthHistogram(
    edges_tokens=(64,), counts=(20,), total_tokens=900, learned_tokens=60, longest_tokens=50
)
ESTIMATE = Estimate(
    device="cpu", parts=(), memory_bytes=Range(low=1, likely=2, high=3), capacity_bytes=10,
    verdict="fits", reason="It fits.", seconds=Range(low=1, likely=2, high=3),
    tokens_per_second=Range(low=1, likely=2, high=3), ram_bytes=1, disk_bytes=1,
)  # fmt: skip


def write_rows(path: Path, train: Iterable[Any], held_out: Iterable[Any]) -> str:
    """A mapped dataset file; a row is (question, answer or None) or a text. Its sha256."""
    rows = [("train", row) for row in train] + [("held_out", row) for row in held_out]
    messages, texts = [], []
    for _, row in rows:
        is_text = isinstance(row, str)
        turns = [] if is_text else list(zip(("user", "assistant"), row, strict=True))
        turns = [{"role": role, "content": told} for role, told in turns if told is not None]
        messages.append("" if is_text else json.dumps(turns))
        texts.append(row if is_text else "")
    table = pyarrow.table(
        {
            "id": list(range(len(rows))),
            "split": [split for split, _ in rows],
            "messages": messages,
            "text": texts,
        }
    )
    with pyarrow.OSFile(str(path), "wb") as file, pyarrow.ipc.new_file(file, table.schema) as out:
        out.write_table(table)
    return hashlib.sha256(path.read_bytes()).hexdigest()


def model_spec(folder: Path) -> ModelSpec:
    """The tiny model as the shelf would describe it."""
    return ModelSpec(
        id="tiny", name="Tiny", path=str(folder), family="llama", weights_bytes=300_000,
        architecture=Architecture(
            model_type="llama", layers=2, hidden=64, heads=4, kv_heads=2, head_dim=16, mlp=128,
            vocabulary=259, max_positions=512,
        ),
    )  # fmt: skip


def make_plan(technique: str, **changes: Any) -> TrainPlan:
    """A short plan on the processor. `training=` adds to the trainer's arguments."""
    training = {
        "learning_rate": 5e-3 if technique != "full" else 1e-3,
        "per_device_train_batch_size": 2, "gradient_accumulation_steps": 2, "warmup_steps": 2,
        "lr_scheduler_type": "linear", "optim": "adamw_torch", "max_grad_norm": 1.0, "weight_decay": 0.0,
    } | changes.pop("training", {})  # fmt: skip
    adapter = {"r": 4, "lora_alpha": 8, "lora_dropout": 0.1, "target_modules": "all-linear"}
    quantisation = {
        "load_in_4bit": True, "bnb_4bit_quant_type": "nf4", "bnb_4bit_use_double_quant": True,
        "bnb_4bit_compute_dtype": "float32",
    }  # fmt: skip
    workload = Workload(
        technique=technique, lengths=LENGTHS, max_length_tokens=128, micro_batch_rows=2, accumulation=2,
        steps=8, evaluations=2, held_out_rows=4, held_out_tokens=200, weight_bytes_per_parameter=4,
    )  # fmt: skip
    plan = TrainPlan(
        recipe=f"sft_{technique}", method="sft", technique=technique, device="cpu", precision="fp32",
        precision_reason="This processor has no bf16 instructions.", training=tuple(training.items()),
        adapter=tuple(adapter.items()) if technique != "full" else (),
        quantisation=tuple(quantisation.items()) if technique == "qlora" else (),
        max_length_tokens=128, max_new_tokens=4, steps=8, evaluate_every_steps=4, workload=workload,
    )  # fmt: skip
    return replace(plan, **changes)


class Forker:
    """Starts workers as processes of their own, without loading torch for each."""

    def __init__(self) -> None:
        script = Path(__file__).with_name("fork_workers.py")
        environment = child_environment() | {"HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1"}
        self._process = subprocess.Popen(
            [sys.executable, str(script)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
        )

    def ask(self, *words: object) -> int:
        """One verb; its answer."""
        self._process.stdin.write("\t".join(str(word) for word in words) + "\n")
        self._process.stdin.flush()
        return int(self._process.stdout.readline())

    def close(self) -> None:
        """End the process and wait for it."""
        self._process.communicate(timeout=60)


class Bench:
    """Makes run folders and runs real workers in them."""

    def __init__(self, root: Path, model: Path, forker: Forker) -> None:
        self.root = root
        self.model = model
        self._forker = forker
        self._spawned: dict[int, subprocess.Popen[bytes]] = {}

    def make_run(
        self,
        name: str,
        plan: TrainPlan,
        *,
        train: Iterable[Any] = ROWS[:20],
        held_out: Iterable[Any] = ROWS[20:],
        seed: int = 0,
        questions: int = 3,
    ) -> RunDir:
        """A run folder that is ready for its first attempt."""
        run_dir = RunDir(self.root / name)
        (run_dir.path / "control").mkdir(parents=True)
        rows = run_dir.path / "mapped-1.arrow"
        train, held_out = tuple(train), tuple(held_out)
        dataset = DatasetSpec(
            id="ds_1", version=1, path=str(rows), content_hash=write_rows(rows, train, held_out),
            shape="chat", train_rows=len(train), held_out_rows=len(held_out), lengths=LENGTHS,
            held_out_tokens=200,
        )  # fmt: skip
        exam = tuple(
            ExamQuestion(
                id=f"q{i}", messages=(Message(role="user", content=question),), expected=answer
            )
            for i, (question, answer) in enumerate(ROWS[20 : 20 + questions])
        )
        spec = RunSpec(
            title="Sums", goal="answer", recipe=plan.recipe, model=model_spec(self.model),
            dataset=dataset, exam=exam, seed=seed,
        )  # fmt: skip
        write_json(
            run_dir.frozen,
            FrozenRun(
                id=run_dir.id, spec=spec, plan=plan, estimate=ESTIMATE, owner="me", created_at=0.0,
                versions=(),
            ),
        )  # fmt: skip
        return run_dir

    def plan(self, technique: str, **changes: Any) -> TrainPlan:
        """A short plan on the processor; `training` adds to the trainer's arguments."""
        return make_plan(technique, **changes)

    def write_rows(self, path: Path, train: Iterable[Any], held_out: Iterable[Any]) -> str:
        """A mapped dataset file; its sha256."""
        return write_rows(path, tuple(train), tuple(held_out))

    def model_spec(self) -> ModelSpec:
        """The tiny model as the shelf would describe it."""
        return model_spec(self.model)

    def events(self, run_dir: RunDir, kind: str = "") -> list[Event]:
        """Events of a run, of one kind if named."""
        return read_events(run_dir, kind)

    def start(
        self,
        run_dir: RunDir,
        number: int = 1,
        resume_from: str = "",
        hold_after: tuple[str, int] | None = None,
    ) -> int:
        """Start a worker, as the shim does; its pid. It can be held after an event at a step."""
        attempt = run_dir.attempt(number)
        attempt.path.mkdir(parents=True, exist_ok=True)
        write_json(attempt.plan, Attempt(number=number, resume_from=resume_from, threads=1))
        if read_json(run_dir.frozen, FrozenRun).plan.device == "cpu":
            return self._forker.ask("start", run_dir.path, number, attempt.log, *(hold_after or ()))
        return self._spawn(run_dir, number)

    def _spawn(self, run_dir: RunDir, number: int) -> int:
        """For a card: CUDA cannot be used in a process that was forked off one that knows it."""
        with run_dir.attempt(number).log.open("ab") as log:
            worker = subprocess.Popen(
                [sys.executable, "-m", "tailor.engine.worker", str(run_dir.path), str(number)],
                cwd=run_dir.path, env=child_environment() | {"HF_HUB_OFFLINE": "1"},
                stdin=subprocess.DEVNULL, stdout=log, stderr=log,
            )  # fmt: skip
        self._spawned[worker.pid] = worker
        return worker.pid

    def wait(self, pid: int) -> int:
        """Exit code of a worker, minus the signal's number when a signal ended it."""
        if pid in self._spawned:
            return self._spawned[pid].wait(timeout=300)
        return self._forker.ask("wait", pid)

    def work(self, run_dir: RunDir, number: int = 1, resume_from: str = "") -> int:
        """Run a worker to its end; its exit code."""
        return self.wait(self.start(run_dir, number, resume_from))

    def wait_for(self, run_dir: RunDir, kind: str, step: int) -> None:
        """Wait until the run has told an event of `kind` at `step` or later."""
        deadline = time.monotonic() + 120
        while time.monotonic() < deadline:
            told = read_events(run_dir) if run_dir.events.exists() else []
            if any(event.kind == kind and event.step >= step for event in told):
                return
            if any(event.kind == "ended" for event in told):
                break
            time.sleep(0.005)
        raise TimeoutError(run_dir.attempt(1).log.read_text())

    def train_losses(self, run_dir: RunDir) -> dict[int, float]:
        """Training loss by step; a later attempt's word counts."""
        return self._values(run_dir, "loss/train")

    def held_out_losses(self, run_dir: RunDir) -> dict[int, float]:
        """Held-out loss by step."""
        return self._values(run_dir, "loss/held_out")

    def _values(self, run_dir: RunDir, name: str) -> dict[int, float]:
        events = read_events(run_dir, "metric")
        return {e.step: dict(e.values)[name] for e in events if name in dict(e.values)}

    def stop(self, run_dir: RunDir, mode: str = "keep") -> None:
        """Ask for a stop, as the engine does."""
        write_json(run_dir.stop, StopRequest(mode=mode, reason="A person pressed Stop.", who="me"))


def read_events(run_dir: RunDir, kind: str = "") -> list[Event]:
    """Events of a run, of one kind if named; a line that is being written is not there yet."""
    lines = run_dir.events.read_bytes().split(b"\n")[:-1]
    events = [EVENT.validate_json(line) for line in lines]
    return [event for event in events if not kind or event.kind == kind]


@pytest.fixture(scope="session")
def forker() -> Iterator[Forker]:
    made = Forker()
    yield made
    made.close()


@pytest.fixture
def bench(tmp_path: Path, tiny_model_folder: Path, forker: Forker) -> Bench:
    return Bench(tmp_path, tiny_model_folder, forker)


@pytest.fixture(scope="module")
def shared_bench(
    tmp_path_factory: pytest.TempPathFactory, tiny_model_folder: Path, forker: Forker
) -> Bench:
    """For runs that several tests of a module only look at."""
    return Bench(tmp_path_factory.mktemp("shared"), tiny_model_folder, forker)
