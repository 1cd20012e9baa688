"""Use it: where is the model, and how does it come along? Folder, files, a few lines of Python.

Making something to take along is a job of the engine, watched here once a second; downloads go
through a route of our own that asks the engine for the path in the caller's name.
"""

from dataclasses import dataclass
from typing import Any

import gradio as gr
from gradio.components import Component

from tailor.engine.client import EngineClient
from tailor.engine.errors import UserError
from tailor.engine.types import Draft, Job, RunRecord
from tailor.ui.binding import READ, WRITE, bind, identity
from tailor.ui.components.action_html import action_html, sent, show
from tailor.ui.components.copy_line import copy_html
from tailor.ui.components.screen import heading, problem_place
from tailor.ui.services import Services
from tailor.ui.shell import Shell
from tailor.ui.text_use import UseText
from tailor.ui.views.copy_block import copy_block
from tailor.ui.views.html import NOTHING, Html, element, join
from tailor.ui.views.problem import error_card
from tailor.ui.views.run_address import run_in
from tailor.ui.views.step_rail import RESULTS
from tailor.ui.views.use_view import (
    KINDS,
    no_model_html,
    offers_for,
    offers_html,
    packages_words,
    python_snippet,
)

NO_JOB = ("", "")
"""No export is being made: kind and job id."""


@dataclass(frozen=True, kw_only=True)
class UsePage:
    """Handles of the screen."""

    missing: gr.HTML
    """Why there is nothing to use yet; stands instead of `ready`."""
    ready: gr.Column
    folder: gr.HTML
    offers: gr.HTML
    code: gr.HTML
    making: gr.State
    """Kind and job id of the export that is being made."""
    timer: gr.Timer
    back: gr.Button
    problem: gr.HTML

    @property
    def outputs(self) -> tuple[Component | gr.Column, ...]:
        """What `enter` fills."""
        return (self.missing, self.ready, self.folder, *self.made)

    @property
    def made(self) -> tuple[Component, ...]:
        """What making something changes."""
        return (self.offers, self.code, self.making, self.timer)


def build() -> UsePage:
    """Lay the screen out."""
    heading(UseText.TITLE, UseText.WHY)
    problem = problem_place()
    missing = show()
    with gr.Column(visible=False, elem_classes="screen") as ready:
        folder = copy_html()
        show(element("h2", UseText.TAKE))
        offers = action_html()
        show(element("h2", UseText.CODE))
        code = copy_html()
    with gr.Row(elem_classes="action-bar"):
        show(element("p", UseText.HOME_HINT, class_="promise"))
        back = gr.Button(UseText.BACK, elem_classes="quiet-button")
        gr.Button(UseText.HOME, variant="primary", elem_classes="primary-button", link="/")
    return UsePage(
        missing=missing, ready=ready, folder=folder, offers=offers, code=code,
        making=gr.State(NO_JOB), timer=gr.Timer(1, active=False), back=back, problem=problem,
    )  # fmt: skip


def enter(services: Services, owner: str, draft: Draft) -> tuple[Any, ...]:
    """The finished model of the run, or why there is none; what is being made is watched again."""
    client = services.engine(owner)
    run = client.run(draft.run_id) if draft.run_id else None
    if run is None or run.result is None:
        nothing = (NOTHING, NOTHING, NOTHING, NO_JOB, gr.Timer(active=False))
        return (no_model_html(draft), gr.Column(visible=False), *nothing)
    folder = copy_block("folder", run.result.folder, label=UseText.FOLDER)
    return (NOTHING, gr.Column(visible=True), folder, *shown(client, run, *find_job(client, run)))


def find_job(client: EngineClient, run: RunRecord) -> tuple[str, Job | None]:
    """Kind and job of what is being made of this run now, whoever of its owner's pages began it."""
    for job in client.running_jobs():
        of_run, _, kind = job.key.partition(" ")
        if job.kind == "export" and of_run == run.id:
            return kind, job
    return NO_JOB[0], None


def wire(page: UsePage, shell: Shell, services: Services) -> None:
    """Attach handlers."""
    where = [shell.address]
    page.offers.click(
        bind(on_make, services),
        inputs=[*where, page.making],
        outputs=[page.problem, *page.made],
        **WRITE,
    )
    page.timer.tick(
        bind(on_tick, services), inputs=[*where, page.making], outputs=page.made, **READ
    )
    shell.goto(page.back, RESULTS)


def on_make(
    services: Services,
    address: str,
    making: tuple[str, str],
    event: gr.EventData,
    request: gr.Request,
) -> tuple[Any, ...]:
    """Make something to take along."""
    client = services.engine(identity(request))
    try:
        return (NOTHING, *make(client, run_in(address), making, sent(event)))
    except UserError as problem:
        return error_card(problem), *[gr.skip()] * 4


def make(client: EngineClient, run_id: str, making: tuple[str, str], kind: str) -> tuple[Any, ...]:
    """Start the job, one at a time."""
    if making[1] and client.job(making[1]).status == "running":
        raise UserError(title=UseText.ALREADY, detail=UseText.ALREADY_WHY, fix=UseText.ALREADY_FIX)
    if kind not in KINDS:
        raise UserError(
            title=UseText.UNKNOWN_KIND,
            detail=UseText.UNKNOWN_KIND_WHY,
            fix=UseText.UNKNOWN_KIND_FIX,
        )
    return shown(client, client.run(run_id), kind, client.export(run_id, kind=kind))


def on_tick(
    services: Services,
    address: str,
    making: tuple[str, str],
    request: gr.Request,
) -> tuple[Any, ...]:
    """Once a second while something is being made."""
    if not making[1]:
        return (*[gr.skip()] * 3, gr.Timer(active=False))
    client = services.engine(identity(request))
    return shown(client, client.run(run_in(address)), *job_of(client, making))


def job_of(client: EngineClient, making: tuple[str, str]) -> tuple[str, Job]:
    """Kind and job as it now stands."""
    kind, job_id = making
    return kind, client.job(job_id)


def shown(client: EngineClient, run: RunRecord, kind: str, job: Job | None) -> tuple[Any, ...]:
    """Values for `UsePage.made`."""
    exports = client.exports(run.id)
    is_running = job is not None and job.status == "running"
    return (
        offers_html(run, offers_for(run, exports, job, kind)),
        code_html(packages_words(run, exports), python_snippet(run, exports)),
        (kind, job.id) if job is not None and is_running else NO_JOB,
        gr.Timer(active=is_running),
    )


def code_html(packages: str, code: str) -> Html:
    """The lines of code and what they need."""
    return join(
        element("p", packages, " ", UseText.CODE_PATH, class_="quiet small"),
        copy_block("code", code, label=UseText.CODE_LABEL),
    )
