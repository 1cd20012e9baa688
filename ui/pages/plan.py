"""Plan: how strongly should it learn, and what will that need? The promise follows every choice.

The rows are measured once by a job of the engine; then recipe and estimator answer in this process,
so a choice changes the card at once. Start submits exactly what the card was made for.
"""

import hashlib
import json
import time
from dataclasses import dataclass, replace
from typing import Any

import gradio as gr
from gradio.components import Component
from pydantic import TypeAdapter

from tailor.engine.errors import UserError
from tailor.engine.findings import Finding
from tailor.engine.types import Draft, Job
from tailor.recipes.catalog import recipes
from tailor.recipes.spec import RunSpec
from tailor.ui.binding import READ, bind, identity
from tailor.ui.components.action_html import action_html, sent, show
from tailor.ui.components.copy_line import copy_html
from tailor.ui.components.screen import (
    ActionBar,
    action_bar,
    heading,
    problem_place,
    promise_markup,
)
from tailor.ui.plan_basis import Planned, find_recipe, keep_known, plan_for, read_basis
from tailor.ui.services import RUN_STEP, Services, fresh_draft_id
from tailor.ui.shell import Shell
from tailor.ui.text_plan import PlanText
from tailor.ui.views.copy_block import copy_block
from tailor.ui.views.estimate_card import estimate_card, waiting_promise, when_done
from tailor.ui.views.findings import findings_list
from tailor.ui.views.html import NOTHING, Html, join
from tailor.ui.views.knob_cards import knob_cards, read_choice, recipe_cards
from tailor.ui.views.plan_words import plan_settings, plan_words
from tailor.ui.views.problem import error_card
from tailor.ui.views.run_spec import to_spec_file
from tailor.ui.views.step_rail import MODEL

RUN_SPEC: TypeAdapter[RunSpec] = TypeAdapter(RunSpec)


@dataclass(frozen=True, kw_only=True)
class PlanPage:
    """Handles of the screen."""

    knobs: gr.HTML
    recipe: gr.HTML
    card: gr.HTML
    checks: gr.HTML
    words: gr.HTML
    settings: gr.HTML
    yaml: gr.HTML
    token: gr.State
    """Names one intended start, so that pressing twice starts once."""
    timer: gr.Timer
    action: ActionBar
    problem: gr.HTML

    @property
    def outputs(self) -> tuple[Component, ...]:
        """What `enter` fills."""
        return (self.knobs, self.recipe, self.token, *self.answer)

    @property
    def answer(self) -> tuple[Component, ...]:
        """What a choice changes."""
        return (
            self.card, self.checks, self.words, self.settings, self.yaml, self.action.button,
            self.action.promise, self.timer,
        )  # fmt: skip


def build() -> PlanPage:
    """Lay the screen out."""
    heading(PlanText.TITLE, PlanText.WHY)
    knobs = action_html(elem_classes="knobs")
    card = show(waiting_promise(PlanText.MEASURING))
    problem = problem_place()
    checks = show()
    with gr.Accordion(PlanText.IN_WORDS, open=False, elem_classes="fold"):
        words = show()
    with gr.Accordion(PlanText.EXPERT, open=False, elem_classes="fold"):
        recipe = action_html(elem_classes="knobs")
        yaml = copy_html()
        settings = show()
    return PlanPage(
        knobs=knobs, recipe=recipe, card=card, checks=checks, words=words, settings=settings,
        yaml=yaml, token=gr.State(""), timer=gr.Timer(1, active=False),
        action=action_bar(PlanText.START_WAIT, PlanText.START_HINT, back=PlanText.BACK),
        problem=problem,
    )  # fmt: skip


def enter(services: Services, owner: str, draft: Draft) -> tuple[Any, ...]:
    """Start measuring; where the engine has measured already, show the promise at once."""
    recipe = find_recipe(draft.recipe)
    return (
        knob_cards(recipe.knobs, dict(draft.knobs)),
        recipe_cards(recipes(), draft.recipe),
        fresh_draft_id(),
        *promise(services, owner, draft),
    )


def wire(page: PlanPage, shell: Shell, services: Services) -> None:
    """Attach handlers."""
    asked = [shell.draft_id]
    page.knobs.select(bind(on_knob, services), inputs=asked, outputs=page.answer, **READ)
    page.recipe.select(
        bind(on_recipe, services), inputs=asked, outputs=[page.knobs, *page.answer], **READ
    )
    page.timer.tick(bind(on_wait, services), inputs=asked, outputs=page.answer, **READ)
    shell.goto(page.action.back, MODEL)
    shell.goto(page.action.button, RUN_STEP, before_run, inputs=[page.token])


def on_knob(
    services: Services, draft_id: str, event: gr.EventData, request: gr.Request
) -> tuple[Any, ...]:
    """A choice was made: save it, and promise anew."""
    return choose_knob(services, identity(request), draft_id, *read_choice(sent(event)))


def choose_knob(
    services: Services, owner: str, draft_id: str, knob: str, value: str
) -> tuple[Any, ...]:
    """The same without Gradio."""
    draft = services.draft(owner, draft_id)
    chosen = dict(draft.knobs) | {knob: value}
    knobs = keep_known(find_recipe(draft.recipe), chosen.items())
    return promise(services, owner, services.save(owner, replace(draft, knobs=knobs)))


def on_recipe(
    services: Services, draft_id: str, event: gr.EventData, request: gr.Request
) -> tuple[Any, ...]:
    """Another way to teach: its knobs, and the promise for it."""
    return choose_recipe(services, identity(request), draft_id, sent(event))


def choose_recipe(services: Services, owner: str, draft_id: str, recipe_id: str) -> tuple[Any, ...]:
    """The same without Gradio. Knobs that the new recipe does not have are left out."""
    recipe = find_recipe(recipe_id)
    draft = services.draft(owner, draft_id)
    kept = keep_known(recipe, draft.knobs)
    draft = services.save(owner, replace(draft, recipe=recipe_id, knobs=kept))
    return (knob_cards(recipe.knobs, dict(kept)), *promise(services, owner, draft))


def on_wait(services: Services, draft_id: str, request: gr.Request) -> tuple[Any, ...]:
    """A tick while the rows are being measured."""
    if not draft_id:
        return (*[gr.skip()] * 7, gr.Timer(active=False))
    owner = identity(request)
    return promise(services, owner, services.draft(owner, draft_id))


def before_run(services: Services, owner: str, draft_id: str, token: str) -> None:
    """Start: check once more, submit, remember the run."""
    client = services.engine(owner)
    draft = services.draft(owner, draft_id)
    basis = read_basis(services, owner, draft)
    if isinstance(basis, Job):
        raise UserError(
            title=PlanText.BLOCKED_TITLE,
            detail=PlanText.MEASURING,
            fix=PlanText.MEASURING_FIX,
        )
    spec = plan_for(basis, draft, services.hardware()).spec
    for finding in (*basis.stops, *client.preflight(spec)):
        if finding.level == "stop":
            raise UserError.of(finding)
    run = client.submit(spec, idempotency_id=start_id(token, spec))
    services.save(owner, replace(draft, run_id=run.id, step=RUN_STEP))


def start_id(token: str, spec: RunSpec) -> str:
    """The same for a double click, another one for another choice or another visit."""
    asked = json.dumps(RUN_SPEC.dump_python(spec, mode="json"), sort_keys=True)
    return hashlib.sha256(f"{token} {asked}".encode()).hexdigest()[:32]


def promise(services: Services, owner: str, draft: Draft) -> tuple[Any, ...]:
    """Values for `PlanPage.answer`: the promise for this draft, or why there is none yet."""
    try:
        basis = read_basis(services, owner, draft)
        if isinstance(basis, Job):
            words = basis.words or PlanText.MEASURING
            return _waiting(waiting_promise(words), is_active=True)
        hardware = services.hardware()
        planned = plan_for(basis, draft, hardware)
        findings = (*basis.stops, *services.engine(owner).preflight(planned.spec))
    except UserError as problem:
        return _waiting(error_card(problem), is_active=False)
    now = time.time()
    return (
        estimate_card(planned.estimate, planned.plan.workload, hardware, now=now),
        findings_list(findings, none=PlanText.CHECKS_NONE),
        plan_words(planned.plan),
        plan_settings(planned.plan),
        yaml_html(to_spec_file(draft, basis.dataset)),
        *_start(planned, findings, now),
        gr.Timer(active=False),
    )


def yaml_html(text: str) -> Html:
    """The run as a file, and the command that starts it."""
    return join(
        copy_block("yaml-command", PlanText.YAML_COMMAND, label=PlanText.YAML_LEAD),
        copy_block("yaml", text, label=PlanText.YAML_LABEL),
    )


def _start(planned: Planned, findings: tuple[Finding, ...], now: float) -> tuple[Any, Any]:
    is_off = planned.estimate.verdict == "will_not_fit" or any(
        finding.level == "stop" for finding in findings
    )
    if is_off:
        label, hint = PlanText.START_OFF, PlanText.START_HINT_OFF
    else:
        when = when_done(planned.estimate, now=now)
        label, hint = PlanText.START.format(when=when), PlanText.START_HINT
    return gr.Button(label, interactive=not is_off), promise_markup(hint)


def _waiting(card: Html, *, is_active: bool) -> tuple[Any, ...]:
    return (
        card,
        NOTHING,
        NOTHING,
        NOTHING,
        NOTHING,
        gr.Button(PlanText.START_WAIT if is_active else PlanText.START_OFF, interactive=False),
        promise_markup(PlanText.START_HINT if is_active else PlanText.START_HINT_OFF),
        gr.Timer(active=is_active),
    )
