"""A store that knows runs, and run folders whose events are written as a worker writes them."""

import math
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tailor.engine.events import EVENT, Checkpoint, Ended, Event, Heartbeat, Metric, Stamp
from tailor.engine.runs.change import Change
from tailor.engine.store import Store
from tailor.engine.types import Progress, RunRecord
from tailor.estimator.architecture import Architecture
from tailor.estimator.estimate import Estimate, Range
from tailor.estimator.workload import LengthHistogram, Workload
from tailor.recipes.spec import DatasetSpec, ModelSpec, RunSpec, TrainPlan

LENGTHS = LengthHistogram(
    edges_tokens=(8,), counts=(1,), total_tokens=8, learned_tokens=4, longest_tokens=8
)
MODEL = ModelSpec(
    id="tiny",
    name="Tiny",
    path="/nowhere",
    family="llama",
    architecture=Architecture(
        model_type="llama",
        layers=1,
        hidden=8,
        heads=1,
        kv_heads=1,
        head_dim=8,
        mlp=8,
        vocabulary=16,
        max_positions=32,
    ),
    weights_bytes=1,
)
DATA = DatasetSpec(
    id="ds",
    version=1,
    path="/nowhere",
    content_hash="",
    shape="text",
    train_rows=1,
    held_out_rows=0,
    lengths=LENGTHS,
    held_out_tokens=0,
)
PLAN = TrainPlan(
    recipe="sft_lora",
    method="sft",
    technique="lora",
    device="cpu",
    precision="fp32",
    precision_reason="",
    training=(),
    max_length_tokens=32,
    max_new_tokens=8,
    steps=10,
    evaluate_every_steps=5,
    workload=Workload(
        technique="lora",
        lengths=LENGTHS,
        max_length_tokens=32,
        micro_batch_rows=1,
        accumulation=1,
        steps=10,
        evaluations=2,
        held_out_rows=0,
        held_out_tokens=0,
        weight_bytes_per_parameter=4.0,
    ),
)
NOTHING = Range(low=0, likely=0, high=0)
PROMISE = Estimate(
    device="cpu",
    parts=(),
    memory_bytes=NOTHING,
    capacity_bytes=0,
    verdict="fits",
    reason="",
    seconds=NOTHING,
    tokens_per_second=NOTHING,
    ram_bytes=0,
    disk_bytes=0,
)


class Writer:
    """Appends the events of one run."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.parent.mkdir(parents=True)
        self.seq = 0
        self.attempt = 1

    def train(self, first: int, last: int) -> None:
        """Loss and speed of each step, a held-out loss every fifth, a heartbeat now and then."""
        for step in range(first, last + 1):
            loss = 3.0 * math.exp(-step / 50) + 0.01 * self.attempt
            values = [("loss/train", loss), ("tokens_per_second", 100.0 + step % 7)]
            if step % 5 == 0:
                values.append(("loss/held_out", loss + 0.2))
            self.tell(Metric(stamp=self.stamp(), step=step, epoch=step / 10, values=tuple(values)))
            if step % 20 == 0:
                self.tell(
                    Checkpoint(stamp=self.stamp(), step=step, why="periodic", bytes=1, seconds=0.1)
                )
            if step % 9 == 0:
                self.tell(
                    Heartbeat(
                        stamp=self.stamp(),
                        phase="train",
                        step=step,
                        progress_mono=0.0,
                        resident_bytes=1,
                        device_bytes=0,
                    )
                )

    def end(self) -> None:
        self.tell(Ended(stamp=self.stamp(), outcome="succeeded", step=0, words="Done."))

    def stamp(self) -> Stamp:
        self.seq += 1
        return Stamp(seq=self.seq, attempt=self.attempt, at=0.0, mono=0.0)

    def tell(self, event: Event) -> None:
        with self.path.open("ab") as file:
            file.write(EVENT.dump_json(event) + b"\n")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = Store(tmp_path / "engine.db")
    yield opened
    opened.close()


@pytest.fixture
def add_run(tmp_path: Path, store: Store) -> Callable[[str], Writer]:
    """Makes a run that the store knows; answers the writer of its events."""

    def add(run_id: str) -> Writer:
        run = RunRecord(
            id=run_id,
            owner="ada",
            title="",
            status="running",
            reason="",
            spec=RunSpec(title="", goal="answer", recipe="sft_lora", model=MODEL, dataset=DATA),
            plan=PLAN,
            estimate=PROMISE,
            created_at=0.0,
            progress=Progress(),
        )
        store.save(Change(record=run, is_new=True), before_commit=lambda: lambda: None)
        return Writer(tmp_path / "runs" / run_id / "events.jsonl")

    return add
