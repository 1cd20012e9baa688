"""Comparisons in every form become one better answer and the worse ones, best of them first."""

import json

import pytest

from tailor.engine.data.making.example import Example
from tailor.engine.data.making.mapping import build_example
from tailor.engine.data_types import Mapping

PLAIN = Mapping(shape="preference", question="q", chosen="good", rejected="bad")
INSIDE = Mapping(shape="preference", chosen="good", rejected="bad")
BEFORE = Mapping(shape="preference", messages="m", chosen="good", rejected="bad")
RANKED = Mapping(shape="preference", question="q", ranked="answers")
USER = {"role": "user", "content": "q"}


def turn(text: str) -> dict[str, str]:
    return {"role": "assistant", "content": text}


def said(example: Example) -> tuple[list[tuple[str, str]], tuple[str, ...]]:
    assert not example.left_out, example.left_out
    return [(one.role, one.content) for one in example.messages], example.rejected


@pytest.mark.parametrize(
    ("mapping", "cells"),
    [
        (PLAIN, {"q": "q", "good": "yes", "bad": "no"}),
        (PLAIN, {"q": "q", "good": json.dumps(turn("yes")), "bad": json.dumps([turn("no")])}),
        (BEFORE, {"m": json.dumps([USER]), "good": json.dumps({"from": "gpt", "value": "yes"}),
                  "bad": json.dumps({"from": "gpt", "value": "no"})}),
        (BEFORE, {"m": "q", "good": "yes", "bad": "no"}),
        (INSIDE, {"good": json.dumps([USER, turn("yes")]), "bad": json.dumps([USER, turn("no")])}),
        (PLAIN, {"q": "told again", "good": json.dumps([USER, turn("yes")]),
                 "bad": json.dumps([USER, turn("no")])}),
        (INSIDE, {"good": "\n\nHuman: q\n\nAssistant: yes", "bad": "\n\nHuman: q\n\nAssistant: no"}),
        (RANKED, {"q": "q", "answers": json.dumps(["yes", "no"])}),
    ],
)  # fmt: skip
def test_every_form_gives_the_same_comparison(mapping: Mapping, cells: dict[str, str]) -> None:
    assert said(build_example(mapping, cells)) == (
        [("user", "q"), ("assistant", "yes")],
        ("no",),
    )


def test_a_transcript_is_split_at_the_last_mark_of_the_assistant() -> None:
    start = "\n\nHuman: one\n\nAssistant: two\n\nHuman: three\n\nAssistant: "
    example = build_example(INSIDE, {"good": start + "yes", "bad": start + "no"})
    assert said(example)[0][-2:] == [("user", "three"), ("assistant", "yes")]
    assert [one.is_learned for one in example.messages] == [True, False, True, True]


@pytest.mark.parametrize(
    ("answers", "scores"),
    [
        ([{"answer": "c", "rank": 3}, {"answer": "a", "rank": 1.0}, {"answer": "b", "rank": 2}], ""),
        ([{"response": "b", "score": "0.5"}, {"response": "a", "score": 0.9},
          {"response": "c", "score": 0.1}], ""),
        (["b", "c", "a"], "[4, 1.5, 9]"),
        (["a", "b", "c"], ""),
    ],
)  # fmt: skip
def test_many_answers_stand_best_first(answers: list[object], scores: str) -> None:
    mapping = Mapping(
        shape="preference", question="q", ranked="answers", rating="scores" if scores else ""
    )
    example = build_example(mapping, {"q": "q", "answers": json.dumps(answers), "scores": scores})
    assert (example.messages[-1].content, example.rejected) == ("a", ("b", "c"))


def test_answers_as_good_as_the_best_are_no_worse_ones() -> None:
    answers = [{"text": "a", "score": 9}, {"text": "b", "score": 9}, {"text": "c", "score": 2}]
    example = build_example(RANKED, {"q": "q", "answers": json.dumps(answers)})
    assert example.rejected == ("c",)


def test_a_list_of_worse_answers_is_taken_whole() -> None:
    example = build_example(PLAIN, {"q": "q", "good": "a", "bad": json.dumps(["b", "a", "b", "c"])})
    assert example.rejected == ("b", "c")


def test_a_rater_turns_the_two_answers_around() -> None:
    mapping = Mapping(shape="preference", question="q", chosen="a", rejected="b", rating="best")
    example = build_example(mapping, {"q": "q", "a": "one", "b": "two", "best": "B"})
    assert (example.messages[-1].content, example.rejected) == ("two", ("one",))


@pytest.mark.parametrize(
    ("mapping", "cells", "reason"),
    [
        (PLAIN, {"q": "q", "good": "same", "bad": " same "}, "are the same"),
        (PLAIN, {"q": "q", "good": " ", "bad": "no"}, "the better answer is empty"),
        (PLAIN, {"q": "q", "good": "yes", "bad": ""}, "the worse answer is empty"),
        (PLAIN, {"q": "", "good": "yes", "bad": "no"}, "the question is empty"),
        (INSIDE, {"good": "yes", "bad": "no"}, "there is no question"),
        (INSIDE, {"good": "\n\nHuman: q\n\nAssistant: a", "bad": "\n\nHuman: z\n\nAssistant: b"},
         "different questions"),
        (BEFORE, {"m": json.dumps([USER, turn("x")]), "good": "yes", "bad": "no"},
         "ends with an answer already"),
        (BEFORE, {"m": "", "good": "yes", "bad": "no"}, "the conversation is empty"),
        (INSIDE, {"good": json.dumps([USER]), "bad": "no"}, "ends with a question"),
        (RANKED, {"q": "q", "answers": '["only one"]'}, "not two answers"),
        (RANKED, {"q": "q", "answers": '[{"text":"a","score":1},{"text":"b","score":1}]'},
         "rated alike"),
        (RANKED, {"q": "q", "answers": '[{"text":"a","score":1},{"text":"b"}]'}, "has no rating"),
    ],
)  # fmt: skip
def test_a_comparison_that_teaches_nothing_is_left_out(
    mapping: Mapping, cells: dict[str, str], reason: str
) -> None:
    assert reason in build_example(mapping, cells).left_out
