"""Recipes are found by a scan, and each tells a person everything."""

import pytest

from tailor.recipes.catalog import get_recipe, recipes
from tailor.recipes.knobs import UnknownChoiceError


def test_all_recipes_are_found_with_the_default_first():
    assert [recipe.id for recipe in recipes()] == ["sft_lora", "sft_full", "sft_qlora"]


@pytest.mark.parametrize("recipe", recipes(), ids=lambda recipe: recipe.id)
def test_a_recipe_fills_in_all_its_words(recipe):
    assert all((recipe.title, recipe.for_whom, recipe.how_it_works, recipe.needs))
    assert 3 <= len(recipe.knobs) <= 6


@pytest.mark.parametrize("recipe", recipes(), ids=lambda recipe: recipe.id)
def test_every_knob_says_what_a_person_would_notice(recipe):
    for knob in recipe.knobs:
        assert all((knob.title, knob.why, knob.expert_name))
        values = [choice.value for choice in knob.choices]
        assert knob.default in values
        assert len(values) == len(set(values))
        assert all(choice.title and choice.notice for choice in knob.choices)


def test_an_unknown_recipe_is_refused_with_the_known_ones():
    with pytest.raises(UnknownChoiceError, match="sft_lora, sft_full, sft_qlora"):
        get_recipe("magic")
