"""All plans that are one choice away as a table: the chart in words, and usable by keyboard. Pure.

On a phone each row stands by itself with its column names before the figures.
"""

from tailor.ui.plan.comparison import Compared, Comparison
from tailor.ui.text_compare import ChartText, OfferText
from tailor.ui.views.cost_words import cost_words
from tailor.ui.views.html import Html, each, element
from tailor.ui.views.icons import icon
from tailor.ui.views.quantities import bytes_range_words, duration_range_words
from tailor.ui.views.verdict_mark import verdict_mark


def plan_table(comparison: Comparison) -> Html:
    """The table; the chosen plan stands first and has no button."""
    has_money = any(one.variant.estimate.money is not None for one in comparison.plans)
    heads = [ChartText.COLUMN_PLAN, ChartText.COLUMN_MEMORY, ChartText.COLUMN_TIME]
    heads += [ChartText.COLUMN_MONEY] if has_money else []
    heads += [""]
    return element(
        "div",
        element(
            "table",
            element("caption", ChartText.CAPTION, class_="out-of-sight"),
            element("thead", element("tr", each(_head(one) for one in heads))),
            element("tbody", each(_row(one, has_money) for one in comparison.plans)),
            class_="stacking",
        ),
        class_="plan-table",
    )


def _head(words: str) -> Html:
    if not words:
        return element("td", element("span", OfferText.TAKE, class_="out-of-sight"))
    return element("th", words, scope="col")


def _row(one: Compared, has_money: bool) -> Html:
    estimate = one.variant.estimate
    memory, seconds = estimate.memory_bytes, estimate.seconds
    return element(
        "tr",
        element(
            "th",
            element("span", one.variant.words, class_="plan-name"),
            element("span", ChartText.BEST, class_="plan-best") if one.is_best else None,
            element("span", one.variant.gives_up, class_="plan-note")
            if one.variant.gives_up
            else None,
            scope="row",
        ),
        _cell(
            ChartText.COLUMN_MEMORY,
            bytes_range_words(memory.low, memory.high),
            " ",
            verdict_mark(estimate.verdict),
        ),
        _cell(ChartText.COLUMN_TIME, duration_range_words(seconds.low, seconds.high)),
        _cell(ChartText.COLUMN_MONEY, cost_words(estimate)) if has_money else None,
        element("td", _button(one)),
        class_="chosen" if one.is_chosen else None,
    )


def _cell(name: str, *words: str) -> Html:
    return element("td", *words, data_label=name)


def _button(one: Compared) -> Html:
    if one.is_chosen:
        return element("span", icon("check"), ChartText.YOURS, class_="plan-yours")
    return element(
        "button",
        OfferText.TAKE_SHORT,
        element("span", f": {one.variant.words}", class_="out-of-sight"),
        type="button",
        class_="own-button small-button",
        data_send=one.variant.sent,
    )
