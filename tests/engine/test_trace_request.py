"""A plan becomes the step that it would make on a card, or is refused in words."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from small_runs import make_spec

from tailor.engine.trace_request import (
    EVALUATION_TOKENS,
    HOPPER_WORKSPACE_BYTES,
    WORKSPACE_BYTES,
    NotTraceableError,
    compute_workspace_bytes,
    make_request,
)
from tailor.estimator.hardware import Card, HardwareSpec
from tailor.estimator.trace import TraceRequest
from tailor.recipes.catalog import get_recipe
from tailor.recipes.spec import RunSpec, TrainPlan

GIB = 2**30


def card(name: str, gib: int) -> Card:
    return Card(name=name, kind="cuda", memory_bytes=gib * GIB, free_bytes=gib * GIB)


MACHINE = HardwareSpec(
    cards=(card("NVIDIA GeForce RTX 3090", 24),), cpu_cores=8, cpu_has_bf16=False,
    ram_bytes=64 * GIB, ram_free_bytes=60 * GIB, disk_free_bytes=500 * GIB,
)  # fmt: skip


@pytest.fixture
def spec(tmp_path: Path) -> RunSpec:
    (tmp_path / "config.json").write_text('{"model_type": "llama", "num_hidden_layers": 2}')
    spec = make_spec()
    return replace(spec, model=replace(spec.model, path=str(tmp_path)))


def ask(spec: RunSpec, recipe: str, hardware: HardwareSpec = MACHINE) -> TraceRequest:
    return make_request(spec, plan_of(spec, recipe, hardware), hardware)


def plan_of(spec: RunSpec, recipe: str, hardware: HardwareSpec = MACHINE) -> TrainPlan:
    return get_recipe(recipe).plan(replace(spec, recipe=recipe), hardware)


def test_the_plans_own_arguments_are_what_is_traced(spec: RunSpec) -> None:
    plan = plan_of(spec, "sft_lora")
    request = make_request(spec, plan, MACHINE)

    assert json.loads(request.config)["model_type"] == "llama"
    assert request.adapter == plan.adapter
    assert (request.rows, request.accumulation) == (
        plan.workload.micro_batch_rows, plan.workload.accumulation,
    )  # fmt: skip
    assert (request.weights, request.products, request.is_autocast) == ("bf16", "bf16", True)
    assert (request.head, request.attention, request.optimizer) == ("tile", "sdpa", "adamw")
    assert 0 < request.learned_tokens <= request.rows * request.tokens


def test_a_packed_base_is_traced_as_packed_with_adapters_in_16_bits(spec: RunSpec) -> None:
    request = ask(spec, "sft_qlora")

    assert (request.technique, request.base_format) == ("qlora", "nf4_double")
    assert request.adapter_numbers == "bf16"
    assert ask(spec, "sft_lora").adapter_numbers is None


def test_a_model_that_learns_as_a_whole_rests_in_32_bits_where_the_plan_says_so(
    spec: RunSpec,
) -> None:
    plan = plan_of(spec, "sft_full")

    assert make_request(spec, plan, MACHINE).weights == "fp32"
    half = replace(plan, workload=replace(plan.workload, trainable_bytes_per_parameter=2.0))
    assert make_request(spec, half, MACHINE).weights == "bf16"


def test_layers_are_checkpointed_as_the_plan_says(spec: RunSpec) -> None:
    plan = plan_of(spec, "sft_lora")

    def layers(**changes: object) -> int | None:
        changed = replace(plan.workload, **changes)  # type: ignore[arg-type]
        return make_request(spec, replace(plan, workload=changed), MACHINE).checkpointed_layers

    assert layers(is_checkpointing_activations=False) == 0
    assert layers(is_checkpointing_activations=True, checkpointed_layers=None) is None
    assert layers(is_checkpointing_activations=True, checkpointed_layers=1) == 1


def test_the_work_space_is_the_cards() -> None:
    assert compute_workspace_bytes(card("NVIDIA GeForce RTX 3090", 24)) == WORKSPACE_BYTES
    assert compute_workspace_bytes(card("NVIDIA H100 80GB HBM3", 80)) == HOPPER_WORKSPACE_BYTES
    assert compute_workspace_bytes(card("A card of tomorrow", 99)) == HOPPER_WORKSPACE_BYTES


def test_the_evaluation_batch_is_the_workers() -> None:
    from tailor.engine.worker import loss

    assert loss.EVALUATION_TOKENS == EVALUATION_TOKENS


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"objective": "dpo"}, "answers only"),
        ({"cards": 2}, "several"),
        ({"is_offloading_activations": True}, "wait in the computer's memory"),
        ({"is_packed": True}, "packed"),
    ],
)
def test_what_is_not_followed_is_refused_in_words(
    spec: RunSpec, changes: dict[str, object], words: str
) -> None:
    plan = plan_of(spec, "sft_lora")
    changed = replace(plan, workload=replace(plan.workload, **changes))  # type: ignore[arg-type]

    with pytest.raises(NotTraceableError, match=words):
        make_request(spec, changed, MACHINE)


def test_a_processor_added_words_and_a_missing_config_are_refused_too(spec: RunSpec) -> None:
    with pytest.raises(NotTraceableError, match="for graphics cards"):
        ask(spec, "sft_lora", replace(MACHINE, cards=()))
    with pytest.raises(NotTraceableError, match="words that were added"):
        ask(replace(spec, added_words=("stent",)), "sft_lora")
    with pytest.raises(NotTraceableError, match="description could not be read"):
        ask(replace(spec, model=replace(spec.model, path="/nowhere")), "sft_lora")


@pytest.mark.parametrize("text", ["", "[]", "{", '"llama"'])
def test_a_damaged_config_is_refused_too(spec: RunSpec, text: str) -> None:
    (Path(spec.model.path) / "config.json").write_text(text)

    with pytest.raises(NotTraceableError, match="description could not be read"):
        ask(spec, "sft_lora")
