"""Fixes, undo, skips, checks on request and another reading: whole or not at all, and taken back."""

import hashlib
import stat
from pathlib import Path
from typing import Any

import pytest

from tailor.engine.data.library import DataLibrary
from tailor.engine.data.owner import open_owner
from tailor.engine.data.set_folder import SetFolder
from tailor.engine.data_types import DatasetRecord, Mapping
from tailor.engine.errors import UserError

OWNER = "ada"
PAIR = Mapping(shape="question_answer", question="question", answer="answer")
TOPICS = ["pumps", "valves", "fans", "belts", "filters", "motors"]
ROWS = [
    f"how do i care for {TOPICS[n % 6]} of type {n * 7}?,see page {n} of the book"
    for n in range(60)
]
REPEATED = "question,answer\n" + "\n".join([*ROWS, *ROWS[:4], "todo,TODO", "what?,N/A"]) + "\n"


def mapped(shelf: Any, content: str = REPEATED) -> DatasetRecord:
    dataset = shelf.place(content)
    record: DatasetRecord = shelf.library.map(OWNER, dataset.id, PAIR)
    return record


def folder_of(shelf: Any, dataset_id: str) -> Path:
    return open_owner(shelf.home, OWNER).set(dataset_id)


def rows_hash(shelf: Any, dataset_id: str) -> str:
    folder = SetFolder(folder_of(shelf, dataset_id))
    return hashlib.sha256(folder.rows(folder.load()).read_bytes()).hexdigest()


def finding(record: DatasetRecord, check: str) -> Any:
    return next((one for one in record.findings if one.check == check), None)


def fix_suggested(shelf: Any, record: DatasetRecord, check: str) -> DatasetRecord:
    fix = next(one for one in finding(record, check).fixes if one.is_suggested)
    fixed: DatasetRecord = shelf.library.fix(OWNER, record.id, check, fix.id, "")
    return fixed


def accounted(record: DatasetRecord) -> bool:
    left_out = sum(number for _, number in record.left_out)
    return record.rows == record.train_rows + record.held_out_rows + left_out


def test_a_fix_makes_a_new_version_and_undo_gives_the_same_bytes_back(shelf: Any) -> None:
    record = mapped(shelf)
    before = rows_hash(shelf, record.id)
    fixed = fix_suggested(shelf, record, "duplicates")
    assert fixed.version == record.version + 1
    assert [one.rows for one in fixed.operations] == [4]
    assert fixed.operations[0].words
    assert fixed.operations[0].mapping == PAIR
    assert finding(fixed, "duplicates") is None
    assert fixed.train_rows + fixed.held_out_rows == record.train_rows + record.held_out_rows - 4
    assert accounted(fixed)
    assert rows_hash(shelf, record.id) != before
    undone = shelf.library.undo(OWNER, record.id)
    assert undone.operations == ()
    assert rows_hash(shelf, record.id) == before
    assert finding(undone, "duplicates") == finding(record, "duplicates")
    assert (undone.train_rows, undone.held_out_rows) == (record.train_rows, record.held_out_rows)
    assert undone.version == fixed.version + 1


def test_fixes_are_undone_one_after_the_other_and_done_again_to_the_same_bytes(shelf: Any) -> None:
    record = mapped(shelf)
    files = open_owner(shelf.home, OWNER).files
    original = {path.name: path.read_bytes() for path in files.iterdir()}
    hashes = [rows_hash(shelf, record.id)]
    for check in ("duplicates", "empty"):
        record = fix_suggested(shelf, record, check)
        hashes.append(rows_hash(shelf, record.id))
    assert len(set(hashes)) == 3
    assert [one.check for one in record.operations] == ["duplicates", "empty"]
    for expected in reversed(hashes[:-1]):
        record = shelf.library.undo(OWNER, record.id)
        assert rows_hash(shelf, record.id) == expected
    with pytest.raises(UserError, match="nothing to undo"):
        shelf.library.undo(OWNER, record.id)
    for number, check in enumerate(("duplicates", "empty"), start=1):
        record = fix_suggested(shelf, record, check)
        assert rows_hash(shelf, record.id) == hashes[number]
    assert {path.name: path.read_bytes() for path in files.iterdir()} == original


def test_rows_of_an_undone_fix_are_gone_and_those_there_are_read_only(shelf: Any) -> None:
    record = fix_suggested(shelf, mapped(shelf), "duplicates")
    folder = folder_of(shelf, record.id)
    assert sorted(path.name for path in folder.glob("rows*")) == ["rows-1.arrow", "rows.arrow"]
    assert {stat.S_IMODE(path.stat().st_mode) for path in folder.glob("*-1.arrow")} == {0o400}
    shelf.library.undo(OWNER, record.id)
    assert [path.name for path in folder.glob("rows*")] == ["rows.arrow"]
    assert not list(folder.glob("work-*"))


def test_rows_can_be_left_out_by_hand_and_are_counted_as_that(shelf: Any) -> None:
    record = mapped(shelf)
    fixed = shelf.library.fix(OWNER, record.id, "lengths", "leave_out_rows", "3,5")
    assert accounted(fixed)
    assert fixed.left_out_rows == record.left_out_rows + 2
    assert [
        number for reason, number in fixed.left_out if reason.startswith("you left it out")
    ] == [2]
    rows = shelf.library.rows(OWNER, record.id, offset=2, limit=3)
    assert [row.split != "" for row in rows] == [False, True, False]
    assert "you left it out" in rows[0].origin
    assert rows[0].cells == shelf.library.rows(OWNER, shelf.place(REPEATED).id, 2, 1)[0].cells


@pytest.mark.parametrize(
    ("check", "fix", "value"),
    [
        ("duplicates", "nothing", ""),
        ("nothing", "keep_first", ""),
        ("lengths", "leave_out_rows", "one,two"),
        ("lengths", "leave_out_rows", "9999"),
    ],
)
def test_a_fix_that_cannot_be_done_changes_nothing(
    shelf: Any, check: str, fix: str, value: str
) -> None:
    record = mapped(shelf)
    folder = folder_of(shelf, record.id)
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    with pytest.raises(UserError):
        shelf.library.fix(OWNER, record.id, check, fix, value)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
    assert shelf.library.dataset(OWNER, record.id) == record


def test_a_fix_that_would_leave_no_row_is_refused(shelf: Any) -> None:
    record = mapped(shelf)
    everything = ",".join(str(number) for number in range(1, record.rows + 1))
    with pytest.raises(UserError, match="No row makes a finished example"):
        shelf.library.fix(OWNER, record.id, "lengths", "leave_out_rows", everything)
    assert shelf.library.dataset(OWNER, record.id) == record


def test_nothing_can_be_fixed_mixed_or_checked_before_the_columns_are_chosen(shelf: Any) -> None:
    dataset = shelf.place(REPEATED)
    for call in (
        lambda: shelf.library.fix(OWNER, dataset.id, "duplicates", "keep_first", ""),
        lambda: shelf.library.request_check(OWNER, dataset.id, "personal_data"),
    ):
        with pytest.raises(UserError, match="not chosen yet"):
            call()


def test_another_mapping_keeps_the_fixes(shelf: Any) -> None:
    record = fix_suggested(shelf, mapped(shelf), "duplicates")
    swapped = Mapping(shape="question_answer", question="answer", answer="question")
    again = shelf.library.map(OWNER, record.id, swapped)
    assert again.operations == record.operations
    assert again.mapping == swapped
    assert accounted(again)


def test_a_skipped_finding_stays_skipped_while_it_finds_the_same(shelf: Any) -> None:
    record = mapped(shelf)
    skipped = shelf.library.skip(OWNER, record.id, "duplicates", is_skipped=True)
    assert finding(skipped, "duplicates").is_skipped
    assert skipped.version == record.version
    fixed = fix_suggested(shelf, skipped, "empty")
    assert finding(fixed, "duplicates").is_skipped
    fixed = shelf.library.fix(OWNER, record.id, "lengths", "leave_out_rows", "62")
    assert not finding(fixed, "duplicates").is_skipped


def test_a_skip_is_taken_back_and_ends_with_the_mapping(shelf: Any) -> None:
    record = mapped(shelf)
    shelf.library.skip(OWNER, record.id, "duplicates", is_skipped=True)
    again = shelf.library.skip(OWNER, record.id, "duplicates", is_skipped=False)
    assert not finding(again, "duplicates").is_skipped
    shelf.library.skip(OWNER, record.id, "duplicates", is_skipped=True)
    other = Mapping(shape="question_answer", question="question", answer="answer", instruction="x")
    assert not finding(shelf.library.map(OWNER, record.id, other), "duplicates").is_skipped


def test_a_skipped_stop_is_told_last(shelf: Any) -> None:
    record = mapped(
        shelf, "question,answer\n" + "\n".join([*ROWS, "who is {{name}}?,it is {{name}}"])
    )
    assert record.findings[0].level == "stop"
    skipped = shelf.library.skip(OWNER, record.id, record.findings[0].check, is_skipped=True)
    assert skipped.findings[-1].check == record.findings[0].check
    assert all(one.level != "stop" or one.is_skipped for one in skipped.findings)


def test_a_finding_that_is_not_there_cannot_be_skipped(shelf: Any) -> None:
    record = mapped(shelf)
    for check in ("", "nothing"):
        with pytest.raises(UserError, match="not there any more"):
            shelf.library.skip(OWNER, record.id, check, is_skipped=True)


def test_a_check_on_request_stays_asked_for(shelf: Any) -> None:
    lines = [*ROWS, "whom do i ask about belts?,write to lena@example.org"]
    record = mapped(shelf, "question,answer\n" + "\n".join(lines))
    assert finding(record, "personal_data") is None
    asked = shelf.wait(shelf.library.request_check(OWNER, record.id, "personal_data").id)
    assert asked.extra_checks == ("personal_data",)
    assert finding(asked, "personal_data").count == 1
    again = shelf.wait(shelf.library.map(OWNER, record.id, PAIR).id)
    assert finding(again, "personal_data").count == 1
    with pytest.raises(UserError, match="does not exist"):
        shelf.library.request_check(OWNER, record.id, "everything")


def test_another_reading_begins_anew_and_keeps_what_was_chosen(shelf: Any) -> None:
    record = fix_suggested(shelf, mapped(shelf), "duplicates")
    shelf.library.reread(OWNER, record.id, [("headings", "none")])
    again = shelf.wait(record.id)
    assert again.rows == record.rows + 1
    assert (again.mapping, again.operations, again.findings and again.train_rows) == (None, (), 0)
    assert shelf.library.rows(OWNER, record.id, 0, 1)[0].cells == ("question", "answer")
    folder = folder_of(shelf, record.id)
    assert [path.name for path in folder.glob("rows*")] == ["rows_2.arrow"]
    shelf.library.reread(OWNER, record.id, [("headings", "")])
    assert shelf.wait(record.id).columns == ("question", "answer")


def test_a_reading_that_fails_leaves_the_one_before(shelf: Any) -> None:
    record = mapped(shelf)
    path = open_owner(shelf.home, OWNER).file(
        SetFolder(folder_of(shelf, record.id)).load().file_ids[0]
    )
    path.chmod(0o600)
    path.write_text("changed")
    shelf.library.reread(OWNER, record.id, [("headings", "none")])
    failed = shelf.wait(record.id)
    assert failed.problem.title == "The stored file has changed"
    assert failed.status == "ready"
    assert (failed.mapping, failed.rows) == (record.mapping, record.rows)


def test_a_dataset_of_the_first_schema_is_still_read(shelf: Any) -> None:
    import json

    record = mapped(shelf)
    path = SetFolder(folder_of(shelf, record.id)).source
    stored = json.loads(path.read_bytes())
    new = ("choices", "rereading", "reading", "operations", "extra_checks", "skipped", "mixing")
    for name in new:
        del stored[name]
    [stored["file_id"]], [stored["sha256"]] = stored.pop("file_ids"), stored.pop("sha256s")
    for name in ("operation", "mixed_rows", "has_mixed_turns", "sources"):
        del stored["mapped"][name]
    path.write_text(json.dumps(stored | {"schema": 1}))
    shelf.library.close()
    shelf.library = DataLibrary(shelf.home)
    old = shelf.library.dataset(OWNER, record.id)
    assert (old.mapping, old.rows, old.files) == (record.mapping, record.rows, record.files)
    assert fix_suggested(shelf, old, "duplicates").operations[0].rows == 4


def test_two_at_once_do_not_undo_each_other(shelf: Any) -> None:
    from concurrent.futures import ThreadPoolExecutor

    record = mapped(shelf)

    def leave_out(number: int) -> int:
        try:
            shelf.library.fix(OWNER, record.id, "lengths", "leave_out_rows", str(number))
        except UserError as problem:
            return problem.status
        return 200

    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(leave_out, range(1, 9)))
    assert set(answers) <= {200, 409}
    done = answers.count(200)
    after = shelf.library.dataset(OWNER, record.id)
    assert done == len(after.operations) == after.left_out_rows - record.left_out_rows >= 1
