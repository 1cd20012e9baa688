"""What was found in a file: one sentence, the first rows, and the way to another file."""

from tailor.engine.data_types import DataRow, DatasetRecord
from tailor.ui.text_data import DataText
from tailor.ui.views.html import Html, element, join
from tailor.ui.views.icons import icon
from tailor.ui.views.rows_table import rows_table


def data_found(dataset: DatasetRecord, rows: tuple[DataRow, ...]) -> Html:
    """The card above the mapping."""
    other = element(
        "button", DataText.OTHER_FILE, type="button", class_="link-button", data_send="other"
    )
    head = element(
        "div",
        element("h2", icon("file"), dataset.title, class_="with-icon"),
        other,
        class_="card-head",
    )
    why = dataset.guesses[0].why if dataset.guesses else ""
    return join(
        element(
            "section",
            head,
            element("p", dataset.found),
            rows_table(dataset.columns, rows),
            class_="card stack",
            aria_label=DataText.FOUND_TITLE,
        ),
        element(
            "div",
            element("h2", DataText.MAPPING_TITLE),
            element("p", DataText.MAPPING_GUESSED.format(why=why), class_="small quiet")
            if why
            else None,
            class_="section-head",
        ),
    )
