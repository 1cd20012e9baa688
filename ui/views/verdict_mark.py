"""A verdict as a sign and a word, for tables and small cards; colour never stands alone."""

from tailor.estimator.promise import Verdict
from tailor.ui.text_plan import PromiseText
from tailor.ui.views.html import Html, element
from tailor.ui.views.icons import IconName, icon

MARKS: dict[Verdict, tuple[str, IconName]] = {
    "fits": ("good", "check"),
    "tight": ("care", "care"),
    "will_not_fit": ("stop", "stop"),
}
"""Tone and sign of each verdict."""


def verdict_mark(verdict: Verdict) -> Html:
    """ "fits" with its sign."""
    tone, sign = MARKS[verdict]
    return element("span", icon(sign), PromiseText.SHORT_VERDICT[verdict], class_=f"mark-{tone}")
