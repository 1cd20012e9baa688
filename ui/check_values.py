"""Every value of the Check screen for the state that a draft's rows are in.

The rows' own checks are there at once; what the model reads of them may take a while, so both are
drawn apart. Opening the screen, every tick and every press end in `show_check`.
"""

from typing import Any

import gradio as gr

from tailor.engine.data_types import DatasetRecord
from tailor.engine.errors import UserError
from tailor.engine.findings import Finding
from tailor.engine.types import Draft
from tailor.estimator.record import record
from tailor.ui.check_state import (
    Checked,
    Waiting,
    look_at_reading,
    look_at_rows,
    wait_for_rows,
)
from tailor.ui.components.screen import promise_markup
from tailor.ui.services import Services
from tailor.ui.text_check import CheckText
from tailor.ui.views.check_report import all_findings, check_report
from tailor.ui.views.doctor import doctor
from tailor.ui.views.exam_list import exam
from tailor.ui.views.html import NOTHING, Html, element, join
from tailor.ui.views.mixing_form import mixing_form
from tailor.ui.views.problem import error_card, told_anew
from tailor.ui.views.quantities import count_words, percent_words
from tailor.ui.views.row_account import row_account
from tailor.ui.views.split_words import added_words
from tailor.ui.views.waiting import waiting_card

OUTPUTS = 6
"""As many values as `show_check` gives: rows, reading, exam, timer, button, promise."""


@record
class Answered:
    """What the last press has left to say: a refusal, in the part where it was pressed."""

    problem: UserError | None = None
    part: str = ""
    """ "rows", "reading" or "exam"."""
    typed: tuple[str, str] = ("", "")
    """A question that was refused."""
    is_mixing: bool = False
    """The other data were asked for."""
    is_anew: bool = False
    """A reading that failed is begun again."""

    def card(self, part: str) -> Html:
        """The refusal, where it belongs."""
        return told_anew(self.problem if self.part == part else None)


def show_check(
    services: Services, owner: str, draft: Draft, answered: Answered | None = None
) -> tuple[Any, ...]:
    """Every value of the screen."""
    said = answered or Answered()
    try:
        dataset = look_at_rows(services, owner, draft)
    except UserError as problem:
        return _values(rows=told_anew(problem))
    if dataset.status == "reading":
        return _values(
            rows=join(said.card("rows"), _wait(CheckText.WAIT_ROWS, wait_for_rows(dataset))),
            is_waiting=True,
        )
    looked: Waiting | Checked | None = None
    try:
        looked = look_at_reading(services, owner, draft, dataset, is_anew=said.is_anew)
    except UserError as problem:
        reading = _unread(problem, draft)
    else:
        reading = _reading(looked, draft)
    return _values(
        rows=_rows(services, owner, dataset, _findings(dataset, looked, draft), said),
        reading=join(said.card("reading"), reading),
        exam_part=_exam(dataset, draft, said),
        is_waiting=isinstance(looked, Waiting),
        bar=_bar(dataset, looked, draft),
    )


def open_stops(
    dataset: DatasetRecord, looked: Waiting | Checked | None, draft: Draft
) -> tuple[Finding, ...]:
    """What must be settled before it goes on."""
    findings = _findings(dataset, looked, draft)
    return tuple(one for one in findings if one.level == "stop" and not one.is_skipped)


def _rows(
    services: Services,
    owner: str,
    dataset: DatasetRecord,
    findings: tuple[Finding, ...],
    said: Answered,
) -> Html:
    is_mixing = said.is_mixing or bool(dataset.mixing.parts)
    others = _other_datasets(services, owner, dataset) if is_mixing else None
    return element(
        "div",
        row_account(dataset),
        said.card("rows"),
        error_card(dataset.problem),
        doctor(dataset, findings),
        mixing_form(dataset, others),
        class_="stack wide",
    )


def _other_datasets(
    services: Services, owner: str, dataset: DatasetRecord
) -> tuple[DatasetRecord, ...]:
    """Checked examples of the person's other projects, and what is mixed in already."""
    engine = services.engine(owner)
    named = [one.dataset_id for one in engine.drafts()]
    named += [part.dataset_id for part in dataset.mixing.parts]
    found: list[DatasetRecord] = []
    for name in dict.fromkeys(named):
        if name in ("", dataset.id):
            continue
        try:
            other = engine.dataset(name)
        except UserError:
            # Removed since; a draft may still name it.
            continue
        if other.mapping is not None and other.status == "ready":
            found.append(other)
    return tuple(found)


def _findings(
    dataset: DatasetRecord, looked: Waiting | Checked | None, draft: Draft
) -> tuple[Finding, ...]:
    if not isinstance(looked, Checked):
        return all_findings(dataset, None)
    stand_in = "" if draft.model_id else looked.model_name
    return all_findings(dataset, looked.report, stand_in=stand_in)


def _reading(looked: Waiting | Checked, draft: Draft) -> Html:
    if isinstance(looked, Waiting):
        return _wait(CheckText.WAIT_TITLE, looked)
    return check_report(looked.report, looked.model_name, draft)


def _exam(dataset: DatasetRecord, draft: Draft, said: Answered) -> Html:
    refused = said.card("exam")
    return exam(dataset.exam, draft.own_questions, refused=refused or None, typed=said.typed)


def _wait(title: str, waiting: Waiting) -> Html:
    words = waiting.words
    if waiting.share > 0:
        words = CheckText.WAIT_SHARE.format(words=words, percent=percent_words(waiting.share))
    return waiting_card(title, words, share=waiting.share, lines=4)


def _unread(problem: UserError, draft: Draft) -> Html:
    """Why there is no reading, with what may be the cause of it and can be taken back."""
    words = added_words(draft.added_words) if draft.added_words else None
    return element("div", told_anew(problem), words, _again(), class_="stack")


def _again() -> Html:
    button = element(
        "button", CheckText.AGAIN, type="button", class_="own-button", data_send="again", id="again"
    )
    return element("p", button, class_="retry")


def _bar(
    dataset: DatasetRecord, looked: Waiting | Checked | None, draft: Draft
) -> tuple[str, bool, str]:
    """Button, whether it can be pressed, and why not."""
    stops = open_stops(dataset, looked, draft)
    if stops:
        words = CheckText.PROMISE_STOP.format(title=stops[0].title.rstrip("."))
        return CheckText.CONTINUE_OFF, False, words
    if not isinstance(looked, Checked):
        words = CheckText.PROMISE_WAIT if isinstance(looked, Waiting) else CheckText.PROMISE_UNREAD
        return CheckText.CONTINUE_OFF, False, words
    label = CheckText.CONTINUE.format(rows=count_words(looked.report.spec.train_rows))
    return label, True, CheckText.PROMISE


def _values(
    *,
    rows: Html,
    reading: Html = NOTHING,
    exam_part: Html = NOTHING,
    is_waiting: bool = False,
    bar: tuple[str, bool, str] = (CheckText.CONTINUE_OFF, False, CheckText.PROMISE_WAIT),
) -> tuple[Any, ...]:
    label, is_on, words = bar
    return (
        rows,
        reading,
        exam_part,
        gr.Timer(active=is_waiting),
        gr.Button(label, interactive=is_on),
        promise_markup(words),
    )
