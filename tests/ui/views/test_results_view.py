"""Verdict, figures, table and promise of the Results screen."""

import pytest

from tailor.recipes.spec import ExamQuestion, Message
from tailor.ui.run_story import read_story
from tailor.ui.views.exam_strip import build_strip
from tailor.ui.views.results_view import answers_html, figures_html, promise_html
from tailor.ui.views.verdict import judge


@pytest.fixture
def finished(make_run, make_engine, make_result):
    def build(**changes):
        run = make_run(status="succeeded", result=make_result(**changes))
        engine = make_engine(run)
        engine.tell_answers(0, "no", "no", "no", ended=False)
        engine.tell_answers(36, "P3 | leak | seal | done", "b", "c", score=1.0)
        engine.tell_answers(48, "worse", "worse", "worse", score=0.0)
        samples = read_story(engine, run.id).samples
        return run, build_strip(run.spec.exam, samples, run.progress.best_step)

    return build


@pytest.mark.parametrize(
    ("changes", "title", "tone"),
    [
        ({}, "Use it, and check what it writes", "good"),
        ({"score_after": 95.0}, "Use it", "good"),
        ({"score_after": 30.0, "held_out_after": 4.0}, "Better, but not there yet", "care"),
        ({"score_after": 5.0, "held_out_after": 4.0}, "Not better yet", "care"),
        ({"score_after": 5.0}, "Let it learn longer", "care"),
        ({"score_before": 60.0, "score_after": 40.0}, "Do not use it", "stop"),
        ({"answers_changed": 0, "score_after": 3.0}, "It answers as before", "stop"),
    ],
)
def test_the_verdict_follows_the_figures(finished, changes, title, tone):
    verdict = judge(*finished(**changes))
    assert (verdict.title, verdict.tone) == (title, tone)


def test_a_run_whose_best_version_was_its_last_should_learn_longer(make_run, make_result, finished):
    run, strip = finished(score_after=20.0)
    late = make_run(
        status="succeeded",
        result=make_result(score_after=20.0),
        progress=type(run.progress)(step=120, steps=120, best_step=120),
    )
    assert judge(late, strip).title == "Let it learn longer"


def test_without_expected_answers_a_person_is_asked_to_judge(make_run, make_result, make_engine):
    question = ExamQuestion(id="q", messages=(Message(role="user", content="Hi"),), expected="")
    run = make_run(status="succeeded", result=make_result(), exam=(question,))
    assert judge(run, build_strip(run.spec.exam, (), None)).title == "Have a look at the answers"


def test_a_stopped_run_says_that_nothing_was_proven(make_run):
    run = make_run(status="stopped", is_resumable=True)
    verdict = judge(run, build_strip(run.spec.exam, (), None))
    assert verdict.title == "Stopped before the end"
    assert "step 42" in verdict.words


def test_the_figures_stand_before_and_after(finished):
    html = figures_html(*finished())
    for words in ("3 to 83 of 100", "3.90 to 0.41", "3 of 3", "100% of answers"):
        assert words in html


def test_the_table_compares_with_the_version_that_was_kept(finished):
    run, strip = finished()
    html = answers_html(strip, run.progress.best_step)
    assert "version of step 36" in html
    assert "worse" not in html
    assert html.count("right</span>") == 3
    assert html.count("wrong</span>") == 3


def test_the_promise_stands_beside_what_was_measured(finished, make_result):
    html = promise_html(finished()[0])
    assert html.count("as promised") == 2
    assert "more than promised" in promise_html(finished(seconds=4000.0)[0])


def test_answers_and_expectations_are_shown_letter_by_letter(make_run, make_engine, make_result):
    bad = '<img src=x onerror="alert(1)"><thinking>$$x$$'
    question = ExamQuestion(id="q", messages=(Message(role="user", content=bad),), expected=bad)
    run = make_run(status="succeeded", result=make_result(), exam=(question,))
    engine = make_engine(run)
    engine.tell_answers(0, bad)
    engine.tell_answers(36, bad + " new")
    strip = build_strip(run.spec.exam, read_story(engine, run.id).samples, 36)
    html = answers_html(strip, 36)
    assert "<img" not in html
    assert "<thinking" not in html
    assert "&lt;thinking&gt;$$x$$" in html
