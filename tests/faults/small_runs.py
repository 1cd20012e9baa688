"""Small real runs for tests of store, supervisor and shim: a spec, a plan, an engine's core, waiting."""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tailor.engine.planning import Planned
from tailor.engine.run_dir import RunDir
from tailor.engine.runs.follow import Listener
from tailor.engine.schedulers.local import LocalScheduler
from tailor.engine.store import Store
from tailor.engine.supervisor import Supervisor
from tailor.engine.types import FINAL, RunRecord
from tailor.estimator.architecture import Architecture
from tailor.estimator.estimate import Estimate, Range
from tailor.estimator.hardware import HardwareSpec
from tailor.estimator.workload import LengthHistogram, Workload
from tailor.recipes.spec import DatasetSpec, ModelSpec, RunSpec, TrainPlan

FOLDER = Path(__file__).parent
OWNER = "anna"
PATIENCE_SECONDS = 180.0
"""Generous: the machine may be shared; nothing waits for it when all is well."""

LENGTHS = LengthHistogram(
    edges_tokens=(16,), counts=(40,), total_tokens=400, learned_tokens=100, longest_tokens=16
)
HARDWARE = HardwareSpec(
    cpu_cores=2,
    cpu_has_bf16=False,
    ram_bytes=8 << 30,
    ram_free_bytes=6 << 30,
    disk_free_bytes=50 << 30,
)


def make_spec(**knobs: object) -> RunSpec:
    """A spec whose knobs tell `small_worker` what to do."""
    shape = Architecture(
        model_type="llama", layers=2, hidden=64, heads=4, kv_heads=2, head_dim=16, mlp=128,
        vocabulary=300, max_positions=512,
    )  # fmt: skip
    return RunSpec(
        title="Small run",
        goal="answer",
        recipe="sft_lora",
        model=ModelSpec(
            id="tiny", name="Tiny", path="/nowhere", family="llama", architecture=shape, weights_bytes=1
        ),
        dataset=DatasetSpec(
            id="ds_1", version=1, path="/nowhere/mapped-1.arrow", content_hash="0" * 64, shape="chat",
            train_rows=40, held_out_rows=4, lengths=LENGTHS, held_out_tokens=40,
        ),
        knobs=tuple((name, str(value)) for name, value in knobs.items()),
    )  # fmt: skip


def plan_small(spec: RunSpec, hardware: HardwareSpec, home: Path) -> Planned:
    """A plan of as many steps as the knob "steps" says."""
    steps = int(dict(spec.knobs).get("steps", "12"))
    workload = Workload(
        technique="lora", lengths=LENGTHS, max_length_tokens=16, micro_batch_rows=1, accumulation=1,
        steps=steps, evaluations=1, held_out_rows=4, held_out_tokens=40, weight_bytes_per_parameter=4.0,
    )  # fmt: skip
    plan = TrainPlan(
        recipe="sft_lora", method="sft", technique="lora", device="cpu", precision="fp32",
        precision_reason="A test.", training=(), max_length_tokens=16, max_new_tokens=8, steps=steps,
        evaluate_every_steps=5, workload=workload,
    )  # fmt: skip
    span = Range(low=20.0, likely=30.0, high=60.0)
    estimate = Estimate(
        device="cpu", parts=(), memory_bytes=span, capacity_bytes=1 << 30, verdict="fits", reason="A test.",
        seconds=span, tokens_per_second=span, ram_bytes=1, disk_bytes=1,
    )  # fmt: skip
    return Planned(plan=plan, estimate=estimate, findings=())


def open_supervisor(home: Path, store: Store, **options: Any) -> Supervisor:
    """The core of an engine with the small worker; not started."""
    return Supervisor(
        home,
        store,
        lambda: HARDWARE,
        plan_run=plan_small,
        scheduler=LocalScheduler("small_worker"),
        look_every_seconds=0.05,
        **options,
    )


@contextmanager
def engine_core(home: Path, *listeners: Listener) -> Iterator[tuple[Supervisor, Store]]:
    """A started core, closed at the end."""
    store = Store(home / "engine.db")
    supervisor = open_supervisor(home, store)
    for listener in listeners:
        supervisor.on_events(listener)
    supervisor.start()
    try:
        yield supervisor, store
    finally:
        supervisor.close()
        store.close()


def wait_for(condition: Callable[[], Any], what: str) -> Any:
    """The first true answer of `condition`."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not (answer := condition()):
        if time.monotonic() > deadline:
            raise AssertionError(f"waited {PATIENCE_SECONDS:.0f} s in vain for: {what}")
        time.sleep(0.02)
    return answer


def wait_until_over(supervisor: Supervisor, run_id: str) -> RunRecord:
    """The record once the run is final."""
    wait_for(lambda: supervisor.get(run_id, OWNER).status in FINAL, f"the end of {run_id}")
    return supervisor.get(run_id, OWNER)


def wait_for_step(supervisor: Supervisor, run_id: str, step: int) -> RunRecord:
    """The record once the engine has read this step."""
    wait_for(lambda: supervisor.get(run_id, OWNER).progress.step >= step, f"step {step}")
    return supervisor.get(run_id, OWNER)


def let_go(run_dir: RunDir) -> None:
    """Let a worker that is held at a step go on."""
    (run_dir.path / "let go").touch()


def worker_pids(run_dir: RunDir) -> list[int]:
    """Pids of all workers that ever began in this run."""
    path = run_dir.path / "workers.txt"
    return [int(line.split()[1]) for line in path.read_text().splitlines()] if path.exists() else []


def end_everything(home: Path) -> None:
    """Ask what a failed test left running to end, so that nothing of ours stays behind."""
    scheduler = LocalScheduler()
    for folder in (home / "runs").glob("run_*/attempts/*"):
        run_dir = RunDir(folder.parent.parent)
        if scheduler.state(run_dir, int(folder.name)).is_working:
            scheduler.end(run_dir, int(folder.name), 9)
            wait_for(lambda: not scheduler.state(run_dir, int(folder.name)).is_working, "the end")  # noqa: B023


os.environ["PYTHONPATH"] = os.pathsep.join(
    part for part in (str(FOLDER), os.environ.get("PYTHONPATH", "")) if part
)
