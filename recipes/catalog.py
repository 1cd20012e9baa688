"""Every way to teach a model: found in this folder, none listed by hand.

A recipe is one file with a `RECIPE` whose id is the file's name. The wizard shows them all, the
engine plans with the one that a run names.
"""

import importlib
import pkgutil
from functools import cache
from pathlib import Path

from tailor.recipes.knobs import UnknownChoiceError
from tailor.recipes.spec import Recipe

FOLDER = Path(__file__).parent
FIRST = "sft_lora"
"""The default stands first."""


def recipes() -> tuple[Recipe, ...]:
    """All recipes, the default first, then by id."""
    return tuple(sorted(_scan().values(), key=lambda recipe: (recipe.id != FIRST, recipe.id)))


def get_recipe(recipe_id: str) -> Recipe:
    """One recipe; `UnknownChoiceError` names the ones there are."""
    found = _scan()
    if recipe_id not in found:
        raise UnknownChoiceError(
            title=f'There is no recipe called "{recipe_id}"',
            detail=f"There are: {', '.join(recipe.id for recipe in recipes())}.",
            fix="Use one of these names.",
        )
    return found[recipe_id]


@cache
def _scan() -> dict[str, Recipe]:
    found: dict[str, Recipe] = {}
    for module in pkgutil.iter_modules([str(FOLDER)]):
        if module.ispkg:
            continue
        recipe = vars(importlib.import_module(f"tailor.recipes.{module.name}")).get("RECIPE")
        if recipe is None:
            continue
        if recipe.id != module.name:
            raise RuntimeError(f"recipes/{module.name}.py calls its recipe {recipe.id!r}.")
        found[recipe.id] = recipe
    return found
