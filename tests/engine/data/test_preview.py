"""The preview shows three finished examples with all that belongs to them."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from tailor.engine.data.making.examples import DAMAGED, read_examples
from tailor.engine.data.preview import make_preview
from tailor.engine.data.rows_file import open_rows
from tailor.engine.data_types import Mapping
from tailor.engine.errors import UserError

Read = Callable[..., Any]


def lines(rows: list[dict[str, Any]]) -> str:
    return "\n".join(json.dumps(row) for row in rows)


def test_the_worse_answers_are_shown(read: Read) -> None:
    rows = [{"question": f"q{n}", "chosen": f"good {n}", "rejected": f"bad {n}"} for n in range(9)]
    file = read(lines(rows), "rows.jsonl")
    with open_rows(file.path) as stored:
        shown = make_preview(stored, file.report.columns, file.report.guesses[0].mapping)
    assert [(one.messages[-1].content, one.rejected) for one in shown] == [
        ("good 0", ("bad 0",)), ("good 4", ("bad 4",)), ("good 8", ("bad 8",)),
    ]  # fmt: skip


def test_a_bad_answer_is_shown_among_good_ones(read: Read) -> None:
    rows = [{"question": f"q{n}", "answer": f"a{n}", "helpful": n != 7} for n in range(20)]
    file = read(lines(rows), "rows.jsonl")
    mapping = file.report.guesses[0].mapping
    assert mapping.shape == "thumbs"
    with open_rows(file.path) as stored:
        shown = make_preview(stored, file.report.columns, mapping)
    assert [one.rating for one in shown].count("bad") == 1
    assert len(shown) == 3


def test_tools_pictures_and_gaps_are_shown(read: Read) -> None:
    turns = [{"role": "user", "content": "<image>?"}, {"role": "assistant", "content": "a"}]
    tool = {"name": "look", "description": "d"}
    file = read(lines([{"messages": turns, "images": ["a.png"], "tools": [tool]}] * 3), "r.jsonl")
    with open_rows(file.path) as stored:
        mapping = Mapping(shape="chat", messages="messages", pictures="images", tools="tools")
        [first, *_] = make_preview(stored, file.report.columns, mapping)
    assert first.pictures == ("a.png",)
    assert json.loads(first.tools)[0]["function"]["name"] == "look"
    code = read(lines([{"prefix": "x = ", "middle": "1", "suffix": "\n"}] * 3), "code.jsonl")
    with open_rows(code.path) as stored:
        mapping = Mapping(shape="middle", before="prefix", answer="middle", after="suffix")
        [first, *_] = make_preview(stored, code.report.columns, mapping)
    assert (first.before, first.text, first.after) == ("x = ", "1", "\n")


def test_a_conversation_over_rows_far_apart_is_shown_whole(read: Read) -> None:
    rows = [{"chat_id": f"c{n}", "role": "user", "text": f"q{n}"} for n in range(600)]
    rows += [{"chat_id": f"c{n}", "role": "assistant", "text": f"a{n}"} for n in range(600)]
    file = read(lines(rows), "rows.jsonl")
    mapping = Mapping(shape="chat", thread="chat_id", speaker="role", text="text")
    with open_rows(file.path) as stored:
        made = [example for _, example in read_examples(stored, file.report.columns, mapping)]
    told = [example for example in made if not example.left_out]
    assert len(told) == 600
    assert [turn.content for turn in told[599].messages] == ["q599", "a599"]


def test_a_damaged_row_is_never_bent_into_an_example(read: Read) -> None:
    file = read("question,answer\nq,a\nq,a,b\n" + "q,a\n" * 3)
    mapping = Mapping(shape="question_answer", question="question", answer="answer")
    with open_rows(file.path) as stored:
        made = [
            example.left_out
            for _, example in read_examples(stored, ("question", "answer"), mapping)
        ]
    assert made == ["", DAMAGED, "", "", ""]


def test_a_mapping_without_a_single_example_says_why(read: Read) -> None:
    file = read("question,answer\n" + "q,\n" * 12)
    mapping = Mapping(shape="question_answer", question="question", answer="answer")
    with open_rows(file.path) as stored, pytest.raises(UserError) as raised:
        make_preview(stored, ("question", "answer"), mapping)
    assert "in 12 the answer is empty" in str(raised.value)
