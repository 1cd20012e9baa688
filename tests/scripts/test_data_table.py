"""The table over a folder has a line for every file, whatever it is, and breaks on none."""

import os
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

import tailor

SCRIPT = Path(tailor.__file__).parent / "scripts" / "data_table.py"


def run_table(folder: Path, seconds: float = 300) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-P", str(SCRIPT), str(folder)],
        capture_output=True,
        text=True,
        timeout=seconds,
    )


def test_every_file_has_its_line(tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    rows = "question,answer\n" + "".join(f"why {n * 7}?,because of {n}\n" for n in range(12))
    (tmp_path / "inner" / "good | odd.csv").write_text(rows)
    (tmp_path / "empty.json").write_bytes(b"")
    (tmp_path / "data.csv").write_bytes(pickle.dumps({"a": 1}))
    done = run_table(tmp_path)
    lines = done.stdout.splitlines()
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert [line.split(" | ")[0] for line in lines[2:]] == [
        "| data.csv", "| empty.json", "| inner/good / odd.csv",
    ]  # fmt: skip
    assert "refused: Tailor cannot read this kind of file" in lines[2]
    assert "refused: This file is empty" in lines[3]
    assert "| 12 | 13 | question_answer" in lines[4]
    assert {line.count("|") for line in lines} == {8}


def test_a_folder_must_be_named(tmp_path: Path) -> None:
    assert run_table(tmp_path / "none").returncode == 2


@pytest.mark.slow
def test_no_file_of_the_public_collection_brings_a_reader_down() -> None:
    folder = os.environ.get("TAILOR_TEST_DATA", "")
    if not folder:
        pytest.skip("TAILOR_TEST_DATA names no folder with public files")
    done = run_table(Path(folder), seconds=1_800)
    assert done.returncode == 0, done.stderr
