"""Ratings are read in the words of people; what says nothing is told, never taken as good."""

import pytest

from tailor.engine.data.making.example import NotTeachableError
from tailor.engine.data.making.ratings import read_points, read_side, read_thumb


@pytest.mark.parametrize(
    "cells",
    [
        ("true", "false"), ("True", "False"), ("1", "0"), ("1.0", "0.0"), ("+1", "-1"),
        ("yes", "no"), ("up", "down"), ("Thumbs up", "Thumbs down"), ("👍", "👎"), ("👍🏽", "👎🏿"),
        ("ja", "nein"), ("oui", "non"), ("sí", "no"), ("Gut", "Schlecht"), ("helpful", "not helpful"),
        ("✓", "✗"), ("4/5", "1/5"), ("9 von 10", "2 von 10"), ("★★★★☆", "★☆☆☆☆"),
    ],
)  # fmt: skip
def test_both_thumbs_are_read(cells: tuple[str, str]) -> None:
    assert [read_thumb(cell) for cell in cells] == ["good", "bad"]


@pytest.mark.parametrize(
    ("stars", "good", "bad", "neither"),
    [(5, "45", "12", "3"), (3, "3", "1", "2"), (4, "34", "12", ""), (10, "789", "1234", "56")],
)
def test_stars_are_good_above_the_middle_and_bad_below(
    stars: int, good: str, bad: str, neither: str
) -> None:
    assert {read_thumb(cell, stars) for cell in good} == {"good"}
    assert {read_thumb(cell, stars) for cell in bad} == {"bad"}
    for cell in neither:
        with pytest.raises(NotTeachableError, match="neither good nor bad"):
            read_thumb(cell, stars)


@pytest.mark.parametrize(("cell", "reason"), [("", "no rating"), ("maybe", "not understood"), ("7", "not understood")])  # fmt: skip
def test_a_rating_that_says_nothing_is_told(cell: str, reason: str) -> None:
    with pytest.raises(NotTeachableError, match=reason):
        read_thumb(cell)


@pytest.mark.parametrize(
    ("cell", "points"),
    [("★★★", 3), ("⭐⭐", 2), ("4 stars", 4), ("3,5", 3.5), ("4/5", 4), ("good", None)],
)
def test_points_are_counted(cell: str, points: float | None) -> None:
    assert read_points(cell) == points


@pytest.mark.parametrize(
    "cells",
    [("A", "B"), ("1", "2"), ("answer_a", "answer_b"), ("model_a", "model_b"),
     ("left", "right"), ("Antwort A ist besser", "Antwort B ist besser")],
)  # fmt: skip
def test_the_better_of_two_is_read(cells: tuple[str, str]) -> None:
    assert [read_side(cell, "answer_a", "answer_b") for cell in cells] == ["first", "second"]


@pytest.mark.parametrize(
    ("cell", "reason"),
    [("tie", "no difference"), ("", "not chosen"), ("0", "does not say"), ("A or B", "does not say")],
)  # fmt: skip
def test_a_rater_who_does_not_choose_is_told(cell: str, reason: str) -> None:
    with pytest.raises(NotTeachableError, match=reason):
        read_side(cell, "answer_a", "answer_b")
