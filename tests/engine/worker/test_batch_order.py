"""The order of the rows: every row in turn, similar lengths together, nothing left to chance."""

import random

from tailor.engine.worker.batch_order import compute_order, padded_tokens, split_batches

LENGTHS = [random.Random(1).randint(20, 400) for _ in range(270)]


def order(**changes):
    arguments = {"steps": 90, "micro_batch_rows": 4, "accumulation": 2, "seed": 3} | changes
    return compute_order(LENGTHS, **arguments)


def test_the_order_is_a_function_of_lengths_and_seed():
    assert order() == order()
    assert order() != order(seed=4)


def test_every_row_is_seen_equally_often():
    seen = order(steps=270)
    assert len(seen) == 270 * 8
    assert [seen.count(place) for place in range(270)] == [8] * 270


def test_padding_is_a_small_share():
    batches = split_batches(order(), 4)
    padded = sum(padded_tokens(LENGTHS, batch) for batch in batches)
    real = sum(LENGTHS[place] for batch in batches for place in batch)
    assert padded / real < 1.1


def test_long_and_short_steps_come_evenly():
    batches = split_batches(order(), 8)
    means = [sum(LENGTHS[place] for place in batch) / 8 for batch in batches]
    halves = sum(means[:45]) / 45, sum(means[45:]) / 45
    assert abs(halves[0] - halves[1]) < 30


def test_fewer_rows_than_a_batch_are_seen_again():
    assert sorted(compute_order([5, 6], steps=1, micro_batch_rows=4, accumulation=1, seed=0)) == [
        0, 0, 1, 1,
    ]  # fmt: skip
