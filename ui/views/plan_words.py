"""The plan in words: each decision with its reason, and the exact settings for experts. Pure.

Value and reason travel together from the recipe; this only lays them out.
"""

from tailor.recipes.spec import Arguments, TrainPlan
from tailor.ui.text_plan import PlanText
from tailor.ui.views.html import NOTHING, Html, each, element


def plan_words(plan: TrainPlan) -> Html:
    """One line a decision."""
    return element(
        "div",
        element("p", PlanText.IN_WORDS_LEAD, class_="quiet"),
        element(
            "ul",
            each(
                element(
                    "li",
                    element("p", reason.words),
                    element("p", f"{reason.setting} = {reason.value}", class_="real-name"),
                )
                for reason in plan.reasons
            ),
            class_="reasons",
        ),
    )


def plan_settings(plan: TrainPlan) -> Html:
    """What the libraries are given, as tables."""
    groups = (
        ("SFTConfig", plan.training),
        ("LoraConfig", plan.adapter),
        ("BitsAndBytesConfig", plan.quantisation),
    )
    return element(
        "div",
        element("p", PlanText.ARGUMENTS_LEAD, class_="quiet"),
        each(_table(title, arguments) for title, arguments in groups),
        class_="settings",
    )


def _table(title: str, arguments: Arguments) -> Html:
    if not arguments:
        return NOTHING
    rows = (
        element("tr", element("th", name, scope="row"), element("td", _value(value)))
        for name, value in arguments
    )
    return element("table", element("caption", title), element("tbody", each(rows)))


def _value(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)
