"""Model: which model should learn?

The models on this computer as cards, with licence, size and whether learning fits; the starter
model even before it is here. A folder or a name on the hub becomes another card.
"""

from dataclasses import dataclass
from typing import Any

import gradio as gr
from gradio.components import Component
from pydantic import TypeAdapter

from tailor.engine.errors import UserError
from tailor.engine.types import Draft, Job, ModelRecord
from tailor.ui.binding import READ, WRITE, bind, identity
from tailor.ui.choices import read_choices
from tailor.ui.components.action_html import action_html, sent, show
from tailor.ui.components.screen import (
    ActionBar,
    action_bar,
    heading,
    problem_place,
    promise_markup,
)
from tailor.ui.model_verdicts import read_verdicts
from tailor.ui.services import Services
from tailor.ui.shell import Shell
from tailor.ui.text import ModelText
from tailor.ui.views.choices import choices_so_far
from tailor.ui.views.html import NOTHING, element
from tailor.ui.views.model_cards import model_cards
from tailor.ui.views.problem import error_card
from tailor.ui.views.step_rail import CHECK, PLAN
from tailor.ui.views.waiting import waiting_card

TICK_SECONDS = 0.7
RECORD: TypeAdapter[ModelRecord] = TypeAdapter(ModelRecord)

Asked = tuple[str, str, bool]
"""Source and value of the model that is being fetched, and whether it is chosen once it is here."""
NOTHING_ASKED: Asked = ("", "", False)


@dataclass(frozen=True, kw_only=True)
class ModelPage:
    """Handles of the Model screen."""

    cards: gr.HTML
    progress: gr.HTML
    folder: gr.Textbox
    folder_add: gr.Button
    hub: gr.Textbox
    hub_add: gr.Button
    asked: gr.State
    timer: gr.Timer
    problem: gr.HTML
    action: ActionBar

    @property
    def outputs(self) -> tuple[Component, ...]:
        """What `enter` fills, in the order of `show_models`."""
        return (
            self.cards, self.progress, self.asked, self.timer, self.action.button,
            self.action.promise,
        )  # fmt: skip


def build() -> ModelPage:
    """Cards first; other sources fold away."""
    heading(ModelText.TITLE, ModelText.WHY)
    cards = action_html(waiting_card(ModelText.LEGEND, "", lines=4))
    progress = show()
    with gr.Accordion(ModelText.OTHER, open=False, elem_classes="more-choices"):
        show(element("p", ModelText.OTHER_WHY, class_="small quiet"))
        with gr.Row(elem_classes="one-line"):
            folder = gr.Textbox(
                label=ModelText.FOLDER,
                placeholder=ModelText.FOLDER_PLACEHOLDER,
                max_length=1000,
                min_width=200,
            )
            folder_add = gr.Button(ModelText.FOLDER_ADD, elem_classes="outline-button")
        with gr.Row(elem_classes="one-line"):
            hub = gr.Textbox(
                label=ModelText.HUB,
                placeholder=ModelText.HUB_PLACEHOLDER,
                max_length=200,
                min_width=200,
            )
            hub_add = gr.Button(ModelText.HUB_ADD, elem_classes="outline-button")
    problem = problem_place()
    timer = gr.Timer(TICK_SECONDS, active=False)
    asked = gr.State(NOTHING_ASKED)
    action = action_bar(ModelText.CONTINUE_OFF, ModelText.PROMISE_OFF, back=ModelText.BACK)
    return ModelPage(
        cards=cards, progress=progress, folder=folder, folder_add=folder_add, hub=hub,
        hub_add=hub_add, asked=asked, timer=timer, problem=problem, action=action,
    )  # fmt: skip


def enter(services: Services, owner: str, draft: Draft) -> tuple[Any, ...]:
    """The models; a download that goes on is watched again, on whichever page it was begun."""
    for job in services.engine(owner).running_jobs():
        if job.kind == "fetch_model":
            source, _, value = job.key.partition(" ")
            services.follow_fetch(owner, source, value, job)
            # It was asked for while nothing else was chosen, or the person has chosen since.
            return show_models(services, owner, draft, (source, value, not draft.model_id), job)
    return show_models(services, owner, draft, NOTHING_ASKED)


def wire(page: ModelPage, shell: Shell, services: Services) -> None:
    """Pick, fetch, add, continue."""
    place = [shell.draft_id]
    whole = [page.problem, shell.choices, *page.outputs]
    page.cards.select(
        bind(on_pick, services),
        inputs=place,
        outputs=[page.problem, shell.choices, page.action.button, page.action.promise],
        **WRITE,
    )
    page.cards.click(bind(on_fetch, services), inputs=place, outputs=whole, **WRITE)
    page.folder_add.click(
        bind(on_add, services, "folder"), inputs=[*place, page.folder], outputs=whole, **WRITE
    )
    page.hub_add.click(
        bind(on_add, services, "hub"), inputs=[*place, page.hub], outputs=whole, **WRITE
    )
    page.timer.tick(bind(on_tick, services), inputs=[*place, page.asked], outputs=whole, **READ)
    shell.goto(page.action.button, PLAN, before_plan)
    shell.goto(page.action.back, CHECK)


def on_pick(
    services: Services, draft_id: str, request: gr.Request, event: gr.EventData
) -> tuple[Any, ...]:
    """A card was picked."""
    return pick_model(services, identity(request), draft_id, sent(event))


def on_fetch(
    services: Services, draft_id: str, request: gr.Request, event: gr.EventData
) -> list[Any]:
    """The button of a card whose model is not here yet."""
    _, _, source = sent(event).partition(" ")
    return add_model(services, identity(request), draft_id, source, "")


def on_add(
    services: Services, source: str, draft_id: str, value: str, request: gr.Request
) -> list[Any]:
    """A folder or a name on the hub."""
    owner = identity(request)
    if not value.strip():
        problem = UserError(
            title=ModelText.EMPTY_VALUE_TITLE,
            detail=ModelText.EMPTY_VALUE_DETAIL,
            fix=ModelText.EMPTY_VALUE_FIX,
        )
        return [error_card(problem), *[gr.skip()] * (1 + OUTPUTS)]
    return add_model(services, owner, draft_id, source, value.strip())


def on_tick(services: Services, draft_id: str, asked: Asked, request: gr.Request) -> list[Any]:
    """While a model is on its way."""
    return follow(services, identity(request), draft_id, asked)


def pick_model(services: Services, owner: str, draft_id: str, model_id: str) -> tuple[Any, ...]:
    """Save the choice: error card, choices, button and its sentence come back."""
    if model_id not in {model.id for model in services.engine(owner).models() if model.is_ready}:
        return (gr.skip(),) * 4
    try:
        draft = services.edit_draft(owner, draft_id, model_id=model_id)
    except UserError as problem:
        return error_card(problem), gr.skip(), gr.skip(), gr.skip()
    choices = choices_so_far(read_choices(services, owner, draft))
    return NOTHING, choices, *_action(model_id)


def add_model(services: Services, owner: str, draft_id: str, source: str, value: str) -> list[Any]:
    """Begin to bring a model; everything of the screen comes back."""
    return follow(services, owner, draft_id, (source, value, True), is_anew=True)


def before_plan(services: Services, owner: str, draft_id: str) -> None:
    """A model must be chosen."""
    if not services.draft(owner, draft_id).model_id:
        raise UserError(
            title=ModelText.NONE_TITLE, detail=ModelText.NONE_DETAIL, fix=ModelText.NONE_FIX
        )


def show_models(
    services: Services, owner: str, draft: Draft, asked: Asked, job: Job | None = None
) -> tuple[Any, ...]:
    """Every value of the screen."""
    models = services.engine(owner).models()
    suggested = next(
        (model.id for model in models if model.is_ready), models[0].id if models else ""
    )
    cards = model_cards(
        models,
        draft.model_id,
        suggested=suggested,
        estimates=read_verdicts(services, owner, draft, models),
    )
    progress = NOTHING
    if job is not None:
        progress = waiting_card(
            ModelText.FETCHING, job.words or ModelText.FETCH_WAIT, share=job.done, lines=0
        )
    is_chosen = any(model.id == draft.model_id and model.is_ready for model in models)
    return (
        cards,
        progress,
        asked,
        gr.Timer(active=job is not None),
        *_action(draft.model_id if is_chosen else ""),
    )


def follow(
    services: Services, owner: str, draft_id: str, asked: Asked, *, is_anew: bool = False
) -> list[Any]:
    """The download as it stands; once done, its model is chosen if it was asked for here."""
    source, value, is_chosen_then = asked
    try:
        draft = services.draft(owner, draft_id)
        job = services.fetch_model(owner, source, value, is_anew=is_anew)
        if job.status == "running":
            values = show_models(services, owner, draft, asked, job)
            return [NOTHING, gr.skip(), *values]
        if job.problem is not None:
            return [
                error_card(job.problem),
                gr.skip(),
                *show_models(services, owner, draft, NOTHING_ASKED),
            ]
        model = RECORD.validate_json(job.answer)
        if model.is_ready and is_chosen_then:
            draft = services.edit_draft(owner, draft_id, model_id=model.id)
    except UserError as problem:
        return [error_card(problem), *[gr.skip()] * (1 + OUTPUTS)]
    choices = choices_so_far(read_choices(services, owner, draft))
    return [NOTHING, choices, *show_models(services, owner, draft, NOTHING_ASKED)]


def _action(model_id: str) -> tuple[Any, Any]:
    label = ModelText.CONTINUE if model_id else ModelText.CONTINUE_OFF
    words = ModelText.PROMISE if model_id else ModelText.PROMISE_OFF
    return gr.Button(label, interactive=bool(model_id)), promise_markup(words)


OUTPUTS = 6
"""As many values as `show_models` gives."""
