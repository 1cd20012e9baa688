"""What cards send each other, by hand, and over which links."""

from dataclasses import replace
from typing import Any

import pytest

from tailor.estimator.architecture import Architecture
from tailor.estimator.hardware import Card, HardwareSpec
from tailor.estimator.timing.exchange import Exchange, compute_exchange, find_links
from tailor.estimator.workload import LengthHistogram, Workload

GIB = 2**30
SHAPE = Architecture(
    model_type="llama", layers=4, hidden=512, heads=8, kv_heads=2, head_dim=64, mlp=1408,
    vocabulary=32_000, max_positions=2048,
)  # fmt: skip
TOTAL = float(SHAPE.parameters)
ROWS = LengthHistogram(
    edges_tokens=(64,), counts=(64,), total_tokens=4_096, learned_tokens=4_096, longest_tokens=64
)


def workload(**changes: Any) -> Workload:
    given = {
        "technique": "full", "lengths": ROWS, "max_length_tokens": 64, "micro_batch_rows": 1,
        "accumulation": 1, "steps": 1, "evaluations": 0, "held_out_rows": 0, "held_out_tokens": 0,
        "weight_bytes_per_parameter": 2.0, "trainable_bytes_per_parameter": 2.0, "cards": 2,
        "sharding": "fsdp",
    }  # fmt: skip
    return Workload(**{**given, **changes})


def exchange(trained: float = TOTAL, **changes: Any) -> Exchange:
    return compute_exchange(
        workload(**changes), SHAPE, parameters=TOTAL, trained_parameters=trained
    )


def machine(name: str, memory_gib: int, **changes: Any) -> HardwareSpec:
    card = Card(name=name, kind="cuda", memory_bytes=memory_gib * GIB, free_bytes=memory_gib * GIB)
    return HardwareSpec(
        cards=(card, card), cpu_cores=8, cpu_has_bf16=True, ram_bytes=64 * GIB,
        ram_free_bytes=60 * GIB, disk_free_bytes=100 * GIB, **changes,
    )  # fmt: skip


@pytest.mark.parametrize("cards", [2, 4, 8])
def test_a_sharded_model_is_gathered_twice_and_its_gradients_scattered_once(cards: int) -> None:
    told = exchange(cards=cards)
    apart = (cards - 1) / cards
    assert told.gathered_bytes == pytest.approx((2 * 2 * TOTAL + 2 * TOTAL) * apart)
    assert told.reduced_bytes == 0


def test_an_adapters_gradients_are_small_but_its_base_is_sent_whole() -> None:
    own = 100_000.0
    told = exchange(own, technique="lora", lora_rank=8, trainable_bytes_per_parameter=4.0)
    assert told.gathered_bytes == pytest.approx((2 * 2 * TOTAL + 4 * own) / 2)


def test_a_packed_base_is_sent_packed() -> None:
    told = exchange(
        0.0, technique="qlora", lora_rank=8, base_format="nf4", weight_bytes_per_parameter=0.516
    )
    packed = SHAPE.linear_parameters
    assert told.gathered_bytes == pytest.approx(0.516 * packed + 2 * (TOTAL - packed))


def test_whole_copies_exchange_gradients_once_a_step() -> None:
    for sharding in ("ddp", "zero1", "zero2"):
        told = exchange(sharding=sharding, cards=4)
        assert told.gathered_bytes == 0
        assert told.pieces == 0
        assert told.reduced_bytes == pytest.approx(2 * 2 * TOTAL * 3 / 4)


def test_one_card_sends_nothing() -> None:
    told = exchange(cards=1, sharding="none")
    assert told.gathered_bytes == told.reduced_bytes == told.host_bytes == told.pieces == 0


def test_weights_that_rest_in_the_computers_memory_come_over_the_slot() -> None:
    alone = exchange(cards=1, sharding="fsdp_offload")
    assert alone.gathered_bytes == 0
    assert alone.host_bytes == pytest.approx(2 * 2 * TOTAL + 2 * TOTAL)
    together = exchange(cards=4, sharding="fsdp_offload")
    assert together.host_bytes == pytest.approx(alone.host_bytes / 4)
    assert together.host_optimizer_bytes > 0


def test_kept_layer_inputs_go_out_and_come_back() -> None:
    told = compute_exchange(
        workload(cards=1, sharding="none", is_offloading_activations=True), SHAPE,
        parameters=TOTAL, trained_parameters=TOTAL, tokens=100,
    )  # fmt: skip
    assert told.host_bytes == 2 * 2 * 100 * 4 * 512


def test_every_matrix_of_an_adapter_is_a_piece_of_its_own_unless_it_is_fused() -> None:
    plain = exchange(technique="lora", lora_rank=8, adapter_targets=("q", "v"))
    assert plain.pieces == 2 * 4 * (1 + 2 * 2)
    fused = exchange(technique="qlora", lora_rank=8, base_format="nf4", has_fused_kernels=True)
    assert fused.pieces == 2 * 4
    assert exchange(is_checkpointing_activations=True).pieces == 3 * 4


def test_a_measured_speed_goes_before_the_table() -> None:
    told = find_links(
        machine("NVIDIA GeForce RTX 3090", 24, bus_bytes_per_second=2.7e9,
                host_to_card_bytes_per_second=9e9)
    )  # fmt: skip
    assert told.bus_bytes_per_second == (2.7e9, 2.7e9, 2.7e9)
    assert told.host_to_card_bytes_per_second == (9e9, 9e9, 9e9)
    assert told.is_bus_measured


def test_own_links_are_faster_than_slots() -> None:
    linked = find_links(machine("NVIDIA A100-SXM4-80GB", 80))
    slot = find_links(machine("NVIDIA GeForce RTX 4090", 24))
    assert linked.bus_bytes_per_second[1] == pytest.approx(240e9)
    assert slot.bus_bytes_per_second[1] == pytest.approx(0.7 * 31.5e9)
    assert not slot.is_bus_measured


def test_what_is_not_known_is_told_wide() -> None:
    told = find_links(machine("Card X", 24))
    low, likely, high = told.bus_bytes_per_second
    assert low < likely / 5 < likely < high
    assert replace(told) == told
