"""Numbers in words."""

import time

import pytest

from tailor.ui.views.quantities import (
    bytes_range_words,
    bytes_words,
    clock_range_words,
    clock_words,
    duration_range_words,
    duration_words,
    percent_words,
    place_words,
)

EVENING = time.mktime((2026, 11, 30, 22, 0, 0, 0, 0, -1))


@pytest.mark.parametrize(
    ("count", "words"),
    [
        (0, "0 bytes"),
        (999, "999 bytes"),
        (1_503_238_553, "1.4 GB"),
        (1023 * 2**20, "1 GB"),
        (98 * 2**20, "98 MB"),
        (24 * 2**30, "24 GB"),
        (3 * 2**42, "12 TB"),
    ],
)
def test_bytes_are_told_in_the_unit_that_people_compare_with(count, words):
    assert bytes_words(count) == words


def test_a_range_of_bytes_names_its_unit_once_and_one_figure_when_both_ends_look_the_same():
    assert bytes_range_words(1.4 * 2**30, 1.93 * 2**30) == "1.4-1.9 GB"
    assert bytes_range_words(17.1 * 2**30, 17.3 * 2**30) == "17 GB"
    assert bytes_range_words(0.9 * 2**30, 1.2 * 2**30) == "0.9-1.2 GB"


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0.2, "1 s"),
        (40, "40 s"),
        (150, "2 min 30 s"),
        (720, "12 min"),
        (4800, "1 h 20 min"),
        (7200, "2 h"),
        (2 * 86400 + 3 * 3600, "2 days 3 h"),
        (86400, "1 day"),
    ],
)
def test_durations_have_no_more_digits_than_a_person_needs(seconds, words):
    assert duration_words(seconds) == words


@pytest.mark.parametrize(
    ("low", "high", "words"),
    [
        (20, 41, "20-40 seconds"),
        (480, 840, "8-14 minutes"),
        (58, 61, "about 60 seconds"),
        (3600 * 2, 3600 * 3.4, "2-3.5 hours"),
        (86400 * 3, 86400 * 5, "3-5 days"),
        (0, 0, "about 1 second"),
        (570, 5400, "10 minutes to 1.5 hours"),
        (25, 600, "25 seconds to 10 minutes"),
        (4 * 3600, 2.2 * 86400, "4 hours to 2 days"),
        (57 * 86400, 538 * 86400, "2-18 months"),
        (402 * 86400, 1207 * 86400, "1-3.5 years"),
    ],
)
def test_a_range_of_time_never_rounds_its_lower_end_away(low, high, words):
    assert duration_range_words(low, high) == words


def test_clock_times_say_when_they_are_on_another_day():
    assert clock_words(EVENING + 3600, now=EVENING) == "23:00"
    assert clock_words(EVENING + 4 * 3600, now=EVENING) == "tomorrow 02:00"
    assert clock_words(EVENING + 50 * 3600, now=EVENING).endswith(" 00:00")
    assert clock_range_words(EVENING, EVENING + 1800, now=EVENING) == "between 22:00 and 22:30"
    assert clock_range_words(EVENING, EVENING + 20, now=EVENING) == "about 22:00"


def test_a_share_is_never_called_whole_before_it_is():
    assert percent_words(0.999) == "99%"
    assert percent_words(1) == "100%"


def test_places_in_a_line_are_words():
    assert [place_words(n) for n in (1, 2, 12)] == ["Next", "Second", "12th"]
