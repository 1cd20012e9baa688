"""A tenth is held out by content, and what belongs together never stands on both sides."""

import random
from collections import Counter

import pytest

from tailor.engine.data.candidates import Candidate, Candidates, digest
from tailor.engine.data.split import choose_split, target_rows


def candidate(number: int, question: str, label: str = "", **more: object) -> Candidate:
    return Candidate(
        id=number,
        question=digest(question),
        whole=digest(f"{question}|{label}|{more.pop('answer', '')}"),
        label=label,
        **more,  # type: ignore[arg-type]
    )


def collect(rows: list[Candidate]) -> Candidates:
    collected = Candidates()
    for row in rows:
        collected.add(row)
    return collected


def choose_sides(rows: list[Candidate], clusters: dict[int, bytes] | None = None) -> dict[int, str]:
    held_out = choose_split(collect(rows), clusters).held_out
    assert held_out <= {row.id for row in rows}
    return {row.id: "held_out" if row.id in held_out else "train" for row in rows}


@pytest.mark.parametrize(
    ("rows", "held_out"),
    [
        (1, 0),
        (24, 0),
        (25, 5),
        (40, 8),
        (60, 12),
        (100, 20),
        (200, 20),
        (300, 30),
        (1_000, 100),
        (2_000, 200),
        (90_000, 200),
    ],
)
def test_a_tenth_between_twenty_and_two_hundred_but_never_more_than_a_fifth(
    rows: int, held_out: int
) -> None:
    assert target_rows(rows) == held_out
    sides = choose_sides([candidate(n, f"q{n}") for n in range(1, rows + 1)])
    assert list(sides.values()).count("held_out") == held_out
    assert len(sides) == rows


@pytest.mark.parametrize("seed", range(10))
def test_the_same_rows_in_another_order_give_the_same_split(seed: int) -> None:
    chance = random.Random(seed)
    rows = [
        candidate(
            n,
            f"q{n // chance.choice([1, 1, 3])}",
            label=f"class {n % 7}",
            kept=chance.choice([0, 0, n // 5 + 1]),
            passage=chance.choice([0, n // 9 + 1]),
        )
        for n in range(1, 501)
    ]
    clusters = {n: bytes([n % 50]) * 8 for n in range(1, 100)}
    mixed = rows[:]
    chance.shuffle(mixed)
    assert choose_sides(rows, clusters) == choose_sides(mixed, clusters)


@pytest.mark.parametrize("seed", range(10))
def test_no_group_and_no_near_duplicate_crosses(seed: int) -> None:
    chance = random.Random(seed)
    groups = [chance.randrange(1, 150) for _ in range(1_000)]
    cluster_of = {n: chance.randrange(1, 300) for n in chance.sample(range(1, 1_001), 400)}
    rows = [candidate(n, f"q{n}", kept=groups[n - 1]) for n in range(1, 1_001)]
    sides = choose_sides(rows, {n: key.to_bytes(8) for n, key in cluster_of.items()})
    for keys in (dict(enumerate(groups, start=1)), cluster_of):
        seen: dict[int, set[str]] = {}
        for number, key in keys.items():
            seen.setdefault(key, set()).add(sides[number])
        assert all(len(both) == 1 for both in seen.values())


def test_rows_with_one_question_stay_on_one_side() -> None:
    rows = [candidate(n, f"q{n // 3}", label=str(n % 3)) for n in range(600)]
    sides = choose_sides(rows)
    for first in range(0, 600, 3):
        assert len({sides[first], sides[first + 1], sides[first + 2]}) == 1
    assert 55 <= list(sides.values()).count("held_out") <= 75


def test_questions_about_one_passage_stay_on_one_side() -> None:
    rows = [candidate(n, f"q{n}", passage=n // 6 + 1) for n in range(600)]
    sides = choose_sides(rows)
    assert all(len({sides[n] for n in range(first, first + 6)}) == 1 for first in range(0, 600, 6))
    assert list(sides.values()).count("held_out") >= 55


def test_whole_groups_never_take_more_than_two_hundred() -> None:
    rows = [candidate(n, f"q{n}", kept=n // 37 + 1) for n in range(6_000)]
    assert 150 <= list(choose_sides(rows).values()).count("held_out") <= 200


def test_every_class_is_on_both_sides() -> None:
    rows = [candidate(n, f"q{n}", label=f"class {n % 40}") for n in range(800)]
    sides = choose_sides(rows)
    for side in ("train", "held_out"):
        assert {row.label for row in rows if sides[row.id] == side} == {
            f"class {n}" for n in range(40)
        }


def test_more_is_held_out_where_there_are_many_classes_with_few_rows() -> None:
    rows = [candidate(n, f"q{n}", label=f"class {n % 90}") for n in range(450)]
    sides = choose_sides(rows)
    held = Counter(row.label for row in rows if sides[row.id] == "held_out")
    assert len(held) == 90


def test_classes_are_held_out_as_often_as_they_come() -> None:
    rows = [candidate(n, f"q{n}", label="rare" if n % 10 == 0 else "usual") for n in range(1_000)]
    sides = choose_sides(rows)
    held = Counter(row.label for row in rows if sides[row.id] == "held_out")
    assert 8 <= held["rare"] <= 12


def test_large_groups_are_not_held_out_sooner_than_small_ones() -> None:
    shares = []
    for data in range(20):
        rows = [
            candidate(n, f"data {data} q{n}", kept=n // 10 + 1 if n < 500 else 0)
            for n in range(1_000)
        ]
        sides = choose_sides(rows)
        held = [row.id for row in rows if sides[row.id] == "held_out"]
        shares.append(sum(row_id < 500 for row_id in held) / len(held))
    assert 0.3 < sum(shares) / len(shares) < 0.7


def test_one_question_in_all_rows_still_leaves_rows_to_test_on() -> None:
    rows = [candidate(n, "Write a headline.", label=f"headline {n}") for n in range(300)]
    assert list(choose_sides(rows).values()).count("held_out") == 30


def test_equal_rows_leave_nothing_to_hold_out() -> None:
    sides = choose_sides([candidate(n, "same") for n in range(100)])
    assert set(sides.values()) == {"train"}


def test_three_groups_leave_nothing_to_hold_out() -> None:
    sides = choose_sides([candidate(n, f"q{n}", kept=n % 3 + 1) for n in range(300)])
    assert set(sides.values()) == {"train"}


def test_a_split_in_the_data_is_kept_however_few_rows_there_are() -> None:
    words = ["train", "Test", "validation", "TRAIN", "dev"]
    sides = choose_sides([candidate(n, f"q{n}", given=word) for n, word in enumerate(words)])
    assert list(sides.values()) == ["train", "held_out", "held_out", "train", "held_out"]


def test_a_split_column_with_other_words_or_one_side_only_is_not_a_split() -> None:
    for words in (["a", "b"], ["train", "train"], ["train", "tset"]):
        rows = [candidate(n, f"q{n}", given=words[n % 2]) for n in range(60)]
        assert list(choose_sides(rows).values()).count("held_out") == 12


def test_files_called_train_and_test_are_a_split() -> None:
    rows = [candidate(n, f"q{n}", part="held_out:" if n < 7 else "train:") for n in range(60)]
    assert list(choose_sides(rows).values()) == ["held_out"] * 7 + ["train"] * 53
