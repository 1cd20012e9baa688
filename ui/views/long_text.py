"""A text that may be long: its beginning at once, the whole of it one press away, nothing lost.

Rows hold anything from a word to a book. A screen that shows three of them whole shows none; a
screen that cuts them shows something that is not there.
"""

from typing import Final

from tailor.ui.text_data import DataText
from tailor.ui.views.html import Html, element
from tailor.ui.views.quantities import count_words

FOLDED_CHARACTERS: Final = 700
FOLDED_LINES: Final = 12
SHOWN_CHARACTERS: Final = 420
SHOWN_LINES: Final = 8


def long_text(text: str, *, class_: str = "said", fold: str = "") -> Html:
    """The text as it stands; a long one folds, and an id `fold` keeps it open when drawn anew."""
    if len(text) <= FOLDED_CHARACTERS and text.count("\n") < FOLDED_LINES:
        return element("div", text, class_=class_)
    beginning = "\n".join(text[:SHOWN_CHARACTERS].split("\n")[:SHOWN_LINES]).rstrip()
    more = element(
        "span",
        element("span", DataText.WHOLE.format(characters=count_words(len(text))), class_="unfold"),
        element("span", DataText.LESS, class_="refold"),
        class_="fold-words",
    )
    return element(
        "details",
        element(
            "summary", element("span", beginning + "\u00a0…", class_=f"{class_} beginning"), more
        ),
        element("div", text, class_=class_),
        class_="long-text",
        id=fold or None,
    )
