"""The score is honest about forms and lenient about prose."""

import pytest

from tailor.recipes.scoring import explain_score, score_answer

ENTRY = "P-204 | leak | med | replace"


@pytest.mark.parametrize(
    ("answer", "score"),
    [
        (ENTRY, 1),
        (" P-204 | leak |  med | replace\n", 1),
        ("P-204 | leak | high | replace", 0),
        ("P-204 | Leak | med | replace", 0),
        (ENTRY + " | now", 0),
        ("", 0),
    ],
)
def test_a_form_counts_only_when_all_of_it_is_right(answer, score):
    assert score_answer("format", ENTRY, answer) == score


@pytest.mark.parametrize(("answer", "score"), [("Refund", 1), ("refund.", 1), ("a refund", 0)])
def test_a_label_may_differ_in_capitals_and_full_stops(answer, score):
    assert score_answer("classify", "refund", answer) == score


def test_prose_counts_by_the_words_that_agree():
    assert score_answer("answer", "the pump is broken", "The pump is broken.") == 1
    assert score_answer("answer", "the pump is broken", "the pump") == pytest.approx(2 / 3)
    assert score_answer("style", "the pump is broken", "no idea") == 0


def test_saying_more_than_was_asked_costs_points():
    short = score_answer("answer", "call the plumber", "call the plumber")
    long = score_answer("answer", "call the plumber", "call the plumber " + "and so on " * 20)
    assert long < short / 2


def test_languages_without_spaces_are_compared_by_letters():
    assert 0 < score_answer("answer", "泵坏了", "泵好了") < 1


def test_an_empty_answer_to_prose_is_wrong():
    assert score_answer("answer", "something", "") == 0


def test_every_goal_has_its_score_in_one_sentence():
    assert all(explain_score(goal) for goal in ("format", "classify", "answer", "style"))
