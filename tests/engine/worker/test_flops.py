"""The estimator's operations against those that torch counts in a real forward and backward pass."""

from dataclasses import replace
from typing import Any

import pytest
import torch
from peft import LoraConfig, get_peft_model
from torch.utils.flop_counter import FlopCounterMode
from transformers import AutoModelForCausalLM, LlamaConfig, MixtralConfig

from tailor.estimator.architecture import Architecture
from tailor.estimator.timing.work import Work, compute_work
from tailor.estimator.workload import LengthHistogram, Workload

# PEFT 0.21 asks transformers 5.24 by names that it calls deprecated.
pytestmark = pytest.mark.filterwarnings("ignore::FutureWarning")

ROWS, LENGTH, RANK = 2, 48, 4
LLAMA = LlamaConfig(
    hidden_size=64, num_hidden_layers=3, num_attention_heads=4, num_key_value_heads=2,
    intermediate_size=160, vocab_size=256, max_position_embeddings=128,
)  # fmt: skip
MIXTRAL = MixtralConfig(
    hidden_size=64, num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=2,
    intermediate_size=96, vocab_size=256, max_position_embeddings=128, num_local_experts=4,
    num_experts_per_tok=2,
)  # fmt: skip
ROWS_OF_DATA = LengthHistogram(
    edges_tokens=(LENGTH,), counts=(ROWS,), total_tokens=ROWS * LENGTH,
    learned_tokens=ROWS * LENGTH, longest_tokens=LENGTH,
)  # fmt: skip
WORKLOAD = Workload(
    technique="full", lengths=ROWS_OF_DATA, max_length_tokens=LENGTH, micro_batch_rows=ROWS,
    accumulation=1, steps=1, evaluations=0, held_out_rows=0, held_out_tokens=0,
    weight_bytes_per_parameter=4.0,
)  # fmt: skip


def count_flops(config: Any, *, rank: int = 0, is_reentrant: bool | None = None) -> int:
    """Forward and backward by torch."""
    # Grouped products of experts are an operation that torch does not count.
    model = AutoModelForCausalLM.from_config(
        config, attn_implementation="eager", experts_implementation="eager"
    )
    if rank:
        targets = ["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"]
        model = get_peft_model(model, LoraConfig(r=rank, target_modules=targets))
        model.enable_input_require_grads()
    model.train()
    if is_reentrant is not None:
        model.enable_input_require_grads()
        model.activation_checkpointing_enable({"use_reentrant": is_reentrant})
    ids = torch.arange(ROWS * LENGTH).reshape(ROWS, LENGTH) % 256
    with FlopCounterMode(display=False) as counter:
        model(input_ids=ids, labels=ids, use_cache=False).loss.backward()
    return counter.get_total_flops()


def expect(config: Any, workload: Workload, *, is_stopping_early: bool = False) -> Work:
    return compute_work(
        workload,
        Architecture.from_config(config.to_dict()),
        tokens=ROWS * LENGTH,
        attended_tokens=LENGTH,
        head_tokens=ROWS * LENGTH,
        is_stopping_early=is_stopping_early,
    )


def as_torch_counts(work: Work) -> float:
    """Eager attention computes the whole square and throws half of it away."""
    return work.flops + work.attending_flops


def test_full_fine_tuning_is_three_passes() -> None:
    told = as_torch_counts(expect(LLAMA, WORKLOAD))
    assert told == pytest.approx(count_flops(LLAMA), rel=0.01)


def test_an_adapter_saves_the_gradients_of_frozen_weights_and_no_more() -> None:
    workload = replace(WORKLOAD, technique="lora", lora_rank=RANK)
    told = as_torch_counts(expect(LLAMA, workload))
    # Autograd also makes the gradient of the adapters' first inputs, which ours counts too.
    assert told == pytest.approx(count_flops(LLAMA, rank=RANK), rel=0.02)


@pytest.mark.parametrize("is_reentrant", [True, False])
def test_checkpointing_computes_the_blocks_again(is_reentrant: bool) -> None:
    # The newer kind stops once everything that the backward pass needs is there, which spares the
    # last product of each block.
    workload = replace(WORKLOAD, is_checkpointing_activations=True)
    told = as_torch_counts(expect(LLAMA, workload, is_stopping_early=not is_reentrant))
    assert told == pytest.approx(count_flops(LLAMA, is_reentrant=is_reentrant), rel=0.01)


def test_a_token_passes_the_experts_that_it_is_sent_to() -> None:
    told = as_torch_counts(expect(MIXTRAL, WORKLOAD))
    assert told == pytest.approx(count_flops(MIXTRAL), rel=0.03)
