"""kill -9 of the engine, at rest, in a run and inside a submit: nothing is lost, nothing is doubled."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from small_runs import (
    FOLDER,
    OWNER,
    engine_core,
    let_go,
    make_spec,
    wait_for,
    wait_until_over,
    worker_pids,
)

from tailor.engine.run_dir import RunDir
from tailor.engine.runs.journal import read_journal


@contextmanager
def engine_process(home: Path, *arguments: str) -> Iterator["subprocess.Popen[str]"]:
    """An engine's core in a process of its own."""
    with subprocess.Popen(
        [sys.executable, "-P", str(FOLDER / "engine_process.py"), str(home), *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def order(process: "subprocess.Popen[str]", request: str, **knobs: object) -> None:
    assert process.stdin is not None
    process.stdin.write(json.dumps({"id": request, "knobs": knobs}) + "\n")
    process.stdin.flush()


def read_line(process: "subprocess.Popen[str]") -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def start_and_kill_engine(home: Path, **knobs: object) -> str:
    """The id of a run that outlives its engine; it is held at step 4 until it is let go."""
    with engine_process(home) as process:
        assert read_line(process) == "ready"
        order(process, "r1", hold_at=4, **knobs)
        run_id = read_line(process)
        events = RunDir(home / "runs" / run_id).events
        wait_for(lambda: events.exists() and b'"step": 4' in events.read_bytes(), "step 4")
        process.kill()
        process.wait()
    return run_id


def seqs(home: Path, run_id: str) -> list[int]:
    lines = RunDir(home / "runs" / run_id).events.read_bytes().splitlines()
    return [json.loads(line)["stamp"]["seq"] for line in lines]


def test_the_worker_goes_on_and_the_next_engine_adopts_it_without_losing_an_event(
    home: Path,
) -> None:
    run_id = start_and_kill_engine(home, steps=60)
    run_dir = RunDir(home / "runs" / run_id)
    (pid,) = worker_pids(run_dir)
    os.kill(pid, 0)
    heard: list[int] = []
    with engine_core(home, lambda _, events: heard.extend(e.stamp.seq for e in events)) as (
        core,
        _,
    ):
        assert core.get(run_id, OWNER).status in ("starting", "running")
        let_go(run_dir)
        record = wait_until_over(core, run_id)
        diary = [line.words for line in core.diary(run_id, OWNER)]
        told = [event.stamp.seq for event in core.events(run_id, OWNER)]
    assert record.status == "succeeded"
    assert worker_pids(run_dir) == [pid]
    assert any("went on without a break" in words for words in diary)
    assert told == seqs(home, run_id) == list(range(1, len(told) + 1))
    assert heard == told[-len(heard) :]


def test_a_run_that_ended_while_the_engine_was_dead_is_concluded_at_its_start(home: Path) -> None:
    run_id = start_and_kill_engine(home, steps=15)
    let_go(RunDir(home / "runs" / run_id))
    wait_for((home / "runs" / run_id / "attempts/001/exit.json").exists, "the end of the worker")
    with engine_core(home) as (core, _):
        assert wait_until_over(core, run_id).status == "succeeded"
        first = core.get(run_id, OWNER), core.diary(run_id, OWNER)
    with engine_core(home) as (core, _):
        # Restarting a healthy system changes nothing.
        assert (core.get(run_id, OWNER), core.diary(run_id, OWNER)) == first


def test_a_stop_asked_before_the_kill_completes_without_the_engine(home: Path) -> None:
    run_id = start_and_kill_engine(home, steps=15)
    with engine_core(home) as (core, _):
        assert core.stop(run_id, OWNER).status == "stopping"
    wait_for((home / "runs" / run_id / "attempts/001/exit.json").exists, "the end of the worker")
    with engine_core(home) as (core, _):
        record = wait_until_over(core, run_id)
    assert record.status == "stopped"
    assert record.is_resumable


def test_a_second_engine_is_refused_and_told_who_holds_the_home(home: Path) -> None:
    with engine_process(home) as first:
        assert read_line(first) == "ready"
        with engine_process(home) as second:
            told = read_line(second)
            assert second.wait() == 3
        assert str(first.pid) in told
        first.send_signal(signal.SIGKILL)
        first.wait()
    with engine_process(home) as third:
        assert read_line(third) == "ready"


@pytest.mark.parametrize("die_at", [1, 5, 7, 8, 9, 16, 17, 18, 19, 22, 26])
def test_a_kill_inside_submit_leaves_one_run_or_none(home: Path, die_at: int) -> None:
    with engine_process(home, str(die_at)) as process:
        assert read_line(process) == "ready"
        order(process, "r1", steps=3)
        answered = read_line(process)
    with engine_core(home) as (core, store):
        runs = core.list(OWNER)
        assert len(runs) <= 1
        if answered:
            assert [run.id for run in runs] == [answered]
        again = core.submit(make_spec(steps=3), OWNER, "r1")
        assert [again.id] == [run.id for run in core.list(OWNER)]
        record = wait_until_over(core, again.id)
        journal = read_journal(RunDir(home / "runs" / again.id).journal)
        assert journal == store.transitions(again.id)
    assert record.status == "succeeded"
    assert [path.name for path in (home / "runs").iterdir()] == [again.id]


def test_an_engine_killed_again_and_again_tells_the_whole_story_once(home: Path) -> None:
    seed = random.randrange(1 << 30)
    chance = random.Random(seed)
    run_id = start_and_kill_engine(home, steps=150, step_seconds=0.03)
    let_go(RunDir(home / "runs" / run_id))
    for number in range(6):
        with engine_process(home) as process:
            if number % 2:
                assert read_line(process) == "ready"
            # A time of death, not a wait: it may fall into the start, a commit or a pause.
            time.sleep(chance.uniform(0.0, 0.6))
            process.kill()
            process.wait()
    heard: list[int] = []
    with engine_core(home, lambda _, events: heard.extend(e.stamp.seq for e in events)) as (
        core,
        db,
    ):
        record = wait_until_over(core, run_id)
        assert record.status == "succeeded", f"seed {seed}: {record.reason}"
        assert len(worker_pids(RunDir(home / "runs" / run_id))) == 1, f"seed {seed}"
        journal = read_journal(RunDir(home / "runs" / run_id).journal)
        assert journal == db.transitions(run_id), f"seed {seed}"
        assert [line.number for line in journal] == list(range(1, len(journal) + 1))
        words = [line.words for line in db.diary(run_id)]
        assert [words.count(f"Everything up to step {step} is saved.") for step in (5, 75, 150)] == [
            1, 1, 1,
        ], f"seed {seed}"  # fmt: skip
        told = [event.stamp.seq for event in core.events(run_id, OWNER, limit=500)]
    assert told == seqs(home, run_id) == list(range(1, len(told) + 1))
