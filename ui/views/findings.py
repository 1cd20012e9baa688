"""Findings of a check: a sign, one sentence, what to do; details fold away.

The word beside the sign says how serious it is, so colour is never alone. Most serious first.
"""

from typing import Final, Literal

from tailor.engine.findings import Finding
from tailor.ui.text_check import CheckText
from tailor.ui.views.html import Html, each, element, join
from tailor.ui.views.icons import IconName, icon

LEVELS: Final[tuple[Literal["stop", "warn", "note"], ...]] = ("stop", "warn", "note")
SIGNS: Final[dict[str, IconName]] = {"stop": "stop", "warn": "care", "note": "note"}
TONES: Final[dict[str, str]] = {"stop": "stop", "warn": "care", "note": "note"}


def findings_list(findings: tuple[Finding, ...], *, none: str = "") -> Html:
    """All findings, or the sentence `none` with a sign that all is well."""
    if not findings:
        if not none:
            return join()
        return element("div", icon("check"), element("p", none), class_="notice good")
    ordered = sorted(findings, key=lambda finding: LEVELS.index(finding.level))
    return element("div", each(_finding(one) for one in ordered), class_="stack")


def _finding(finding: Finding) -> Html:
    level = element("span", CheckText.LEVELS[finding.level], class_="level")
    detail = join(
        element("p", finding.detail, class_="small") if finding.detail else None,
        element("p", finding.where, class_="small quiet") if finding.where else None,
    )
    folded = (
        element("details", element("summary", CheckText.FINDING_MORE), detail, class_="more")
        if detail
        else None
    )
    return element(
        "div",
        icon(SIGNS[finding.level]),
        element(
            "div",
            level,
            element("p", finding.title, class_="card-title"),
            element("p", finding.fix, class_="fix") if finding.fix else None,
            folded,
        ),
        class_=f"notice {TONES[finding.level]}",
    )
