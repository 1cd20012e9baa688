"""Every recipe plans for every choice and every machine; the choices do what they say."""

import itertools
from dataclasses import replace

import pytest

from tailor.estimator.estimate import estimate
from tailor.recipes.catalog import get_recipe, recipes
from tailor.recipes.knobs import UnknownChoiceError


@pytest.mark.parametrize("recipe", recipes(), ids=lambda recipe: recipe.id)
def test_every_choice_gives_a_plan_on_every_machine(recipe, machine, spec):
    choices = [[(knob.id, choice.value) for choice in knob.choices] for knob in recipe.knobs]
    for knobs in itertools.product(*choices):
        plan = recipe.plan(spec(recipe.id, knobs=knobs), machine)
        arguments = dict(plan.training)
        assert plan.device == machine.device
        assert plan.recipe == recipe.id
        assert arguments["max_steps"] == plan.steps == plan.workload.steps >= 1
        assert arguments["per_device_train_batch_size"] == plan.workload.micro_batch_rows
        assert arguments["gradient_accumulation_steps"] == plan.workload.accumulation
        assert 1 <= plan.workload.evaluations <= 10
        assert 0 < arguments["learning_rate"] < 0.01
        assert plan.precision_reason
        assert all(reason.words and reason.value for reason in plan.reasons)


@pytest.mark.parametrize("recipe", recipes(), ids=lambda recipe: recipe.id)
@pytest.mark.parametrize("rows", [1, 10, 499, 500, 5_000, 50_001])
@pytest.mark.parametrize("longest", [1, 70, 9_000])
def test_every_amount_of_data_gives_a_plan_and_an_estimate(recipe, rows, longest, spec, machines):
    for hardware in machines.values():
        asked = spec(recipe.id, rows=rows, longest=longest, is_large=rows > 1_000)
        plan = recipe.plan(asked, hardware)
        promise = estimate(
            plan.workload,
            asked.model.architecture,
            hardware,
            weights_bytes=asked.model.weights_bytes,
        )
        assert promise.seconds.high > 0
        assert plan.max_length_tokens <= asked.model.architecture.max_positions
        assert plan.evaluate_every_steps <= plan.steps


def test_the_same_question_gets_the_same_plan(spec, machines):
    first, second = (get_recipe("sft_lora").plan(spec(), machines["processor"]) for _ in range(2))
    assert first == second
    assert hash(first) == hash(second)


def test_the_demo_s_plan_is_the_one_that_was_measured(spec, machines):
    plan = get_recipe("sft_lora").plan(spec(), machines["processor"])
    arguments = dict(plan.training)
    assert (plan.precision, arguments["learning_rate"], dict(plan.adapter)["r"]) == (
        "fp32",
        9.6e-4,
        16,
    )
    assert (plan.workload.micro_batch_rows, plan.workload.accumulation) == (4, 1)
    assert (plan.steps, plan.evaluate_every_steps, plan.max_length_tokens) == (202, 21, 128)
    assert not plan.workload.is_checkpointing_activations


def test_a_stronger_choice_learns_more(spec, machines):
    rates, ranks = [], []
    for strength in ("gentle", "normal", "strong"):
        plan = get_recipe("sft_lora").plan(
            spec(knobs=(("strength", strength),)), machines["24 GB card"]
        )
        rates.append(dict(plan.training)["learning_rate"])
        ranks.append(dict(plan.adapter)["r"])
    assert rates == sorted(set(rates))
    assert ranks == [8, 16, 32]


def test_a_large_model_takes_smaller_steps(spec, machines):
    plan = get_recipe("sft_lora").plan(spec(is_large=True), machines["24 GB card"])
    assert dict(plan.training)["learning_rate"] == 2e-4


def test_full_fine_tuning_steps_are_a_tenth_of_an_adapter_s(spec, machines):
    rate = {
        recipe: dict(get_recipe(recipe).plan(spec(recipe), machines["large card"]).training)[
            "learning_rate"
        ]
        for recipe in ("sft_lora", "sft_full")
    }
    assert rate["sft_full"] == pytest.approx(rate["sft_lora"] / 10)


@pytest.mark.parametrize(
    ("rows", "machine_name", "passes"),
    [
        (270, "processor", "3"),
        (270, "24 GB card", "5"),
        (3_000, "processor", "3"),
        (20_000, "24 GB card", "2"),
        (60_000, "24 GB card", "1"),
    ],
)
def test_passes_follow_the_number_of_rows(rows, machine_name, passes, spec, machines):
    plan = get_recipe("sft_lora").plan(spec(rows=rows), machines[machine_name])
    told = {reason.setting: reason.value for reason in plan.reasons}
    assert told["epochs"] == passes


def test_long_rows_are_fed_in_parts_before_anything_is_computed_twice(spec, machines):
    card = machines["24 GB card"]
    plan = get_recipe("sft_lora").plan(spec(rows=3_000, longest=1_000, is_large=True), card)
    assert plan.workload.micro_batch_rows < 16
    assert plan.workload.micro_batch_rows * plan.workload.accumulation == 16
    longer = get_recipe("sft_lora").plan(spec(rows=3_000, longest=8_000, is_large=True), card)
    assert longer.workload.is_checkpointing_activations


def test_a_shorter_limit_says_how_many_rows_it_cuts(spec, machines):
    asked = spec(longest=1_000, knobs=(("longest_row", "256"),))
    plan = get_recipe("sft_lora").plan(asked, machines["processor"])
    words = next(reason.words for reason in plan.reasons if reason.setting == "max_length")
    assert plan.max_length_tokens == 256
    assert "270 of 270 rows lose their end" in words


def test_the_automatic_limit_cuts_nothing_that_the_model_can_read(spec, machines):
    plan = get_recipe("sft_lora").plan(spec(longest=5_001), machines["24 GB card"])
    assert plan.max_length_tokens == 5_056


def test_old_cards_get_fp16_and_apple_32_bits(spec, machines):
    precision = {
        name: get_recipe("sft_lora").plan(spec(), machine).precision
        for name, machine in machines.items()
    }
    assert precision["old 8 GB card"] == "fp16"
    assert precision["Apple"] == "fp32"
    assert precision["24 GB card"] == "bf16"
    assert precision["processor with bf16"] == "bf16"


def test_a_packed_base_names_what_it_costs_on_a_processor(spec, machines):
    plan = get_recipe("sft_qlora").plan(spec("sft_qlora"), machines["processor"])
    words = " ".join(reason.words for reason in plan.reasons)
    assert "saves memory and is slower" in words
    assert dict(plan.quantisation)["bnb_4bit_compute_dtype"] == "float32"


def test_full_fine_tuning_keeps_32_bits_where_they_fit(spec, machines):
    full = get_recipe("sft_full")
    small = full.plan(spec("sft_full"), machines["24 GB card"])
    large = full.plan(spec("sft_full", is_large=True), machines["large card"])
    too_large = full.plan(spec("sft_full", is_large=True), machines["24 GB card"])
    assert small.workload.trainable_bytes_per_parameter == 4
    assert large.workload.trainable_bytes_per_parameter == 2
    assert too_large.workload.trainable_bytes_per_parameter == 2


def test_a_knob_that_does_not_exist_is_refused_by_name(spec, machines):
    asked = spec(knobs=(("strenght", "strong"),))
    with pytest.raises(UnknownChoiceError, match='no choice called "strenght"'):
        get_recipe("sft_lora").plan(asked, machines["processor"])


def test_a_value_that_was_never_offered_is_refused_with_the_offers(spec, machines):
    asked = spec(knobs=(("strength", "brutal"),))
    with pytest.raises(UnknownChoiceError, match="gentle, normal, strong"):
        get_recipe("sft_lora").plan(asked, machines["processor"])


def test_the_exam_leaves_room_for_the_longest_answer(spec, machines):
    asked = spec()
    long = replace(asked.exam[0], expected="word " * 60)
    plan = get_recipe("sft_lora").plan(replace(asked, exam=(long,)), machines["processor"])
    assert plan.max_new_tokens == 188
    assert plan.workload.exam_new_tokens == 188
