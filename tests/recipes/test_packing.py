"""Packing is planned where it saves work and the library's attention allows it, and nowhere else."""

from dataclasses import replace

from tailor.estimator.workload import LengthHistogram
from tailor.recipes.catalog import get_recipe

UNEVEN = LengthHistogram(
    edges_tokens=(20, 40, 400),
    counts=(250, 10, 20),
    total_tokens=13_000,
    learned_tokens=3_000,
    longest_tokens=400,
)


def plan_of(spec, machine, lengths=None):
    asked = spec()
    if lengths is not None:
        asked = replace(asked, dataset=replace(asked.dataset, lengths=lengths))
    return get_recipe("sft_lora").plan(asked, machine)


def reason(plan):
    return [one.words for one in plan.reasons if one.setting == "packing"]


def test_rows_of_like_length_are_not_packed(spec, machines):
    plan = plan_of(spec, machines["processor"])
    assert dict(plan.training)["packing"] is False
    assert reason(plan) == []


def test_rows_of_very_different_length_are_packed_on_a_processor_with_the_reason(spec, machines):
    plan = plan_of(spec, machines["processor"], UNEVEN)
    assert dict(plan.training)["packing"] is True
    assert "none reads another's words" in reason(plan)[0]


def test_a_card_keeps_its_fast_attention(spec, machines):
    plan = plan_of(spec, machines["24 GB card"], UNEVEN)
    assert dict(plan.training)["packing"] is False


def test_added_words_stand_among_the_reasons(spec, machines):
    asked = replace(spec(), added_words=("Drehmoment",))
    plan = get_recipe("sft_lora").plan(asked, machines["processor"])
    told = {one.setting: one.value for one in plan.reasons}
    assert told["added words"] == "1"
