import shutil
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from small_runs import (
    HARDWARE,
    OWNER,
    engine_core,
    let_go,
    make_spec,
    open_supervisor,
    plan_small,
    wait_for,
    wait_for_step,
    wait_until_over,
    worker_pids,
)

from tailor.engine.errors import UserError
from tailor.engine.events import Event
from tailor.engine.findings import Finding
from tailor.engine.json_file import read_json
from tailor.engine.planning import Planned
from tailor.engine.run_dir import RunDir, StopRequest
from tailor.engine.runs.orders import STOP_SECONDS, compute_stop_seconds
from tailor.engine.runs.reading import Reading
from tailor.engine.runs.rebuild import rebuild_index
from tailor.engine.store import Store
from tailor.engine.supervisor import Supervisor
from tailor.engine.types import FrozenRun, RunRecord
from tailor.estimator.hardware import HardwareSpec
from tailor.recipes.spec import RunSpec


def test_a_run_goes_from_the_queue_to_its_proven_result(run_home: Path) -> None:
    heard: list[Event] = []
    with engine_core(run_home, lambda _, events: heard.extend(events)) as (core, _):
        run = core.submit(make_spec(steps=6), OWNER, "r")
        assert (run.status, run.position, run.owner) == ("queued", 1, OWNER)
        done = wait_until_over(core, run.id)
        events = core.events(run.id, OWNER)
    assert done.status == "succeeded"
    assert done.result is not None
    assert (done.result.score_before, done.result.score_after) == (10.0, 60.0)
    assert done.result.folder == str(run_home / "runs" / run.id / "final")
    assert (done.progress.step, done.progress.steps, done.position) == (6, 6, None)
    assert tuple(heard) == events
    frozen = read_json(run_home / "runs" / run.id / "run.json", FrozenRun)
    assert (frozen.spec, frozen.plan, frozen.owner) == (done.spec, done.plan, OWNER)


def test_runs_work_one_after_the_other_in_their_order(run_home: Path) -> None:
    with engine_core(run_home) as (core, _):
        runs = [core.submit(make_spec(steps=4, hold_at=1), OWNER, f"r{n}") for n in range(3)]
        wait_for_step(core, runs[0].id, 1)
        assert [core.get(run.id, OWNER).position for run in runs[1:]] == [1, 2]
        for run in runs:
            let_go(RunDir(Path(run.folder)))
        done = [wait_until_over(core, run.id) for run in runs]
    spans = [(run.started_at, run.ended_at) for run in done]
    for (_, ended), (started, _) in zip(spans, spans[1:], strict=False):
        assert ended is not None
        assert started is not None
        assert ended <= started


def test_fifty_parallel_submits_with_one_id_make_one_run(run_home: Path) -> None:
    with engine_core(run_home) as (core, _):
        answers: list[str] = []
        gate = threading.Barrier(50)

        def submit() -> None:
            gate.wait()
            answers.append(core.submit(make_spec(steps=3), OWNER, "same").id)

        threads = [threading.Thread(target=submit) for _ in range(50)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(answers) == 50
        assert {run.id for run in core.list(OWNER)} == set(answers)
        assert len(set(answers)) == 1
        with pytest.raises(UserError) as refused:
            core.submit(make_spec(steps=4), OWNER, "same")
        assert refused.value.status == 422
        assert core.submit(make_spec(steps=3), "otto", "same").id not in answers


def test_a_finding_that_stops_a_run_is_told_and_nothing_is_made(run_home: Path) -> None:
    def refuse(spec: RunSpec, hardware: HardwareSpec, home: Path) -> Planned:
        findings = (
            Finding(level="warn", title="Slow", detail="", fix=""),
            Finding(level="stop", title="Too big", detail="9 GB.", fix="Take a smaller one."),
            Finding(level="stop", title="No room", detail="", fix=""),
        )
        return replace(plan_small(spec, hardware, home), findings=findings)

    with closing(Store(run_home / "engine.db")) as store:
        core = Supervisor(run_home, store, lambda: HARDWARE, plan_run=refuse)
        assert len(core.preflight(make_spec(), OWNER)) == 3
        with pytest.raises(UserError, match="Too big") as refused:
            core.submit(make_spec(), OWNER, "r")
        assert refused.value.detail == "9 GB. Also: No room."
        assert core.list(OWNER) == ()
    assert list((run_home / "runs").iterdir()) == []


def test_stop_and_keep_resumes_from_the_same_step(run_home: Path) -> None:
    with engine_core(run_home) as (core, _):
        run = core.submit(make_spec(steps=60, hold_at=3, save_every=1000), OWNER, "r")
        wait_for_step(core, run.id, 3)
        assert core.stop(run.id, OWNER).status == "stopping"
        assert core.stop(run.id, OWNER).status in ("stopping", "stopped")
        stopped = wait_until_over(core, run.id)
        assert (stopped.status, stopped.is_resumable) == ("stopped", True)
        assert f"stopped at step {stopped.progress.step}, and everything" in stopped.reason
        assert core.stop(run.id, OWNER) == stopped
        words = [line.words for line in core.diary(run.id, OWNER)]
        assert words.count("You asked it to stop after saving.") == 1
        core.resume(run.id, OWNER)
        begun = f"goes on from step-{stopped.progress.step:08d}"
        wait_for(lambda: begun in core.log(run.id, OWNER).text, "the second attempt")
        assert not RunDir(Path(run.folder)).stop.exists()
        assert wait_until_over(core, run.id).status == "succeeded"


def test_discard_ends_without_saving_and_may_follow_a_stop(run_home: Path) -> None:
    with engine_core(run_home) as (core, _):
        run = core.submit(make_spec(steps=10_000, save_every=100_000, deaf_to="keep"), OWNER, "r")
        wait_for_step(core, run.id, 2)
        core.stop(run.id, OWNER)
        core.stop(run.id, OWNER, "discard")
        request = read_json(RunDir(Path(run.folder)).stop, StopRequest)
        assert (request.mode, request.deadline_seconds) == ("discard", 10.0)
        with pytest.raises(UserError, match="still working"):
            core.delete(run.id, OWNER)
        stopped = wait_until_over(core, run.id)
        assert (stopped.status, stopped.is_resumable) == ("stopped", False)
        with pytest.raises(UserError, match="nothing to go on from"):
            core.resume(run.id, OWNER)


def test_discard_takes_what_was_saved_before_along(run_home: Path) -> None:
    with engine_core(run_home) as (core, _):
        run = core.submit(make_spec(steps=10_000, step_seconds=0.02, save_every=3), OWNER, "r")
        checkpoints = RunDir(Path(run.folder)).checkpoints
        wait_for(lambda: list(checkpoints.glob("step-*")), "a checkpoint")
        core.stop(run.id, OWNER, "discard")
        stopped = wait_until_over(core, run.id)
        assert (stopped.status, stopped.is_resumable) == ("stopped", False)
        assert "was discarded" in stopped.reason
        assert not checkpoints.exists()


def test_a_run_that_waits_is_stopped_without_ever_starting(run_home: Path) -> None:
    with engine_core(run_home) as (core, _):
        first = core.submit(make_spec(steps=100_000), OWNER, "a")
        second = core.submit(make_spec(steps=3), OWNER, "b")
        wait_for_step(core, first.id, 1)
        assert core.stop(second.id, OWNER).status == "stopped"
        core.stop(first.id, OWNER, "discard")
        wait_until_over(core, first.id)
        assert core.get(second.id, OWNER).attempt == 0


@pytest.mark.parametrize(
    ("knobs", "failure", "words"),
    [
        ({"crash": "at_start"}, "code", "missing or broken"),
        ({"crash": "memory", "crash_at": 3}, "host_oom", "ran out of memory"),
        (
            {"crash": "user_error", "crash_at": 3},
            "told",
            "The rows changed. Their hash is another one.",
        ),
        ({"crash": "11", "crash_at": 3}, "native_crash", "crashed"),
        ({"crash": "silent", "crash_at": 3}, "no_proof", "not proven"),
    ],
)
def test_a_dead_worker_is_explained(
    run_home: Path, knobs: dict[str, object], failure: str, words: str
) -> None:
    with engine_core(run_home) as (core, _):
        run = core.submit(make_spec(steps=9, **knobs), OWNER, "r")
        record = wait_until_over(core, run.id)
        assert (record.status, record.failure) == ("failed", failure)
        assert words in record.reason
        assert "Start it again from its plan." in record.fix
        assert core.diary(run.id, OWNER)[-1].level == "care"


def test_a_training_that_cannot_be_started_says_so(
    run_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (run_home / "psutil.py").write_text("raise ImportError('a broken installation')")
    monkeypatch.setenv("PYTHONPATH", str(run_home))
    with engine_core(run_home) as (core, _):
        record = wait_until_over(core, core.submit(make_spec(), OWNER, "r").id)
    assert (record.status, record.failure) == ("failed", "start")
    assert "could not be started" in record.reason


def test_somebody_elses_run_is_unknown_to_every_verb(run_home: Path) -> None:
    with closing(Store(run_home / "engine.db")) as store:
        core = open_supervisor(run_home, store)
        run = core.submit(make_spec(), OWNER, "r")
        verbs: tuple[Callable[[str, str], object], ...] = (
            core.get, core.events, core.diary, core.log, core.stop, core.resume, core.delete,
        )  # fmt: skip
        for verb in verbs:
            for run_id, owner in ((run.id, "otto"), ("run_20200101-nope", OWNER)):
                with pytest.raises(UserError) as refused:
                    verb(run_id, owner)
                assert refused.value.status == 404
        assert core.list("otto") == ()
        assert core.get(run.id, None).id == run.id


def test_a_deleted_run_leaves_nothing(run_home: Path) -> None:
    with engine_core(run_home) as (core, store):
        run = core.submit(make_spec(steps=3), OWNER, "r")
        wait_until_over(core, run.id)
        core.delete(run.id, OWNER)
        assert store.run(run.id) is None
        assert list((run_home / "runs").iterdir()) == []


def test_an_interrupted_deletion_is_finished_at_the_next_start(run_home: Path) -> None:
    with closing(Store(run_home / "engine.db")) as store:
        run = open_supervisor(run_home, store).submit(make_spec(), OWNER, "r")
        Path(run.folder).rename(run_home / "runs" / f".deleted-{run.id}")
    with engine_core(run_home) as (core, _):
        assert core.list(OWNER) == ()
        assert list((run_home / "runs").iterdir()) == []


def test_a_run_without_its_folder_is_lost_until_it_comes_back(run_home: Path) -> None:
    with engine_core(run_home) as (core, _):
        run = core.submit(make_spec(steps=3), OWNER, "r")
        done = wait_until_over(core, run.id)
    away = run_home / "away"
    shutil.move(run.folder, away)
    with engine_core(run_home) as (core, _):
        assert core.get(run.id, OWNER).status == "lost"
    shutil.move(away, run.folder)
    with engine_core(run_home) as (core, _):
        assert core.get(run.id, OWNER) == done


def test_a_home_that_was_moved_still_works(run_home: Path, tmp_path: Path) -> None:
    with engine_core(run_home) as (core, _):
        run = core.submit(make_spec(steps=9, crash="9", crash_at=7), OWNER, "r")
        wait_until_over(core, run.id)
    moved = tmp_path / "elsewhere"
    run_home.rename(moved)
    with engine_core(moved) as (core, _):
        assert core.get(run.id, OWNER).folder == str(moved / "runs" / run.id)
        core.resume(run.id, OWNER)
        assert wait_until_over(core, run.id).status == "succeeded"


def test_an_index_rebuilt_from_the_folders_tells_the_same(run_home: Path) -> None:
    with engine_core(run_home) as (core, store):
        runs = [
            core.submit(make_spec(steps=9, crash="9", crash_at=number), OWNER, f"r{number}")
            for number in (0, 7)
        ]
        for run in runs:
            wait_until_over(core, run.id)
        core.resume(runs[1].id, OWNER)
        wait_until_over(core, runs[1].id)
    with closing(Store(run_home / "engine.db")) as store:
        before = everything(store)
        assert rebuild_index(run_home, store) == ()
        assert everything(store) == before
        answer = store.lookup_answer(OWNER, "r0", "submit", digest_of(store, runs[0]))
    (run_home / "engine.db").unlink()
    with engine_core(run_home) as (_, store):
        assert everything(store) == before
        assert store.lookup_answer(OWNER, "r0", "submit", digest_of(store, runs[0])) == answer


def everything(store: Store) -> list[object]:
    runs = store.runs()
    return [
        *runs,
        *(store.diary(run.id) for run in runs),
        *(store.transitions(run.id) for run in runs),
        *(replace(store.reading(run.id), offset=0) for run in runs),
    ]


def digest_of(store: Store, run: RunRecord) -> str:
    fact = store.transitions(run.id)[0].fact
    return str(getattr(fact, "request_hash"))  # noqa: B009


def test_a_listener_that_fails_does_not_hurt_a_run(run_home: Path) -> None:
    def fail(run_id: str, events: list[Event]) -> None:
        raise RuntimeError("no chart")

    with engine_core(run_home, fail) as (core, _):
        run = core.submit(make_spec(steps=3), OWNER, "r")
        assert wait_until_over(core, run.id).status == "succeeded"


def test_events_come_in_pages_after_a_number(run_home: Path) -> None:
    with engine_core(run_home) as (core, _):
        run = core.submit(make_spec(steps=300, step_seconds=0, save_every=1000), OWNER, "r")
        wait_until_over(core, run.id)
        seqs, after = [], 0
        while page := core.events(run.id, OWNER, after, 50):
            assert len(page) <= 50
            seqs += [event.stamp.seq for event in page]
            after = seqs[-1]
        assert seqs == list(range(1, len(seqs) + 1))
        assert len(seqs) > 300


def test_a_worker_gets_time_to_stop_by_what_it_needed_so_far() -> None:
    assert compute_stop_seconds(Reading(), "keep") == STOP_SECONDS
    slow = Reading(longest_step_seconds=100.0, checkpoint_seconds=60.0)
    assert compute_stop_seconds(slow, "keep") == 220.0
    assert compute_stop_seconds(slow, "discard") == 10.0


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 1.5 MB; mounting one needs rights that not every machine gives."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=1500k", "tmpfs", str(folder)]
    if subprocess.run(mount, capture_output=True, check=False).returncode != 0:
        pytest.skip("no right to mount a small disk here")
    yield folder
    # Lazy: a shim that has just written its last file may still be standing in the folder.
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


def test_a_submit_on_a_full_disk_says_so_and_changes_nothing(small_disk: Path) -> None:
    filler = small_disk / "filler"
    outcomes = set()
    with closing(Store(small_disk / "engine.db")) as store:
        core = open_supervisor(small_disk, store)
        for left_kb in range(0, 120, 8):
            filler.unlink(missing_ok=True)
            free = shutil.disk_usage(small_disk).free
            filler.write_bytes(b"x" * max(0, free - left_kb * 1024))
            before = core.list(OWNER), sorted((small_disk / "runs").iterdir())
            status = submit_status(core, f"r{left_kb}")
            after = core.list(OWNER), sorted((small_disk / "runs").iterdir())
            assert (after == before) == (status == 507)
            outcomes.add(status)
    assert outcomes == {200, 507}


def submit_status(core: Supervisor, request: str) -> int:
    try:
        core.submit(make_spec(), OWNER, request)
    except UserError as refused:
        return refused.status
    return 200


def test_a_stop_on_a_full_disk_says_so_and_the_run_goes_on(small_disk: Path) -> None:
    with engine_core(small_disk) as (core, _):
        run = core.submit(make_spec(steps=1000, slow_start=600), OWNER, "r")
        wait_for(lambda: worker_pids(RunDir(Path(run.folder))), "the worker")
        wait_for(lambda: core.get(run.id, OWNER).status == "running", "its first event")
        filler = small_disk / "filler"
        filler.write_bytes(b"x" * shutil.disk_usage(small_disk).free)
        with pytest.raises(UserError, match="The disk is full"):
            core.stop(run.id, OWNER)
        assert core.get(run.id, OWNER).status == "running"
        assert not RunDir(Path(run.folder)).stop.exists()
        filler.unlink()
        core.stop(run.id, OWNER, "discard")
        assert wait_until_over(core, run.id).status == "stopped"
