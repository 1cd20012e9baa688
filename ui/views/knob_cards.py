"""The knobs of a recipe as rows of choices in words, and the recipes themselves. Pure.

Each choice says what a person would notice; the technical name stands small beside the title. They
are native radio buttons, so keyboard and screen reader need nothing of ours.
"""

from tailor.recipes.spec import Choice, Knob, Recipe
from tailor.ui.text_plan import PlanText
from tailor.ui.views.html import Html, each, element

SEPARATOR = "="


def knob_cards(knobs: tuple[Knob, ...], chosen: dict[str, str]) -> Html:
    """All knobs; what was not chosen keeps its default."""
    return each(_knob(knob, chosen.get(knob.id, knob.default)) for knob in knobs)


def recipe_cards(recipes: tuple[Recipe, ...], chosen: str) -> Html:
    """The ways to teach, in plain words."""
    return element(
        "fieldset",
        element("legend", PlanText.RECIPE),
        element("p", PlanText.RECIPE_WHY, class_="quiet"),
        each(_recipe(recipe, chosen) for recipe in recipes),
        class_="knob recipes",
    )


def read_choice(sent: str) -> tuple[str, str]:
    """Knob and value out of what a card sends."""
    knob, _, value = sent.partition(SEPARATOR)
    return knob, value


def _knob(knob: Knob, chosen: str) -> Html:
    return element(
        "fieldset",
        element("legend", knob.title, " ", element("span", knob.expert_name, class_="real-name")),
        element("p", knob.why, class_="quiet"),
        element(
            "div",
            each(_choice(knob, choice, chosen) for choice in knob.choices),
            class_="choices-row",
        ),
        class_="knob",
    )


def _choice(knob: Knob, choice: Choice, chosen: str) -> Html:
    return element(
        "label",
        element(
            "input",
            type="radio",
            name=f"knob-{knob.id}",
            value=choice.value,
            data_send=f"{knob.id}{SEPARATOR}{choice.value}",
            checked=choice.value == chosen,
        ),
        element("span", choice.title, class_="choice-title"),
        element("span", choice.notice, class_="choice-notice"),
        class_="knob-choice",
    )


def _recipe(recipe: Recipe, chosen: str) -> Html:
    return element(
        "label",
        element(
            "input",
            type="radio",
            name="recipe",
            value=recipe.id,
            data_send=recipe.id,
            checked=recipe.id == chosen,
        ),
        element(
            "span",
            recipe.title,
            " ",
            element("span", recipe.id, class_="real-name"),
            class_="choice-title",
        ),
        element("span", recipe.for_whom, class_="choice-notice"),
        element("span", recipe.how_it_works, class_="choice-notice"),
        element("span", recipe.needs, class_="choice-notice"),
        class_="knob-choice",
    )
