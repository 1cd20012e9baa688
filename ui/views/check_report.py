"""The check in one piece: figures, findings, the reading view, the lengths."""

from tailor.engine.data_types import DatasetRecord, RenderReport
from tailor.engine.findings import Finding
from tailor.ui.text_data import CheckText
from tailor.ui.views.findings import findings_list
from tailor.ui.views.html import Html, each, element, join
from tailor.ui.views.lengths import lengths_chart
from tailor.ui.views.quantities import count_words
from tailor.ui.views.reading_view import reading_view


def check_report(dataset: DatasetRecord, report: RenderReport, model_name: str) -> Html:
    """Everything that the check has found."""
    read_by = element("p", CheckText.READ_BY.format(model=model_name), class_="small quiet")
    return element(
        "div",
        _figures(dataset, report),
        _section(
            CheckText.FINDINGS,
            findings_list(all_findings(dataset, report), none=CheckText.FINDINGS_NONE),
        ),
        _section(CheckText.READING, join(reading_view(report.examples), read_by)),
        _section(
            CheckText.LENGTHS,
            lengths_chart(
                report.spec.lengths,
                limit_tokens=report.max_length_tokens,
                cut_rows=report.cut_rows,
            ),
        ),
        class_="stack wide",
    )


def all_findings(dataset: DatasetRecord, report: RenderReport) -> tuple[Finding, ...]:
    """Those of the rows and those of the reading, each once."""
    return tuple(dict.fromkeys((*dataset.findings, *report.findings)))


def _figures(dataset: DatasetRecord, report: RenderReport) -> Html:
    figures = [
        (report.spec.train_rows, CheckText.FIGURE_TRAIN),
        (report.spec.held_out_rows, CheckText.FIGURE_HELD_OUT),
        *([(dataset.left_out_rows, CheckText.FIGURE_LEFT_OUT)] if dataset.left_out_rows else []),
        (report.cut_rows, CheckText.FIGURE_CUT),
    ]
    return element("dl", each(_figure(*figure) for figure in figures), class_="figures counts")


def _figure(count: int, name: str) -> Html:
    return element("div", element("dt", name), element("dd", count_words(count)))


def _section(title: str, body: Html) -> Html:
    return element("section", element("h2", title), body, class_="stack")
