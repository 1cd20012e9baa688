"""Each step of the limit tells what it cuts and what it costs, as the plan itself would."""

from dataclasses import replace

import pytest

from tailor.estimator.estimate import estimate
from tailor.recipes.catalog import get_recipe
from tailor.recipes.limit_choices import price_limits


def test_steps_rise_cut_less_and_cost_more(spec, machines):
    asked = spec(rows=100, longest=3_000)
    lengths = [30 * place for place in range(1, 101)]
    steps = price_limits(asked, machines["processor"], lengths)
    assert [step.tokens for step in steps] == [256, 512, 1024, 2048, 3008]
    assert [step.cut_rows for step in steps] == [92, 83, 66, 32, 0]
    # Between them a plan may put fewer rows side by side, which takes memory back.
    assert steps[0].memory_high_bytes < steps[-1].memory_high_bytes
    assert all(step.memory_low_bytes < step.memory_high_bytes for step in steps)


def test_the_price_is_the_plan_s_own(spec, machines):
    asked = spec(rows=100, longest=900)
    (*_, step) = price_limits(asked, machines["24 GB card"], [900] * 100)
    plan = get_recipe(asked.recipe).plan(asked, machines["24 GB card"])
    promise = estimate(
        plan.workload,
        asked.model.architecture,
        machines["24 GB card"],
        weights_bytes=asked.model.weights_bytes,
    )
    assert step.tokens == plan.max_length_tokens
    assert step.memory_high_bytes == round(promise.memory_bytes.high)


def test_no_step_is_above_what_the_model_can_read(spec, machines):
    asked = spec(rows=10, longest=20_000)
    steps = price_limits(asked, machines["processor"], [20_000] * 10)
    assert steps[-1].tokens == asked.model.architecture.max_positions
    assert steps[-1].cut_rows == 10


def test_short_rows_leave_one_step(spec, machines):
    steps = price_limits(spec(longest=60), machines["processor"], [60] * 270)
    assert [(step.tokens, step.cut_rows) for step in steps] == [(64, 0)]
    assert price_limits(spec(), machines["processor"], []) == ()


@pytest.mark.parametrize("recipe", ["sft_lora", "sft_full", "sft_qlora"])
def test_other_knobs_keep_their_values(spec, machines, recipe):
    asked = spec(recipe, longest=900, knobs=(("longest_row", "256"), ("strength", "strong")))
    steps = price_limits(asked, machines["processor"], [900] * 270)
    without = price_limits(
        replace(asked, knobs=(("strength", "gentle"),)), machines["processor"], [900] * 270
    )
    assert [step.tokens for step in steps] == [256, 512, 960]
    if recipe != "sft_full":
        assert steps[-1].memory_high_bytes > without[-1].memory_high_bytes
