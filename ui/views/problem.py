"""The error card: what happened, why, what to do; in place, never a pop-up.

Every page has one empty `gr.HTML` for it. Handlers that raise `UserError` end here.
"""

from itertools import count
from typing import Final

from tailor.engine.errors import UserError
from tailor.engine.findings import Problem
from tailor.ui.views.html import NOTHING, Html, element
from tailor.ui.views.icons import icon

_TOLD: Final = count(1)


def error_card(problem: UserError | Problem | None) -> Html:
    """The card, or nothing when there is no problem."""
    if problem is None:
        return NOTHING
    return element(
        "div",
        icon("stop"),
        element(
            "div",
            element("p", problem.title, class_="card-title"),
            element("p", problem.detail) if problem.detail else None,
            element("p", problem.fix, class_="fix") if problem.fix else None,
        ),
        class_="notice stop",
        role="alert",
    )


def told_anew(problem: UserError | Problem | None) -> Html:
    """The card as an answer to a press: never equal to the one before, so that it is drawn again.

    The browser draws a value only when it differs, and a button waits for its answer to be drawn.
    """
    if problem is None:
        return NOTHING
    return element("div", error_card(problem), data_told=next(_TOLD), class_="told")
