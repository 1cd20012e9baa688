"""Public sets are read as their own catalogue declares them. Needs a folder of them."""

import json
import os
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tailor.engine.data.making.examples import read_examples
from tailor.engine.data.making.mapping import columns_of
from tailor.engine.data.rows_file import open_rows

FOLDER = Path(os.environ.get("TAILOR_TEST_DATA", "/nowhere"))
CATALOGUE = FOLDER / "llamafactory" / "dataset_info.json"
pytestmark = pytest.mark.skipif(
    not CATALOGUE.exists(), reason="TAILOR_TEST_DATA names no folder with the public sample files"
)
Read = Callable[..., Any]


def declared(entry: dict[str, Any], columns: tuple[str, ...]) -> dict[str, str]:
    """What an entry of the catalogue says, in the words of a mapping."""
    named = entry.get("columns", {})
    if "kto_tag" in named:
        return {"messages": named["messages"], "rating": named["kto_tag"]}
    if entry.get("formatting") == "sharegpt":
        parts = {"messages": named["messages"], "tools": named.get("tools", "")}
        parts |= {"pictures": named.get("images", "")}
        parts |= {part: named[part] for part in ("chosen", "rejected") if part in named}
        return {part: column for part, column in parts.items() if column}
    if len(columns) == 1:
        return {"text": named["prompt"]}
    return {"context": "instruction", "question": "input", "answer": "output"}


def catalogue() -> list[str]:
    if not CATALOGUE.exists():
        return ["none"]
    entries = json.loads(CATALOGUE.read_text())
    names = {name: entry.get("file_name", "") for name, entry in entries.items()}
    return [name for name, file in names.items() if file and (CATALOGUE.parent / file).is_file()]


@pytest.mark.parametrize("name", catalogue())
def test_an_entry_of_the_catalogue_is_found_as_it_is_declared(name: str, read: Read) -> None:
    entry = json.loads(CATALOGUE.read_text())[name]
    path = CATALOGUE.parent / entry["file_name"]
    file = read(path.read_bytes(), path.name)
    best = file.report.guesses[0].mapping
    expected_shape = (
        "preference" if entry.get("ranking") else
        "thumbs" if "kto_tag" in entry.get("columns", {}) else
        "chat" if entry.get("formatting") == "sharegpt" else
        "text" if len(file.report.columns) == 1 else "question_answer"
    )  # fmt: skip
    assert (best.shape, columns_of(best)) == (
        expected_shape,
        declared(entry, file.report.columns),
    )
    with open_rows(file.path) as rows:
        made = [example.left_out for _, example in read_examples(rows, file.report.columns, best)]
    assert set(made) == {""}


OTHERS = {
    "banking77/train.csv": ("classes", {"question": "text", "answer": "category"}, 10_003),
    "gsm8k/test.jsonl": ("question_answer", {"question": "question", "answer": "answer"}, 1_319),
    "fms-hf-tuning/single_turn_chat.jsonl": ("chat", {"messages": "messages"}, 18),
    "fms-hf-tuning/multi_turn_chat.jsonl": ("chat", {"messages": "messages"}, 10),
    "fms-hf-tuning/multi_turn_chat_conversations.jsonl":
        ("chat", {"messages": "conversations"}, 10),
    "fms-hf-tuning/nestful_100_samples_input_output.jsonl":
        ("question_answer", {"question": "input", "answer": "output", "tools": "tools"}, 100),
    "fms-hf-tuning/twitter_complaints_input_output.json":
        ("classes", {"question": "input", "answer": "output"}, 50),
    "fms-hf-tuning/twitter_complaints_input_output.parquet":
        ("classes", {"question": "input", "answer": "output"}, 50),
    "fms-hf-tuning/twitter_complaints_input_output.arrow":
        ("classes", {"question": "input", "answer": "output"}, 50),
    "openai-cookbook/toy_chat_fine_tuning.jsonl": ("chat", {"messages": "messages"}, 4),
    "xquad/xquad.hi.json": (
        "question_answer",
        {"question": "question", "answer": "answers[0].text", "context": "context"},
        1_190,
    ),
    "humaneval-infilling/HumanEval-MultiLineInfilling.jsonl.gz": (
        "middle", {"before": "prompt", "answer": "canonical_solution", "after": "suffix"}, 5_815,
    ),
    "tinyshakespeare/input.txt": ("text", {"text": "text"}, 7_222),
}  # fmt: skip


@pytest.mark.parametrize("name", OTHERS)
def test_other_public_files_are_found_as_a_person_would_say(name: str, read: Read) -> None:
    shape, parts, usable = OTHERS[name]
    file = read((FOLDER / name).read_bytes(), f"{uuid.uuid4().hex}-{Path(name).name}")
    best = file.report.guesses[0].mapping
    found = {part: column for part, column in columns_of(best).items() if part != "group"}
    assert (best.shape, found) == (shape, parts)
    with open_rows(file.path) as rows:
        made = [example.left_out for _, example in read_examples(rows, file.report.columns, best)]
    assert made.count("") == usable


def test_every_call_of_a_tool_is_parsed(read: Read) -> None:
    path = FOLDER / "llamafactory" / "glaive_toolcall_en_demo.json"
    file = read(path.read_bytes(), path.name)
    calls = results = without_tools = 0
    with open_rows(file.path) as rows:
        best = file.report.guesses[0].mapping
        for _, example in read_examples(rows, file.report.columns, best):
            without_tools += not example.tools
            results += sum(turn.role == "tool" for turn in example.messages)
            calls += sum(len(json.loads(turn.tool_calls or "[]")) for turn in example.messages)
    assert (calls, results, without_tools) == (211, 211, 109)
