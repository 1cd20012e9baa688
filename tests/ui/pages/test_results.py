"""The Results screen: what it shows and how the talk goes."""

from dataclasses import replace

import gradio as gr
import pytest

from tailor.engine.errors import UserError
from tailor.engine.findings import Problem
from tailor.engine.types import Draft
from tailor.recipes.spec import ExamQuestion, Message
from tailor.ui.pages import results as page
from tailor.ui.services import Services
from tailor.ui.views.talk import talk_html

RUN = "run_20261130-kfpa"


@pytest.fixture
def engine(make_run, make_engine, make_result):
    engine = make_engine(make_run(status="succeeded", result=make_result()))
    engine.tell_answers(0, "a", "b", "c")
    engine.tell_answers(36, "x", "y", "z", score=1.0)
    return engine


def test_opening_shows_verdict_figures_answers_and_promise(engine, tmp_path):
    services = Services(tmp_path, lambda home, owner: engine)
    sent = page.enter(services, "ada", Draft(id="d", run_id=RUN))
    assert "Use it" in sent[0]
    assert "3 to 83 of 100" in sent[1]
    assert "version of step 36" in sent[2]
    assert "as promised" in sent[3]
    assert not sent[-1].active


def test_a_stopped_run_offers_no_talk_and_no_way_on(engine, tmp_path):
    engine.known = replace(engine.known, status="stopped", is_resumable=True, result=None)
    services = Services(tmp_path, lambda home, owner: engine)
    sent = page.enter(services, "ada", Draft(id="d", run_id=RUN))
    assert "Stopped before the end" in sent[0]
    assert not sent[4].visible
    assert not sent[5].visible


@pytest.mark.parametrize("status", ["queued", "running", "finishing"])
def test_before_the_end_it_says_that_there_is_nothing_yet(engine, tmp_path, status):
    engine.known = replace(engine.known, status=status)
    services = Services(tmp_path, lambda home, owner: engine)
    with pytest.raises(UserError, match="no results yet"):
        page.enter(services, "ada", Draft(id="d", run_id=RUN))


def test_a_question_goes_to_both_and_the_first_answer_is_announced_as_slow(engine):
    turns = page.ask(engine, RUN, (), "  Is it oil?  ")
    assert engine.asked == [(Message(role="user", content="Is it oil?"),)]
    assert "takes longer" in talk_html(turns)
    engine.finish(turns[0].job_id, "I cannot see it.", "P3 | leak | seal | done")
    heard = page.listen(engine, turns)
    html = talk_html(heard)
    assert "I cannot see it." in html
    assert "adapter ab12cd34ef56" in html
    assert not heard[0].is_open


def test_the_standing_instruction_of_the_rows_is_asked_along(engine, make_run):
    exam = tuple(
        ExamQuestion(
            id=f"q{n}",
            messages=(
                Message(role="system", content="Answer in the short form."),
                Message(role="user", content=f"Note {n}"),
            ),
            expected="x",
        )
        for n in range(2)
    )
    engine.known = make_run(exam=exam)
    page.ask(engine, RUN, (), "Is it oil?")
    assert [message.role for message in engine.asked[0]] == ["system", "user"]


def test_an_answer_that_failed_says_why_in_its_place(engine):
    turns = page.ask(engine, RUN, (), "Is it oil?")
    problem = Problem(
        title="The model is gone", detail="Its folder was moved.", fix="Move it back."
    )
    job = engine.jobs[turns[0].job_id]
    engine.jobs[job.id] = replace(job, status="failed", problem=problem)
    html = talk_html(page.listen(engine, turns))
    assert "The model is gone" in html


@pytest.mark.parametrize("question", ["", "   ", None])
def test_an_empty_question_is_refused_with_a_reason(engine, question):
    with pytest.raises(UserError, match="no question yet"):
        page.ask(engine, RUN, (), question)


def test_a_question_beyond_any_context_is_refused(engine):
    with pytest.raises(UserError, match="too long"):
        page.ask(engine, RUN, (), "x" * 20_001)


def test_while_both_think_nothing_is_drawn_again(engine, tmp_path):
    services = Services(tmp_path, lambda home, owner: engine)
    turns = page.ask(engine, RUN, (), "Is it oil?")
    assert page.heard(services, "ada", turns)[0] == gr.skip()


def test_answers_are_shown_letter_by_letter(engine):
    turns = page.ask(engine, RUN, (), "<b>bold?</b>")
    bad = '<img src=x onerror="alert(1)"><thinking>$$x$$</thinking>![p](http://127.0.0.1:9/p)'
    engine.finish(turns[0].job_id, bad, bad + " more ${alert(1)}")
    html = talk_html(page.listen(engine, turns))
    assert "<b>bold" not in html
    assert "<img" not in html
    assert "<thinking" not in html
    assert "&lt;thinking&gt;$$x$$&lt;/thinking&gt;" in html
