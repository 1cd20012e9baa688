"""Counting tokens of real rows, against the slow and obvious way."""

import random

import pytest

from tailor.estimator.timing.tokens import count_filled, pack_rows
from tailor.estimator.workload import LengthHistogram, Workload, compute_batches


def some_rows(count: int, seed: int = 0) -> list[int]:
    source = random.Random(seed)
    return [max(1, min(900, round(source.lognormvariate(4.8, 0.7)))) for _ in range(count)]


def slowly_padded(lengths: list[int], rows: int, multiple: int = 1) -> int:
    total = 0
    for place in range(0, len(lengths), rows):
        batch = lengths[place : place + rows]
        longest = max(batch)
        while longest % multiple:
            longest += 1
        total += longest * len(batch)
    return total


def slowly_packed(lengths: list[int], limit: int) -> list[int]:
    room: list[int] = []
    for length in sorted(lengths, reverse=True):
        fits = [place for place, left in enumerate(room) if left >= length]
        if fits:
            room[min(fits, key=lambda place: room[place])] -= length
        else:
            room.append(limit - length)
    return sorted(limit - left for left in room)


@pytest.mark.parametrize("rows", [1, 3, 8])
@pytest.mark.parametrize("multiple", [1, 8])
def test_grouped_rows_are_padded_to_the_longest_of_their_batch(rows: int, multiple: int) -> None:
    lengths = some_rows(200)
    told = count_filled(
        lengths, limit_tokens=512, micro_batch_rows=rows, filling="grouped", multiple=multiple
    )
    cut = sorted(min(length, 512) for length in lengths)
    batches = -(-len(cut) // rows)
    assert told.mean_tokens * batches == pytest.approx(slowly_padded(cut, rows, multiple))
    assert told.micro_batches == batches


def test_shuffled_rows_have_more_padding_than_grouped_and_padding_free_rows_none() -> None:
    lengths = some_rows(400)
    told = {
        filling: count_filled(lengths, limit_tokens=900, micro_batch_rows=8, filling=filling)
        for filling in ("grouped", "shuffled", "padding_free")
    }
    assert told["shuffled"].padding_share > 3 * told["grouped"].padding_share > 0
    assert told["padding_free"].padding_share == 0
    assert told["padding_free"].mean_tokens == pytest.approx(8 * sum(lengths) / 400)


def test_packing_is_best_fit_with_the_longest_row_first() -> None:
    for seed in range(5):
        lengths = [min(length, 512) for length in some_rows(60, seed)]
        assert sorted(pack_rows(lengths, 512)) == slowly_packed(lengths, 512)


def test_packed_rows_hold_every_token_and_never_more_than_the_limit() -> None:
    lengths = [min(length, 512) for length in some_rows(500)]
    packed = pack_rows(lengths, 512)
    assert sum(packed) == sum(lengths)
    assert max(packed) <= 512
    assert len(packed) < 1.05 * sum(lengths) / 512 + 1


def test_rows_and_tokens_beyond_the_limit_are_told() -> None:
    told = count_filled([10, 100, 300], limit_tokens=120, micro_batch_rows=1, filling="grouped")
    assert (told.rows_cut, told.tokens_cut) == (1, 180)
    assert told.longest_tokens == 120


def test_a_token_attends_to_its_own_row() -> None:
    told = count_filled([10, 30], limit_tokens=100, micro_batch_rows=2, filling="packed")
    assert told.attended_tokens == (10 * 10 + 30 * 30) / 40
    assert told.mean_tokens == 200


@pytest.mark.parametrize("filling", ["grouped", "shuffled", "packed", "padding_free"])
def test_no_rows_break_nothing_and_the_same_rows_give_the_same_count(filling) -> None:
    told = count_filled([], limit_tokens=64, micro_batch_rows=4, filling=filling)
    assert told.mean_tokens > 0
    lengths = some_rows(100)
    again = [
        count_filled(lengths, limit_tokens=64, micro_batch_rows=4, filling=filling)
        for _ in range(2)
    ]
    assert again[0] == again[1]


def histogram(lengths: list[int]) -> LengthHistogram:
    edges = tuple(range(32, max(lengths) + 32, 32))
    return LengthHistogram(
        edges_tokens=edges,
        counts=tuple(sum(edge - 32 < length <= edge for length in lengths) for edge in edges),
        total_tokens=sum(lengths), learned_tokens=sum(lengths) // 3, longest_tokens=max(lengths),
    )  # fmt: skip


def workload(lengths: list[int], **changes) -> Workload:
    given = {
        "technique": "lora", "lengths": histogram(lengths), "max_length_tokens": 512,
        "micro_batch_rows": 8, "accumulation": 2, "steps": 10, "evaluations": 0,
        "held_out_rows": 0, "held_out_tokens": 0, "weight_bytes_per_parameter": 2.0,
    }  # fmt: skip
    return Workload(**{**given, **changes})


@pytest.mark.parametrize(
    ("changes", "filling", "group"),
    [
        ({}, "grouped", 16 * 16),
        ({"row_order": "shuffled"}, "shuffled", 0),
        ({"is_padding_free": True}, "padding_free", 0),
    ],
)
def test_a_histogram_stands_for_its_rows(changes, filling, group) -> None:
    lengths = some_rows(4_000)
    told = compute_batches(workload(lengths, **changes))
    real = count_filled(
        lengths, limit_tokens=512, micro_batch_rows=8, filling=filling, group_rows=group
    )
    assert told.mean_tokens == pytest.approx(real.mean_tokens, rel=0.03)
    assert told.rows_cut == pytest.approx(real.rows_cut, rel=0.3, abs=8)
    assert told.tokens_cut == pytest.approx(real.tokens_cut, rel=0.5, abs=500)
    assert told.attended_tokens == pytest.approx(real.attended_tokens, rel=0.05)


def test_packed_batches_are_full() -> None:
    lengths = some_rows(2_000)
    told = compute_batches(workload(lengths, is_packed=True))
    assert told.mean_tokens == told.longest_tokens == 8 * 512
    assert 0 <= told.padding_share < 0.05
    assert told.attended_tokens < 512
