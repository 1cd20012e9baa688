"""Words of the trade that the model knows only in pieces, and those that it will learn whole."""

from tailor.engine.data_types import RenderReport
from tailor.ui.text_check import CheckText
from tailor.ui.views.html import Html, each, element
from tailor.ui.views.quantities import count_words

SHOWN_WORDS = 24


def split_words(report: RenderReport, added: tuple[str, ...]) -> Html | None:
    """The list to tick, and the chosen ones; nothing when there is nothing to say."""
    offered = [one for one in report.split_words if one.word not in added][:SHOWN_WORDS]
    if not offered and not added:
        return None
    boxes = each(
        element(
            "label",
            element("input", type="checkbox", name="word", value=one.word),
            element("span", one.word, class_="word"),
            element(
                "span",
                CheckText.WORD_COUNT.format(count=count_words(one.count), pieces=one.pieces),
                class_="small quiet",
            ),
        )
        for one in offered
    )
    add = element(
        "button", CheckText.WORDS_ADD, type="submit", data_send="words", id="add-words",
        class_="own-button small-button",
    )  # fmt: skip
    form = element("form", element("div", boxes, class_="word-list"), add, id="words-form",
                   class_="stack")  # fmt: skip
    return element(
        "section",
        element("h3", CheckText.WORDS),
        added_words(added) if added else None,
        element("p", CheckText.WORDS_WHY, class_="small quiet") if offered else None,
        form if offered else None,
        class_="stack words",
    )


def added_words(added: tuple[str, ...]) -> Html:
    """Each chosen word, with a way to take it out."""
    chips = each(
        element(
            "span",
            word,
            element(
                "button", CheckText.WORD_REMOVE, type="button", class_="link-button",
                data_send=f"word_out:{word}",
                aria_label=CheckText.WORD_REMOVE_LABEL.format(word=word),
            ),
            class_="chip",
        )
        for word in added
    )  # fmt: skip
    return element(
        "div",
        element("p", CheckText.WORDS_ADDED, class_="small"),
        element("div", chips, class_="chips"),
    )
