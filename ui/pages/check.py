"""Check: is it ready?

What was noticed in the rows and what can be done about it; what the model will read, exactly; how
long the rows are; the exam. The rows' own checks come first, the model's reading follows when it is
there. `check_values` gives the values, `check_actions` does what is pressed.
"""

from dataclasses import dataclass
from typing import Any

import gradio as gr
from gradio.components import Component

from tailor.engine.errors import UserError
from tailor.engine.types import Draft
from tailor.ui.binding import READ, WRITE, bind, identity
from tailor.ui.check_actions import act, part_of, typed_question
from tailor.ui.check_state import Waiting, look_at
from tailor.ui.check_values import Answered, open_stops, show_check
from tailor.ui.choices import read_choices
from tailor.ui.components.action_html import sent
from tailor.ui.components.form_html import Answers, answers, form_html
from tailor.ui.components.screen import ActionBar, action_bar, heading, problem_place
from tailor.ui.services import Services
from tailor.ui.shell import Shell
from tailor.ui.text_check import CheckText
from tailor.ui.views.choices import choices_so_far
from tailor.ui.views.step_rail import DATA, MODEL
from tailor.ui.views.waiting import waiting_card

TICK_SECONDS = 0.7


@dataclass(frozen=True, kw_only=True)
class CheckPage:
    """Handles of the Check screen."""

    rows: gr.HTML
    reading: gr.HTML
    exam: gr.HTML
    timer: gr.Timer
    problem: gr.HTML
    action: ActionBar

    @property
    def outputs(self) -> tuple[Component, ...]:
        """What `enter` fills, in the order of `show_check`."""
        return (
            self.rows, self.reading, self.exam, self.timer, self.action.button,
            self.action.promise,
        )  # fmt: skip


def build() -> CheckPage:
    """Three parts that answer by themselves, and the way on."""
    heading(CheckText.TITLE, CheckText.WHY)
    rows = form_html(waiting_card(CheckText.WAIT_ROWS, CheckText.WAIT_READING, lines=6))
    reading, exam = form_html(), form_html()
    problem = problem_place()
    timer = gr.Timer(TICK_SECONDS, active=False)
    action = action_bar(CheckText.CONTINUE_OFF, CheckText.PROMISE_WAIT, back=CheckText.BACK)
    return CheckPage(
        rows=rows, reading=reading, exam=exam, timer=timer, problem=problem, action=action
    )


def enter(services: Services, owner: str, draft: Draft) -> tuple[Any, ...]:
    """The check as far as it is."""
    return show_check(services, owner, draft)


def wire(page: CheckPage, shell: Shell, services: Services) -> None:
    """Ticks while it is read; every press and change; Continue."""
    place = [shell.draft_id]
    whole = [shell.choices, *page.outputs]
    page.timer.tick(bind(on_tick, services), inputs=place, outputs=whole, **READ)
    for part in (page.rows, page.reading, page.exam):
        part.click(bind(on_press, services), inputs=place, outputs=whole, **WRITE)
    page.rows.select(bind(on_press, services), inputs=place, outputs=whole, **READ)
    shell.goto(page.action.button, MODEL, before_model)
    shell.goto(page.action.back, DATA)


def on_tick(services: Services, draft_id: str, request: gr.Request) -> tuple[Any, ...]:
    """Another look while something is being read."""
    owner = identity(request)
    return _whole(services, owner, services.draft(owner, draft_id), Answered())


def on_press(
    services: Services, draft_id: str, event: gr.EventData, request: gr.Request
) -> tuple[Any, ...]:
    """A button or a field."""
    return press(services, identity(request), draft_id, sent(event), answers(event))


def press(
    services: Services, owner: str, draft_id: str, word: str, said: Answers
) -> tuple[Any, ...]:
    """Do what was asked for and show what is so then; a refusal stands where it was pressed."""
    part = part_of(word)
    answered = Answered(part=part, is_mixing=word.startswith("mix"), is_anew=word == "again")
    try:
        act(services, owner, services.draft(owner, draft_id), word, said)
        services.forget_choices(owner, draft_id)
    except UserError as problem:
        answered = Answered(
            problem=problem, part=part, typed=typed_question(said), is_mixing=answered.is_mixing
        )
    return _whole(services, owner, services.draft(owner, draft_id), answered)


def before_model(services: Services, owner: str, draft_id: str) -> None:
    """Nothing that must be settled may be left."""
    draft = services.draft(owner, draft_id)
    looked = look_at(services, owner, draft)
    if isinstance(looked, Waiting):
        raise UserError(
            title=CheckText.CONTINUE_OFF, detail=looked.words, fix=CheckText.PROMISE_WAIT
        )
    stops = open_stops(looked.dataset, looked, draft)
    if stops:
        raise UserError.of(stops[0])


def _whole(services: Services, owner: str, draft: Draft, answered: Answered) -> tuple[Any, ...]:
    values = show_check(services, owner, draft, answered)
    return (choices_so_far(read_choices(services, owner, draft)), *values)
