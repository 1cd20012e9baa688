"""The exact check on the promise card: its button, its waiting, or why it could not be made. Pure.

A plan that was checked needs nothing here: the foot of the card says where its figures come from.
"""

from typing import Final, Literal

from tailor.estimator.record import record
from tailor.ui.text_plan import ExactText
from tailor.ui.views.html import NOTHING, Html, element

CHECK: Final = "exact"
"""The word that the button sends."""


@record
class Exactness:
    """How far the exact check of the shown plan is."""

    state: Literal["nothing", "offered", "running", "refused"] = "nothing"
    """`nothing` where there is nothing to ask for: it is checked, or cannot be."""
    words: str = ""
    """What the job says while it runs, or why it could not be made."""


def exact_check(exactness: Exactness) -> Html:
    """A line for the card's foot."""
    if exactness.state == "nothing":
        return NOTHING
    if exactness.state == "running":
        return element("p", exactness.words or ExactText.RUNNING, class_="exact", role="status")
    if exactness.state == "refused":
        return element("p", ExactText.REFUSED.format(why=exactness.words), class_="exact")
    return element(
        "p",
        element("button", ExactText.BUTTON, type="button", class_="link-button", data_send=CHECK),
        " ",
        ExactText.NOTE,
        class_="exact",
    )
