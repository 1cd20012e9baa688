"""One warm child answers the chat; it is changed for another run and replaced when it ends."""

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from tailor.engine.errors import UserError
from tailor.engine.speaker import Question, Speaker
from tailor.recipes.spec import Message

CHILD = """
import json, os, re, sys, time
from pathlib import Path
folder = Path(sys.argv[1])
request = json.loads((folder / "request.json").read_bytes())["request"]
if request["run_dir"].endswith("broken"):
    sys.exit(3)
(folder / "ready").touch()
answered = set()
while True:
    for path in sorted(folder.glob("ask-*.json")):
        number = re.search(r"\\d+", path.name).group()
        if number in answered:
            continue
        answered.add(number)
        body = json.loads(path.read_bytes())
        said = body["messages"][-1]["content"]
        kind, told = "answer", {"base": said, "tuned": said.upper(), "adapter_hash": str(os.getpid())}
        if said == "refuse":
            kind, told = "problem", {"title": "Too long", "detail": "Cut it.", "fix": "Shorten."}
        if said == "slow":
            time.sleep(1)
        beside = folder / f".{kind}-{number}"
        beside.write_text(json.dumps(told))
        beside.rename(folder / f"{kind}-{number}.json")
        if said == "then end":
            sys.exit(0)
    time.sleep(0.01)
"""


@pytest.fixture
def speaker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Speaker]:
    (tmp_path / "modules").mkdir()
    (tmp_path / "modules" / "echo_speaker.py").write_text(CHILD)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "modules"))
    opened = Speaker(tmp_path / "speaker", module="echo_speaker")
    yield opened
    opened.close()


def ask(speaker: Speaker, run_dir: Path, words: str) -> Question:
    return speaker.ask(run_dir, (Message(role="user", content=words),), max_new_tokens=8)


def wait_for(poll: Callable[[], Any]) -> Any:
    deadline = time.monotonic() + 60
    while (answer := poll()) is None:
        assert time.monotonic() < deadline
        time.sleep(0.01)
    return answer


def test_a_second_question_goes_to_the_same_child(speaker: Speaker, tmp_path: Path) -> None:
    first = wait_for(ask(speaker, tmp_path / "run_a", "hello").poll)
    question = ask(speaker, tmp_path / "run_a", "again")
    second = wait_for(question.poll)

    assert first["tuned"] == "HELLO"
    assert second["adapter_hash"] == first["adapter_hash"]
    assert "answering" in question.progress()[1]


def test_another_run_waits_its_turn_and_gets_a_child_of_its_own(
    speaker: Speaker, tmp_path: Path
) -> None:
    slow = ask(speaker, tmp_path / "run_a", "slow")
    other = ask(speaker, tmp_path / "run_b", "hello")
    assert "another run" in other.progress()[1]

    first, second = wait_for(slow.poll), wait_for(other.poll)

    assert first["tuned"] == "SLOW"
    assert second["adapter_hash"] != first["adapter_hash"]
    assert not psutil.pid_exists(int(first["adapter_hash"]))


def test_a_refusal_comes_back_in_the_childs_words(speaker: Speaker, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="Too long"):
        wait_for(ask(speaker, tmp_path / "run_a", "refuse").poll)


def test_a_child_that_ended_when_idle_is_started_again(speaker: Speaker, tmp_path: Path) -> None:
    first = wait_for(ask(speaker, tmp_path / "run_a", "then end").poll)
    second = wait_for(ask(speaker, tmp_path / "run_a", "hello").poll)

    assert second["tuned"] == "HELLO"
    assert second["adapter_hash"] != first["adapter_hash"]


def test_a_child_that_keeps_dying_is_told_in_words(speaker: Speaker, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="could not be started for a chat") as caught:
        wait_for(ask(speaker, tmp_path / "run_broken", "hello").poll)

    assert "code 3" in caught.value.detail


def test_after_kill_minus_nine_the_next_engine_ends_the_old_child(
    speaker: Speaker, tmp_path: Path
) -> None:
    answer = wait_for(ask(speaker, tmp_path / "run_a", "hello").poll)
    stored = next((tmp_path / "speaker").glob("*/process.json"))
    assert json.loads(stored.read_text())["pid"] == int(answer["adapter_hash"])

    # The first one is not closed, as after kill -9.
    Speaker(tmp_path / "speaker", module="echo_speaker").close()

    wait_for(lambda: True if is_gone(int(answer["adapter_hash"])) else None)
    assert list((tmp_path / "speaker").iterdir()) == []


def is_gone(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True
