"""Tabs that answer at once: radio buttons and panels in one piece of markup, switched by CSS.

A tab that asks the server costs a trip for text that is here already. Keyboard and screen readers
meet ordinary radio buttons.
"""

from tailor.ui.views.html import Html, each, element

MOST_TABS = 6
"""As many panels as `app.css` has a rule for."""


def tabs(name: str, label: str, panels: tuple[tuple[str, Html], ...]) -> Html:
    """One panel at a time; `name` is unique on its page. One panel alone needs no tabs."""
    if len(panels) == 1:
        return panels[0][1]
    shown = panels[:MOST_TABS]
    strip = each(_tab(name, title, n) for n, (title, _) in enumerate(shown))
    return element(
        "div",
        element("div", strip, class_="tab-strip", role="radiogroup", aria_label=label),
        element(
            "div",
            each(element("div", panel, class_="tab-panel") for _, panel in shown),
            class_="tab-panels",
        ),
        class_="tabs",
    )


def _tab(name: str, title: str, number: int) -> Html:
    place = f"{name}-tab-{number}"
    radio = element("input", type="radio", id=place, name=name, checked=number == 0)
    return element("label", radio, element("span", title))
