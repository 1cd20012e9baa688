from pathlib import Path

from tailor.engine.lifecycle import Noted
from tailor.engine.runs.journal import JournalLine, append_lines, read_journal, take_back


def line(number: int, words: str = "x") -> JournalLine:
    fact = Noted(at=1.0, words=words)
    return JournalLine(number=number, after_seq=0, fact=fact, status="queued", reason="It waits.")


def test_what_is_appended_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    assert read_journal(path) == ()
    append_lines(path, (line(1), line(2)))
    append_lines(path, (line(3),))
    assert read_journal(path) == (line(1), line(2), line(3))


def test_a_torn_line_is_ignored_and_written_over(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    append_lines(path, (line(1),))
    with path.open("ab") as file:
        file.write(b'{"schema":1,"number":2,"after' + b"x" * 5000)
    assert read_journal(path) == (line(1),)
    append_lines(path, (line(2, "after"),))
    assert read_journal(path) == (line(1), line(2, "after"))


def test_a_line_can_be_taken_back(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    append_lines(path, (line(1),))
    length = append_lines(path, (line(2),))
    take_back(path, length)
    assert read_journal(path) == (line(1),)
