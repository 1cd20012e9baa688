"""Every way to teach a model: found in this folder, none listed by hand.

A recipe is one file with a `RECIPE` whose id is the file's name. The wizard shows them all, the
engine plans with the one that a run names.
"""

from functools import cache

from tailor.recipes.folder_scan import scan_folder
from tailor.recipes.knobs import UnknownChoiceError
from tailor.recipes.spec import Recipe

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
    return scan_folder("tailor.recipes", "RECIPE", Recipe)
