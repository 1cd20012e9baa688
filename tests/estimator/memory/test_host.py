"""RAM around the cards."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from tailor.estimator.architecture import Architecture
from tailor.estimator.memory.parts import Memory
from tailor.estimator.workload import Workload

Ask = Callable[..., Workload]
Measure = Callable[..., Memory]


def test_a_worker_needs_its_programs_and_one_file_of_the_model(
    ask: Ask, measure: Measure, mistral: Architecture, tiny: Architecture
) -> None:
    assert measure(ask(), mistral).host_bytes == 8_000_000_000
    assert measure(ask(), tiny).host_bytes == 3_000_000_000 + 2 * tiny.parameters


def test_each_card_has_a_worker(ask: Ask, measure: Measure, mistral: Architecture) -> None:
    alone = measure(ask(), mistral).host_bytes
    assert measure(ask(cards=4, sharding="ddp"), mistral).host_bytes == 4 * alone


def test_one_worker_reads_a_divided_model_whole(
    ask: Ask, measure: Measure, llama70: Architecture
) -> None:
    told = measure(ask(cards=2, sharding="fsdp"), llama70).host_bytes
    assert told == 6_000_000_000 + 2 * llama70.parameters


def test_a_70b_model_in_ram_is_near_what_was_measured(
    ask: Ask, measure: Measure, llama70: Architecture
) -> None:
    # PEFT's documentation: 107 GB for Llama-2-70B in 4 bits on two cards.
    packed = ask(
        technique="qlora", base_format="nf4_double", weight_bytes_per_parameter=0.516, cards=2,
        sharding="fsdp_offload", trainable_bytes_per_parameter=2.0,
    )  # fmt: skip
    told = measure(packed, llama70, tokens=4096)
    assert told.host_bytes == pytest.approx(107e9, rel=0.05)
    assert told.host_bytes > 64 * 2**30


def test_a_whole_model_that_learns_in_ram_needs_all_its_states_there(
    ask: Ask, measure: Measure, mistral: Architecture
) -> None:
    full = ask(technique="full", lora_rank=0, cards=2, sharding="fsdp_offload")
    told = measure(full, mistral)
    assert told.host_bytes == (4 + 4 + 8 + 2) * mistral.parameters
    assert told.weights == 0


def test_a_paged_optimizer_may_wait_in_ram(
    ask: Ask, measure: Measure, mistral: Architecture
) -> None:
    full = ask(technique="full", lora_rank=0, optimizer="adamw_8bit")
    paged = replace(full, optimizer="paged_adamw_8bit")
    moved = measure(paged, mistral).host_bytes - measure(full, mistral).host_bytes
    assert moved == pytest.approx(2.03 * mistral.parameters, rel=0.01)
