"""The trainer itself under the supervisor: kill -9 in the middle costs steps, never the result."""

import hashlib
import json
import os
import random
import signal
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pyarrow
import pytest
from small_runs import (
    HARDWARE,
    LENGTHS,
    OWNER,
    make_spec,
    plan_small,
    wait_for_step,
    wait_until_over,
)

from tailor.engine.json_file import read_json
from tailor.engine.planning import Planned
from tailor.engine.run_dir import RunDir, Shim
from tailor.engine.schedulers.local import LocalScheduler
from tailor.engine.store import Store
from tailor.engine.supervisor import Supervisor
from tailor.estimator.hardware import HardwareSpec
from tailor.recipes.spec import ExamQuestion, Message, RunSpec

STEPS = 40
TRAINING = (
    ("learning_rate", 5e-3), ("per_device_train_batch_size", 2), ("gradient_accumulation_steps", 1),
    ("warmup_steps", 2), ("lr_scheduler_type", "linear"), ("optim", "adamw_torch"),
    ("max_grad_norm", 1.0), ("weight_decay", 0.0),
)  # fmt: skip
ADAPTER = (("r", 4), ("lora_alpha", 8), ("lora_dropout", 0.1), ("target_modules", "all-linear"))


def plan_sums(spec: RunSpec, hardware: HardwareSpec, home: Path) -> Planned:
    planned = plan_small(spec, hardware, home)
    plan = replace(
        planned.plan, training=TRAINING, adapter=ADAPTER, max_length_tokens=128, steps=STEPS,
        evaluate_every_steps=10, save_every_seconds=0.0,
    )  # fmt: skip
    return replace(planned, plan=plan)


def make_sums(model: Path, folder: Path) -> RunSpec:
    """Twenty sums to learn, four held out, two asked in the exam."""
    sums = [(f"What is {a} plus {b}?", f"{a + b}") for a in range(2, 8) for b in range(3, 7)]
    turns = [
        json.dumps([{"role": "user", "content": q}, {"role": "assistant", "content": a}])
        for q, a in sums
    ]
    splits = ["train"] * 20 + ["held_out"] * 4
    table = pyarrow.table(
        {"id": list(range(24)), "split": splits, "messages": turns, "text": [""] * 24}
    )
    path = folder / "mapped-1.arrow"
    with pyarrow.OSFile(str(path), "wb") as file, pyarrow.ipc.new_file(file, table.schema) as out:
        out.write_table(table)
    spec = make_spec()
    return replace(
        spec,
        model=replace(spec.model, path=str(model)),
        dataset=replace(
            spec.dataset, path=str(path), content_hash=hashlib.sha256(path.read_bytes()).hexdigest(),
            train_rows=20, lengths=replace(LENGTHS, longest_tokens=50),
        ),
        exam=tuple(
            ExamQuestion(id=f"q{i}", messages=(Message(role="user", content=q),), expected=a)
            for i, (q, a) in enumerate(sums[20:22])
        ),
    )  # fmt: skip


@pytest.mark.long
def test_kill_and_resume_gives_the_weights_of_an_unbroken_run(
    home: Path, tiny_model_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # More threads may add in another order, and the sums then differ in their last bits.
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    kill_at = random.Random().randrange(8, 34)
    spec = replace(make_sums(tiny_model_folder, home), knobs=(("hold_at", str(kill_at)),))
    scheduler = LocalScheduler("held_worker")
    with (
        closing(Store(home / "engine.db")) as store,
        closing(
            Supervisor(home, store, lambda: HARDWARE, plan_run=plan_sums, scheduler=scheduler)
        ) as core,
    ):
        core.start()
        broken = core.submit(spec, OWNER, "broken")
        wait_for_step(core, broken.id, kill_at)
        shim = read_json(RunDir(Path(broken.folder)).attempt(1).shim, Shim)
        assert shim.worker is not None
        os.kill(shim.worker.pid, signal.SIGKILL)
        failed = wait_until_over(core, broken.id)
        assert failed.status == "failed", f"killed at {kill_at}: {failed.reason}"
        assert failed.is_resumable, f"killed at {kill_at}: {failed.reason}"
        core.resume(broken.id, OWNER)
        resumed = wait_until_over(core, broken.id)
        assert resumed.status == "succeeded", f"killed at {kill_at}: {resumed.reason}"
        unbroken = core.submit(replace(spec, knobs=()), OWNER, "unbroken")
        whole = wait_until_over(core, unbroken.id)
        assert whole.status == "succeeded", whole.reason
    weights = [
        (RunDir(Path(run.folder)).final / "adapter_model.safetensors").read_bytes()
        for run in (resumed, whole)
    ]
    assert weights[0] == weights[1], f"killed at {kill_at}"
    assert resumed.result is not None
    assert whole.result is not None
    assert resumed.result.score_after == whole.result.score_after
