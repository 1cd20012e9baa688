"""What was chosen so far, beside every question; on a phone it folds into one line."""

from tailor.ui.text import ShellText
from tailor.ui.views.html import Html, each, element

Choice = tuple[str, str]
"""What was asked and what was answered."""


def choices_so_far(choices: tuple[Choice, ...]) -> Html:
    """The list, or a line that says what will stand here."""
    if not choices:
        body = element("p", ShellText.CHOICES_EMPTY, class_="choices-empty")
    else:
        body = element("dl", each(_choice(*choice) for choice in choices))
    title = element("p", ShellText.CHOICES_TITLE, class_="choices-title")
    return element("aside", title, body, class_="choices", aria_label=ShellText.CHOICES_TITLE)


def _choice(asked: str, answered: str) -> Html:
    return element("div", element("dt", asked), element("dd", answered))
