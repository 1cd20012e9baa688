"""The Check screen: what was noticed, what the model reads, and when it goes on."""

from dataclasses import replace

import pytest
from setup_check import BUTTON, EXAM, PROMISE, READING, ROWS, TIMER, begin, do, show
from setup_nouns import PLACEHOLDERS, REPEATED, STARTER

from tailor.engine.errors import UserError
from tailor.engine.findings import Finding, Problem
from tailor.ui.check_state import Checked, Waiting, look_at
from tailor.ui.pages.check import before_model
from tailor.ui.services import Services
from tailor.ui.text_check import CheckText
from tailor.ui.text_data import DataText


def test_without_confirmed_rows_it_says_so(services: Services, engine) -> None:
    services.edit_draft("ada", "d1", dataset_id=engine.begin("notes.csv").id)
    assert DataText.NONE_TITLE in show(services)[ROWS]


def test_a_missing_starter_model_is_fetched_and_the_person_is_told(
    services: Services, engine
) -> None:
    engine.is_starter_here = False
    begin(services, engine)
    looked = look_at(services, "ada", services.draft("ada", "d1"))
    assert isinstance(looked, Waiting)
    assert looked.words.startswith(CheckText.WAIT_FETCH)
    assert [job.kind for job in engine.jobs.values()] == ["fetch_model"]


def test_what_was_noticed_is_there_while_the_model_still_reads(services: Services, engine) -> None:
    begin(services, engine, REPEATED)
    values = show(services)
    assert "12 rows stand there twice" in values[ROWS]
    assert CheckText.WAIT_TITLE in values[READING]
    assert values[TIMER].active
    assert not values[BUTTON].interactive


def test_the_report_is_asked_for_once_however_often_the_page_looks(
    services: Services, engine
) -> None:
    begin(services, engine)
    for _ in range(3):
        show(services)
    assert len(engine.jobs) == 1


def test_while_the_engine_works_on_the_rows_its_share_is_shown(services: Services, engine) -> None:
    dataset_id = begin(services, engine)
    engine.change(dataset_id, status="reading", done=0.3, progress="Checking row 30,000.")
    values = show(services)
    assert "Checking row 30,000. 30% done." in values[ROWS]
    assert values[TIMER].active


def test_a_finished_report_shows_what_is_learned_what_is_read_and_what_is_cut(
    services: Services, engine
) -> None:
    begin(services, engine)
    show(services)
    engine.finish_jobs()
    values = show(services)
    assert 'class="learned">P-03 | noise<' in values[READING]
    assert 'class="cut">\n&lt;b&gt;lost&lt;/b&gt;<' in values[READING]
    assert "A piece holds 3.9 characters of your text" in values[READING]
    assert "12% of what it reads only marks who speaks." in values[READING]
    assert "P-03 | noise | check bearing" in values[EXAM]
    assert not values[TIMER].active
    assert values[BUTTON].interactive
    assert values[BUTTON].value == "Continue with 262 rows"


def test_a_failed_reading_says_why_and_can_be_tried_again(services: Services, engine) -> None:
    begin(services, engine, REPEATED)
    show(services)
    engine.fail_jobs()
    values = show(services)
    assert "This took too long" in values[READING]
    assert 'data-send="again"' in values[READING]
    assert "12 rows stand there twice" in values[ROWS]
    do(services, "again")
    assert len(engine.jobs) == 2


def test_every_row_is_accounted_for(services: Services, engine) -> None:
    dataset_id = begin(services, engine)
    engine.change(dataset_id, left_out=(("the answer is empty", 8),))
    rows = show(services)[ROWS]
    assert "262 + 30 + 8 = 300 rows read." in rows
    assert '<span class="count">8</span>the answer is empty' in rows
    engine.change(dataset_id, left_out=(), left_out_rows=0)
    assert CheckText.NONE_LEFT_OUT in show(services)[ROWS]


def test_what_must_be_settled_stops_continue_until_it_is_fixed_or_left(
    services: Services, engine
) -> None:
    begin(services, engine, PLACEHOLDERS)
    show(services)
    engine.finish_jobs()
    values = show(services)
    assert not values[BUTTON].interactive
    assert "To settle first: 6 answers hold a placeholder." in values[PROMISE]
    with pytest.raises(UserError, match="6 answers hold a placeholder"):
        before_model(services, "ada", "d1")
    values = do(services, "skip:placeholders")
    assert values[BUTTON].interactive
    assert "Left as they are (1)" in values[ROWS]
    before_model(services, "ada", "d1")
    assert not do(services, "look:placeholders")[BUTTON].interactive


def test_what_a_model_cannot_read_cannot_be_left_as_it_is(services: Services, engine) -> None:
    begin(services, engine)
    stop = Finding(
        level="stop", title="Every row is too long", detail="", fix="", check="long_rows"
    )
    engine.report = replace(engine.report, findings=(stop,))
    services.edit_draft("ada", "d1", model_id=STARTER)
    show(services)
    engine.finish_jobs()
    values = show(services)
    assert "Every row is too long" in values[ROWS]
    assert 'data-send="skip:long_rows"' not in values[ROWS]
    assert not values[BUTTON].interactive
    with pytest.raises(UserError, match="Every row is too long"):
        before_model(services, "ada", "d1")


def test_what_only_the_stand_in_model_cannot_do_keeps_nobody_from_choosing_another(
    services: Services, engine
) -> None:
    begin(services, engine)
    stop = Finding(
        level="stop", title="It does not know tools", detail="191 rows use them.", fix=""
    )
    engine.report = replace(engine.report, findings=(stop,))
    show(services)
    engine.finish_jobs()
    values = show(services)
    assert "Worth a look (1)" in values[ROWS]
    assert "So says SmolLM2 135M Instruct" in values[ROWS]
    assert values[BUTTON].interactive
    before_model(services, "ada", "d1")


def test_words_that_a_model_cannot_take_can_be_taken_out_again(services: Services, engine) -> None:
    begin(services, engine)
    do(services, "words", word=("Radlager",))
    engine.fail_jobs()
    values = show(services)
    assert "This took too long" in values[READING]
    assert 'data-send="word_out:Radlager"' in values[READING]
    assert CheckText.PROMISE_UNREAD in values[PROMISE]


def test_trouble_of_the_last_verb_is_told_beside_the_rows(services: Services, engine) -> None:
    dataset_id = begin(services, engine, REPEATED)
    told = Problem(title="The disk is full", detail="12 MB are free.", fix="Make room.")
    engine.change(dataset_id, problem=told)
    rows = show(services)[ROWS]
    assert "The disk is full" in rows
    assert "12 rows stand there twice" in rows


def test_continue_waits_for_the_reading(services: Services, engine) -> None:
    begin(services, engine)
    with pytest.raises(UserError, match=CheckText.CONTINUE_OFF):
        before_model(services, "ada", "d1")
    engine.finish_jobs()
    before_model(services, "ada", "d1")


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


def test_words_that_no_button_of_ours_sends_change_nothing(services: Services, engine) -> None:
    begin(services, engine)
    before = services.draft("ada", "d1")
    for word in ("", "reread", "delete:all", "__class__"):
        do(services, word)
    assert services.draft("ada", "d1") == before
