"""What was found in the files: one sentence, the first rows, and the way to other files.

A column that the mapping uses carries its part above its name, so that table and choices are seen
to be the same thing.
"""

from collections.abc import Mapping as Lookup

from tailor.engine.data_types import DataRow, DatasetRecord
from tailor.ui.text_data import DataText
from tailor.ui.views.findings import findings_list
from tailor.ui.views.html import Html, element, join
from tailor.ui.views.icons import icon
from tailor.ui.views.quantities import count_words
from tailor.ui.views.read_choices import read_choices_form
from tailor.ui.views.rows_table import rows_table

NAMED_FILES = 4


def data_found(dataset: DatasetRecord, rows: tuple[DataRow, ...], parts: Lookup[str, str]) -> Html:
    """The card above the mapping; `parts` is what each used column is."""
    other = element(
        "button", DataText.OTHER_FILE, type="button", class_="link-button", data_send="other",
        id="other-files",
    )  # fmt: skip
    head = element(
        "div",
        element("h2", icon("file"), dataset.title, class_="with-icon"),
        other,
        class_="card-head",
    )
    return element(
        "section",
        head,
        _files(dataset),
        element("p", found_words(dataset), class_="found"),
        _difference(dataset),
        rows_table(dataset.columns, rows, parts),
        _noticed(dataset),
        read_choices_form(dataset.choices),
        class_="card stack",
        aria_label=DataText.FOUND_TITLE,
    )


def found_words(dataset: DatasetRecord) -> str:
    """The kind of file and what it holds, in one line."""
    if not dataset.kind or dataset.kind.lower() in dataset.found.lower():
        return dataset.found
    return DataText.FOUND_KIND.format(kind=dataset.kind, found=dataset.found)


def _files(dataset: DatasetRecord) -> Html | None:
    if len(dataset.files) < 2:
        return None
    names = ", ".join(dataset.files[:NAMED_FILES])
    rest = len(dataset.files) - NAMED_FILES
    if rest > 0:
        names = DataText.MORE_FILES.format(names=names, count=rest)
    words = DataText.FILES.format(names=names)
    return element("p", words, class_="small quiet")


def _difference(dataset: DatasetRecord) -> Html | None:
    """Lines and rows need not agree, but the person must know when they do not."""
    if dataset.physical_rows in (0, dataset.rows):
        return None
    words = DataText.COUNT_DIFFERS.format(
        physical=count_words(dataset.physical_rows), rows=count_words(dataset.rows)
    )
    return element("p", words, class_="small quiet")


def _noticed(dataset: DatasetRecord) -> Html | None:
    """What reading has to tell; what the checks of the next screen say stands there."""
    told = tuple(one for one in dataset.findings if not one.check)
    if not told:
        return None
    is_grave = any(one.level != "note" for one in told)
    return element(
        "details",
        element("summary", DataText.NOTICED.format(count=len(told))),
        join(findings_list(told)),
        class_="more",
        id="noticed",
        open=is_grave,
    )
