"""Shapes, workloads and a way to ask for the memory of one card."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from tailor.estimator.architecture import Architecture
from tailor.estimator.memory.parts import Memory
from tailor.estimator.memory.peak import compute_memory
from tailor.estimator.stack import TAILOR, Stack
from tailor.estimator.workload import Batches, LengthHistogram, Workload

Ask = Callable[..., Workload]
Measure = Callable[..., Memory]


@pytest.fixture
def mistral() -> Architecture:
    return Architecture(
        model_type="mistral", layers=32, hidden=4096, heads=32, kv_heads=8, head_dim=128,
        mlp=14336, vocabulary=32000, max_positions=32768,
    )  # fmt: skip


@pytest.fixture
def llama3(mistral: Architecture) -> Architecture:
    return replace(mistral, model_type="llama", vocabulary=128_256)


@pytest.fixture
def llama70(mistral: Architecture) -> Architecture:
    return replace(mistral, model_type="llama", layers=80, hidden=8192, heads=64, mlp=28672)


@pytest.fixture
def mixtral(mistral: Architecture) -> Architecture:
    return replace(
        mistral, model_type="mixtral", experts=8, experts_per_token=2, expert_mlp=14336,
        expert_layers=32, has_fused_experts=True,
    )  # fmt: skip


@pytest.fixture
def tiny() -> Architecture:
    return Architecture(
        model_type="llama", layers=4, hidden=64, heads=4, kv_heads=2, head_dim=16, mlp=128,
        vocabulary=500, max_positions=512,
    )  # fmt: skip


@pytest.fixture
def ask() -> Ask:
    """LoRA of rank 16 on a 16-bit base, everything computed again; any field can be changed."""

    def build(**changes: Any) -> Workload:
        lengths = LengthHistogram(
            edges_tokens=(4096,), counts=(100,), total_tokens=409_600, learned_tokens=409_600,
            longest_tokens=4096,
        )  # fmt: skip
        asked = Workload(
            technique="lora", lengths=lengths, max_length_tokens=4096, micro_batch_rows=4,
            accumulation=1, steps=100, evaluations=0, held_out_rows=0, held_out_tokens=0,
            weight_bytes_per_parameter=2.0, lora_rank=16, is_checkpointing_activations=True,
            is_packed=True,
        )  # fmt: skip
        return replace(asked, **changes)

    return build


@pytest.fixture
def measure() -> Measure:
    """Memory of one card; `tokens` are those of the micro-batch."""

    def work_out(
        workload: Workload,
        architecture: Architecture,
        *,
        tokens: int = 16_384,
        row_tokens: int = 4096,
        learned_share: float = 1.0,
        stack: Stack = TAILOR,
    ) -> Memory:
        batches = Batches(
            rows_in_step=4, mean_tokens=float(tokens), longest_tokens=tokens,
            longest_row_tokens=row_tokens, learned_share=learned_share, padding_share=0.0,
        )  # fmt: skip
        return compute_memory(
            workload, architecture, batches, "cuda",
            weights_bytes=2 * architecture.parameters, stack=stack,
        )  # fmt: skip

    return work_out
