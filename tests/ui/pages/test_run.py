"""The Run screen: what a viewer is sent, and what the buttons do."""

from dataclasses import replace

import gradio as gr
import pytest

from tailor.engine.errors import UserError
from tailor.engine.types import DiaryLine, Draft, Progress
from tailor.ui.pages import run as page
from tailor.ui.services import Services
from tailor.ui.views.run_shown import Shown

SKIP = gr.skip()
HEAD, BANNER, CHART, STRIP, DIARY = range(5)
SHOWN, TIMER = -2, -1


@pytest.fixture
def engine(make_run, make_engine):
    engine = make_engine(make_run())
    engine.tell_phase("load")
    engine.tell_answers(0, "a", "b", "c")
    engine.tell_phase("train")
    engine.tell_metric(12, train=2.0)
    engine.tell_metric(12, held_out=2.1)
    return engine


@pytest.fixture
def services(engine, tmp_path):
    return Services(tmp_path, lambda home, owner: engine)


def opened(services, engine):
    return page.enter(services, "ada", Draft(id="draft1", run_id=engine.known.id))


def test_opening_the_screen_sends_everything_and_starts_the_timer(services, engine):
    sent = opened(services, engine)
    assert SKIP not in sent[:5]
    assert "Step 42 of 120" in sent[HEAD]
    assert "You can close this window" in sent[BANNER]
    assert [line["role"] for line in sent[CHART]["lines"]] == ["train", "held_out"]
    assert sent[TIMER].active
    assert [button.visible for button in sent[5:10]] == [False, False, True, True, False]


def test_a_tick_without_news_sends_the_clock_only(services, engine):
    shown = opened(services, engine)[SHOWN]
    sent = page.tick(services, "ada", engine.known.id, shown)
    problem, rest = sent[0], sent[1:]
    assert problem == SKIP
    assert [rest[place] for place in (BANNER, CHART, STRIP, DIARY)] == [SKIP] * 4
    assert rest[5:10] == (SKIP,) * 5


def test_a_new_point_and_a_new_answer_come_with_the_next_tick(services, engine):
    shown = opened(services, engine)[SHOWN]
    engine.tell_metric(24, held_out=1.5)
    engine.tell_answers(24, "x", "y", "z", score=1.0)
    rest = page.tick(services, "ada", engine.known.id, shown)[1:]
    assert rest[CHART]["lines"][1]["x"] == [12, 24]
    assert "Step 24" in rest[STRIP]
    assert "Before" in rest[STRIP]


def test_a_better_version_moves_the_ring_without_a_new_point(services, engine):
    shown = opened(services, engine)[SHOWN]
    engine.known = replace(engine.known, progress=replace(engine.known.progress, best_step=12))
    rest = page.tick(services, "ada", engine.known.id, shown)[1:]
    assert rest[CHART]["best"]["step"] == 12


def test_a_line_in_the_diary_comes_with_the_transition(services, engine):
    shown = opened(services, engine)[SHOWN]
    engine.lines.append(DiaryLine(at=1.0, words="You asked it to stop.", level="note"))
    engine.known = replace(engine.known, status="stopping")
    rest = page.tick(services, "ada", engine.known.id, shown)[1:]
    assert "You asked it to stop." in rest[DIARY]


def test_two_viewers_and_a_reload_see_the_same(services, engine):
    first, second = opened(services, engine), opened(services, engine)
    assert first[CHART] == second[CHART]
    assert first[STRIP] == second[STRIP]


def test_a_viewer_whose_state_was_lost_gets_everything_again(services, engine):
    rest = page.tick(services, "ada", engine.known.id, Shown())[1:]
    assert SKIP not in rest[:5]


def test_the_timer_stops_with_the_run_and_results_can_be_seen(services, engine, make_result):
    engine.known = replace(engine.known, status="succeeded", result=make_result())
    sent = opened(services, engine)
    assert not sent[TIMER].active
    assert sent[BANNER] == ""
    assert [button.visible for button in sent[5:10]] == [False, True, False, False, False]


def test_a_stopped_run_has_one_main_button_and_it_is_resume(services, engine):
    engine.known = replace(engine.known, status="stopped", is_resumable=True)
    resume, results = opened(services, engine)[5:7]
    assert resume.visible
    assert results.visible
    assert results.variant == "secondary"


def test_an_engine_that_is_away_changes_nothing_and_is_asked_again(services, engine):
    def away(run_id):
        raise UserError(title="Away", detail="", fix="", status=503)

    engine.run = away
    sent = page.tick(services, "ada", engine.known.id, Shown(run_id=engine.known.id))
    assert all(value == SKIP for value in sent[:-1])
    assert sent[TIMER].active


def test_another_persons_run_is_told_in_place_and_not_asked_for_again(services):
    sent = page.tick(services, "ada", "run_of_somebody", Shown())
    assert "No such run" in sent[0]
    assert not sent[TIMER].active


def test_finish_discard_and_resume_reach_the_engine_and_show_what_then_is(services, engine):
    sent = page.change(services, "ada", engine.known.id, "keep")
    assert "stop keep" in engine.calls
    assert "Saving what it learned" in sent[3]
    page.change(services, "ada", engine.known.id, "discard")
    assert "stop discard" in engine.calls
    page.change(services, "ada", engine.known.id, "resume")
    assert "resume" in engine.calls


def test_a_refusal_is_told_in_place(services, engine):
    def refuse(run_id):
        raise UserError(title="It cannot go on", detail="Its folder is gone.", fix="", status=409)

    engine.resume = refuse
    sent = page.change(services, "ada", engine.known.id, "resume")
    assert "It cannot go on" in sent[2]


def test_without_a_run_the_screen_says_what_will_stand_there(services):
    with pytest.raises(UserError, match="Nothing has been started yet"):
        page.enter(services, "ada", Draft(id="draft1"))


def test_a_long_run_is_read_page_by_page(services, engine):
    for step in range(1100):
        engine.tell_metric(step, train=1.0)
    shown = opened(services, engine)[SHOWN]
    assert shown.events_seq == len(engine.told)


def test_a_run_before_its_first_step_shows_the_waiting_chart(services, engine):
    engine.told.clear()
    engine.known = replace(engine.known, progress=Progress(phase="load", words="Loading."))
    sent = opened(services, engine)
    assert sent[CHART]["lines"] == []
    assert sent[CHART]["waiting"] == "Waiting for the first step"


def test_the_end_of_a_long_log_is_shown(engine):
    engine.printed = "".join(f"step {number}\n" for number in range(10_000))
    shown = page.read_log_end(engine, engine.known.id)
    assert shown.endswith("step 9999\n")
    assert len(shown) == page.LOG_CHARACTERS
