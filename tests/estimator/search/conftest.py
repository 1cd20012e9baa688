"""Models, machines and plans that the search is asked about; none of them is here."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from tailor.estimator.architecture import Architecture
from tailor.estimator.hardware import Card, HardwareSpec
from tailor.estimator.search import ModelChoice
from tailor.estimator.workload import LengthHistogram, Workload

GIB = 2**30
EIGHT = Architecture(
    model_type="llama", layers=32, hidden=4096, heads=32, kv_heads=8, head_dim=128, mlp=14_336,
    vocabulary=128_256, max_positions=8_192,
)  # fmt: skip
SEVENTY = Architecture(
    model_type="llama", layers=80, hidden=8192, heads=64, kv_heads=8, head_dim=128, mlp=28_672,
    vocabulary=128_256, max_positions=8_192,
)  # fmt: skip
SMALL = Architecture(
    model_type="llama", layers=30, hidden=576, heads=9, kv_heads=3, head_dim=64, mlp=1536,
    vocabulary=49_152, max_positions=8_192, has_tied_embeddings=True,
)  # fmt: skip
MODELS = {"small": SMALL, "8B": EIGHT, "70B": SEVENTY}
RTX_3090 = Card(
    name="NVIDIA GeForce RTX 3090", kind="cuda", memory_bytes=24 * GIB, free_bytes=int(23.3 * GIB),
    bandwidth_bytes_per_second=936e9, flops_per_second=71e12, power_watts=350,
)  # fmt: skip


def rows_of(rows: int, longest: int) -> LengthHistogram:
    """A third of the rows in each of three buckets."""
    third = rows // 3
    return LengthHistogram(
        edges_tokens=(longest // 4, longest // 2, longest),
        counts=(third, third, rows - 2 * third),
        total_tokens=rows * longest * 5 // 12,
        learned_tokens=rows * longest // 6,
        longest_tokens=longest,
    )


def make_machine(cards: int = 1, *, ram_gib: float = 64, disk_gib: float = 2000) -> HardwareSpec:
    return HardwareSpec(
        cards=(RTX_3090,) * cards, cpu_cores=16, cpu_has_bf16=False,
        ram_bytes=int(ram_gib * GIB), ram_free_bytes=int((ram_gib - 4) * GIB),
        disk_free_bytes=int(disk_gib * GIB),
    )  # fmt: skip


def make_lora(**changes: Any) -> Workload:
    asked = Workload(
        technique="lora", lengths=rows_of(3_000, 2_048), max_length_tokens=2_048,
        micro_batch_rows=4, accumulation=4, steps=180, evaluations=5, held_out_rows=100,
        held_out_tokens=100_000, weight_bytes_per_parameter=2.0, trainable_bytes_per_parameter=4.0,
        lora_rank=16, save_count=5,
    )  # fmt: skip
    return replace(asked, **changes)


def make_qlora(**changes: Any) -> Workload:
    packed = {
        "technique": "qlora", "base_format": "nf4_double", "weight_bytes_per_parameter": 0.516,
        "trainable_bytes_per_parameter": 2.0,
    }  # fmt: skip
    return make_lora(**(packed | changes))


def on_two(**changes: Any) -> dict[str, Any]:
    """The same rows of a step on two cards, each with the whole model."""
    return {"cards": 2, "sharding": "ddp", "accumulation": 2} | changes


@pytest.fixture(scope="session")
def models() -> dict[str, Architecture]:
    return MODELS


@pytest.fixture(scope="session")
def machine() -> Callable[..., HardwareSpec]:
    return make_machine


@pytest.fixture(scope="session")
def lora() -> Callable[..., Workload]:
    return make_lora


@pytest.fixture(scope="session")
def qlora() -> Callable[..., Workload]:
    return make_qlora


@pytest.fixture(scope="session")
def two_cards() -> Callable[..., dict[str, Any]]:
    return on_two


@pytest.fixture(scope="session")
def rows() -> Callable[[int, int], LengthHistogram]:
    return rows_of


@pytest.fixture(scope="session")
def smaller() -> ModelChoice:
    return ModelChoice(name="An 8B model", architecture=EIGHT, weights_bytes=2 * EIGHT.parameters)
