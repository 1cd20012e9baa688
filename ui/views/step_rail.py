"""The eight steps: a rail at the left on a wide screen, "Step 3 of 8: Check" on a phone.

A step that was reached can be opened again; a later one is shown, quiet and closed. Done steps
carry a sign besides their colour.
"""

from tailor.engine.types import Draft
from tailor.ui.text import ShellText
from tailor.ui.views.html import Html, each, element, own_markup
from tailor.ui.views.icons import icon

GOAL, DATA, CHECK, MODEL, PLAN, RUN, RESULTS, USE_IT = range(8)


def furthest_step(draft: Draft) -> int:
    """The last step that can be opened: the furthest that was reached, all once there is a run."""
    return USE_IT if draft.run_id else draft.step


def step_rail(step: int, furthest: int) -> Html:
    """The list of steps; the current one is marked for the eye and for a screen reader."""
    total = len(ShellText.STEPS)
    short = ShellText.STEP_OF.format(step=step + 1, steps=total, title=ShellText.STEPS[step])
    return element(
        "nav",
        element("p", short, class_="rail-short"),
        own_markup(f'<progress class="rail-bar" max="{total}" value="{step + 1}"></progress>'),
        element("ol", each(_entry(n, step, furthest) for n in range(total))),
        class_="rail",
        aria_label=ShellText.RAIL_LABEL,
    )


def _entry(number: int, step: int, furthest: int) -> Html:
    is_open = number <= furthest
    is_done = number < step
    sign = icon("check") if is_done else element("span", str(number + 1), class_="number")
    return element(
        "li",
        element(
            "button",
            sign,
            element("span", ShellText.STEPS[number]),
            type="button",
            data_send=str(number),
            aria_current="step" if number == step else None,
            aria_disabled=None if is_open else "true",
            title=None if is_open else ShellText.STEP_LATER,
        ),
        class_="done" if is_done else None,
    )
