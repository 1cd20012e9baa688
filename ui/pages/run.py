"""Run: how is it going? A status, a curve, the answers as they change, a diary, and clear buttons.

Everything comes from the engine by the run's id, so a reload, a second viewer, another device and a
new UI process show the same. A tick asks with cursors and sends only what is new.
"""

import time
from dataclasses import dataclass
from typing import Any, Literal

import gradio as gr
from gradio.components import Component

from tailor.engine.client import EngineClient
from tailor.engine.errors import UserError
from tailor.engine.types import Draft
from tailor.ui.binding import READ, WRITE, bind, identity
from tailor.ui.components.action_html import show
from tailor.ui.components.live_chart import live_chart
from tailor.ui.components.live_panel import live_panel
from tailor.ui.components.screen import heading, problem_place
from tailor.ui.run_view import RunView, read_run_view
from tailor.ui.services import Services
from tailor.ui.shell import Shell
from tailor.ui.text_run import RunText
from tailor.ui.views.html import NOTHING, element
from tailor.ui.views.icons import icon
from tailor.ui.views.problem import error_card
from tailor.ui.views.run_address import is_run_screen, run_in
from tailor.ui.views.run_shown import Shown
from tailor.ui.views.run_status import Button, what_is_lost
from tailor.ui.views.step_rail import RESULTS

ENGINE_AWAY = 503
"""Status of the client's own refusal when nobody answers."""
LOG_CHARACTERS = 50_000
"""As much of the log's end as a person scrolls through; the whole of it is in the run's folder."""
BUTTONS: tuple[Button, ...] = ("resume", "results", "finish", "discard", "cancel")


@dataclass(frozen=True, kw_only=True)
class RunPage:
    """Handles of the screen."""

    head: gr.HTML
    banner: gr.HTML
    chart: gr.HTML
    strip: gr.HTML
    diary: gr.HTML
    buttons: tuple[gr.Button, ...]
    """In the order of `BUTTONS`."""
    ask: gr.Column
    ask_words: gr.HTML
    ask_yes: gr.Button
    ask_no: gr.Button
    log: gr.Textbox
    log_read: gr.Button
    log_fold: gr.Accordion
    shown: gr.State
    timer: gr.Timer
    problem: gr.HTML

    @property
    def outputs(self) -> tuple[Component, ...]:
        """What `enter` and every tick fill."""
        return (
            self.head, self.banner, self.chart, self.strip, self.diary, *self.buttons,
            self.shown, self.timer,
        )  # fmt: skip


def build() -> RunPage:
    """Lay the screen out."""
    heading(RunText.TITLE, "")
    head = live_panel()
    problem = problem_place()
    banner = show()
    with gr.Row(elem_classes="run-buttons"):
        resume = gr.Button(RunText.RESUME, variant="primary", visible=False)
        results = gr.Button(RunText.RESULTS, visible=False)
        finish = gr.Button(RunText.FINISH, visible=False)
        discard = gr.Button(RunText.DISCARD, visible=False, elem_classes="quiet-button")
        cancel = gr.Button(RunText.CANCEL, visible=False)
    with gr.Column(visible=False, elem_classes="ask") as ask:
        ask_words = show()
        with gr.Row(elem_classes="run-buttons"):
            ask_no = gr.Button(RunText.DISCARD_NO)
            ask_yes = gr.Button(RunText.DISCARD_YES, variant="stop")
    show(element("h2", RunText.CURVE))
    chart = live_chart()
    show(element("h2", RunText.STRIP))
    strip = live_panel()
    show(element("h2", RunText.DIARY))
    diary = live_panel()
    with gr.Accordion(RunText.LOG, open=False, elem_classes="fold") as log_fold:
        log = gr.Textbox(lines=14, max_lines=14, interactive=False, show_label=False)
        log_read = gr.Button(RunText.LOG_REFRESH, elem_classes="quiet-button")
    return RunPage(
        head=head, banner=banner, chart=chart, strip=strip, diary=diary,
        buttons=(resume, results, finish, discard, cancel), ask=ask, ask_words=ask_words,
        ask_yes=ask_yes, ask_no=ask_no, log=log, log_read=log_read, log_fold=log_fold,
        shown=gr.State(Shown()), timer=gr.Timer(1, active=False), problem=problem,
    )  # fmt: skip


def enter(services: Services, owner: str, draft: Draft) -> tuple[Any, ...]:
    """The whole run as it stands."""
    if not draft.run_id:
        raise UserError(
            title=RunText.NO_RUN_TITLE, detail=RunText.NO_RUN_DETAIL, fix=RunText.NO_RUN_FIX
        )
    return look(services, owner, Shown(run_id=draft.run_id))


def wire(page: RunPage, shell: Shell, services: Services) -> None:
    """Attach handlers."""
    where = [shell.address]
    ticked = [page.problem, *page.outputs]
    page.timer.tick(bind(on_tick, services), inputs=[*where, page.shown], outputs=ticked, **READ)
    resume, results, finish, discard, cancel = page.buttons
    shell.goto(results, RESULTS)
    asked = [page.ask, page.ask_words]
    changed = [*asked, *ticked]
    for button in (discard, cancel):
        button.click(bind(on_ask, services), inputs=where, outputs=asked, **WRITE)
    page.ask_no.click(on_no, outputs=asked, **WRITE)
    page.ask_yes.click(bind(on_discard, services), inputs=where, outputs=changed, **WRITE)
    finish.click(bind(on_finish, services), inputs=where, outputs=changed, **WRITE)
    resume.click(bind(on_resume, services), inputs=where, outputs=changed, **WRITE)
    for event in (page.log_fold.expand, page.log_read.click):
        event(bind(on_log, services), inputs=where, outputs=[page.log], **READ)


def on_tick(services: Services, address: str, shown: Shown, request: gr.Request) -> tuple[Any, ...]:
    """Once a second while the screen is open."""
    if not is_run_screen(address):
        return still(is_active=False)
    return tick(services, identity(request), run_in(address), shown)


def tick(services: Services, owner: str, run_id: str, shown: Shown) -> tuple[Any, ...]:
    """The same without Gradio. An engine that is being restarted changes nothing on the page."""
    before = shown if shown.run_id == run_id else Shown(run_id=run_id)
    try:
        return NOTHING if before.run_id != shown.run_id else gr.skip(), *look(
            services, owner, before
        )
    except UserError as problem:
        if problem.status == ENGINE_AWAY:
            return still(is_active=True)
        return error_card(problem), *still(is_active=False)[1:]


def still(*, is_active: bool) -> tuple[Any, ...]:
    """Nothing new: an error card that stays as it is, and every output too."""
    return (*[gr.skip()] * (7 + len(BUTTONS)), gr.Timer(active=is_active))


def look(services: Services, owner: str, shown: Shown) -> tuple[Any, ...]:
    """Values for the page's outputs, `gr.skip()` where nothing is new."""
    view = read_run_view(services.engine(owner), shown, now=time.time())
    return (
        _or_skip(view.head),
        _banner(view),
        _or_skip(view.chart),
        _or_skip(view.strip),
        _or_skip(view.diary),
        *_button_updates(view),
        view.shown,
        gr.Timer(active=view.status.is_live),
    )


def on_ask(services: Services, address: str, request: gr.Request) -> tuple[Any, ...]:
    """Stop and discard asks once, naming what would be lost."""
    run = services.engine(identity(request)).run(run_in(address))
    words = element("p", what_is_lost(run, now=time.time()))
    return gr.Column(visible=True), words


def on_no() -> tuple[Any, ...]:
    """Changed their mind."""
    return gr.Column(visible=False), NOTHING


def on_discard(services: Services, address: str, request: gr.Request) -> tuple[Any, ...]:
    """Stop without saving."""
    return change(services, identity(request), run_in(address), "discard")


def on_finish(services: Services, address: str, request: gr.Request) -> tuple[Any, ...]:
    """Save, then stop."""
    return change(services, identity(request), run_in(address), "keep")


def on_resume(services: Services, address: str, request: gr.Request) -> tuple[Any, ...]:
    """Go on from the newest saved step."""
    return change(services, identity(request), run_in(address), "resume")


def change(services: Services, owner: str, run_id: str, what: str) -> tuple[Any, ...]:
    """Do it and show the run as it then is; a refusal is told in place."""
    client = services.engine(owner)
    problem = NOTHING
    try:
        client.resume(run_id) if what == "resume" else client.stop(run_id, mode=what)
    except UserError as refused:
        problem = error_card(refused)
    return (
        gr.Column(visible=False),
        NOTHING,
        problem,
        *look(services, owner, Shown(run_id=run_id)),
    )


def on_log(services: Services, address: str, request: gr.Request) -> str:
    """The last part of what the worker printed, secrets masked by the engine."""
    client = services.engine(identity(request))
    return read_log_end(client, run_in(address)) or RunText.LOG_EMPTY


def read_log_end(client: EngineClient, run_id: str) -> str:
    """The end of the log, where the newest lines are; it comes in pieces of 64 KiB."""
    text, offset = "", 0
    while (page := client.log(run_id, offset=offset)).next_offset > offset:
        text, offset = (text + page.text)[-LOG_CHARACTERS:], page.next_offset
    return text


def _or_skip(value: Any) -> Any:
    return gr.skip() if value is None else value


def _banner(view: RunView) -> Any:
    if not view.has_new_controls:
        return gr.skip()
    if not view.status.is_live:
        return NOTHING
    return element(
        "div", icon("note"), element("p", RunText.CLOSE_BANNER), class_="notice quiet-notice"
    )


def _button_updates(view: RunView) -> list[Any]:
    """Which buttons are there; the results are the one thing to do only when all is done."""
    if not view.has_new_controls:
        return [gr.skip()] * len(BUTTONS)
    shown = view.status.buttons
    main: Literal["primary", "secondary"] = "secondary" if "resume" in shown else "primary"
    return [
        gr.Button(visible=name in shown, variant=main)
        if name == "results"
        else gr.Button(visible=name in shown)
        for name in BUTTONS
    ]
