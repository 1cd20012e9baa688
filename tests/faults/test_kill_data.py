"""kill -9 inside a fix and inside its undo: the dataset is as it was, or as it was to become."""

import hashlib
import json
import os
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tailor.engine.data.library import DataLibrary
from tailor.engine.data.owner import open_owner
from tailor.engine.data.set_folder import SetFolder
from tailor.engine.data_types import DatasetRecord, Mapping

OWNER = "ada"
SCRIPT = Path(__file__).with_name("data_process.py")
PAIR = Mapping(shape="question_answer", question="question", answer="answer")


pytestmark = pytest.mark.slow


@pytest.fixture
def process(home: Path) -> Iterator["subprocess.Popen[str]"]:
    with subprocess.Popen(
        [sys.executable, "-P", str(SCRIPT), str(home)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as started:
        try:
            yield started
        finally:
            if started.poll() is None:
                os.killpg(started.pid, signal.SIGKILL)


def read_line(process: "subprocess.Popen[str]") -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def order(process: "subprocess.Popen[str]", dataset_id: str, verb: str, die_at: int) -> None:
    assert process.stdin is not None
    told = {"dataset": dataset_id, "verb": verb, "die_at": die_at}
    process.stdin.write(json.dumps(told) + "\n")
    process.stdin.flush()


def mapped_dataset(library: DataLibrary, home: Path, rows: int) -> DatasetRecord:
    inbox_id = uuid.uuid4().hex
    lines = (f"what is part {n * 37} for?,it is for machine {n}" for n in range(rows))
    open_owner(home, OWNER).inbox_file(inbox_id).write_text("question,answer\n" + "\n".join(lines))
    file = library.add_file(OWNER, inbox_id, "rows.csv")
    dataset_id = library.add_dataset(OWNER, [file.id]).id
    wait(library, dataset_id)
    library.map(OWNER, dataset_id, PAIR)
    return wait(library, dataset_id)


def wait(library: DataLibrary, dataset_id: str) -> DatasetRecord:
    deadline = time.monotonic() + 180
    while (record := library.dataset(OWNER, dataset_id)).status == "reading":
        assert time.monotonic() < deadline
        time.sleep(0.02)
    return record


def state(home: Path, dataset_id: str) -> tuple[Any, ...]:
    """What a dataset is: its rows, what was done to them, what is learned of them."""
    library = DataLibrary(home)
    try:
        record = library.dataset(OWNER, dataset_id)
        request = library.render_request(OWNER, dataset_id)
        shown = library.rows(OWNER, dataset_id, limit=200)
    finally:
        library.close()
    folder = SetFolder(open_owner(home, OWNER).set(dataset_id))
    rows = folder.rows(folder.load()).read_bytes()
    examples = hashlib.sha256(Path(request["path"]).read_bytes()).hexdigest()
    assert examples == request["content_hash"]
    assert record.problem is None
    assert record.rows == record.train_rows + record.held_out_rows + record.left_out_rows
    return hashlib.sha256(rows).hexdigest(), record.operations, record.left_out, examples, shown


def originals(home: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in open_owner(home, OWNER).files.iterdir()}


def test_a_kill_anywhere_in_a_fix_or_its_undo_leaves_the_old_state_or_the_new_one(
    home: Path, process: "subprocess.Popen[str]"
) -> None:
    assert read_line(process) == "ready"
    library = DataLibrary(home)
    dataset_id = mapped_dataset(library, home, 60).id
    kept = originals(home)
    states = {"undo": state(home, dataset_id)}
    library.fix(OWNER, dataset_id, "lengths", "leave_out_rows", "1,2,3")
    states["fix"] = state(home, dataset_id)
    library.undo(OWNER, dataset_id)
    library.close()
    assert state(home, dataset_id) == states["undo"] != states["fix"]
    for verb, before in (("fix", "undo"), ("undo", "fix")):
        found, die_at, told = [], 0, "killed"
        while told == "killed":
            die_at += 1
            order(process, dataset_id, verb, die_at)
            told = read_line(process)
            assert told in ("killed", "done")
            found.append(state(home, dataset_id))
            assert found[-1] in (states[before], states[verb]), f"{verb}, operation {die_at}"
            if found[-1] == states[verb] and told == "killed":
                put_back(home, dataset_id, verb)
        assert found[-1] == states[verb]
        assert found[0] == states[before]
        assert die_at > 5
    assert originals(home) == kept
    folder = open_owner(home, OWNER).set(dataset_id)
    assert sorted(path.name for path in folder.glob("rows*")) == ["rows.arrow"]
    assert not list(folder.glob("work-*"))


def put_back(home: Path, dataset_id: str, verb: str) -> None:
    library = DataLibrary(home)
    if verb == "fix":
        library.undo(OWNER, dataset_id)
    else:
        library.fix(OWNER, dataset_id, "lengths", "leave_out_rows", "1,2,3")
    library.close()


def test_a_kill_while_a_child_works_on_a_fix_leaves_the_old_state(
    home: Path, process: "subprocess.Popen[str]"
) -> None:
    library = DataLibrary(home)
    dataset_id = mapped_dataset(library, home, 3_000).id
    library.close()
    before = state(home, dataset_id)
    folder = open_owner(home, OWNER).set(dataset_id)
    assert read_line(process) == "ready"
    order(process, dataset_id, "fix", 0)
    deadline = time.monotonic() + 120
    while not list(folder.glob("work-*/child.log")):
        assert time.monotonic() < deadline
        time.sleep(0.005)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    assert state(home, dataset_id) == before
    library = DataLibrary(home)
    library.fix(OWNER, dataset_id, "lengths", "leave_out_rows", "1,2,3")
    assert wait(library, dataset_id).operations[0].rows == 3
    library.close()
    assert not list(folder.glob("work-*"))
