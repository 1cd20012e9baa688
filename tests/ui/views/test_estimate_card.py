"""The promise card."""

import time

import pytest

from tailor.estimator.estimate import Range
from tailor.ui.views.estimate_card import estimate_card, waiting_promise, when_done

GIB = 2**30
NOW = time.mktime((2026, 11, 30, 12, 0, 0, 0, 0, -1))


@pytest.fixture
def card(make_estimate, make_hardware, make_workload):
    def draw(**changes):
        return estimate_card(make_estimate(**changes), make_workload(), make_hardware(), now=NOW)

    return draw


def test_the_card_tells_memory_time_with_clock_times_disk_and_answers(card):
    html = card()
    assert "2-2.6 GB of 18 GB free" in html
    assert "5-10 minutes" in html
    assert "done between 12:05 and 12:10" in html
    assert "212 GB free" in html
    assert "3 questions, asked 11 times" in html


@pytest.mark.parametrize(
    ("verdict", "words", "tone"),
    [
        ("fits", "It fits.", "good"),
        ("tight", "It is tight.", "care"),
        ("will_not_fit", "It will not fit.", "stop"),
    ],
)
def test_the_verdict_is_a_word_a_sign_and_the_reason(card, verdict, words, tone):
    html = card(verdict=verdict, reason="The model itself takes most of it.")
    assert words in html
    assert "The model itself takes most of it." in html
    assert f"promise-verdict {tone}" in html


def test_every_part_of_the_bar_stands_in_the_legend_in_words_and_the_widths_stay_in_the_bar(card):
    html = card()
    for words in ("the model itself", "what it adds", "rows being read", "programs"):
        assert words in html
    widths = [float(piece.partition("%")[0]) for piece in html.split('style="width:')[1:]]
    assert sum(widths) <= 100.5


def test_what_other_programs_hold_is_drawn_and_named(card):
    assert "used by other programs: 6 GB" in card()
    assert "used by other programs" not in card(capacity_bytes=24 * GIB)


def test_a_run_that_needs_more_than_there_is_keeps_its_bar_whole(card):
    html = card(memory_bytes=Range(low=40 * GIB, likely=60 * GIB, high=80 * GIB))
    assert "40-80 GB of 18 GB free" in html


def test_what_was_assumed_is_one_click_away_and_absent_when_nothing_was(card):
    assert "What was assumed" in card()
    assert "What was assumed" not in card(assumed=())


def test_energy_is_told_without_a_price_that_nobody_set(card):
    html = card(kwh=Range(low=0.01, likely=0.02, high=0.04))
    assert "0.01-0.04 kWh" in html
    assert "no price set" in html


def test_the_waiting_card_says_what_is_being_done():
    assert "Reading" in waiting_promise("Reading your rows")


def test_the_button_promises_a_range_of_clock_times(make_estimate):
    assert when_done(make_estimate(), now=NOW) == "between 12:05 and 12:10"
