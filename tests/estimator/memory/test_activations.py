"""What a layer keeps of a token, against what was found on live tensors and in public peaks."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from tailor.estimator.architecture import Architecture
from tailor.estimator.memory.activations import LayerBytes, compute_layer
from tailor.estimator.models.layer_parts import StateSpace
from tailor.estimator.stack import TAILOR, Stack, find_stack
from tailor.estimator.workload import Workload

Ask = Callable[..., Workload]
FMS = "fms-hf-tuning sft_trainer (TRL SFTTrainer)"
QKVO = ("q", "k", "v", "o")


def layer(
    workload: Workload, shape: Architecture, stack: Stack = TAILOR, row_tokens: int = 4096
) -> LayerBytes:
    return compute_layer(workload, shape, stack, row_tokens=row_tokens)


def in_work(told: LayerBytes) -> float:
    return told.kept + told.backward


def test_a_checkpoint_is_one_16_bit_row(ask: Ask, mistral: Architecture) -> None:
    assert layer(ask(), mistral).stream == 2 * 4096


def test_a_layer_of_a_public_lora_run_is_found_to_a_thousandth(
    ask: Ask, llama3: Architecture
) -> None:
    # Llama-3-8B, LoRA on attention, dropout 0.1, fast norms: peaks of 16, 32 and 64 thousand tokens
    # grow by 528,672 bytes a token, of which 262,144 are the layers' inputs.
    lora = ask(adapter_targets=QKVO, adapter_dropout=0.1)
    stack = find_stack(f"{FMS}+foak-fast-kernels-liger", "file=refs/a100_80gb_liger.csv")
    assert in_work(layer(lora, llama3, stack)) == pytest.approx(528_672 - 262_144, rel=2e-3)


def test_a_layer_of_a_public_full_run_is_found_to_a_thousandth(
    ask: Ask, llama3: Architecture
) -> None:
    # The same family in full: 495,776 bytes a token on four cards.
    full = ask(technique="full", lora_rank=0, cards=4, sharding="fsdp")
    stack = find_stack(f"{FMS}+foak-fast-kernels-liger", "file=refs/a100_80gb_liger.csv")
    assert in_work(layer(full, llama3, stack)) == pytest.approx(495_776 - 262_144, rel=2e-3)


def test_a_layer_of_todays_library_keeps_what_hooks_counted(
    ask: Ask, mistral: Architecture
) -> None:
    # Bytes a token: 8 h of norms, 6 I, four tensors of attention; then 2 a token and adapter input.
    open_layers = ask(is_checkpointing_activations=False)
    bare = layer(replace(open_layers, lora_rank=0), mistral).kept
    assert bare == 8 * 4096 + 6 * 14336 + 4 * (4096 + 1024) + 4 * 32
    adapted = layer(open_layers, mistral).kept
    assert adapted - bare == 2 * (5 * 4096 + 4096 + 14336)


def test_raising_inputs_without_autocast_costs_twice_as_much(
    ask: Ask, mistral: Architecture
) -> None:
    lora = ask(is_checkpointing_activations=False, adapter_targets=QKVO)
    bare = layer(replace(lora, lora_rank=0), mistral).kept
    cast = layer(lora, mistral).kept - bare
    raised = layer(lora, mistral, replace(TAILOR, is_autocast=False)).kept - bare
    assert raised == 2 * cast


def test_adapters_beside_packed_layers_share_their_input(ask: Ask, mistral: Architecture) -> None:
    packed = ask(
        technique="qlora", base_format="nf4_double", weight_bytes_per_parameter=0.516,
        trainable_bytes_per_parameter=2.0, is_checkpointing_activations=False,
    )  # fmt: skip
    bare = layer(replace(packed, lora_rank=0), mistral).kept
    assert layer(packed, mistral).kept - bare == 2 * (4096 + 4096 + 14336)


def test_dropout_keeps_a_copy_and_a_mask_for_each_adapter(ask: Ask, mistral: Architecture) -> None:
    lora = ask(adapter_targets=QKVO, is_checkpointing_activations=False)
    without = layer(lora, mistral).kept
    assert layer(replace(lora, adapter_dropout=0.1), mistral).kept - without == 4 * 4096


def test_dora_keeps_three_copies_of_each_adapted_output(ask: Ask, mistral: Architecture) -> None:
    lora = ask(adapter_targets=("q", "v"), is_checkpointing_activations=False)
    dora = layer(replace(lora, adapter_kind="dora"), mistral).kept
    assert dora - layer(lora, mistral).kept == 6 * (4096 + 1024)


def test_our_kernels_keep_half_of_what_the_library_keeps(ask: Ask, llama3: Architecture) -> None:
    lora = ask(is_checkpointing_activations=False)
    eager = layer(lora, llama3).kept
    fused = layer(replace(lora, has_fused_kernels=True), llama3).kept
    # In units of two bytes of a hidden number: about 28 and 13.5.
    assert eager / 8192 == pytest.approx(27, abs=1.5)
    assert fused / 8192 == pytest.approx(13.5, abs=1)


def test_a_stack_with_fast_norms_alone_is_no_stack_with_our_kernels(
    ask: Ask, mistral: Architecture
) -> None:
    workload = ask(has_fused_kernels=True)
    norms = layer(workload, mistral, replace(TAILOR, layers="fused_norms")).kept
    assert norms > layer(workload, mistral).kept


def test_eager_attention_keeps_every_score(ask: Ask, mistral: Architecture) -> None:
    flash = layer(ask(), mistral).kept
    assert layer(ask(attention="sdpa"), mistral).kept == flash
    assert layer(ask(attention="eager"), mistral).kept - flash == 8 * 32 * 4096


def test_numbers_in_32_bits_are_twice_as_wide(ask: Ask, mistral: Architecture) -> None:
    single = layer(ask(weight_bytes_per_parameter=4.0), mistral)
    assert single.stream == 4 * 4096
    assert single.kept > 1.7 * layer(ask(lora_rank=0), mistral).kept


def test_an_old_preparation_widens_the_rows_on_one_card_only(
    ask: Ask, mistral: Architecture
) -> None:
    packed = ask(technique="qlora", base_format="nf4_double", weight_bytes_per_parameter=0.516)
    raised = replace(TAILOR, stream="norms")
    assert layer(packed, mistral, raised).stream == 4 * 4096
    several = replace(packed, cards=2, sharding="fsdp")
    assert layer(several, mistral, raised).stream == 2 * 4096


def test_the_old_checkpointing_holds_the_row_that_it_computed_again(
    ask: Ask, mistral: Architecture
) -> None:
    old = layer(ask(), mistral, replace(TAILOR, is_reentrant=True))
    assert old.backward - layer(ask(), mistral).backward == 2 * 4096


@pytest.mark.parametrize("family", ["qwen3", "gemma2", "gemma3_text"])
def test_families_with_more_norms_keep_more(ask: Ask, mistral: Architecture, family: str) -> None:
    assert layer(ask(), replace(mistral, model_type=family)).kept > layer(ask(), mistral).kept


def test_a_plain_feed_forward_part_keeps_less_than_a_gated_one(
    ask: Ask, mistral: Architecture
) -> None:
    plain = replace(mistral, model_type="gpt_neox", is_gated_mlp=False)
    assert layer(ask(), plain).kept < layer(ask(), mistral).kept
    written_out = replace(plain, model_type="gpt2")
    assert layer(ask(), written_out).kept > layer(ask(), plain).kept


def test_joined_queries_keys_and_values_are_kept_as_one_and_once_more_in_their_turn(
    ask: Ask, mistral: Architecture
) -> None:
    bare = ask(lora_rank=0)
    joined = replace(mistral, has_joined_attention=True)
    assert layer(bare, joined).kept - layer(bare, mistral).kept == 2 * (4096 + 1024)
    # One adapter reads what three would.
    lora = ask(adapter_targets=("q", "k", "v"))
    adapters = layer(lora, joined).kept - layer(bare, joined).kept
    assert adapters == 2 * 4096


def test_chosen_experts_are_kept_and_others_are_not(ask: Ask, mixtral: Architecture) -> None:
    two = layer(ask(), mixtral)
    more = layer(ask(), replace(mixtral, experts=64))
    assert more.kept == two.kept
    assert layer(ask(), replace(mixtral, experts_per_token=4)).kept > 1.5 * two.kept
    assert layer(ask(), replace(mixtral, shared_mlp=2048)).kept > two.kept


def test_experts_apart_are_passed_backwards_one_by_one(ask: Ask, mixtral: Architecture) -> None:
    apart = layer(ask(), replace(mixtral, has_fused_experts=False))
    assert apart.backward < layer(ask(), mixtral).backward


def test_a_state_space_is_counted_beside_attention(ask: Ask, mistral: Architecture) -> None:
    state = StateSpace(kind="mamba2", layers=28, inner=8192, heads=128, state=128, groups=1)
    hybrid = replace(mistral, attention_layers=4, state_space=state)
    only_attention = replace(mistral, attention_layers=4)
    assert layer(ask(), hybrid).kept > layer(ask(), only_attention).kept
