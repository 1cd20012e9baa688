"""Specs and machines that plans are made for."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from tailor.estimator.architecture import Architecture
from tailor.estimator.hardware import Card, HardwareSpec
from tailor.estimator.workload import LengthHistogram
from tailor.recipes.spec import DatasetSpec, ExamQuestion, Message, ModelSpec, RunSpec

GIB = 2**30
SMALL = Architecture(
    model_type="llama", layers=30, hidden=576, heads=9, kv_heads=3, head_dim=64, mlp=1536,
    vocabulary=49_152, max_positions=8_192, has_tied_embeddings=True,
)  # fmt: skip
LARGE = Architecture(
    model_type="llama", layers=32, hidden=4096, heads=32, kv_heads=8, head_dim=128, mlp=14_336,
    vocabulary=128_256, max_positions=8_192,
)  # fmt: skip


def make_lengths(rows: int, longest: int = 66) -> LengthHistogram:
    half = rows // 2
    return LengthHistogram(
        edges_tokens=(max(1, longest // 2), longest),
        counts=(half, rows - half),
        total_tokens=rows * longest * 3 // 4,
        learned_tokens=rows * max(1, longest // 6),
        longest_tokens=longest,
    )


def make_spec(
    recipe: str = "sft_lora",
    *,
    rows: int = 270,
    longest: int = 66,
    is_large: bool = False,
    **changes: Any,
) -> RunSpec:
    model = ModelSpec(
        id="m", name="A model", path="/models/m", family="llama",
        architecture=LARGE if is_large else SMALL,
        weights_bytes=16_060_522_496 if is_large else 269_060_552,
    )  # fmt: skip
    dataset = DatasetSpec(
        id="ds", version=1, path="/data/mapped-1.arrow", content_hash="0" * 64, shape="prompt_completion",
        train_rows=rows, held_out_rows=30, lengths=make_lengths(rows, longest), held_out_tokens=1_700,
    )  # fmt: skip
    exam = tuple(
        ExamQuestion(
            id=f"q{number}",
            messages=(Message(role="user", content="pump 204 drips"),),
            expected="P-204 | leak | med | replace",
        )
        for number in range(10)
    )
    spec = RunSpec(
        title="Notes", goal="format", recipe=recipe, model=model, dataset=dataset, exam=exam
    )
    return replace(spec, **changes)


def make_card(gib: float, *, has_bf16: bool = True, kind: Any = "cuda") -> Card:
    return Card(
        name="A card", kind=kind, memory_bytes=int(gib * GIB), free_bytes=int(gib * GIB * 0.95),
        has_bf16=has_bf16,
    )  # fmt: skip


def make_machine(*cards: Card, cpu_has_bf16: bool = False, ram_gib: float = 24) -> HardwareSpec:
    return HardwareSpec(
        cards=cards, cpu_cores=2, cpu_has_bf16=cpu_has_bf16, ram_bytes=int(ram_gib * GIB),
        ram_free_bytes=int(ram_gib * GIB * 0.8), disk_free_bytes=200 * GIB,
    )  # fmt: skip


MACHINES = {
    "processor": make_machine(),
    "processor with bf16": make_machine(cpu_has_bf16=True),
    "small laptop": make_machine(ram_gib=2),
    "24 GB card": make_machine(make_card(24)),
    "old 8 GB card": make_machine(make_card(8, has_bf16=False)),
    "large card": make_machine(make_card(141)),
    "Apple": make_machine(make_card(16, kind="mps")),
}


@pytest.fixture
def spec() -> Callable[..., RunSpec]:
    return make_spec


@pytest.fixture(params=MACHINES, ids=lambda name: name.replace(" ", "-"))
def machine(request: pytest.FixtureRequest) -> HardwareSpec:
    return MACHINES[request.param]


@pytest.fixture(scope="session")
def machines() -> dict[str, HardwareSpec]:
    return MACHINES
