"""Each way to work out a loss, and what it holds."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from tailor.estimator.architecture import Architecture
from tailor.estimator.memory.loss_head import compute_logit_tokens, compute_loss_bytes
from tailor.estimator.stack import TAILOR, Stack, find_stack
from tailor.estimator.workload import Batches, Workload

Ask = Callable[..., Workload]
TOKENS = 8192


def batch(learned_share: float = 1.0) -> Batches:
    return Batches(
        rows_in_step=2, mean_tokens=float(TOKENS), longest_tokens=TOKENS, longest_row_tokens=4096,
        learned_share=learned_share, padding_share=0.0,
    )  # fmt: skip


def held(
    workload: Workload, shape: Architecture, stack: Stack, learned_share: float = 1.0
) -> float:
    return compute_loss_bytes(workload, shape, batch(learned_share), stack, float(TOKENS))


@pytest.mark.parametrize(
    ("framework", "each"),
    [
        ("HF Trainer, transformers 4.44.2", 12),
        ("HF Trainer, transformers 4.48.1", 14),
        ("HF Trainer, transformers 5.17", 12),
        ("litgpt finetune lora", 4),
        ("torchtune lora_finetune_single_device", 6),
        ("llm-foundry", 4),
    ],
)
def test_full_logits_cost_what_their_copies_cost(
    ask: Ask, llama3: Architecture, framework: str, each: int
) -> None:
    assert held(ask(), llama3, find_stack(framework)) == each * TOKENS * 128_256


def test_a_tile_is_held_for_labelled_tokens_only(ask: Ask, llama3: Architecture) -> None:
    tile = 4096 * 32_768 * 2
    rows = TOKENS * (6 * 4096 + 24)
    assert held(ask(micro_batch_rows=1), llama3, TAILOR) == tile + rows
    # A tenth of the tokens is below the tile's own size.
    few = held(ask(micro_batch_rows=1), llama3, TAILOR, 0.1)
    assert few == pytest.approx(0.1 * TOKENS * (32_768 * 2 + 6 * 4096 + 24))


def test_a_trained_head_has_a_gradient_in_32_bits_and_one_in_16(
    ask: Ask, llama3: Architecture
) -> None:
    full = ask(technique="full", lora_rank=0, micro_batch_rows=1)
    frozen = held(ask(micro_batch_rows=1), llama3, TAILOR)
    assert held(full, llama3, TAILOR) - frozen == 6 * 128_256 * 4096


def test_a_teacher_stands_beside_its_pupil_in_32_bits(ask: Ask, llama3: Architecture) -> None:
    alone = held(ask(micro_batch_rows=1), llama3, TAILOR)
    taught = held(ask(micro_batch_rows=1, objective="distill"), llama3, TAILOR)
    assert taught - alone == 4096 * 32_768 * (8 - 2)


def test_slices_of_rows_cost_next_to_nothing(ask: Ask, llama3: Architecture) -> None:
    sliced = held(ask(), llama3, find_stack("TRL with Liger"))
    whole = held(ask(), llama3, find_stack("TRL"))
    assert sliced < whole / 20
    # The vocabulary's size does not matter while the head is frozen.
    smaller = held(ask(), replace(llama3, vocabulary=32_000), find_stack("TRL with Liger"))
    assert smaller == pytest.approx(sliced)


def test_older_families_leave_their_logits_in_16_bits(ask: Ask, llama3: Architecture) -> None:
    old = replace(llama3, model_type="gpt_bigcode", is_gated_mlp=False)
    full = ask(technique="full", lora_rank=0, trainable_bytes_per_parameter=2.0)
    plain = find_stack("fms-hf-tuning sft_trainer")
    assert held(full, old, plain) == 8 * TOKENS * 128_256
    packed = ask(technique="qlora", base_format="nf4_double", weight_bytes_per_parameter=0.516)
    assert held(packed, old, plain) == 16 * TOKENS * 128_256


def test_a_tile_is_never_more_than_all_logits(ask: Ask, tiny: Architecture) -> None:
    assert held(ask(micro_batch_rows=1), tiny, TAILOR) < held(ask(), tiny, find_stack("TRL"))


def test_rows_side_by_side_learn_at_different_places(ask: Ask) -> None:
    assert compute_logit_tokens(ask(micro_batch_rows=1), batch(0.2)) == pytest.approx(0.2 * TOKENS)
    assert compute_logit_tokens(ask(micro_batch_rows=2), batch(0.2)) == pytest.approx(0.3 * TOKENS)
    assert compute_logit_tokens(ask(micro_batch_rows=2), batch(0.9)) == TOKENS
