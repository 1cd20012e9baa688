"""The two folds of the Plan screen about other models and machines, and what opens them.

They are out of the way of whoever only wants to start, so their tables are worked out when a fold
is opened and not before. `pages/plan` builds and wires them like one more part of the screen.
"""

from dataclasses import dataclass

import gradio as gr

from tailor.ui.binding import READ, bind, identity
from tailor.ui.components.action_html import show
from tailor.ui.components.form_html import answers, form_html
from tailor.ui.plan.machine_tables import read_asked, show_home, show_machines
from tailor.ui.services import Services
from tailor.ui.text_compare import MachineText
from tailor.ui.views.html import Html, element
from tailor.ui.views.machine_form import AskedMachine
from tailor.ui.views.waiting import waiting_card


@dataclass(frozen=True, kw_only=True)
class MachineFolds:
    """Handles of both."""

    fold: gr.Accordion
    machines: gr.HTML
    asked: gr.State
    """The machine that the table is about."""
    home_fold: gr.Accordion
    home: gr.HTML


def build_machine_folds() -> MachineFolds:
    """Closed, and empty until they are opened."""
    fold, machines = _later(MachineText.FOLD, MachineText.WHY)
    home_fold, home = _later(MachineText.HOME_FOLD, MachineText.HOME_WHY)
    return MachineFolds(
        fold=fold,
        machines=machines,
        asked=gr.State(AskedMachine()),
        home_fold=home_fold,
        home=home,
    )


def wire_machine_folds(folds: MachineFolds, draft_id: gr.State, services: Services) -> None:
    """Attach handlers."""
    asked, table = [draft_id], [draft_id, folds.asked]
    folds.fold.expand(bind(on_machines, services), inputs=table, outputs=[folds.machines], **READ)
    folds.home_fold.expand(bind(on_home, services), inputs=asked, outputs=[folds.home], **READ)
    for change in (folds.machines.click, folds.machines.select):
        # The form answers at once, the table takes a second or two.
        change(on_asked, outputs=[folds.asked, folds.machines], **READ).then(
            bind(on_machines, services), inputs=table, outputs=[folds.machines], **READ
        )


def on_asked(event: gr.EventData) -> tuple[AskedMachine, Html]:
    """Another card, another number of them, another model."""
    return read_asked(answers(event))


def on_machines(
    services: Services, draft_id: str, asked: AskedMachine, request: gr.Request
) -> Html:
    """The fold about other machines was opened, or asks about another one."""
    owner = identity(request)
    return show_machines(services, owner, services.draft(owner, draft_id), asked)


def on_home(services: Services, draft_id: str, request: gr.Request) -> Html:
    """The fold about large models at home was opened."""
    owner = identity(request)
    return show_home(services, owner, services.draft(owner, draft_id))


def _later(title: str, why: str) -> tuple[gr.Accordion, gr.HTML]:
    """A fold that is filled when it is opened."""
    with gr.Accordion(title, open=False, elem_classes="fold") as fold:
        show(element("p", why, class_="small quiet"))
        part = form_html(waiting_card(MachineText.WAITING, "", lines=4))
    return fold, part
