"""The probe's measurements, on a processor: the same code as on a card, with less to move.

`test_probe` runs all of them in their own process, with two processes on the bus.
"""

from pathlib import Path

import pytest
import torch

from tailor.engine.machine.measured import read_measured
from tailor.engine.worker.measure import (
    measure_bandwidth,
    measure_copy,
    measure_disk,
    measure_launch,
    measure_product,
    work,
)
from tailor.engine.worker.measure_bus import compute_bus_speed, measure_bus
from tailor.engine.worker.tiny_layers import TINY_LAYERS, build_tiny_layers

CPU = torch.device("cpu")


def test_a_bus_where_a_process_dies_is_not_measured(tmp_path: Path) -> None:
    # No torch has such a device: the process ends with an error.
    assert measure_bus(tmp_path, device="nowhere", cards=1, scale=0.001) is None


def test_an_all_reduce_moves_each_byte_to_and_from_every_other_card() -> None:
    assert compute_bus_speed(64, 2.0, 2) == 32.0
    assert compute_bus_speed(64, 2.0, 8) == pytest.approx(56.0)


def test_more_work_takes_no_more_than_its_share() -> None:
    assert measure_product(CPU, 128) > 1e7
    assert measure_copy(CPU, 2**22) > 1e7
    assert measure_bandwidth(CPU, 2**22) > 1e7


def test_the_disk_is_left_as_it_was(tmp_path: Path) -> None:
    speed = measure_disk(tmp_path, 0.02)
    assert speed is not None
    assert speed > 1e4
    assert list(tmp_path.iterdir()) == []


def test_starting_a_layer_is_measured_on_layers_with_every_operation() -> None:
    layers, rows = build_tiny_layers(CPU)
    layers(rows).sum().backward()
    assert len(list(layers.children())) == TINY_LAYERS
    assert all(one.grad is not None for one in layers.parameters())
    assert 0 < measure_launch(CPU) < 1


@pytest.mark.gpu
def test_a_real_card_is_measured_in_seconds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    cards = torch.cuda.device_count()
    told = read_measured(work({"device": "cuda", "cards": cards}, lambda done, words: None))
    assert len(told.cards) == cards
    for card in told.cards:
        assert card.uuid.startswith("GPU-")
        assert card.product_flops_per_second > 5e12
        assert card.bandwidth_bytes_per_second > 1e11
        assert 1e9 < card.host_to_card_bytes_per_second < 1e12
        assert card.context_bytes is None or 5e7 < card.context_bytes < 3e9
    assert (told.bus_bytes_per_second is None) == (cards == 1)
    assert told.launch_seconds is not None
    assert 2e-4 < told.launch_seconds < 0.1
