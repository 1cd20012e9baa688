"""Adapters on experts that lie in one tensor, and on experts that do not."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from tailor.estimator.architecture import Architecture
from tailor.estimator.memory.experts import (
    compute_expert_adapter_parameters,
    compute_expert_bytes,
)
from tailor.estimator.memory.parts import Memory
from tailor.estimator.workload import Workload

Ask = Callable[..., Workload]
Measure = Callable[..., Memory]


def test_an_adapter_on_a_tensor_of_experts_has_the_size_that_peft_gives_it(ask: Ask) -> None:
    # Counted by peft 0.21 on a Mixtral of one layer, rank 4: matrices of 32 x 256, 2048 x 32,
    # 16 x 1024 and 256 x 16.
    shape = Architecture(
        model_type="mixtral", layers=1, hidden=256, heads=4, kv_heads=2, head_dim=64, mlp=1024,
        vocabulary=100, max_positions=512, experts=4, experts_per_token=2, expert_mlp=1024,
        expert_layers=1,
    )  # fmt: skip
    counted = 32 * (256 + 2048) + 16 * (1024 + 256)
    assert compute_expert_adapter_parameters(ask(lora_rank=4), shape) == counted


@pytest.mark.parametrize(
    "changes", [{"adapter_targets": ("q", "v")}, {"technique": "full", "lora_rank": 0}]
)
def test_nothing_is_added_where_no_adapter_sits_on_experts(
    ask: Ask, mixtral: Architecture, changes: dict[str, object]
) -> None:
    assert compute_expert_adapter_parameters(ask(**changes), mixtral) == 0
    assert compute_expert_bytes(ask(**changes), mixtral, 2).copy == 0


def test_experts_apart_have_adapters_like_any_linear_layer(ask: Ask, mixtral: Architecture) -> None:
    apart = replace(mixtral, has_fused_experts=False)
    assert compute_expert_adapter_parameters(ask(), apart) == 0
    assert compute_expert_bytes(ask(), apart, 2).copy == 0
    assert apart.lora_parameters(16) > mixtral.lora_parameters(16)


def test_every_open_layer_holds_a_second_copy_of_its_adapted_experts(
    ask: Ask, measure: Measure, mixtral: Architecture
) -> None:
    everywhere = measure(ask(is_checkpointing_activations=False), mixtral, tokens=512)
    beside = measure(
        ask(is_checkpointing_activations=False, adapter_targets=("q", "k", "v", "o")), mixtral,
        tokens=512,
    )  # fmt: skip
    copies = 32 * 8 * 3 * 4096 * 14336 * 2
    assert everywhere.activations - beside.activations > copies
    again = measure(ask(), mixtral, tokens=512)
    assert again.activations < copies / 10


def test_a_row_keeps_the_inputs_of_adapted_experts(ask: Ask, mixtral: Architecture) -> None:
    apart = replace(mixtral, has_fused_experts=False)
    only_attention = compute_expert_bytes(ask(adapter_targets=("q",)), apart, 2).kept
    adapted = compute_expert_bytes(ask(), apart, 2).kept
    assert adapted - only_attention == 2 * (2 * 2 * 4096 + 2 * 14336)
