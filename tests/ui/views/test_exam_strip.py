"""The film strip, from a fake worker's answers."""

import pytest

from tailor.ui.run_story import read_story
from tailor.ui.views.changed_words import changed_words
from tailor.ui.views.exam_strip import build_strip, strip_html

NAUGHTY = (
    '<img src=x onerror="alert(1)">',
    "<script>alert(1)</script>",
    "<thinking>hidden</thinking>",
    "$$x^2$$ and ![p](http://127.0.0.1:9/p.png)",
    "${alert(1)} {{constructor}} `back`",
    "</td></table><h1>out",
    "\u202ereversed \u200b zero width 🧵",
)


def strip_after(engine, best_step=None):
    story = read_story(engine, engine.known.id)
    return build_strip(engine.known.spec.exam, story.samples, best_step)


def test_the_strip_has_a_column_for_the_untouched_model_and_one_a_check(make_run, make_engine):
    engine = make_engine(make_run())
    engine.tell_answers(0, "a", "b", "c")
    engine.tell_answers(12, "d", "e", "f", score=1.0)
    strip = strip_after(engine, best_step=12)
    assert [column.step for column in strip.columns] == [0, 12]
    assert [column.score for column in strip.columns] == [0.0, 100.0]
    assert [column.is_best for column in strip.columns] == [False, True]
    assert [[answer.text for answer in row] for row in strip.answers] == [
        ["a", "d"],
        ["b", "e"],
        ["c", "f"],
    ]


def test_a_resumed_run_shows_its_newest_answers_and_the_same_strip_as_a_second_viewer(
    make_run, make_engine
):
    engine = make_engine(make_run())
    engine.tell_answers(12, "old", "old", "old")
    engine.known = make_run(attempt=2)
    engine.tell_answers(12, "new", "new", "new")
    assert {row[0].text for row in strip_after(engine).answers} == {"new"}
    assert strip_html(strip_after(engine)) == strip_html(strip_after(engine))


def test_answers_that_are_still_to_come_are_named(make_run, make_engine):
    engine = make_engine(make_run())
    engine.tell_answers(0, "a", "b")
    html = strip_html(strip_after(engine))
    assert html.count("to come") == 1
    assert "of 100" not in html


def test_right_and_wrong_are_words_and_an_answer_without_end_says_so(make_run, make_engine):
    engine = make_engine(make_run())
    engine.tell_answers(0, "a", "b", "c", ended=False)
    engine.tell_answers(12, "a", "b", "c", score=1.0)
    html = strip_html(strip_after(engine))
    assert html.count(">wrong<") == 3 or html.count("wrong") == 3
    assert html.count("did not end by itself") == 3
    assert html.count("right</span>") == 3


def test_without_questions_and_before_the_first_answer_it_says_what_will_stand_there(
    make_run, make_engine
):
    assert "no exam questions" in strip_html(strip_after(make_engine(make_run(exam=()))))
    assert "will stand here" in strip_html(strip_after(make_engine(make_run())))


def test_only_new_words_are_marked():
    assert changed_words("the pump leaks", "the valve leaks") == "the <mark>valve</mark> leaks"
    assert "<mark>" not in changed_words("same words", "same words")
    assert "<mark>" not in changed_words("", "first answer")


@pytest.mark.parametrize("text", NAUGHTY)
def test_an_answer_is_shown_letter_by_letter(make_run, make_engine, text):
    engine = make_engine(make_run())
    engine.tell_answers(0, text, "b", "c")
    engine.tell_answers(12, "other", text, text)
    html = strip_html(strip_after(engine))
    assert "<img" not in html
    assert "<script" not in html
    assert "<thinking" not in html
    assert "<h1" not in html
