"""A worker, run as the shim runs it: real processes, a tiny real model, real files."""

import hashlib
import json
import math
import os
import shutil
import signal
import subprocess
import sys
from dataclasses import replace

import pytest
from safetensors.torch import load_file

from tailor.engine.child import child_environment
from tailor.engine.json_file import read_json, write_json
from tailor.engine.run_dir import Attempt, Crash


def test_a_worker_is_started_by_its_module_and_ends_with_ended(bench):
    run_dir = bench.make_run("run_1", bench.plan("lora", steps=2, evaluate_every_steps=2))
    run_dir.attempt(1).path.mkdir(parents=True)
    write_json(run_dir.attempt(1).plan, Attempt(number=1, threads=1))
    done = subprocess.run(
        [sys.executable, "-m", "tailor.engine.worker", str(run_dir.path), "1"],
        cwd=run_dir.path, env=child_environment() | {"HF_HUB_OFFLINE": "1"},
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    events = bench.events(run_dir)
    assert [event.stamp.seq for event in events] == list(range(1, len(events) + 1))
    assert events[-1].kind == "ended"
    assert events[-1].outcome == "succeeded"
    phases = [event.name for event in events if event.kind == "phase"]
    assert phases == ["load", "prepare", "rehearsal", "train", "prove", "finish"]
    assert run_dir.attempt(1).training.exists()


@pytest.mark.parametrize("precision", ["fp32", "bf16"])
@pytest.mark.parametrize("technique", ["full", "lora", "qlora"])
def test_every_technique_learns_and_proves_its_result(bench, technique, precision):
    run_dir = bench.make_run("run_1", bench.plan(technique, precision=precision, steps=16))
    assert bench.work(run_dir) == 0, run_dir.attempt(1).log.read_text()
    (proof,) = bench.events(run_dir, "proof")
    assert proof.max_difference_from_memory < 1e-4
    assert proof.max_difference_from_base > 0.1
    assert proof.held_out_after < proof.held_out_before - 0.2
    assert (proof.answers, proof.score_before) == (3, 0.0)
    name = "model.safetensors" if technique == "full" else "adapter_model.safetensors"
    assert all(tensor.isfinite().all() for tensor in load_file(run_dir.final / name).values())
    assert (run_dir.final / "tokenizer.json").read_bytes() == (
        bench.model / "tokenizer.json"
    ).read_bytes()
    assert not (run_dir.path / "final.tmp").exists()
    assert not list(run_dir.final.glob("*.bin"))


def test_the_exam_is_sat_before_at_each_evaluation_and_by_the_reloaded_model(bench):
    run_dir = bench.make_run("run_1", bench.plan("lora"))
    assert bench.work(run_dir) == 0
    samples = [(event.step, event.question) for event in bench.events(run_dir, "sample")]
    sitting = ["q0", "q1", "q2"]
    assert samples == [(step, q) for step in (0, 4, 8, 8) for q in sitting]
    assert sorted(bench.held_out_losses(run_dir)) == [0, 4, 8]
    assert sorted(bench.train_losses(run_dir)) == list(range(1, 9))


def test_a_stopped_run_resumes_from_the_same_step_bit_for_bit(bench):
    plan = bench.plan("lora", steps=24, evaluate_every_steps=8)
    unbroken = bench.make_run("run_1", plan)
    broken = bench.make_run("run_2", plan)
    first = bench.start(unbroken)
    worker = bench.start(broken, hold_after=("metric", 3))
    bench.wait_for(broken, "metric", step=3)
    bench.stop(broken)
    assert bench.wait(worker) == 85
    ended = bench.events(broken)[-1]
    assert (ended.kind, ended.outcome) == ("ended", "stopped")
    assert 3 <= ended.step < 24
    assert bench.events(broken, "checkpoint")[-1].why == "stop"
    broken.stop.unlink()
    assert bench.work(broken, 2, f"step-{ended.step:08d}") == 0
    assert bench.wait(first) == 0
    assert bench.train_losses(broken) == bench.train_losses(unbroken)
    assert bench.held_out_losses(broken) == bench.held_out_losses(unbroken)
    assert _hash_final(broken) == _hash_final(unbroken)


@pytest.mark.parametrize("technique", ["full", "qlora"])
def test_a_killed_run_goes_on_from_its_newest_checkpoint_bit_for_bit(bench, technique):
    plan = bench.plan(technique, steps=14, evaluate_every_steps=4, save_every_seconds=0.0)
    unbroken = bench.make_run("run_1", plan)
    broken = bench.make_run("run_2", plan)
    worker = bench.start(broken, hold_after=("checkpoint", 5))
    bench.wait_for(broken, "checkpoint", step=5)
    os.kill(worker, signal.SIGKILL)
    assert bench.wait(worker) == -signal.SIGKILL
    # As after a power cut: half a checkpoint, and half a line.
    (broken.staging(1) / "checkpoint-13").mkdir(parents=True, exist_ok=True)
    with broken.events.open("ab") as file:
        file.write(b'{"kind":"metric","stamp":{"se')
    newest = sorted(path.name for path in broken.checkpoints.glob("step-*"))[-1]
    assert bench.work(broken, 2, newest) == 0
    assert bench.work(unbroken) == 0
    assert not list(broken.checkpoints.glob(".tmp-*"))
    lines = broken.events.read_bytes().splitlines()
    events = [json.loads(line) for line in lines if not line.endswith(b'"se')]
    numbers = [event["stamp"]["seq"] for event in events]
    assert numbers == sorted(set(numbers))
    assert _hash_final(broken) == _hash_final(unbroken)


def test_a_discarded_run_ends_without_saving(bench):
    run_dir = bench.make_run("run_1", bench.plan("lora"))
    bench.stop(run_dir, mode="discard")
    assert bench.work(run_dir) == 86
    assert not list(run_dir.checkpoints.glob("step-*"))
    assert bench.events(run_dir)[-1].outcome == "stopped"


def test_an_early_end_keeps_the_best_version(bench):
    # A rate far too high: the held-out loss soon rises.
    plan = bench.plan(
        "full",
        steps=60,
        evaluate_every_steps=2,
        patience_evaluations=3,
        training={"learning_rate": 0.05},
    )
    run_dir = bench.make_run("run_1", plan)
    assert bench.work(run_dir) == 0, run_dir.attempt(1).log.read_text()
    losses = bench.held_out_losses(run_dir)
    best = min((step for step in losses if step), key=losses.get)
    last = max(losses)
    assert last == best + 6 < 60
    (proof,) = bench.events(run_dir, "proof")
    assert math.isclose(proof.held_out_after, losses[best], rel_tol=1e-5)
    assert bench.events(run_dir)[-1].step == best
    assert [e.name for e in bench.events(run_dir, "milestone")] == ["before", "early_stop"]
    kept = sorted(int(path.name[5:]) for path in run_dir.checkpoints.glob("step-*"))
    assert best in kept
    assert last in kept


def test_a_run_that_died_after_training_is_only_proven_again(bench):
    run_dir = bench.make_run("run_1", bench.plan("lora"))
    assert bench.work(run_dir) == 0
    first = _hash_final(run_dir)
    shutil.rmtree(run_dir.final)
    assert bench.work(run_dir, 2, "step-00000008") == 0
    second = [event for event in bench.events(run_dir) if event.stamp.attempt == 2]
    assert not [event for event in second if event.kind == "metric" and event.step > 0]
    assert _hash_final(run_dir) == first


def test_a_run_that_changes_nothing_is_not_a_success(bench):
    run_dir = bench.make_run("run_1", bench.plan("lora", training={"learning_rate": 0.0}))
    assert bench.work(run_dir) == 1
    crash = read_json(run_dir.attempt(1).crash, Crash)
    assert crash.is_user_error
    assert "Unchanged" in crash.title
    assert "learning rate is 0" in crash.detail
    assert bench.events(run_dir)[-1].outcome == "failed"
    assert not bench.events(run_dir, "proof")
    assert not run_dir.final.exists()
    assert not (run_dir.path / "final.tmp").exists()


def test_a_loss_that_is_no_number_ends_the_run_in_words(bench):
    plan = bench.plan("full", steps=40, save_every_seconds=0.0, training={"learning_rate": 1e30})
    run_dir = bench.make_run("run_1", plan)
    assert bench.work(run_dir) == 1
    crash = read_json(run_dir.attempt(1).crash, Crash)
    assert crash.is_user_error
    assert "not a number" in crash.detail
    for folder in run_dir.checkpoints.glob("step-*"):
        weights = load_file(folder / "model.safetensors")
        assert all(tensor.isfinite().all() for tensor in weights.values())


def test_text_rows_are_learned_whole(bench):
    texts = [f"Section {i}. Pumps are checked every week." for i in range(12)]
    run_dir = bench.make_run(
        "run_1", bench.plan("lora"), train=texts[:10], held_out=texts[10:], questions=0
    )
    assert bench.work(run_dir) == 0, run_dir.attempt(1).log.read_text()
    (proof,) = bench.events(run_dir, "proof")
    assert proof.held_out_after < proof.held_out_before
    assert proof.answers == 0


def test_a_run_without_held_out_rows_keeps_its_last_version(bench):
    run_dir = bench.make_run("run_1", bench.plan("lora"), held_out=())
    assert bench.work(run_dir) == 0, run_dir.attempt(1).log.read_text()
    (proof,) = bench.events(run_dir, "proof")
    assert (proof.held_out_before, proof.held_out_after) == (None, None)
    assert bench.events(run_dir, "checkpoint")[-1].why == "last"
    assert bench.events(run_dir)[-1].step == 8


def test_changed_rows_are_refused(bench):
    run_dir = bench.make_run("run_1", bench.plan("lora"))
    rows = run_dir.path / "mapped-1.arrow"
    rows.write_bytes(rows.read_bytes() + b" ")
    assert bench.work(run_dir) == 1
    assert read_json(run_dir.attempt(1).crash, Crash).title == (
        "The training rows are not there any more"
    )


def test_a_damaged_checkpoint_is_refused(bench):
    run_dir = bench.make_run("run_1", bench.plan("lora"))
    assert bench.work(run_dir) == 0
    weights = run_dir.checkpoint(8) / "adapter_model.safetensors"
    data = bytearray(weights.read_bytes())
    data[-1] ^= 1
    weights.write_bytes(data)
    assert bench.work(run_dir, 2, "step-00000008") == 1
    crash = read_json(run_dir.attempt(2).crash, Crash)
    assert "damaged" in crash.title
    assert bench.work(run_dir, 3, "step-00000004") == 0
    assert (run_dir.checkpoints / "step-00000008.damaged").exists()


def test_a_short_heartbeat_tells_phase_and_memory(bench):
    run_dir = bench.make_run("run_1", replace(bench.plan("lora"), steps=2))
    assert bench.work(run_dir) == 0
    (measured,) = bench.events(run_dir, "measured")
    assert measured.peak_bytes > 100_000_000
    assert 0 < measured.train_seconds < measured.seconds
    assert measured.tokens > 100


def _hash_final(run_dir):
    (weights,) = run_dir.final.glob("*model.safetensors")
    return hashlib.sha256(weights.read_bytes()).hexdigest()
