"""The worker on a CUDA card, in bf16 as its plans are there. Run with: pytest -m gpu"""

import os
import signal
from dataclasses import replace

import pytest

from tailor.engine.json_file import read_json, write_json
from tailor.engine.types import FrozenRun

pytestmark = pytest.mark.gpu
FUSED = {"optim": "adamw_torch_fused"}
NF4 = (
    ("load_in_4bit", True), ("bnb_4bit_quant_type", "nf4"), ("bnb_4bit_use_double_quant", True),
    ("bnb_4bit_compute_dtype", "bfloat16"),
)  # fmt: skip


def card_plan(bench, technique, **changes):
    quantisation = {"quantisation": NF4} if technique == "qlora" else {}
    return bench.plan(
        technique, device="cuda", precision="bf16", training=FUSED, **quantisation, **changes
    )


@pytest.mark.parametrize("technique", ["full", "lora", "qlora"])
def test_every_technique_learns_and_proves_its_result(bench, technique):
    run_dir = bench.make_run("run_1", card_plan(bench, technique, steps=16))
    assert bench.work(run_dir) == 0, run_dir.attempt(1).log.read_text()
    (proof,) = bench.events(run_dir, "proof")
    assert proof.max_difference_from_memory < 0.1
    assert proof.max_difference_from_base > 0.1
    assert proof.held_out_after < proof.held_out_before - 0.2
    (measured,) = bench.events(run_dir, "measured")
    assert measured.peak_bytes > 1_000_000


@pytest.mark.parametrize("technique", ["full", "qlora"])
def test_a_killed_run_goes_on_with_the_same_losses(bench, technique):
    plan = card_plan(bench, technique, steps=14, evaluate_every_steps=4, save_every_seconds=0.0)
    unbroken = bench.make_run("run_1", plan)
    broken = bench.make_run("run_2", plan)
    worker = bench.start(broken)
    bench.wait_for(broken, "checkpoint", step=5)
    os.kill(worker, signal.SIGKILL)
    assert bench.wait(worker) == -signal.SIGKILL
    newest = sorted(path.name for path in broken.checkpoints.glob("step-*"))[-1]
    assert bench.work(broken, 2, newest) == 0, broken.attempt(2).log.read_text()
    assert bench.work(unbroken) == 0
    assert bench.train_losses(broken) == pytest.approx(bench.train_losses(unbroken), rel=1e-3)


@pytest.mark.parametrize("technique", ["lora", "qlora"])
def test_added_words_are_learned_and_proven(bench, technique):
    run_dir = bench.make_run("run_1", card_plan(bench, technique, steps=16))
    frozen = read_json(run_dir.frozen, FrozenRun)
    spec = replace(frozen.spec, added_words=("What", "plus"))
    write_json(run_dir.frozen, replace(frozen, spec=spec))
    assert bench.work(run_dir) == 0, run_dir.attempt(1).log.read_text()
    (proof,) = bench.events(run_dir, "proof")
    assert proof.max_difference_from_memory < 0.1
    assert proof.held_out_after < proof.held_out_before - 0.2
