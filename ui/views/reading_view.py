"""What the model will read: the exact text, with what is learned in ink and the rest quiet.

The end mark is a small square in the accent, as on a player's stop key: it is what should be there,
so it must not look like an error. Cut text is struck through, and marks that the model's template
puts around turns are shown small, so that prose stays readable. Spans join to the text exactly.
"""

import re
from typing import Final

from tailor.engine.data_types import RenderedExample, Span
from tailor.ui.text_check import CheckText
from tailor.ui.views.html import Html, each, element, join
from tailor.ui.views.icons import icon
from tailor.ui.views.quantities import count_words
from tailor.ui.views.tabs import tabs

TEMPLATE_MARK: Final = re.compile(r"(<\|[^<>|\s]{1,40}\|>|</?s>|\[/?INST\])")
"""Marks of the usual chat templates; drawn small, never hidden."""


def reading_view(examples: tuple[RenderedExample, ...]) -> Html:
    """The typical, the longest and the strangest row behind tabs, with the legend above."""
    panels = tuple((CheckText.READING_TABS[one.which], reading_page(one)) for one in examples)
    if not panels:
        return join()
    return join(_legend(examples), tabs("reading", CheckText.READING_TABS_LABEL, panels))


def reading_page(example: RenderedExample) -> Html:
    """One row."""
    counts = CheckText.COUNTS.format(
        row=count_words(example.row_id),
        read=count_words(example.read_tokens),
        learned=count_words(example.learned_tokens),
    )
    return element(
        "div",
        element(
            "div", each(_span(span) for span in example.spans), class_="reading", tabindex="0",
            role="region", aria_label=CheckText.READING_TABS[example.which],
        ),
        element("p", counts, class_="small quiet"),
        class_="card reading-card",
    )  # fmt: skip


def _span(span: Span) -> Html:
    if span.kind == "cut":
        return element("del", span.text, class_="cut")
    if span.kind == "end":
        return element(
            "span", icon("end"), element("span", span.text, class_="mark"), class_="end-mark",
            title=CheckText.END_MARK,
        )  # fmt: skip
    parts = TEMPLATE_MARK.split(span.text)
    return element("span", each(_part(part) for part in parts), class_=span.kind)


def _part(part: str) -> Html:
    if TEMPLATE_MARK.fullmatch(part):
        return element("span", part, class_="mark")
    return join(part)


def _legend(examples: tuple[RenderedExample, ...]) -> Html:
    kinds = {span.kind for example in examples for span in example.spans}
    entries = [
        element("li", element("span", CheckText.LEGEND_LEARNED, class_="learned")),
        element("li", element("span", CheckText.LEGEND_READ, class_="read")),
    ]
    if "end" in kinds:
        entries.append(element("li", icon("end"), CheckText.LEGEND_END, class_="end-mark"))
    if "cut" in kinds:
        entries.append(element("li", element("del", CheckText.LEGEND_CUT, class_="cut")))
    return element("ul", each(entries), class_="reading-legend")
