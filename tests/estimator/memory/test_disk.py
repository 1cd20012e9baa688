"""What a run leaves on disk."""

from collections.abc import Callable

import pytest

from tailor.estimator.memory.disk import (
    compute_checkpoint_bytes,
    compute_disk_bytes,
)
from tailor.estimator.workload import Workload

Ask = Callable[..., Workload]


@pytest.mark.parametrize(("size", "each"), [(4.0, 12), (2.0, 6)])
def test_a_checkpoint_holds_weights_and_both_moments(ask: Ask, size: float, each: int) -> None:
    assert compute_checkpoint_bytes(ask(trainable_bytes_per_parameter=size), 1000) == each * 1000


def test_an_eight_bit_optimizer_leaves_a_third_less(ask: Ask) -> None:
    half = ask(trainable_bytes_per_parameter=2.0, optimizer="adamw_8bit")
    assert compute_checkpoint_bytes(half, 100_000) == pytest.approx(400_000, rel=0.01)


def test_four_checkpoints_at_most_are_there_at_once(ask: Ask) -> None:
    one, many = ask(save_count=1), ask(save_count=50)
    trained = 10_000_000
    checkpoint = compute_checkpoint_bytes(many, trained)
    few = compute_disk_bytes(one, trained)
    assert compute_disk_bytes(many, trained) - few == 2 * checkpoint
    assert compute_disk_bytes(ask(save_count=500), trained) == compute_disk_bytes(many, trained)


def test_packed_rows_are_written_twice(ask: Ask) -> None:
    padded, packed = ask(is_packed=False), ask(is_packed=True)
    tokens = padded.lengths.total_tokens
    assert compute_disk_bytes(packed, 0) - compute_disk_bytes(padded, 0) == 37 * tokens
