"""Check: is it ready?

What the model will read, exactly; what was noticed; how long the rows are; the exam. All of it is
made by the engine with a model's own tokenizer, so the first look may have to wait for that.
"""

import uuid
from dataclasses import dataclass
from typing import Any

import gradio as gr
from gradio.components import Component

from tailor.engine.errors import UserError
from tailor.engine.types import Draft
from tailor.recipes.spec import ExamQuestion, Message
from tailor.ui.binding import READ, WRITE, bind, identity
from tailor.ui.check_state import Checked, Waiting, look_at
from tailor.ui.components.action_html import action_html, sent, show
from tailor.ui.components.screen import (
    ActionBar,
    action_bar,
    heading,
    problem_place,
    promise_markup,
)
from tailor.ui.services import Services
from tailor.ui.shell import Shell
from tailor.ui.text_data import CheckText
from tailor.ui.views.check_report import all_findings, check_report
from tailor.ui.views.exam_list import exam_list
from tailor.ui.views.html import NOTHING, Html, element, join
from tailor.ui.views.problem import error_card
from tailor.ui.views.quantities import count_words
from tailor.ui.views.step_rail import DATA, MODEL
from tailor.ui.views.waiting import waiting_card

TICK_SECONDS = 0.7
MOST_OWN_QUESTIONS = 10
OUTPUTS = 6


@dataclass(frozen=True, kw_only=True)
class CheckPage:
    """Handles of the Check screen."""

    report: gr.HTML
    exam_group: gr.Column
    exam: gr.HTML
    question: gr.Textbox
    expected: gr.Textbox
    add: gr.Button
    timer: gr.Timer
    problem: gr.HTML
    action: ActionBar

    @property
    def outputs(self) -> tuple[Component | gr.Column, ...]:
        """What `enter` fills, in the order of `show_check`."""
        return (
            self.report, self.exam_group, self.exam, self.timer, self.action.button,
            self.action.promise,
        )  # fmt: skip


def build() -> CheckPage:
    """The report, the exam, a question of one's own."""
    heading(CheckText.TITLE, CheckText.WHY)
    report = action_html(waiting_card(CheckText.WAIT_TITLE, CheckText.WAIT_READING, lines=6))
    with gr.Column(visible=False, elem_classes="exam") as exam_group:
        show(
            element(
                "div",
                element("h2", CheckText.EXAM),
                element("p", CheckText.EXAM_WHY, class_="small quiet"),
                class_="section-head",
            )
        )
        exam = action_html()
        with gr.Accordion(CheckText.OWN, open=False, elem_classes="more-choices"):
            question = gr.Textbox(
                label=CheckText.OWN_QUESTION, max_length=4000, lines=2, max_lines=6
            )
            expected = gr.Textbox(
                label=CheckText.OWN_EXPECTED,
                info=CheckText.OWN_EXPECTED_INFO,
                max_length=4000,
                lines=1,
                max_lines=6,
            )
            add = gr.Button(CheckText.OWN_ADD, elem_classes="outline-button")
    problem = problem_place()
    timer = gr.Timer(TICK_SECONDS, active=False)
    action = action_bar(CheckText.CONTINUE_OFF, CheckText.PROMISE_WAIT, back=CheckText.BACK)
    return CheckPage(
        report=report, exam_group=exam_group, exam=exam, question=question, expected=expected,
        add=add, timer=timer, problem=problem, action=action,
    )  # fmt: skip


def enter(services: Services, owner: str, draft: Draft) -> tuple[Any, ...]:
    """The check as far as it is."""
    return show_check(services, owner, draft)


def wire(page: CheckPage, shell: Shell, services: Services) -> None:
    """Ticks while it is read; own questions; Continue."""
    place = [shell.draft_id]
    page.timer.tick(bind(on_tick, services), inputs=place, outputs=[*page.outputs], **READ)
    page.report.click(bind(on_again, services), inputs=place, outputs=[*page.outputs], **WRITE)
    page.add.click(
        bind(on_add, services),
        inputs=[*place, page.question, page.expected],
        outputs=[page.exam, page.question, page.expected, page.problem],
        **WRITE,
    )
    page.exam.click(
        bind(on_remove, services), inputs=place, outputs=[page.exam, page.problem], **WRITE
    )
    shell.goto(page.action.button, MODEL, before_model)
    shell.goto(page.action.back, DATA)


def on_tick(services: Services, draft_id: str, request: gr.Request) -> tuple[Any, ...]:
    """Another look while something is being read."""
    owner = identity(request)
    return show_check(services, owner, services.draft(owner, draft_id))


def on_again(
    services: Services, draft_id: str, request: gr.Request, event: gr.EventData
) -> tuple[Any, ...]:
    """Try again after a failure."""
    if sent(event) != "again":
        return (gr.skip(),) * OUTPUTS
    owner = identity(request)
    return show_check(services, owner, services.draft(owner, draft_id), is_anew=True)


def on_add(
    services: Services, draft_id: str, question: str, expected: str, request: gr.Request
) -> tuple[Any, ...]:
    """A question of the person's own."""
    try:
        markup = add_question(services, identity(request), draft_id, question, expected)
    except UserError as problem:
        return gr.skip(), gr.skip(), gr.skip(), error_card(problem)
    return markup, "", "", NOTHING


def on_remove(
    services: Services, draft_id: str, request: gr.Request, event: gr.EventData
) -> tuple[Any, Any]:
    """One of the person's questions is taken out."""
    try:
        return remove_question(services, identity(request), draft_id, sent(event)), NOTHING
    except UserError as problem:
        return gr.skip(), error_card(problem)


def add_question(
    services: Services, owner: str, draft_id: str, question: str, expected: str
) -> Html:
    """Save it with the draft; gives the exam as it is now."""
    asked, accepted = question.strip(), expected.strip()
    if not asked:
        raise UserError(
            title=CheckText.OWN_EMPTY_TITLE,
            detail=CheckText.OWN_EMPTY_DETAIL,
            fix=CheckText.OWN_EMPTY_FIX,
        )
    draft = services.draft(owner, draft_id)
    if len(draft.own_questions) >= MOST_OWN_QUESTIONS:
        raise UserError(
            title=CheckText.OWN_TOO_MANY_TITLE,
            detail=CheckText.OWN_TOO_MANY_DETAIL.format(most=MOST_OWN_QUESTIONS),
            fix=CheckText.OWN_TOO_MANY_FIX,
        )
    own = ExamQuestion(
        id=f"own-{uuid.uuid4().hex[:8]}",
        messages=(Message(role="user", content=asked),),
        expected=accepted,
    )
    draft = services.edit_draft(owner, draft_id, own_questions=(own, *draft.own_questions))
    return _exam(services, owner, draft)


def remove_question(services: Services, owner: str, draft_id: str, question_id: str) -> Html:
    """Take it out of the draft; gives the exam as it is now."""
    kept = tuple(
        one for one in services.draft(owner, draft_id).own_questions if one.id != question_id
    )
    return _exam(services, owner, services.edit_draft(owner, draft_id, own_questions=kept))


def before_model(services: Services, owner: str, draft_id: str) -> None:
    """Nothing that must be settled may be left."""
    looked = look_at(services, owner, services.draft(owner, draft_id))
    if isinstance(looked, Waiting):
        raise UserError(
            title=CheckText.CONTINUE_OFF, detail=looked.words, fix=CheckText.PROMISE_WAIT
        )
    stops = [one for one in all_findings(looked.dataset, looked.report) if one.level == "stop"]
    if stops:
        raise UserError.of(stops[0])


def show_check(
    services: Services, owner: str, draft: Draft, *, is_anew: bool = False
) -> tuple[Any, ...]:
    """Every value of the screen."""
    try:
        looked = look_at(services, owner, draft, is_anew=is_anew)
    except UserError as problem:
        again = element(
            "button", CheckText.AGAIN, type="button", class_="own-button", data_send="again"
        )
        return _values(join(error_card(problem), element("p", again, class_="retry")))
    if isinstance(looked, Waiting):
        card = waiting_card(CheckText.WAIT_TITLE, looked.words, share=looked.share, lines=6)
        return _values(card, is_waiting=True)
    return _checked(looked, draft)


def _checked(checked: Checked, draft: Draft) -> tuple[Any, ...]:
    findings = all_findings(checked.dataset, checked.report)
    is_stopped = any(finding.level == "stop" for finding in findings)
    label = CheckText.CONTINUE.format(rows=count_words(checked.report.spec.train_rows))
    return (
        check_report(checked.dataset, checked.report, checked.model_name),
        gr.Column(visible=True),
        exam_list(checked.dataset.exam, draft.own_questions),
        gr.Timer(active=False),
        gr.Button(CheckText.CONTINUE_OFF if is_stopped else label, interactive=not is_stopped),
        promise_markup(
            CheckText.PROMISE_STOP.format(level=CheckText.LEVELS["stop"])
            if is_stopped
            else CheckText.PROMISE
        ),
    )


def _values(report: Html, *, is_waiting: bool = False) -> tuple[Any, ...]:
    return (
        report,
        gr.Column(visible=False),
        NOTHING,
        gr.Timer(active=is_waiting),
        gr.Button(CheckText.CONTINUE_OFF, interactive=False),
        promise_markup(CheckText.PROMISE_WAIT),
    )


def _exam(services: Services, owner: str, draft: Draft) -> Html:
    return exam_list(services.engine(owner).dataset(draft.dataset_id).exam, draft.own_questions)
