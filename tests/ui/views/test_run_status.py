"""The status sentence and the buttons, for every status."""

import re

import pytest

from tailor.engine.types import FINAL, Progress
from tailor.ui.views.run_status import run_status, time_left_words, what_is_lost

NOW = 1_780_000_250.0

BUTTONS = {
    "queued": {"cancel"},
    "leasing": {"cancel"},
    "starting": {"cancel"},
    "running": {"finish", "discard"},
    "stopping": set(),
    "finishing": set(),
    "stopped": {"resume", "results"},
    "retry_wait": {"cancel"},
    "failed": {"resume"},
    "succeeded": {"results"},
    "lost": set(),
}


@pytest.mark.parametrize("status", BUTTONS)
def test_every_status_has_its_buttons_and_one_sentence(make_run, make_result, status):
    result = make_result() if status == "succeeded" else None
    run = make_run(status=status, is_resumable=status in FINAL, result=result)
    read = run_status(run, now=NOW)
    assert read.buttons == BUTTONS[status]
    assert read.sentence
    assert read.word
    assert read.is_live == (status not in FINAL)
    assert "—" not in read.sentence
    assert "!" not in read.sentence


def test_a_running_run_tells_when_it_is_done_as_a_range(make_run):
    sentence = run_status(make_run(), now=NOW).sentence
    assert re.fullmatch(r"Step 42 of 120\. Done between \d\d:\d\d and \d\d:\d\d\.", sentence)


def test_before_the_first_step_it_prepares_and_can_be_cancelled_at_no_loss(make_run):
    progress = Progress(phase="load", words="Loading the model.", steps=120)
    run = make_run(progress=progress)
    read = run_status(run, now=NOW)
    assert (read.word, read.sentence) == ("Getting ready", "Loading the model.")
    assert read.buttons == {"cancel"}
    assert "nothing is lost" in what_is_lost(run, now=NOW)


def test_discarding_names_what_would_be_lost(make_run):
    words = what_is_lost(make_run(), now=NOW)
    assert "42 steps" in words
    assert "4 min 6 s" in words


def test_a_finished_run_sets_what_it_took_beside_what_was_promised(make_run, make_result):
    read = run_status(make_run(status="succeeded", result=make_result()), now=NOW)
    assert "Done in 7 min 11 s; estimated 5-10 minutes." in read.sentence
    assert "2.3 GB of the 2-2.6 GB" in read.sentence


def test_a_failed_run_tells_the_engines_reason_and_what_to_do(make_run):
    run = make_run(
        status="failed",
        reason="The computer ran out of memory at step 43.",
        fix="Close other programs, then resume.",
    )
    read = run_status(run, now=NOW)
    assert read.sentence == "The computer ran out of memory at step 43."
    assert (read.detail, read.fix) == ("", "Close other programs, then resume.")


def test_a_stop_without_a_saved_step_offers_nothing_to_resume(make_run):
    read = run_status(make_run(status="stopped", is_resumable=False, reason=""), now=NOW)
    assert read.buttons == frozenset()
    assert "Nothing was kept" in read.sentence


def test_the_place_in_line_is_told_in_words(make_run):
    assert run_status(make_run(status="queued", position=3), now=NOW).sentence.startswith("Third")


def test_time_left_is_a_range_or_openly_unknown(make_run):
    assert time_left_words(make_run()) == "3-5 minutes"
    assert time_left_words(make_run(progress=Progress())) == "not known yet"
