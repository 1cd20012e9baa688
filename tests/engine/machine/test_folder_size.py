"""A folder's size counts its files and nothing that a link leads to."""

from pathlib import Path

from tailor.engine.machine.folder_size import count_folder_bytes


def test_all_files_below_count_and_links_do_not_lead_out(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_bytes(b"x" * 10_000)
    folder = tmp_path / "run"
    (folder / "checkpoints").mkdir(parents=True)
    (folder / "run.json").write_bytes(b"x" * 30)
    (folder / "checkpoints" / "weights").write_bytes(b"x" * 500)
    (folder / "link").symlink_to(elsewhere)

    assert 530 <= count_folder_bytes(folder) < 1000


def test_a_folder_that_is_gone_takes_nothing(tmp_path: Path) -> None:
    assert count_folder_bytes(tmp_path / "gone") == 0
