"""The Check screen: four things one after the other, then the report, the exam, and Continue."""

import pytest

from tailor.engine.errors import UserError
from tailor.engine.findings import Finding
from tailor.ui.check_state import Checked, Waiting, look_at
from tailor.ui.pages.check import (
    MOST_OWN_QUESTIONS,
    OUTPUTS,
    add_question,
    before_model,
    remove_question,
    show_check,
)
from tailor.ui.services import Services
from tailor.ui.text_data import CheckText, DataText


def begin(services: Services, engine) -> None:
    services.edit_draft("ada", "d1", dataset_id=engine.add_example().id)


def show(services: Services, **options: bool):
    return show_check(services, "ada", services.draft("ada", "d1"), **options)


def test_without_confirmed_rows_it_says_so(services: Services, engine) -> None:
    services.edit_draft("ada", "d1", dataset_id=engine.begin("notes.csv").id)
    report, *_ = show(services)
    assert DataText.NONE_TITLE in report


def test_a_missing_starter_model_is_fetched_and_the_person_is_told(
    services: Services, engine
) -> None:
    engine.is_starter_here = False
    begin(services, engine)
    looked = look_at(services, "ada", services.draft("ada", "d1"))
    assert isinstance(looked, Waiting)
    assert looked.words.startswith(CheckText.WAIT_FETCH)
    assert [job.kind for job in engine.jobs.values()] == ["fetch_model"]


def test_the_report_is_asked_for_once_however_often_the_page_looks(
    services: Services, engine
) -> None:
    begin(services, engine)
    for _ in range(3):
        values = show(services)
        assert values[3].active
    assert len(engine.jobs) == 1


def test_a_finished_report_shows_what_is_learned_what_is_read_and_what_is_cut(
    services: Services, engine
) -> None:
    begin(services, engine)
    show(services)
    engine.finish_jobs()
    report, exam_group, exam, timer, button, _ = show(services)
    assert 'class="learned">P-03 | noise<' in report
    assert 'class="cut">\n&lt;b&gt;lost&lt;/b&gt;<' in report
    assert exam_group.visible
    assert "P-03 | noise | check bearing" in exam
    assert not timer.active
    assert button.interactive
    assert button.value == "Continue with 262 rows"


def test_a_failed_reading_says_why_and_can_be_tried_again(services: Services, engine) -> None:
    begin(services, engine)
    show(services)
    engine.fail_jobs()
    values = show(services)
    assert len(values) == OUTPUTS
    assert "This took too long" in values[0]
    assert 'data-send="again"' in values[0]
    show(services, is_anew=True)
    assert len(engine.jobs) == 2
    assert isinstance(look_at(services, "ada", services.draft("ada", "d1")), Waiting)


def test_what_must_be_settled_stops_continue(services: Services, engine) -> None:
    engine.findings = (
        Finding(level="stop", title="There are only 3 rows", detail="", fix="Add at least 10."),
    )
    begin(services, engine)
    show(services)
    engine.finish_jobs()
    assert not show(services)[4].interactive
    with pytest.raises(UserError, match="There are only 3 rows"):
        before_model(services, "ada", "d1")


def test_continue_waits_for_the_reading(services: Services, engine) -> None:
    begin(services, engine)
    with pytest.raises(UserError, match=CheckText.CONTINUE_OFF):
        before_model(services, "ada", "d1")
    engine.finish_jobs()
    before_model(services, "ada", "d1")


def test_own_questions_are_kept_with_the_draft_and_can_be_removed(
    services: Services, engine
) -> None:
    begin(services, engine)
    markup = add_question(services, "ada", "d1", " What is <b>? ", " a pump ")
    own = services.draft("ada", "d1").own_questions
    assert own[0].messages[0].content == "What is <b>?"
    assert own[0].expected == "a pump"
    assert "What is &lt;b&gt;?" in markup
    markup = remove_question(services, "ada", "d1", own[0].id)
    assert services.draft("ada", "d1").own_questions == ()
    assert "What is" not in markup


def test_an_empty_question_and_one_too_many_are_refused(services: Services, engine) -> None:
    begin(services, engine)
    with pytest.raises(UserError, match=CheckText.OWN_EMPTY_TITLE):
        add_question(services, "ada", "d1", "  ", "")
    for number in range(MOST_OWN_QUESTIONS):
        add_question(services, "ada", "d1", f"question {number}", "")
    with pytest.raises(UserError, match=CheckText.OWN_TOO_MANY_TITLE):
        add_question(services, "ada", "d1", "one more", "")


def test_a_new_process_asks_anew_and_an_engine_that_forgot_is_asked_again(
    services: Services, engine
) -> None:
    begin(services, engine)
    show(services)
    engine.jobs.clear()
    show(services)
    assert len(engine.jobs) == 1
    engine.finish_jobs()
    assert isinstance(look_at(services, "ada", services.draft("ada", "d1")), Checked)
