"""`data check` says in words what is in a file, and by its exit code whether it can be used."""

import json
import os
import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest
from pydantic import TypeAdapter

import tailor
from tailor.engine.data_types import DatasetRecord
from tailor.ui.terminal.data import check_data, describe

APP = Path(tailor.__file__).with_name("app.py")
ROWS = "".join(f"what do i do with part {n * 31}?;see page {n} of the book\n" for n in range(60))


def write(folder: Path, content: str | bytes, name: str = "rows.csv") -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def width(line: str) -> int:
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in line)


def test_a_good_file_is_told_in_words_and_nothing_is_left_behind(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = tmp_path / "home"
    home.mkdir()
    path = write(tmp_path, "question;answer\n" + ROWS)
    before = path.stat()
    assert check_data([path], home) == 0
    told = capsys.readouterr().out
    assert "Semicolons, UTF-8, 2 columns, 60 rows." in told
    assert "60 read; 61 lines or entries are in the file." in told
    assert "“question”" in told
    assert "48 rows to learn from, 12 held out, 0 left out." in told
    assert list(home.iterdir()) == []
    assert (path.stat().st_mode, path.stat().st_mtime_ns) == (before.st_mode, before.st_mtime_ns)


def test_what_must_be_mended_gives_exit_code_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    few = write(tmp_path, "question,answer\na,b\n")
    assert check_data([few], tmp_path / "none") == 1
    told = capsys.readouterr().out
    assert "STOP      Too few examples" in told
    assert "One thing should be mended first" in told


@pytest.mark.parametrize(
    ("content", "title"),
    [(b"", "This file is empty"), (b"\x80\x04\x95" + bytes(30), "cannot read this kind of file")],
)
def test_a_refusal_is_told_without_a_traceback(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes, title: str
) -> None:
    assert check_data([write(tmp_path, content)], tmp_path) == 1
    told = capsys.readouterr()
    assert title in told.out
    assert "Traceback" not in told.out + told.err


def test_json_is_one_object_also_for_a_file_that_is_not_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(tmp_path, "question;answer\n" + ROWS)
    assert check_data([path], tmp_path, as_json=True) == 0
    record = TypeAdapter(DatasetRecord).validate_json(capsys.readouterr().out)
    assert (record.rows, record.train_rows, record.held_out_rows) == (60, 48, 12)
    assert check_data([tmp_path / "nothing.csv"], tmp_path, as_json=True) == 1
    assert json.loads(capsys.readouterr().out)["problem"]["title"] == "This file is not there"


def test_files_called_train_and_test_are_read_as_one_table_with_their_split(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    train = write(tmp_path, "question;answer\n" + ROWS, "train.csv")
    test = write(tmp_path, "question;answer\n" + ROWS.replace("part", "piece of wood"), "test.csv")
    check_data([train, test], tmp_path, as_json=True)
    record = TypeAdapter(DatasetRecord).validate_json(capsys.readouterr().out)
    assert record.files == ("train.csv", "test.csv")
    assert (record.train_rows, record.held_out_rows) == (60, 60)


def test_no_line_is_wider_than_the_terminal_and_nothing_is_obeyed_by_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    long = "如何重置密码" * 8
    rows = "".join(f"{long} {n},{long}{n}\n" for n in range(30)) + f"\x1b[2J{long},{long}\n" * 3
    check_data([write(tmp_path, "question,answer\n" + rows)], tmp_path, as_json=True)
    record = TypeAdapter(DatasetRecord).validate_json(capsys.readouterr().out)
    for cells in (40, 80, 100):
        lines = list(describe(record, cells))
        assert any("如" in line for line in lines)
        assert any("�[2J" in line for line in lines)
        assert max(map(width, lines)) <= cells
        assert not [line for line in lines if any(ord(letter) < 32 for letter in line)]


def test_the_command_line_leaves_no_engine_and_no_process(tmp_path: Path) -> None:
    home = tmp_path / "home"
    path = write(tmp_path, "question;answer\n" + ROWS)
    environment = os.environ | {"COLUMNS": "60"}
    done = subprocess.run(
        [sys.executable, str(APP), "--home", str(home), "data", "check", str(path)],
        capture_output=True,
        text=True,
        env=environment,
        cwd=tmp_path,
        timeout=180,
    )
    assert done.returncode == 0, done.stderr
    assert "This can be learned from" in done.stdout
    assert not home.exists()


def test_the_command_line_asks_for_a_file() -> None:
    done = subprocess.run(
        [sys.executable, str(APP), "data", "check"], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 2
    assert "FILE" in done.stderr
