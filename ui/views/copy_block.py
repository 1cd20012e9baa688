"""A piece of code, a path or a command with its copy button. Pure.

`components.copy_line` makes the button work.
"""

from tailor.ui.text_use import CopyText
from tailor.ui.views.html import Html, element
from tailor.ui.views.icons import icon


def copy_block(name: str, text: str, *, label: str) -> Html:
    """`name` is unique on its screen; `label` says what is copied."""
    return element(
        "div",
        element(
            "div",
            element("span", label, class_="quiet"),
            element(
                "button",
                icon("copy"),
                element("span", CopyText.COPY),
                type="button",
                data_copy=f"copy-{name}",
                data_done=CopyText.COPIED,
                aria_label=CopyText.COPY_WHAT.format(what=label),
            ),
            class_="copy-head",
        ),
        element("pre", element("code", text, id=f"copy-{name}"), tabindex="0"),
        class_="copy-block",
    )
