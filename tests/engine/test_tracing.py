"""Traces are made by a warm server, kept on disk, and every bad end is an answer in words."""

import json
import shutil
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import psutil
import pytest

from tailor.engine.tracing import TraceQuestion, Tracing
from tailor.engine.worker.trace.versions import read_versions
from tailor.estimator.trace import TraceRequest, compute_key

SERVER = """
import os, sys, time
from pathlib import Path
from tailor.engine.child import serve_child
from tailor.engine.worker.trace.__main__ import answer_all
from tailor.estimator.trace import TraceResult

def follow(request):
    if request.technique == "full":
        os.abort()
    if request.base_format == "int8":
        time.sleep(60)
    if request.base_format == "gptq":
        held = bytearray(400 * 2**20)
        time.sleep(60)
    if request.head == "linear":
        return TraceResult(ok=False, reason="It looks at numbers.")
    return TraceResult(ok=True, weights_bytes=request.rows, seconds=float(os.getppid()))

def serve(request, report):
    folder = Path(sys.argv[1])
    (folder / "ready").touch()
    answer_all(folder, follow, request["seconds"], request["resident_bytes"])
    return {}

serve_child(serve)
"""
REQUEST = TraceRequest(
    config='{"model_type": "llama"}', technique="lora", weights="bf16", products="bf16", rows=2,
    tokens=64, learned_tokens=20,
)  # fmt: skip


@pytest.fixture
def tracing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Tracing]:
    (tmp_path / "modules").mkdir()
    (tmp_path / "modules" / "small_tracer.py").write_text(SERVER)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "modules"))
    opened = open_tracing(tmp_path)
    yield opened
    opened.close()


def open_tracing(home: Path) -> Tracing:
    return Tracing(home, module="small_tracer", seconds=1.0, resident_bytes=300 * 2**20)


def wait_for(question: TraceQuestion) -> Any:
    deadline = time.monotonic() + 60
    while (answer := question.poll()) is None:
        assert time.monotonic() < deadline
        time.sleep(0.01)
    return answer


def test_one_server_answers_all_and_lives_on(tracing: Tracing) -> None:
    first = wait_for(tracing.ask(REQUEST))
    second = wait_for(tracing.ask(replace(REQUEST, rows=4)))

    assert (first["ok"], first["weights_bytes"], second["weights_bytes"]) == (True, 2, 4)
    assert first["seconds"] == second["seconds"]  # the server that forked for both


def test_an_answer_is_kept_for_the_next_engine(tracing: Tracing, tmp_path: Path) -> None:
    told = wait_for(tracing.ask(REQUEST))
    tracing.close()
    again = open_tracing(tmp_path)

    assert again.ask(REQUEST).poll() == told
    assert not list((tmp_path / "tracer").iterdir())


@pytest.mark.parametrize("damage", ["", "{", '{"ok": true, "surprise": 1}'])
def test_a_kept_answer_that_cannot_be_read_is_made_anew(
    tracing: Tracing, tmp_path: Path, damage: str
) -> None:
    wait_for(tracing.ask(REQUEST))
    kept = tmp_path / "traces" / f"{compute_key(REQUEST, read_versions())}.json"
    kept.write_text(damage)

    assert wait_for(tracing.ask(REQUEST))["weights_bytes"] == 2
    assert json.loads(kept.read_bytes())["weights_bytes"] == 2


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"technique": "full"}, "broke off"),
        ({"base_format": "int8"}, "longer than 1 seconds"),
        ({"base_format": "gptq"}, "more than 0 GiB"),
        ({"head": "linear"}, "looks at numbers"),
    ],
    ids=["abort", "too long", "too large", "refused"],
)
def test_a_bad_end_is_an_answer_and_the_server_goes_on(
    tracing: Tracing, tmp_path: Path, changes: dict[str, Any], words: str
) -> None:
    told = wait_for(tracing.ask(replace(REQUEST, **changes)))

    assert not told["ok"]
    assert words in told["reason"]
    assert not (tmp_path / "traces").exists()  # another try may be luckier
    assert wait_for(tracing.ask(REQUEST))["ok"]


def test_a_server_that_ended_meanwhile_is_started_again(tracing: Tracing, tmp_path: Path) -> None:
    server = wait_for(tracing.ask(REQUEST))["seconds"]
    (folder,) = (tmp_path / "tracer").iterdir()
    shutil.rmtree(folder)  # the server leaves when its folder is gone, as after an idle hour
    process = psutil.Process(int(server))
    process.wait(timeout=30)

    assert wait_for(tracing.ask(replace(REQUEST, rows=8)))["weights_bytes"] == 8


def test_a_server_that_dies_twice_over_one_question_is_told(tmp_path: Path) -> None:
    tracing = Tracing(tmp_path, module="no_such_module")
    told = wait_for(tracing.ask(REQUEST))
    tracing.close()

    assert not told["ok"]
    assert "ended twice" in told["reason"]


def test_a_server_of_an_earlier_engine_is_ended(tracing: Tracing, tmp_path: Path) -> None:
    server = psutil.Process(int(wait_for(tracing.ask(REQUEST))["seconds"]))
    open_tracing(tmp_path).close()

    server.wait(timeout=30)


def test_a_refusal_needs_no_server(tracing: Tracing, tmp_path: Path) -> None:
    told = tracing.refuse("Only cards are followed.").poll()

    assert told is not None
    assert told["reason"] == "Only cards are followed."
    assert not list((tmp_path / "tracer").iterdir())


def test_the_person_hears_what_is_waited_for(tracing: Tracing) -> None:
    question = tracing.ask(REQUEST)
    before = question.progress()[1]
    wait_for(question)

    assert "Loading" in before or "step" in before
    assert "step" in question.progress()[1]
