"""kill -9 of worker and shim: the run says why in words, keeps what was saved, and goes on from there."""

import os
import signal
from pathlib import Path

import pytest
from small_runs import (
    OWNER,
    engine_core,
    let_go,
    make_spec,
    wait_for,
    wait_for_step,
    wait_until_over,
    worker_pids,
)

from tailor.engine.errors import UserError
from tailor.engine.json_file import read_json
from tailor.engine.run_dir import RunDir, Shim


def end_state(home: Path, run_id: str) -> str:
    return (RunDir(home / "runs" / run_id).final / "state.json").read_text()


def test_a_killed_worker_fails_in_words_and_resumes_from_its_checkpoint(home: Path) -> None:
    with engine_core(home) as (core, _):
        unbroken = core.submit(make_spec(steps=40), OWNER, "unbroken")
        run = core.submit(make_spec(steps=40, hold_at=12), OWNER, "killed")
        wait_for_step(core, run.id, 12)
        os.kill(worker_pids(RunDir(Path(run.folder)))[0], signal.SIGKILL)
        failed = wait_until_over(core, run.id)
        assert failed.status == "failed"
        assert failed.failure == "killed"
        assert "ended from outside" in failed.reason
        assert "everything up to step 10 is saved" in failed.reason
        assert failed.fix.endswith("Resume from step 10.")
        assert failed.is_resumable
        resumed = core.resume(run.id, OWNER)
        assert (resumed.status, resumed.failure, resumed.fix) == ("queued", "", "")
        done = wait_until_over(core, run.id)
        assert (done.status, done.attempt) == ("succeeded", 2)
        log = core.log(run.id, OWNER).text
        diary = core.diary(run.id, OWNER)
    assert "goes on from step-00000010" in log
    assert [line.level for line in diary].count("care") == 1
    assert end_state(home, run.id) == end_state(home, unbroken.id)


def test_a_worker_killed_in_the_middle_of_a_line_costs_that_line_only(home: Path) -> None:
    with engine_core(home) as (core, _):
        run = core.submit(make_spec(steps=20, crash_at=8, crash="torn"), OWNER, "torn")
        assert wait_until_over(core, run.id).status == "failed"
        before = core.events(run.id, OWNER)
        core.resume(run.id, OWNER)
        assert wait_until_over(core, run.id).status == "succeeded"
        after = core.events(run.id, OWNER)
    assert after[: len(before)] == before
    assert [event.stamp.seq for event in after] == list(range(1, len(after) + 1))


def test_without_a_shim_the_worker_is_adopted_and_finishes(home: Path) -> None:
    with engine_core(home) as (core, _):
        run = core.submit(make_spec(steps=40, hold_at=3), OWNER, "a")
        wait_for_step(core, run.id, 3)
        run_dir = RunDir(Path(run.folder))
        os.kill(read_json(run_dir.attempt(1).shim, Shim).process.pid, signal.SIGKILL)
        second = core.submit(make_spec(steps=3), OWNER, "b")
        let_go(run_dir)
        done = wait_until_over(core, run.id)
        assert done.status == "succeeded"
        assert not run_dir.attempt(1).exit.exists()
        assert wait_until_over(core, second.id).status == "succeeded"
    assert len(worker_pids(run_dir)) == 1


def test_without_shim_and_engine_a_stop_request_is_still_obeyed(home: Path) -> None:
    with engine_core(home) as (core, _):
        run = core.submit(make_spec(steps=40, hold_at=3), OWNER, "a")
        wait_for_step(core, run.id, 3)
        run_dir = RunDir(Path(run.folder))
        os.kill(read_json(run_dir.attempt(1).shim, Shim).process.pid, signal.SIGKILL)
        core.stop(run.id, OWNER)
    with engine_core(home) as (core, _):
        record = wait_until_over(core, run.id)
    assert record.status == "stopped"
    assert "everything up to there is saved" in record.reason


def test_shim_and_worker_killed_together_leave_a_run_that_resumes(home: Path) -> None:
    with engine_core(home) as (core, _):
        run = core.submit(make_spec(steps=30, hold_at=7), OWNER, "a")
        wait_for_step(core, run.id, 7)
        run_dir = RunDir(Path(run.folder))
        os.kill(read_json(run_dir.attempt(1).shim, Shim).process.pid, signal.SIGKILL)
        os.kill(worker_pids(run_dir)[0], signal.SIGKILL)
        record = wait_until_over(core, run.id)
        assert (record.status, record.failure) == ("failed", "vanished")
        assert "Resume from step 5." in record.fix
        core.resume(run.id, OWNER)
        assert wait_until_over(core, run.id).status == "succeeded"


@pytest.mark.parametrize("damage", ["cut", "flipped", "missing", "empty", "no manifest"])
def test_a_damaged_checkpoint_is_set_aside_and_the_one_before_is_taken(
    home: Path, damage: str
) -> None:
    with engine_core(home) as (core, _):
        run = core.submit(make_spec(steps=20, crash_at=13, crash="9"), OWNER, "a")
        assert wait_until_over(core, run.id).is_resumable
        newest = RunDir(Path(run.folder)).checkpoint(10)
        state = newest / "state.json"
        if damage == "cut":
            state.write_bytes(state.read_bytes()[:-1])
        elif damage == "flipped":
            state.write_bytes(b"[" + state.read_bytes()[1:])
        elif damage == "no manifest":
            (newest / "MANIFEST.json").unlink()
        else:
            state.unlink()
            if damage == "empty":
                (newest / "MANIFEST.json").unlink()
        assert "step 5" in core.resume(run.id, OWNER).reason
        assert wait_until_over(core, run.id).status == "succeeded"
        words = [line.words for line in core.diary(run.id, OWNER) if line.level == "care"]
        log = core.log(run.id, OWNER).text
    assert newest.with_name("step-00000010.damaged").exists()
    assert any("A damaged saved state was set aside: step-00000010" in line for line in words)
    assert "goes on from step-00000005" in log


def test_when_all_checkpoints_are_damaged_nothing_restarts_by_itself(home: Path) -> None:
    with engine_core(home) as (core, _):
        run = core.submit(make_spec(steps=20, crash_at=7, crash="9"), OWNER, "a")
        wait_until_over(core, run.id)
        (RunDir(Path(run.folder)).checkpoint(5) / "state.json").unlink()
        with pytest.raises(UserError, match="damaged"):
            core.resume(run.id, OWNER)
        record = core.get(run.id, OWNER)
    assert (record.status, record.is_resumable, record.attempt) == ("failed", False, 1)


def test_leftovers_of_a_killed_save_are_gone_after_the_next_start(home: Path) -> None:
    with engine_core(home) as (core, _):
        run = core.submit(make_spec(steps=20, crash_at=7, crash="9"), OWNER, "a")
        wait_until_over(core, run.id)
    half = RunDir(Path(run.folder)).staging(1)
    half.mkdir()
    (half / "optimizer.pt").write_bytes(b"half")
    with engine_core(home):
        wait_for(lambda: not half.exists(), "the clean-up")
