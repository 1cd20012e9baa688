"""Which models could be taught on a machine, and how: a row a model, a column a way to teach. Pure.

The same table serves this computer, a card that somebody thinks of buying, and large models at
home. On a phone each row stands by itself with the way to teach before its figures.
"""

from tailor.estimator.promise import Estimate
from tailor.estimator.record import record
from tailor.ui.text_compare import MachineText
from tailor.ui.views.cost_words import kwh_words, money_words
from tailor.ui.views.html import Html, each, element
from tailor.ui.views.quantities import bytes_range_words, duration_range_words
from tailor.ui.views.verdict_mark import verdict_mark


@record
class MachineCell:
    """One model taught in one way on one machine."""

    estimate: Estimate
    words: str = ""
    """How it is taught or shared, or why it cannot be; empty where nothing is special."""
    has_energy: bool = False
    """Whether electricity is told where no price is set."""


@record
class MachineRow:
    """One model."""

    name: str
    note: str
    """Its size, and what is guessed about it."""
    cells: tuple[MachineCell | None, ...]
    """One for each column; None where this cannot be worked out."""


def machine_table(caption: str, columns: tuple[str, ...], rows: tuple[MachineRow, ...]) -> Html:
    """The table, with its caption above."""
    if not rows:
        return element("p", MachineText.EMPTY, class_="empty")
    heads = (MachineText.MODEL, *columns)
    return element(
        "div",
        element(
            "table",
            element("caption", caption),
            element("thead", element("tr", each(element("th", one, scope="col") for one in heads))),
            element("tbody", each(_row(row, columns) for row in rows)),
            class_="stacking machines",
        ),
        class_="plan-table",
    )


def _row(row: MachineRow, columns: tuple[str, ...]) -> Html:
    return element(
        "tr",
        element(
            "th",
            element("span", row.name, class_="plan-name"),
            element("span", row.note, class_="plan-note") if row.note else None,
            scope="row",
        ),
        each(_cell(column, cell) for column, cell in zip(columns, row.cells, strict=True)),
    )


def _cell(column: str, cell: MachineCell | None) -> Html:
    if cell is None:
        return element("td", MachineText.UNKNOWN, data_label=column, class_="quiet")
    estimate = cell.estimate
    shown = [
        verdict_mark(estimate.verdict),
        element("span", _memory(estimate), class_="machine-figure"),
    ]
    # Time and money of what cannot be done are of no use to anybody.
    if estimate.verdict != "will_not_fit":
        seconds = estimate.seconds
        time = duration_range_words(seconds.low, seconds.high)
        shown.append(element("span", time, class_="machine-figure"))
        if estimate.money is not None:
            cost = money_words(estimate.money, estimate.currency)
            shown.append(element("span", cost, class_="machine-figure"))
        elif cell.has_energy and estimate.kwh is not None:
            shown.append(element("span", kwh_words(estimate.kwh), class_="machine-figure"))
    if cell.words:
        shown.append(element("span", cell.words, class_="plan-note"))
    return element("td", each(shown), data_label=column)


def _memory(estimate: Estimate) -> str:
    memory = estimate.memory_bytes
    return bytes_range_words(memory.low, memory.high)
