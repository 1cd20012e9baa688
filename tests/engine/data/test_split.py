"""A tenth is held out by content, and nothing that is equal stands on both sides."""

import hashlib
import random

import pytest

from tailor.engine.data.split import Candidate, choose_split, find_split_column, target_rows


def choose_sides(rows: list[Candidate]) -> dict[int, str]:
    held_out = choose_split(rows).held_out
    assert held_out <= {row.id for row in rows}
    return {row.id: "held_out" if row.id in held_out else "train" for row in rows}


def candidate(number: int, question: str, label: str = "", given: str = "") -> Candidate:
    def digest(text: str) -> bytes:
        return hashlib.blake2b(text.encode(), digest_size=16).digest()

    return Candidate(
        id=number,
        place=number,
        question=digest(question),
        whole=digest(question + label),
        label=label,
        given=given,
    )


@pytest.mark.parametrize(
    ("rows", "held_out"),
    [
        (1, 0),
        (3, 1),
        (10, 3),
        (40, 13),
        (60, 20),
        (200, 20),
        (300, 30),
        (1_000, 100),
        (2_000, 200),
        (90_000, 200),
    ],
)
def test_a_tenth_between_twenty_and_two_hundred_but_never_more_than_a_third(
    rows: int, held_out: int
) -> None:
    assert target_rows(rows) == held_out
    sides = choose_sides([candidate(n, f"q{n}") for n in range(rows)])
    assert list(sides.values()).count("held_out") == held_out
    assert len(sides) == rows


def test_the_same_rows_in_another_order_give_the_same_split() -> None:
    rows = [candidate(n, f"q{n}") for n in range(500)]
    mixed = rows[:]
    random.Random(3).shuffle(mixed)
    assert choose_sides(rows) == choose_sides(mixed)


def test_rows_with_one_question_stay_on_one_side() -> None:
    rows = [candidate(n, f"q{n // 3}", label=str(n % 3)) for n in range(600)]
    sides = choose_sides(rows)
    for first in range(0, 600, 3):
        assert len({sides[first], sides[first + 1], sides[first + 2]}) == 1
    assert 55 <= list(sides.values()).count("held_out") <= 75


def test_every_class_is_on_both_sides() -> None:
    rows = [candidate(n, f"q{n}", label=f"class {n % 40}") for n in range(800)]
    sides = choose_sides(rows)
    for side in ("train", "held_out"):
        assert {row.label for row in rows if sides[row.id] == side} == {
            f"class {n}" for n in range(40)
        }


def test_one_question_in_all_rows_still_leaves_rows_to_test_on() -> None:
    rows = [candidate(n, "Write a headline.", label=f"headline {n}") for n in range(300)]
    assert list(choose_sides(rows).values()).count("held_out") == 30


def test_equal_rows_leave_nothing_to_hold_out() -> None:
    sides = choose_sides([candidate(n, "same") for n in range(100)])
    assert set(sides.values()) == {"train"}


def test_a_split_in_the_file_is_kept() -> None:
    words = ["train", "Test", "validation", "TRAIN", "dev"]
    sides = choose_sides([candidate(n, f"q{n}", given=word) for n, word in enumerate(words)])
    assert list(sides.values()) == ["train", "held_out", "held_out", "train", "held_out"]


def test_a_split_column_with_other_words_or_one_side_only_is_not_a_split() -> None:
    for words in (["a", "b"], ["train", "train"], ["train", "tset"]):
        rows = [candidate(n, f"q{n}", given=words[n % 2]) for n in range(60)]
        assert list(choose_sides(rows).values()).count("held_out") == 20


def test_only_a_column_that_is_called_so_is_a_split() -> None:
    assert find_split_column(("question", "Split")) == "Split"
    assert find_split_column(("question", "split_reason", "train")) == ""
