"""Where the rows go: to learn from, to the test, left out and why; the numbers add up.

Nothing is left out without a word, so that even "0 rows left out" is said.
"""

from tailor.engine.data_types import DatasetRecord
from tailor.ui.text_check import CheckText
from tailor.ui.views.html import Html, each, element
from tailor.ui.views.quantities import count_words


def row_account(dataset: DatasetRecord) -> Html:
    """Three figures, the sum, the reasons."""
    figures = (
        (dataset.train_rows, CheckText.FIGURE_TRAIN),
        (dataset.held_out_rows, CheckText.FIGURE_HELD_OUT),
        (dataset.left_out_rows, CheckText.FIGURE_LEFT_OUT),
    )
    why = CheckText.HELD_OUT_WHY if dataset.held_out_rows else CheckText.NO_TEST
    return element(
        "section",
        element("dl", each(_figure(*figure) for figure in figures), class_="figures counts"),
        element("p", why, class_="small quiet"),
        _left_out(dataset),
        class_="stack",
        aria_label=CheckText.ACCOUNT,
    )


def _figure(count: int, name: str) -> Html:
    return element("div", element("dt", name), element("dd", count_words(count)))


def _title(count: int) -> str:
    if count == 1:
        return CheckText.LEFT_OUT_ONE
    return CheckText.LEFT_OUT.format(count=count_words(count))


def _left_out(dataset: DatasetRecord) -> Html:
    if not dataset.left_out_rows:
        return element("p", CheckText.NONE_LEFT_OUT, class_="small quiet")
    sum_words = CheckText.ADDS_UP.format(
        train=count_words(dataset.train_rows),
        held_out=count_words(dataset.held_out_rows),
        left_out=count_words(dataset.left_out_rows),
        rows=count_words(dataset.rows),
    )
    reasons = each(
        element("li", element("span", count_words(number), class_="count"), reason)
        for reason, number in dataset.left_out
    )
    return element(
        "details",
        element("summary", _title(dataset.left_out_rows)),
        element("ul", reasons, class_="left-out-reasons"),
        element("p", sum_words, class_="small quiet"),
        class_="more",
        id="left-out",
    )
