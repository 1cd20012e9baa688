"""The first rows of a table as they were read: everything text, long cells cut by the eye only.

It scrolls sideways inside its own frame, so the page never does. What a column is used for stands
above its name.
"""

from collections.abc import Mapping as Lookup

from tailor.engine.data_types import DataRow
from tailor.ui.text_data import DataText
from tailor.ui.views.html import Html, each, element, join

MOST_COLUMNS = 12
SHOWN_CHARACTERS = 240
"""More of a cell than this says nothing in a table; the finished examples show it whole."""


def rows_table(
    columns: tuple[str, ...], rows: tuple[DataRow, ...], parts: Lookup[str, str]
) -> Html:
    """The table, with a line for columns that are not shown; used columns are always shown."""
    places = _shown_places(columns, parts)
    head = join(
        element("th", DataText.ROW_ORIGIN, scope="col"),
        each(_heading(columns[place], parts) for place in places),
    )
    body = each(_row(row, places) for row in rows)
    table = element("table", element("thead", element("tr", head)), element("tbody", body))
    hidden = len(columns) - len(places)
    more = element("p", DataText.MORE_COLUMNS.format(count=hidden), class_="small quiet")
    frame = element(
        "div", table, class_="table-frame", tabindex="0", role="region",
        aria_label=DataText.FIRST_ROWS,
    )  # fmt: skip
    return join(frame, more if hidden > 0 else None)


def _shown_places(columns: tuple[str, ...], parts: Lookup[str, str]) -> list[int]:
    used = [place for place, name in enumerate(columns) if name in parts]
    rest = [place for place in range(len(columns)) if place not in used]
    return sorted((used + rest)[: max(MOST_COLUMNS, len(used))])


def _heading(column: str, parts: Lookup[str, str]) -> Html:
    part = parts.get(column)
    return element(
        "th",
        element("span", part, class_="part") if part else None,
        column,
        scope="col",
        class_="used" if part else None,
    )


def _row(row: DataRow, places: list[int]) -> Html:
    cells = each(element("td", element("div", _short(row.cells[place]))) for place in places)
    return element("tr", element("th", row.origin, scope="row"), cells)


def _short(cell: str) -> str:
    return cell if len(cell) <= SHOWN_CHARACTERS else cell[:SHOWN_CHARACTERS] + "…"
