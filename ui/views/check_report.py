"""What a model reads of the rows: the text itself, how long it is, how it is cut into pieces.

Made from a `RenderReport`; what the rows themselves have to tell stands in `doctor`.
"""

from dataclasses import replace
from typing import Final

from tailor.engine.data_types import DatasetRecord, RenderReport
from tailor.engine.findings import Finding
from tailor.engine.types import Draft
from tailor.ui.text_check import CheckText
from tailor.ui.views.html import Html, element, join
from tailor.ui.views.lengths import lengths_part
from tailor.ui.views.quantities import percent_words
from tailor.ui.views.reading_view import reading_view
from tailor.ui.views.split_words import split_words

ENGLISH_CHARACTERS: Final = 4.0
"""Characters of English text that a piece usually holds."""
GOOD_SHARE: Final = 0.8
POOR_SHARE: Final = 0.45
"""Below this share of English the model was hardly made for the language."""
TELLING_TEMPLATE_SHARE: Final = 0.1


def check_report(report: RenderReport, model_name: str, draft: Draft) -> Html:
    """The reading view, the lengths with what can be done about them, the words."""
    read_by = element("p", CheckText.READ_BY.format(model=model_name), class_="small quiet")
    return element(
        "div",
        element(
            "section",
            element("h2", CheckText.READING),
            reading_view(report.examples),
            read_by,
            class_="stack",
        ),
        element(
            "section",
            element("h2", CheckText.LENGTHS),
            lengths_part(report),
            efficiency(report),
            split_words(report, draft.added_words),
            class_="stack",
        ),
        class_="stack wide",
    )


def all_findings(
    dataset: DatasetRecord, report: RenderReport | None, *, stand_in: str = ""
) -> tuple[Finding, ...]:
    """Those of the rows and those of the reading, each once.

    `stand_in` is the name of a model that reads in place of one that is not chosen yet. What only
    it cannot do must not keep anybody from choosing another; the Plan screen asks the chosen one.
    """
    read = report.findings if report is not None else ()
    if stand_in:
        read = tuple(_of_stand_in(one, stand_in) for one in read)
    return tuple(dict.fromkeys((*dataset.findings, *read)))


def _of_stand_in(finding: Finding, name: str) -> Finding:
    if finding.level != "stop":
        return finding
    words = CheckText.STAND_IN.format(model=name)
    return replace(finding, level="warn", detail=f"{finding.detail} {words}".strip())


def efficiency(report: RenderReport) -> Html | None:
    """How well the model's pieces suit the language, in a sentence."""
    each_holds = report.characters_per_token
    if each_holds <= 0:
        return None
    share = each_holds / ENGLISH_CHARACTERS
    words = (
        CheckText.EFFICIENT
        if share >= GOOD_SHARE
        else CheckText.LESS_EFFICIENT
        if share >= POOR_SHARE
        else CheckText.INEFFICIENT
    ).format(characters=f"{each_holds:.1f}", times=f"{1 / share:.1f}")
    marks = (
        CheckText.TEMPLATE.format(percent=percent_words(report.template_share))
        if report.template_share >= TELLING_TEMPLATE_SHARE
        else None
    )
    return element("p", join(words, " " if marks else None, marks), class_="small")
