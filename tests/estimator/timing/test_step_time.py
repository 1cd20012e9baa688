"""Seconds of a step on cards: what each part does to it, and steps that were measured."""

from dataclasses import replace
from typing import Any

import pytest

from tailor.estimator.architecture import Architecture
from tailor.estimator.gpus import find_gpu
from tailor.estimator.hardware import Card, HardwareSpec
from tailor.estimator.stack import Stack
from tailor.estimator.timing.efficiency import Efficiency
from tailor.estimator.timing.fit_efficiency import fit_efficiency
from tailor.estimator.timing.pace import compute_pace
from tailor.estimator.timing.step_time import Step, build_point, compute_step
from tailor.estimator.timing.throughput import compute_step_seconds, compute_times
from tailor.estimator.workload import LengthHistogram, Workload, compute_batches

GIB = 2**30
MISTRAL = Architecture(
    model_type="mistral", layers=32, hidden=4096, heads=32, kv_heads=8, head_dim=128, mlp=14336,
    vocabulary=32000, max_positions=32768,
)  # fmt: skip
LLAMA_2 = replace(MISTRAL, kv_heads=32, mlp=11008)
HF = Stack(id="hf", head="logits", optimizer="adamw_foreach", is_autocast=False)


def card(name: str, memory_gib: int) -> Card:
    known = find_gpu(name, memory_gib * GIB)
    assert known is not None
    return Card(
        name=name, kind="cuda", memory_bytes=memory_gib * GIB, free_bytes=memory_gib * GIB,
        bandwidth_bytes_per_second=known.bandwidth_bytes_per_second,
        flops_per_second=known.flops_per_second, power_watts=known.power_watts,
    )  # fmt: skip


A100 = card("NVIDIA A100-SXM4-80GB", 80)
RTX_3090 = card("NVIDIA GeForce RTX 3090", 24)
RTX_4090 = card("NVIDIA GeForce RTX 4090", 24)


def machine(one: Card = A100, cards: int = 1, **changes: Any) -> HardwareSpec:
    return HardwareSpec(
        cards=(one,) * cards, cpu_cores=16, cpu_has_bf16=True, ram_bytes=256 * GIB,
        ram_free_bytes=200 * GIB, disk_free_bytes=500 * GIB, **changes,
    )  # fmt: skip


def lora(length: int = 4096, rows: int = 4, **changes: Any) -> Workload:
    count = 10_000
    lengths = LengthHistogram(
        edges_tokens=(length - 1, length), counts=(0, count), total_tokens=count * length,
        learned_tokens=count * length, longest_tokens=length,
    )  # fmt: skip
    given = {
        "technique": "lora", "lengths": lengths, "max_length_tokens": length,
        "micro_batch_rows": rows, "accumulation": 1, "steps": 100, "evaluations": 0,
        "held_out_rows": 0, "held_out_tokens": 0, "weight_bytes_per_parameter": 2.0,
        "lora_rank": 16, "is_checkpointing_activations": True,
        "adapter_targets": ("q", "k", "v", "o"),
    }  # fmt: skip
    return Workload(**{**given, **changes})


def step(
    workload: Workload,
    hardware: HardwareSpec | None = None,
    shape: Architecture = MISTRAL,
    stack: Stack = HF,
) -> Step:
    pace = compute_pace(hardware or machine(), is_half=True)
    return compute_step(workload, shape, compute_batches(workload), pace, stack=stack)


def likely(told: Step) -> float:
    return told.seconds[1]


FULL = {
    "technique": "full", "lora_rank": 0, "trainable_bytes_per_parameter": 2.0,
    "optimizer": "adamw_foreach",
}  # fmt: skip
QLORA = {
    "technique": "qlora", "base_format": "nf4", "weight_bytes_per_parameter": 0.516,
    "trainable_bytes_per_parameter": 2.0,
}  # fmt: skip


@pytest.mark.parametrize(
    ("changes", "tokens_per_second"),
    # fms-acceleration, Mistral-7B, A100 80 GB, rows of 4096 tokens, checkpointing, eager kernels.
    [
        ({}, 3_324),
        ({"rows": 8}, 3_354),
        (FULL, 3_063),
        (FULL | {"has_fused_kernels": True}, 3_447),
        (QLORA, 3_596),
        (QLORA | {"has_fused_kernels": True}, 4_128),
    ],
)
def test_measured_steps_of_a_7b_model_are_near(
    changes: dict[str, Any], tokens_per_second: float
) -> None:
    workload = lora(**changes)
    told = step(workload)
    tokens = workload.micro_batch_rows * 4096
    assert tokens / likely(told) == pytest.approx(tokens_per_second, rel=0.12)
    slow, _, fast = told.seconds
    assert tokens / slow < tokens_per_second < tokens / fast


@pytest.mark.parametrize(
    ("one", "rows", "seconds"),
    # fsdp_qlora, Llama-2-7B LoRA on two cards with a copy each, 2048 tokens.
    [(RTX_3090, 4, 6.88), (RTX_4090, 4, 3.41)],
)
def test_home_cards_are_near_without_ever_having_been_learned_from(
    one: Card, rows: int, seconds: float
) -> None:
    workload = lora(
        2048, rows, cards=2, sharding="ddp", adapter_targets=(), trainable_bytes_per_parameter=2.0
    )
    told = step(workload, machine(one, 2), LLAMA_2)
    assert likely(told) == pytest.approx(seconds, rel=0.32)
    assert told.seconds[2] < seconds < told.seconds[0]


def test_a_slow_slot_decides_a_sharded_step_with_few_tokens() -> None:
    # The same two home cards on an older board: 5.07 s of 512 tokens and 6.04 s of 2048.
    for length, seconds in ((512, 5.07), (2048, 6.04)):
        workload = lora(
            length, 1, cards=2, sharding="fsdp", adapter_targets=(),
            trainable_bytes_per_parameter=2.0,
        )  # fmt: skip
        guessed = step(workload, machine(RTX_3090, 2), LLAMA_2)
        assert guessed.seconds[0] > seconds
        measured = step(workload, machine(RTX_3090, 2, bus_bytes_per_second=3.5e9), LLAMA_2)
        assert likely(measured) == pytest.approx(seconds, rel=0.2)
        assert measured.exchange_seconds > measured.compute_seconds


def test_whole_copies_are_faster_than_shares_where_both_fit() -> None:
    shared = lora(2048, 4, cards=2, sharding="fsdp")
    whole = replace(shared, sharding="ddp")
    hardware = machine(RTX_4090, 2)
    assert likely(step(whole, hardware)) < likely(step(shared, hardware))


def test_weights_in_the_computers_memory_cost_time_where_computing_does_not_hide_them() -> None:
    hardware = machine(RTX_4090, 2, host_to_card_bytes_per_second=6e9)
    for rows, least, most in ((1, 1.3, 9), (8, 1.0, 1.03)):
        shared = lora(2048, rows, cards=2, sharding="fsdp")
        away = replace(shared, sharding="fsdp_offload")
        ratio = likely(step(away, hardware)) / likely(step(shared, hardware))
        assert least <= ratio <= most


def test_short_steps_wait_for_the_processor_that_starts_them() -> None:
    short = step(lora(32, 1))
    assert likely(short) == pytest.approx(short.launch_seconds, rel=0.3)
    slow = step(lora(32, 1), machine(launch_seconds=0.02))
    assert likely(slow) > 3 * likely(short)


def test_more_tokens_layers_accumulation_and_checkpointing_take_longer() -> None:
    base = likely(step(lora()))
    for changes in ({"rows": 8}, {"accumulation": 2}, {"length": 8192}):
        assert likely(step(lora(**changes))) > 1.5 * base, changes
    assert likely(step(lora(is_checkpointing_activations=False))) < 0.85 * base
    half = step(lora(checkpointed_layers=16))
    assert likely(step(lora(is_checkpointing_activations=False))) < likely(half) < base
    assert likely(step(lora(), shape=replace(MISTRAL, layers=40))) > 1.2 * base


def test_unpacking_costs_more_the_fewer_tokens_there_are() -> None:
    ratios = [
        likely(step(lora(rows=rows, length=2048, **QLORA)))
        / likely(step(lora(rows=rows, length=2048, trainable_bytes_per_parameter=2.0)))
        for rows in (1, 8)
    ]
    assert ratios[0] > 1.05
    assert ratios[0] > ratios[1]


def test_a_measured_card_is_believed() -> None:
    slower = replace(A100, product_flops_per_second=100e12)
    assert likely(step(lora(), machine(slower))) > 1.8 * likely(step(lora()))


def test_a_small_card_with_a_large_figure_is_held_back_by_its_power_limit() -> None:
    t4 = card("Tesla T4", 16)
    told = compute_pace(machine(t4), is_half=True)
    assert told.product_flops_per_second < 0.5 * told.peak_flops_per_second
    strong = compute_pace(machine(RTX_3090), is_half=True)
    assert strong.product_flops_per_second > 0.8 * strong.peak_flops_per_second


def test_an_unknown_card_is_told_wide() -> None:
    unknown = Card(name="Card X", kind="cuda", memory_bytes=24 * GIB, free_bytes=23 * GIB)
    told = step(lora(2048, 2), machine(unknown))
    known = step(lora(2048, 2))
    assert told.seconds[0] / told.seconds[2] > 2 * known.seconds[0] / known.seconds[2]


def test_what_a_measured_step_says_is_what_would_predict_it() -> None:
    workload = lora(cards=2, sharding="fsdp")
    hardware = machine(cards=2)
    pace = compute_pace(hardware, is_half=True)
    batches = compute_batches(workload)
    point = build_point(workload, MISTRAL, batches, pace, step_seconds=7.0, stack=HF)
    assert point is not None
    learned = fit_efficiency([point] * 500)
    told = compute_step_seconds(workload, MISTRAL, batches, pace, stack=HF, efficiency=learned)
    before = compute_step_seconds(workload, MISTRAL, batches, pace, stack=HF)
    assert abs(told - 7.0) < 0.3 * abs(before - 7.0)


def test_a_step_that_waited_for_its_link_teaches_nothing_about_computing() -> None:
    workload = lora(512, 1, cards=2, sharding="fsdp", adapter_targets=())
    pace = compute_pace(machine(RTX_3090, 2, bus_bytes_per_second=2.7e9), is_half=True)
    batches = compute_batches(workload)
    assert build_point(workload, LLAMA_2, batches, pace, step_seconds=5.0, stack=HF) is None


def test_the_share_of_the_peak_is_what_public_runs_reached() -> None:
    # 220 public rows on A100 with eager kernels: .43 to .55.
    told = step(lora())
    assert 0.40 < 2.718281828 ** Efficiency().predict(told.features) < 0.56


def test_experts_that_are_called_one_by_one_take_their_time_to_start() -> None:
    shape = replace(
        MISTRAL, experts=64, experts_per_token=8, expert_mlp=1024, expert_layers=32,
        has_fused_experts=False,
    )  # fmt: skip
    few = lora(128, 1)
    singly = step(few, shape=shape)
    together = step(few, shape=replace(shape, has_fused_experts=True))
    assert singly.launch_seconds > 5 * together.launch_seconds
    assert likely(singly) == pytest.approx(singly.launch_seconds, rel=0.2)


def test_scores_that_are_written_out_cost_more_the_longer_the_rows() -> None:
    ratios = [
        likely(step(lora(length, 1, attention="eager"))) / likely(step(lora(length, 1)))
        for length in (1024, 4096)
    ]
    assert 1 < ratios[0] < ratios[1]


def test_32_bit_numbers_cost_a_card_most_of_its_speed() -> None:
    single = {"weight_bytes_per_parameter": 4.0, "trainable_bytes_per_parameter": 4.0}
    assert likely(step(lora(**single))) > 4 * likely(step(lora()))
    lowered = step(lora(**single, is_autocast=True))
    assert likely(lowered) < 1.5 * likely(step(lora()))


def test_a_method_without_an_adapter_pays_for_none() -> None:
    without = lora(512, 1, lora_rank=0, cards=2, sharding="fsdp")
    assert likely(step(without, machine(cards=2))) < likely(
        step(replace(without, lora_rank=16), machine(cards=2))
    )


def test_tokens_that_fit_into_the_cache_move_faster() -> None:
    def moved(length: int) -> float:
        return step(lora(length, 1)).features.traffic_seconds / length

    assert moved(512) < 0.7 * moved(8192)


def test_a_whole_run_is_its_steps_and_everything_around_them() -> None:
    workload, pace = lora(steps=50), compute_pace(machine(), is_half=True)
    batches = compute_batches(workload)

    def times(**changes: Any):
        return compute_times(
            workload, MISTRAL, batches, pace, weights_bytes=14_483_464_192, stack=HF, **changes
        )

    told = times()
    assert told.train_seconds[1] == pytest.approx(50 * told.step_seconds[1])
    assert told.seconds[1] > told.train_seconds[1] + 10
    assert told.step_seconds[0] < told.step_seconds[1] < told.step_seconds[2]
    slow_disk = times(disk_bytes_per_second=2e7)
    assert slow_disk.seconds[1] - told.seconds[1] > 1_000
    assert slow_disk.train_seconds == told.train_seconds
    slower = Efficiency(other_level=0.5)
    assert times(efficiency=slower).step_seconds[1] > 1.4 * told.step_seconds[1]
