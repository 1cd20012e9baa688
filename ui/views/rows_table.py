"""The first rows of a table as they were read: everything text, long cells cut by the eye only.

It scrolls sideways inside its own frame, so the page never does.
"""

from tailor.engine.data_types import DataRow
from tailor.ui.text_data import DataText
from tailor.ui.views.html import Html, each, element, join

MOST_COLUMNS = 12
SHOWN_CHARACTERS = 240
"""More of a cell than this says nothing in a table; the finished examples show it whole."""


def rows_table(columns: tuple[str, ...], rows: tuple[DataRow, ...]) -> Html:
    """The table, with a line for columns that are not shown."""
    shown = columns[:MOST_COLUMNS]
    head = join(
        element("th", DataText.ROW_ORIGIN, scope="col"),
        each(element("th", column, scope="col") for column in shown),
    )
    body = each(_row(row, len(shown)) for row in rows)
    table = element("table", element("thead", element("tr", head)), element("tbody", body))
    hidden = len(columns) - len(shown)
    more = element("p", DataText.MORE_COLUMNS.format(count=hidden), class_="small quiet")
    frame = element(
        "div", table, class_="table-frame", tabindex="0", role="region",
        aria_label=DataText.FIRST_ROWS,
    )  # fmt: skip
    return join(frame, more if hidden > 0 else None)


def _row(row: DataRow, columns: int) -> Html:
    cells = each(element("td", element("div", _short(cell))) for cell in row.cells[:columns])
    return element("tr", element("th", row.origin, scope="row"), cells)


def _short(cell: str) -> str:
    return cell if len(cell) <= SHOWN_CHARACTERS else cell[:SHOWN_CHARACTERS] + "…"
