"""Everything that a person can choose or type stands in the docs."""

import argparse
from pathlib import Path

import pytest

from tailor.app import build_parser
from tailor.recipes.catalog import recipes
from tailor.recipes.spec_file import SpecFile

DOCS = Path(__file__).resolve().parent.parent / "docs"
README = (DOCS.parent / "README.md").read_text("utf-8")
RECIPES = (DOCS / "recipes.md").read_text("utf-8")


@pytest.mark.parametrize("recipe", recipes(), ids=lambda recipe: recipe.id)
def test_every_recipe_and_knob_has_a_heading_and_every_choice_is_named(recipe):
    assert f"## {recipe.id}: {recipe.title}" in RECIPES
    for knob in recipe.knobs:
        assert f"### {knob.id}" in RECIPES
        for choice in knob.choices:
            assert f"`{choice.value}`" in RECIPES


def test_every_key_of_a_spec_file_is_explained():
    told = (DOCS / "spec-file.md").read_text("utf-8")
    missing = [name for name in SpecFile.__dataclass_fields__ if name not in told]
    assert missing == ["schema"]


def test_every_command_is_in_the_readme():
    parser = build_parser()
    commands = next(
        action for action in parser._actions if isinstance(action, argparse._SubParsersAction)
    )
    assert [name for name in commands.choices if f"app.py {name}" not in README] == []
