"""Rows that share any key are together, also by way of others."""

import random

import numpy as np
import pytest

from tailor.engine.data.together import join_rows


def groups_of(*keys: list[int]) -> list[int]:
    return join_rows([np.array(key, dtype=np.uint64) for key in keys]).tolist()


def test_rows_without_a_key_stand_alone() -> None:
    assert groups_of([0, 0, 0]) == [0, 1, 2]


def test_rows_are_together_by_way_of_others() -> None:
    one, other = [7, 7, 0, 9], [0, 5, 5, 0]
    first, second, third, alone = groups_of(one, other)
    assert first == second == third != alone


def test_a_long_chain_is_one_group() -> None:
    chance = random.Random(1)
    order = list(range(5_000))
    chance.shuffle(order)
    one, other = [0] * 5_000, [0] * 5_000
    for place, row in enumerate(order):
        one[row] = place // 2 + 1
        other[row] = (place + 1) // 2 + 1
    assert set(groups_of(one, other)) == {0}


@pytest.mark.parametrize("seed", range(5))
def test_it_finds_the_same_groups_as_a_slow_search(seed: int) -> None:
    chance = random.Random(seed)
    keys = [[chance.choice([0, chance.randrange(60)]) for _ in range(120)] for _ in range(3)]
    slow = list(range(120))
    for key in keys:
        for row in range(120):
            for other in range(row):
                if key[row] and key[row] == key[other]:
                    old, new = slow[row], slow[other]
                    slow = [new if group == old else group for group in slow]
    fast = groups_of(*keys)
    assert [[a == b for b in fast] for a in fast] == [[a == b for b in slow] for a in slow]
