"""The whole way of a file: dropped, read by a real child, shown, mapped; and it survives a kill."""

import ast
import hashlib
import json
import stat
from pathlib import Path
from typing import Any

import pytest

import tailor.engine.data
from tailor.engine.data.library import DataLibrary
from tailor.engine.data.owner import open_owner
from tailor.engine.data.report import Source
from tailor.engine.data.set_folder import SetFolder
from tailor.engine.data_types import Mapping
from tailor.engine.errors import UserError
from tailor.engine.json_file import read_json, write_json

OWNER = "ada"
PAIR = Mapping(shape="question_answer", question="question", answer="answer")
ROWS = "question,answer\n" + "".join(f"what is {n}?,it is {n}\n" for n in range(60))


def set_folder(shelf: Any, dataset_id: str) -> SetFolder:
    return SetFolder(open_owner(shelf.home, OWNER).set(dataset_id))


def everything(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_a_file_is_read_shown_previewed_and_mapped(shelf: Any) -> None:
    file = shelf.library.add_file(OWNER, shelf.put(ROWS), "rows.csv")
    begun = shelf.library.add_dataset(OWNER, [file.id])
    assert begun.status == "reading"
    dataset = shelf.wait(begun.id)
    assert dataset.status == "ready"
    assert dataset.found == "Commas, UTF-8, 2 columns, 60 rows."
    assert dataset.guesses[0].mapping == PAIR
    assert dataset.mapping is None
    rows = shelf.library.rows(OWNER, dataset.id, offset=58, limit=20)
    assert [(row.id, row.origin, row.split) for row in rows] == [
        (59, "line 60", ""),
        (60, "line 61", ""),
    ]
    assert len(shelf.library.preview(OWNER, dataset.id, PAIR)) == 3
    mapped = shelf.library.map(OWNER, dataset.id, PAIR)
    assert (mapped.status, mapped.version, mapped.mapping) == ("ready", 1, PAIR)
    assert (mapped.train_rows, mapped.held_out_rows, mapped.left_out_rows) == (48, 12, 0)
    assert len(mapped.exam) == 10
    sides = [row.split for row in shelf.library.rows(OWNER, dataset.id, limit=200)]
    assert sides.count("held_out") == 12
    assert sides.count("train") == 48
    held = {
        row.id
        for row in shelf.library.rows(OWNER, dataset.id, limit=200)
        if row.split == "held_out"
    }
    assert {int(one.id.removeprefix("row-")) for one in mapped.exam} <= held


def test_the_original_never_changes(shelf: Any) -> None:
    dataset = shelf.add(ROWS)
    files = open_owner(shelf.home, OWNER).files
    before = everything(files)
    assert hashlib.sha256(ROWS.encode()).hexdigest() in before.values()
    shelf.library.map(OWNER, dataset.id, PAIR)
    shelf.library.map(OWNER, dataset.id, Mapping(shape="text", text="answer"))
    assert everything(files) == before


def test_each_mapping_is_a_new_version_and_the_old_one_stays(shelf: Any) -> None:
    dataset = shelf.add(ROWS)
    shelf.library.map(OWNER, dataset.id, PAIR)
    first = shelf.library.render_request(OWNER, dataset.id)
    before = Path(first["path"]).read_bytes()
    swapped = Mapping(shape="question_answer", question="answer", answer="question")
    assert shelf.library.map(OWNER, dataset.id, swapped).version == 2
    second = shelf.library.render_request(OWNER, dataset.id)
    assert Path(first["path"]).read_bytes() == before
    assert first["path"] != second["path"]
    assert first["content_hash"] == hashlib.sha256(before).hexdigest() != second["content_hash"]
    assert stat.S_IMODE(Path(second["path"]).stat().st_mode) == 0o400
    assert (second["shape"], second["train_rows"], second["held_out_rows"]) == (
        "prompt_completion",
        48,
        12,
    )


def test_a_refused_mapping_changes_nothing(shelf: Any) -> None:
    dataset = shelf.add(ROWS)
    shelf.library.map(OWNER, dataset.id, PAIR)
    before = everything(shelf.home)
    for mapping in (
        Mapping(shape="question_answer", question="question"),
        Mapping(shape="question_answer", question="question", answer="nothing"),
        Mapping(shape="chat", messages="question"),
    ):
        with pytest.raises(UserError):
            shelf.library.map(OWNER, dataset.id, mapping)
    assert everything(shelf.home) == before


@pytest.mark.parametrize(
    ("content", "name", "title"),
    [
        (b"", "rows.csv", "This file is empty"),
        (b"\x80\x04\x95" + bytes(30), "rows.csv", "Tailor cannot read this kind of file"),
        (b'[{"a": 1,}]', "rows.json", "This JSON file is damaged"),
        (bytes(range(256)) * 30, "rows.csv", "This is not a text file"),
    ],
)
def test_a_file_that_cannot_be_read_says_why(
    shelf: Any, content: bytes, name: str, title: str
) -> None:
    dataset = shelf.add(content, name)
    assert dataset.status == "failed"
    assert dataset.problem.title == title
    assert dataset.problem.detail
    assert dataset.problem.fix
    with pytest.raises(UserError, match=title):
        shelf.library.rows(OWNER, dataset.id)
    assert sorted(path.name for path in set_folder(shelf, dataset.id).path.iterdir()) == [
        "source.json"
    ]


@pytest.mark.slow
@pytest.mark.parametrize("start", [b"", b"question,answer\n", b'[{"a": "', b'{"a": "', b'q,a\n"'])
def test_a_hundred_megabytes_on_one_line_are_refused_in_bounded_memory(
    shelf: Any, start: bytes
) -> None:
    dataset = shelf.add(start + b"x" * 100_000_000)
    assert dataset.status == "failed"
    assert dataset.problem.title in (
        "One row is too long", "One cell is too long", "This JSON file is one single object",
    )  # fmt: skip


def test_twenty_thousand_rows_of_a_kilobyte_are_read(shelf: Any) -> None:
    row = f"{'long question ' * 30},{'long answer ' * 45}\n"
    dataset = shelf.add("question,answer\n" + "".join(f"{n} {row}" for n in range(20_000)))
    assert dataset.rows == 20_000
    [last] = shelf.library.rows(OWNER, dataset.id, offset=19_999)
    assert last.origin == "line 20001"


def test_three_rows_are_mapped_but_stop_the_way_on(shelf: Any) -> None:
    dataset = shelf.add("question,answer\na,b\nc,d\ne,f\n")
    mapped = shelf.library.map(OWNER, dataset.id, PAIR)
    assert mapped.findings[0].level == "stop"
    assert "3 rows; 50 are enough to try it" in mapped.findings[0].detail


def test_another_owner_sees_nothing(shelf: Any) -> None:
    file = shelf.library.add_file(OWNER, shelf.put(ROWS), "rows.csv")
    dataset = shelf.wait(shelf.library.add_dataset(OWNER, [file.id]).id)
    calls = [
        lambda: shelf.library.add_dataset("bob", [file.id]),
        lambda: shelf.library.dataset("bob", dataset.id),
        lambda: shelf.library.rows("bob", dataset.id),
        lambda: shelf.library.preview("bob", dataset.id, PAIR),
        lambda: shelf.library.map("bob", dataset.id, PAIR),
        lambda: shelf.library.render_request("bob", dataset.id),
        lambda: shelf.library.dataset(OWNER, "../../ada/sets/" + dataset.id),
        lambda: shelf.library.dataset(OWNER, "ds_20260101-zzzz"),
    ]
    for call in calls:
        with pytest.raises(UserError) as raised:
            call()
        assert raised.value.status == 404


def test_asking_too_early_is_told(shelf: Any) -> None:
    file = shelf.library.add_file(OWNER, shelf.put(ROWS), "rows.csv")
    dataset = shelf.library.add_dataset(OWNER, [file.id])
    with pytest.raises(UserError, match="still being read"):
        shelf.library.rows(OWNER, dataset.id)
    shelf.wait(dataset.id)
    with pytest.raises(UserError, match="not chosen yet"):
        shelf.library.render_request(OWNER, dataset.id)


def test_reading_goes_on_by_itself_after_the_engine_was_killed(shelf: Any) -> None:
    file = shelf.library.add_file(OWNER, shelf.put(ROWS), "rows.csv")
    dataset = shelf.library.add_dataset(OWNER, [file.id])
    shelf.library.close()
    shelf.library = DataLibrary(shelf.home)
    assert shelf.wait(dataset.id).status == "ready"
    folder = set_folder(shelf, dataset.id)
    assert sorted(path.name for path in folder.path.iterdir()) == ["rows.arrow", "source.json"]


def test_a_file_that_takes_the_engine_down_is_not_tried_for_ever(shelf: Any) -> None:
    dataset = shelf.add(ROWS)
    folder = set_folder(shelf, dataset.id)
    source = read_json(folder.source, Source)
    fields = {
        name: getattr(source, name)
        for name in ("id", "owner", "title", "file_ids", "sha256s", "created_at")
    }
    write_json(folder.source, Source(**fields, attempts=3))
    interrupted = shelf.library.dataset(OWNER, dataset.id)
    assert interrupted.status == "failed"
    assert interrupted.problem.title == "Reading was interrupted"


def test_what_was_mapped_is_there_after_a_restart(shelf: Any) -> None:
    dataset = shelf.add(ROWS)
    before = shelf.library.map(OWNER, dataset.id, PAIR)
    shelf.library.close()
    shelf.library = DataLibrary(shelf.home)
    assert shelf.library.dataset(OWNER, dataset.id) == before


def test_an_original_that_was_changed_on_disk_is_not_read(shelf: Any) -> None:
    file = shelf.library.add_file(OWNER, shelf.put(ROWS), "rows.csv")
    path = open_owner(shelf.home, OWNER).file(file.id)
    path.chmod(0o600)
    path.write_text(ROWS + "one,more\n")
    dataset = shelf.wait(shelf.library.add_dataset(OWNER, [file.id]).id)
    assert dataset.problem.title == "The stored file has changed"


def test_a_large_table_is_mapped_by_a_child(shelf: Any) -> None:
    rows = "".join(f"what is {n}?,it is {n}\n" for n in range(6_000))
    dataset = shelf.add("question,answer\n" + rows + "empty,\n")
    mapped = shelf.wait(shelf.library.map(OWNER, dataset.id, PAIR).id)
    assert (mapped.version, mapped.train_rows, mapped.held_out_rows, mapped.left_out_rows) == (
        1,
        5_800,
        200,
        1,
    )
    with pytest.raises(UserError, match="No row makes a finished example"):
        shelf.library.map(OWNER, dataset.id, Mapping(shape="chat", messages="question"))
    assert shelf.library.dataset(OWNER, dataset.id) == mapped


def test_several_files_at_once_wait_for_their_turn(shelf: Any) -> None:
    ids = []
    for number in range(5):
        file = shelf.library.add_file(OWNER, shelf.put(ROWS + f"{number},x\n"), f"{number}.csv")
        ids.append(shelf.library.add_dataset(OWNER, [file.id]).id)
    assert len(set(ids)) == 5
    assert [shelf.wait(dataset_id).rows for dataset_id in ids] == [61] * 5


def test_cells_are_cut_for_the_screen_only(shelf: Any) -> None:
    dataset = shelf.add(json.dumps([{"question": "q" * 5_000, "answer": "a"}] * 10), "x.json")
    [row] = shelf.library.rows(OWNER, dataset.id, limit=1)
    assert len(row.cells[0]) == 2_000
    assert row.origin == "entry 1, line 1"
    [first, *_] = shelf.library.preview(OWNER, dataset.id, PAIR)
    assert len(first.messages[0].content) == 5_000


def test_only_the_child_opens_originals() -> None:
    folder = Path(tailor.engine.data.__path__[0])
    importers: dict[str, set[str]] = {"open_original": set(), "read_originals": set()}
    for path in folder.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            for name in node.names if isinstance(node, ast.ImportFrom) else ():
                if name.name in importers:
                    importers[name.name].add(path.stem)
    assert importers == {"open_original": {"read"}, "read_originals": {"child"}}


def test_the_built_in_example_is_read_and_mapped_like_any_file(shelf: Any) -> None:
    dataset = shelf.wait(shelf.library.add_example(OWNER, "maintenance").id)
    assert dataset.status == "ready"
    assert dataset.problem is None
    assert dataset.version == 1
    assert dataset.rows == dataset.train_rows + dataset.held_out_rows + dataset.left_out_rows
    assert dataset.held_out_rows >= 20
    assert len(dataset.exam) == 10
    assert all(one.expected for one in dataset.exam)
    assert shelf.library.render_request(OWNER, dataset.id)["shape"] == "prompt_completion"


def test_an_example_that_does_not_exist_is_told(shelf: Any) -> None:
    with pytest.raises(UserError, match="There is no example"):
        shelf.library.add_example(OWNER, "nothing")
