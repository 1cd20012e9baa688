"""Thumbs, pictures, tools, history, accepted answers and gaps end in the example people expect."""

import json

import pytest

from tailor.engine.data.making.mapping import build_example
from tailor.engine.data_types import Mapping

PAIR = Mapping(shape="question_answer", question="q", answer="a")
TURNS = [{"role": "user", "content": "q"}, {"role": "assistant", "content": "a"}]


def test_a_rated_answer_stands_beside_its_question_or_ends_a_conversation() -> None:
    alone = Mapping(shape="thumbs", question="q", answer="a", rating="r")
    within = Mapping(shape="thumbs", messages="m", rating="r")
    first = build_example(alone, {"q": "q", "a": "a", "r": "nein"})
    second = build_example(within, {"m": json.dumps(TURNS), "r": "false"})
    assert first == second
    assert (first.rating, first.messages[-1].content) == ("bad", "a")


def test_a_rating_out_of_five_is_read_as_such() -> None:
    mapping = Mapping(shape="thumbs", question="q", answer="a", rating="r", stars=5)
    assert build_example(mapping, {"q": "q", "a": "a", "r": "1"}).rating == "bad"
    assert "neither" in build_example(mapping, {"q": "q", "a": "a", "r": "3"}).left_out


def test_a_class_keeps_every_byte() -> None:
    mapping = Mapping(shape="classes", question="q", answer="a")
    assert build_example(mapping, {"q": "q", "a": " Card Arrival "}).messages[-1].content == (
        " Card Arrival "
    )


def test_earlier_pairs_are_read_and_never_learned() -> None:
    mapping = Mapping(shape="question_answer", question="q", answer="a", history="h")
    example = build_example(mapping, {"q": "q", "a": "a", "h": '[["before?", "this"]]'})
    assert [(one.role, one.content, one.is_learned) for one in example.messages] == [
        ("user", "before?", True), ("assistant", "this", False),
        ("user", "q", True), ("assistant", "a", True),
    ]  # fmt: skip
    assert len(build_example(mapping, {"q": "q", "a": "a", "h": "[]"}).messages) == 2
    broken = build_example(mapping, {"q": "q", "a": "a", "h": "{broken"})
    assert broken.left_out == "its earlier turns cannot be read"


@pytest.mark.parametrize(
    ("column", "cell", "learned"),
    [
        ("answers", '{"text": ["first", "second"], "answer_start": [1, 2]}', "first"),
        ("answers", '[{"text": "first", "answer_start": 3}]', "first"),
        ("answers", '["first", "second"]', "first"),
        ("output", '["steel", "bolt"]', '["steel", "bolt"]'),
        ("answer", '{"name": "steel"}', '{"name": "steel"}'),
    ],
)
def test_the_first_accepted_answer_is_learned_and_a_list_may_be_the_answer(
    column: str, cell: str, learned: str
) -> None:
    mapping = Mapping(shape="question_answer", question="q", answer=column)
    assert build_example(mapping, {"q": "q", column: cell}).messages[-1].content == learned


def test_a_question_without_an_accepted_answer_is_left_out() -> None:
    mapping = Mapping(shape="question_answer", question="q", answer="answers")
    cells = {"q": "q", "answers": '{"text": [], "answer_start": []}'}
    assert build_example(mapping, cells).left_out == "the answer is empty"


TOOL = {"name": "weather", "description": "d", "parameters": {"type": "object"}}


@pytest.mark.parametrize(
    "cell",
    [
        json.dumps([TOOL]),
        json.dumps([{"type": "function", "function": TOOL}]),
        json.dumps([json.dumps(TOOL)]),
        json.dumps({"tools": [TOOL]}),
    ],
)
def test_tools_of_every_spelling_become_one(cell: str) -> None:
    mapping = Mapping(shape="chat", messages="m", tools="t")
    tools = build_example(mapping, {"m": json.dumps(TURNS), "t": cell}).tools
    assert json.loads(tools) == [{"type": "function", "function": TOOL}]


@pytest.mark.parametrize("cell", ["", "[]", "null"])
def test_no_tools_are_no_tools(cell: str) -> None:
    mapping = Mapping(shape="chat", messages="m", tools="t")
    assert build_example(mapping, {"m": json.dumps(TURNS), "t": cell}).tools == ""


def test_a_broken_list_of_tools_leaves_the_row_out() -> None:
    mapping = Mapping(shape="chat", messages="m", tools="t")
    example = build_example(mapping, {"m": json.dumps(TURNS), "t": "weather"})
    assert example.left_out == "the list of tools cannot be read"


def pictured(text: str, pictures: str) -> tuple[str, tuple[str, ...], str]:
    mapping = Mapping(shape="chat", messages="m", pictures="p")
    turns = [{"role": "user", "content": text}, TURNS[1]]
    example = build_example(mapping, {"m": json.dumps(turns), "p": pictures})
    asked = example.messages[0].content if example.messages else ""
    return asked, example.pictures, example.left_out


def test_pictures_are_put_in_front_where_no_mark_says_where_they_belong() -> None:
    assert pictured("what?", '["a.jpg", "b.jpg"]')[:2] == (
        "<image><image>what?",
        ("a.jpg", "b.jpg"),
    )
    assert pictured("what?<image>", "a.jpg")[:2] == ("what?<image>", ("a.jpg",))
    assert pictured("what?", "a.jpg; b.jpg")[1] == ("a.jpg", "b.jpg")
    assert pictured("what?", '[{"path": "a.jpg"}]')[1] == ("a.jpg",)
    assert pictured("what?", "") == ("what?", (), "")


@pytest.mark.parametrize(
    ("text", "pictures", "reason"),
    [
        ("<image>what?", '["a.jpg", "b.jpg"]', "2 pictures and marks 1 place"),
        ("<image><image>what?", "a.jpg", "1 picture and marks 2 places"),
        ("what?", "https://example.org/a.jpg", "on the internet"),
        ("what?", "data:image/png;base64,AAAA", "written into the row"),
    ],
)
def test_pictures_that_do_not_match_leave_the_row_out(
    text: str, pictures: str, reason: str
) -> None:
    assert reason in pictured(text, pictures)[2]


def test_a_mark_without_any_column_of_pictures_is_told() -> None:
    turns = [{"role": "user", "content": "<image>?"}, TURNS[1]]
    example = build_example(Mapping(shape="chat", messages="m"), {"m": json.dumps(turns)})
    assert "no column names pictures" in example.left_out


def test_a_picture_alone_can_be_the_question() -> None:
    mapping = Mapping(shape="question_answer", answer="caption", pictures="p")
    example = build_example(mapping, {"caption": "A pump.", "p": "a.jpg"})
    assert [one.content for one in example.messages] == ["<image>", "A pump."]
    assert build_example(mapping, {"caption": "A pump.", "p": ""}).left_out


def test_a_gap_may_stand_at_either_end() -> None:
    mapping = Mapping(shape="middle", before="b", answer="m", after="a")
    example = build_example(mapping, {"b": "x = ", "m": "1\n", "a": ""})
    assert (example.before, example.text, example.after) == ("x = ", "1\n", "")
    assert not build_example(mapping, {"b": "", "m": "1\n", "a": "y"}).left_out
    assert "gap is empty" in build_example(mapping, {"b": "x", "m": " ", "a": "y"}).left_out
    assert "around the gap" in build_example(mapping, {"b": "", "m": "1", "a": " "}).left_out


def test_running_text_is_taken_as_it_is() -> None:
    mapping = Mapping(shape="text", text="t")
    assert build_example(mapping, {"t": " a\n"}).text == " a\n"
    assert build_example(mapping, {"t": " "}).left_out == "the text is empty"
