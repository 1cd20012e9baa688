"""The line on top of every page: the name, the way home, light or dark.

The choice of look is kept by the browser (`static/look.js`); without one the system decides.
"""

from tailor.ui.text import ShellText
from tailor.ui.views.html import Html, element
from tailor.ui.views.icons import icon, wordmark


def masthead(*, has_home_link: bool) -> Html:
    """`has_home_link` is off on the first page itself."""
    look = element(
        "button",
        icon("theme"),
        element("span", ShellText.LOOK, class_="out-of-sight"),
        type="button",
        data_look="switch",
        title=ShellText.LOOK,
    )
    home = element("a", ShellText.HOME, href="/") if has_home_link else None
    return element(
        "header",
        element("a", wordmark(), href="/", aria_label=ShellText.PRODUCT),
        element("div", home, look, class_="masthead-links"),
        class_="masthead",
    )
