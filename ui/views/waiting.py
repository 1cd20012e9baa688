"""Something takes a while: what is being done, how far, and shapes of what will stand here.

A share is drawn only when it is known; otherwise the bar moves without promising.
"""

from tailor.ui.views.html import Html, each, element, own_markup


def waiting_card(title: str, words: str, *, share: float = 0.0, lines: int = 3) -> Html:
    """The card with its bar and `lines` of skeleton beneath."""
    bar = (
        element(
            "progress",
            class_="wait-bar",
            max="100",
            value=str(round(share * 100)),
            aria_label=title,
        )
        if share > 0
        else own_markup('<div class="wait-bar moving" role="presentation"></div>')
    )
    return element(
        "div",
        element("p", title, class_="card-title"),
        element("p", words, class_="quiet"),
        bar,
        element("div", each(_line(n) for n in range(lines)), class_="skeleton", aria_hidden="true"),
        class_="card waiting",
        role="status",
    )


def _line(number: int) -> Html:
    widths = (94, 78, 86, 64)
    return element("div", style=f"width:{widths[number % len(widths)]}%")
