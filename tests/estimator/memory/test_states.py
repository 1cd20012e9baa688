"""What rests: to the byte where it is arithmetic."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from tailor.estimator.architecture import Architecture
from tailor.estimator.memory.states import (
    CODE_BYTES,
    STATISTICS_BYTES,
    States,
    compute_states,
    compute_trained_parameters,
)
from tailor.estimator.stack import TAILOR
from tailor.estimator.workload import Workload

Ask = Callable[..., Workload]


def rest(workload: Workload, shape: Architecture) -> States:
    return compute_states(workload, shape, TAILOR, weights_bytes=0)


def total(states: States) -> float:
    return states.weights + states.gradients + states.optimizer + states.step


def test_full_fine_tuning_in_16_bits_takes_ten_bytes_a_weight_or_eight_when_fused(
    ask: Ask, tiny: Architecture
) -> None:
    full = ask(technique="full", lora_rank=0, trainable_bytes_per_parameter=2.0)
    assert total(rest(replace(full, optimizer="adamw_foreach"), tiny)) == 10 * tiny.parameters
    assert total(rest(full, tiny)) == 8 * tiny.parameters


def test_full_fine_tuning_in_32_bits_takes_twenty_bytes_a_weight(
    ask: Ask, tiny: Architecture
) -> None:
    full = ask(
        technique="full", lora_rank=0, trainable_bytes_per_parameter=4.0, optimizer="adamw_foreach"
    )
    assert total(rest(full, tiny)) == 20 * tiny.parameters


@pytest.mark.parametrize(("size", "each"), [(4.0, 16), (2.0, 8)])
def test_an_adapter_takes_sixteen_bytes_a_weight_or_eight(
    ask: Ask, tiny: Architecture, size: float, each: int
) -> None:
    states = rest(ask(trainable_bytes_per_parameter=size), tiny)
    adapter = states.adapter + states.gradients + states.optimizer
    assert adapter == each * tiny.lora_parameters(16)


def test_a_doubly_quantised_weight_takes_half_a_byte_and_a_little() -> None:
    double = CODE_BYTES["nf4_double"] + STATISTICS_BYTES["nf4_double"]
    assert double == pytest.approx(0.5159, abs=5e-5)
    assert CODE_BYTES["nf4"] + STATISTICS_BYTES["nf4"] == 0.5625
    assert CODE_BYTES["gptq"] + STATISTICS_BYTES["gptq"] == pytest.approx(0.5195, abs=5e-5)


def test_only_linear_layers_of_the_blocks_are_packed(ask: Ask, mistral: Architecture) -> None:
    packed = ask(technique="qlora", base_format="nf4_double", weight_bytes_per_parameter=0.516)
    states = rest(packed, mistral)
    linear = mistral.linear_parameters
    assert states.weights == 0.5 * linear + 2 * (mistral.parameters - linear)
    assert states.statistics == pytest.approx(linear * (1 / 64 + 4 / 16384))


def test_eight_bits_are_one_byte_a_weight(ask: Ask, mistral: Architecture) -> None:
    states = rest(
        ask(technique="qlora", base_format="int8", weight_bytes_per_parameter=1.0), mistral
    )
    linear = mistral.linear_parameters
    assert states.weights + states.statistics == linear + 2 * (mistral.parameters - linear)


def test_experts_in_one_tensor_stay_in_16_bits(ask: Ask, mixtral: Architecture) -> None:
    packed = ask(technique="qlora", base_format="nf4_double", weight_bytes_per_parameter=0.516)
    fused = rest(packed, mixtral)
    apart = rest(packed, replace(mixtral, has_fused_experts=False))
    assert fused.weights > 1.8 * mixtral.parameters
    assert apart.weights + apart.statistics < 0.55 * mixtral.parameters


def test_an_old_preparation_raises_what_is_not_packed(ask: Ask, mistral: Architecture) -> None:
    packed = ask(technique="qlora", base_format="nf4_double", weight_bytes_per_parameter=0.516)
    raised = compute_states(packed, mistral, replace(TAILOR, stream="all"), weights_bytes=0)
    plain = rest(packed, mistral)
    unpacked = mistral.parameters - mistral.linear_parameters
    assert raised.weights - plain.weights == 2 * unpacked


def test_each_optimizer_keeps_what_it_keeps(ask: Ask, mistral: Architecture) -> None:
    kept = {
        kind: rest(
            ask(technique="full", lora_rank=0, trainable_bytes_per_parameter=2.0, optimizer=kind),
            mistral,
        ).optimizer
        / mistral.parameters
        for kind in ("adamw", "adamw_8bit", "paged_adamw_8bit", "sgd_momentum", "adafactor")
    }
    assert kept["adamw"] == 4
    assert kept["adamw_8bit"] == kept["paged_adamw_8bit"] == pytest.approx(2.03, abs=0.01)
    assert kept["sgd_momentum"] == 2
    assert 0 < kept["adafactor"] < 0.01


def test_a_dora_adapter_has_one_size_for_each_output_more(ask: Ask, mistral: Architecture) -> None:
    plain = compute_trained_parameters(ask(), mistral, 0)
    dora = compute_trained_parameters(ask(adapter_kind="dora"), mistral, 0)
    assert 0 < dora - plain < mistral.lora_parameters(1)
    assert compute_trained_parameters(ask(adapter_kind="rslora"), mistral, 0) == plain


def test_adapters_on_fewer_layers_are_smaller(ask: Ask, mistral: Architecture) -> None:
    some = compute_trained_parameters(ask(adapter_targets=("q", "v")), mistral, 0)
    # Rank 16 on 32 layers: 4096 + 4096 ends of q and 4096 + 1024 of v.
    assert some == 16 * 32 * (8192 + 5120)


def test_a_reference_and_a_teacher_rest_in_16_bits(ask: Ask, mistral: Architecture) -> None:
    copied = rest(ask(technique="full", lora_rank=0, has_reference_copy=True), mistral)
    assert copied.others == 2 * mistral.parameters
    taught = rest(ask(objective="distill", teacher_parameters=10**9), mistral)
    assert taught.others == 2 * 10**9
    assert rest(ask(), mistral).others == 0


def test_a_guessed_shape_takes_its_size_from_its_files(ask: Ask, tiny: Architecture) -> None:
    guess = replace(tiny, is_guess=True)
    assert compute_states(ask(), guess, TAILOR, weights_bytes=2_000_000).weights == 2_000_000
