import hashlib
from pathlib import Path

from tailor.engine.json_file import write_json
from tailor.engine.run_dir import Manifest, ManifestFile, RunDir
from tailor.engine.runs.checkpoint import choose_checkpoint, newest_checkpoint, remove_leftovers


def seal(run_dir: RunDir, step: int, *, is_finite: bool = True, run_id: str = "run_1") -> Path:
    folder = run_dir.checkpoint(step)
    folder.mkdir(parents=True)
    data = f"weights of {step}".encode()
    (folder / "weights").write_bytes(data)
    listed = ManifestFile(name="weights", bytes=len(data), sha256=hashlib.sha256(data).hexdigest())
    manifest = Manifest(
        run_id=run_id, attempt=1, step=step, why="periodic", held_out_loss=None,
        is_finite=is_finite, files=(listed,),
    )  # fmt: skip
    write_json(folder / "MANIFEST.json", manifest)
    return folder


def make_run(tmp_path: Path) -> RunDir:
    return RunDir(tmp_path / "run_1")


def test_without_checkpoints_there_is_nothing_to_choose(tmp_path: Path) -> None:
    assert choose_checkpoint(make_run(tmp_path)).name == ""
    assert newest_checkpoint(make_run(tmp_path)) is None


def test_the_newest_is_chosen_by_step_and_not_by_clock(tmp_path: Path) -> None:
    run_dir = make_run(tmp_path)
    for step in (200, 30):
        seal(run_dir, step)
    assert choose_checkpoint(run_dir).step == 200


def test_an_empty_folder_with_a_high_number_is_set_aside(tmp_path: Path) -> None:
    run_dir = make_run(tmp_path)
    seal(run_dir, 10)
    run_dir.checkpoint(400).mkdir()
    choice = choose_checkpoint(run_dir)
    assert choice.name == "step-00000010"
    assert choice.damaged == ("step-00000400: its list of files is missing",)
    assert (run_dir.checkpoints / "step-00000400.damaged").is_dir()


def test_a_second_damaged_one_of_the_same_step_keeps_the_first(tmp_path: Path) -> None:
    run_dir = make_run(tmp_path)
    for _ in range(2):
        run_dir.checkpoint(7).mkdir(parents=True)
        choose_checkpoint(run_dir)
    names = sorted(path.name for path in run_dir.checkpoints.iterdir())
    assert names == ["step-00000007.damaged", "step-00000007.damaged-2"]


def test_one_with_numbers_that_are_not_finite_is_kept_and_passed_over(tmp_path: Path) -> None:
    run_dir = make_run(tmp_path)
    seal(run_dir, 10)
    kept = seal(run_dir, 20, is_finite=False)
    assert choose_checkpoint(run_dir).step == 10
    found = newest_checkpoint(run_dir)
    assert found is not None
    assert found.step == 10
    assert kept.is_dir()


def test_one_of_another_run_is_not_ours(tmp_path: Path) -> None:
    run_dir = make_run(tmp_path)
    seal(run_dir, 10, run_id="run_2")
    assert "another run" in choose_checkpoint(run_dir).damaged[0]


def test_leftovers_go_and_sealed_ones_stay(tmp_path: Path) -> None:
    run_dir = make_run(tmp_path)
    sealed = seal(run_dir, 10)
    run_dir.staging(1).mkdir()
    (run_dir.path / "final.tmp").mkdir()
    remove_leftovers(run_dir)
    assert sealed.is_dir()
    assert not run_dir.staging(1).exists()
    assert not (run_dir.path / "final.tmp").exists()
