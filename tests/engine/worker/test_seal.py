"""Checkpoints count when they are whole, and only then."""

from pathlib import Path

import pytest

from tailor.engine.errors import UserError
from tailor.engine.json_file import read_json
from tailor.engine.run_dir import Manifest, RunDir
from tailor.engine.worker.crash import describe_crash, explain
from tailor.engine.worker.seal import (
    clear_staging,
    drop_old_checkpoints,
    require_checkpoint,
    seal_checkpoint,
    set_newer_aside,
    verify_checkpoint,
)


@pytest.fixture
def run_dir(tmp_path):
    run_dir = RunDir(tmp_path / "run_1")
    run_dir.checkpoints.mkdir(parents=True)
    return run_dir


def seal(run_dir, step, why="periodic"):
    written = run_dir.staging(1) / f"checkpoint-{step}"
    written.mkdir(parents=True)
    (written / "weights").write_bytes(b"w" * 1000)
    (written / "training_args.bin").write_bytes(b"pickle")
    return seal_checkpoint(run_dir, 1, step, why, None)


def test_a_sealed_checkpoint_lists_its_files_and_holds_no_pickle_of_arguments(run_dir):
    assert seal(run_dir, 12, "stop") == 1000
    manifest = read_json(run_dir.checkpoint(12) / "MANIFEST.json", Manifest)
    assert (manifest.run_id, manifest.step, manifest.why) == ("run_1", 12, "stop")
    assert [file.name for file in manifest.files] == ["weights"]
    assert verify_checkpoint(run_dir.checkpoint(12), "run_1") == ""


def test_damage_is_found_and_told(run_dir):
    seal(run_dir, 1)
    folder = run_dir.checkpoint(1)
    (folder / "weights").write_bytes(b"x" * 1000)
    assert verify_checkpoint(folder, "run_1") == "weights was changed"
    (folder / "weights").write_bytes(b"x")
    assert "another length" in verify_checkpoint(folder, "run_1")
    (folder / "weights").unlink()
    assert "missing" in verify_checkpoint(folder, "run_1")
    assert verify_checkpoint(folder, "run_2") == "it belongs to another run"
    (folder / "MANIFEST.json").write_bytes(b"{")
    assert "cannot be read" in verify_checkpoint(folder, "run_1")
    (folder / "MANIFEST.json").unlink()
    assert "never finished" in verify_checkpoint(folder, "run_1")
    with pytest.raises(UserError, match="step-00000001 cannot be used"):
        require_checkpoint(folder, "run_1")


def test_the_newest_two_and_the_best_are_kept(run_dir):
    for step in (5, 10, 15, 20, 100):
        seal(run_dir, step)
    drop_old_checkpoints(run_dir, best_step=10)
    kept = sorted(path.name for path in run_dir.checkpoints.glob("step-*"))
    assert kept == ["step-00000010", "step-00000020", "step-00000100"]


def test_checkpoints_behind_the_one_resumed_from_are_set_aside(run_dir):
    for step in (5, 10):
        seal(run_dir, step)
    set_newer_aside(run_dir, 5)
    names = sorted(path.name for path in run_dir.checkpoints.iterdir() if path.name[0] != ".")
    assert names == ["step-00000005", "step-00000010.damaged"]


def test_half_written_checkpoints_go_at_the_start(run_dir):
    (run_dir.staging(1) / "checkpoint-3").mkdir(parents=True)
    seal(run_dir, 5)
    clear_staging(run_dir)
    assert [path.name for path in run_dir.checkpoints.iterdir()] == ["step-00000005"]


def test_a_full_disk_is_told_in_words_and_leaves_the_earlier_checkpoint(run_dir):
    seal(run_dir, 5)
    with pytest.raises(OSError, match="No space left") as full:
        Path("/dev/full").write_bytes(b"x")
    explained = explain(full.value, run_dir.path)
    crash = describe_crash(full.value, explained)
    assert explained.title == "The disk is full"
    assert (crash.type, crash.is_user_error) == ("OSError", True)
    assert verify_checkpoint(run_dir.checkpoint(5), "run_1") == ""


@pytest.mark.parametrize(
    ("error", "title"),
    [
        (RuntimeError("[enforce fail] DefaultCPUAllocator: can't allocate memory"), "memory"),
        (MemoryError(), "memory"),
        (RuntimeError("PytorchStreamWriter failed writing file data/3"), "disk"),
    ],
)
def test_what_a_person_can_mend_is_told_in_words(error, title, tmp_path):
    assert title in explain(error, tmp_path).title


def test_a_bug_of_ours_is_not_dressed_up(tmp_path):
    assert explain(KeyError("x"), tmp_path) is None
    assert describe_crash(KeyError("x"), None).is_user_error is False
