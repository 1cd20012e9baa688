"""Plan: how strongly should it learn, and what will that need? The promise follows every choice.

The rows are measured once by a job of the engine; then recipe and estimator answer in this process,
so a choice changes the card at once. Other plans, the chart and the table follow a moment later.
Start submits exactly what the card was made for.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import gradio as gr
from gradio.components import Component

from tailor.engine.errors import UserError
from tailor.engine.types import Draft
from tailor.recipes.catalog import recipes
from tailor.ui.binding import IN_ORDER, READ, WRITE, bind, identity
from tailor.ui.choices import read_choices
from tailor.ui.components.action_html import action_html, sent, sent_all, show
from tailor.ui.components.copy_line import copy_html
from tailor.ui.components.form_html import answers, form_html
from tailor.ui.components.plan_chart import plan_chart
from tailor.ui.components.screen import ActionBar, action_bar, heading, problem_place
from tailor.ui.plan.answer import promise
from tailor.ui.plan.basis import find_recipe, keep_known
from tailor.ui.plan.beside import read_beside, read_compared
from tailor.ui.plan.costs import keep_costs, show_costs
from tailor.ui.plan.exact import begin_exact
from tailor.ui.plan.machine_folds import (
    MachineFolds,
    build_machine_folds,
    wire_machine_folds,
)
from tailor.ui.plan.start import before_run
from tailor.ui.plan.variants import read_sent
from tailor.ui.services import RUN_STEP, Services, fresh_draft_id
from tailor.ui.shell import Shell
from tailor.ui.text_compare import ChartText, CostText, OfferText
from tailor.ui.text_plan import PlanText
from tailor.ui.views.choices import choices_so_far
from tailor.ui.views.estimate_card import waiting_promise
from tailor.ui.views.html import NOTHING, Html, element, join
from tailor.ui.views.knob_cards import knob_cards, read_choice, recipe_cards
from tailor.ui.views.problem import error_card
from tailor.ui.views.step_rail import MODEL


@dataclass(frozen=True, kw_only=True)
class PlanPage:
    """Handles of the screen."""

    knobs: gr.HTML
    recipe: gr.HTML
    card: gr.HTML
    offers: gr.HTML
    """Other plans worth a look."""
    checks: gr.HTML
    words: gr.HTML
    settings: gr.HTML
    yaml: gr.HTML
    compare_fold: gr.Accordion
    chart: gr.HTML
    table: gr.HTML
    is_comparing: gr.State
    """Whether that fold is open: chart and table are made only then."""
    machines: MachineFolds
    costs: gr.HTML
    stamp: gr.State
    """Of the promise that is shown; what stands beside it is asked for when this changes."""
    token: gr.State
    """Names one intended start, so that pressing twice starts once."""
    timer: gr.Timer
    action: ActionBar
    problem: gr.HTML

    @property
    def outputs(self) -> tuple[Component, ...]:
        """What `enter` fills."""
        return (self.knobs, self.recipe, self.costs, self.token, *self.answer)

    @property
    def answer(self) -> tuple[Component, ...]:
        """What a choice changes."""
        return (
            self.card, self.checks, self.words, self.settings, self.yaml, self.action.button,
            self.action.promise, self.timer, self.stamp,
        )  # fmt: skip

    @property
    def beside(self) -> tuple[Component, ...]:
        """What follows the promise."""
        return (self.offers, self.chart, self.table)


def build() -> PlanPage:
    """Lay the screen out."""
    heading(PlanText.TITLE, PlanText.WHY)
    knobs = action_html(elem_classes="knobs")
    card = action_html(waiting_promise(PlanText.MEASURING))
    problem = problem_place()
    offers = action_html()
    checks = show()
    with gr.Accordion(ChartText.FOLD, open=False, elem_classes="fold") as compare_fold:
        show(element("p", ChartText.LEAD, class_="small quiet"))
        chart = plan_chart(elem_classes="live-chart")
        table = action_html()
    machines = build_machine_folds()
    with gr.Accordion(CostText.FOLD, open=False, elem_classes="fold"):
        costs = form_html()
    with gr.Accordion(PlanText.IN_WORDS, open=False, elem_classes="fold"):
        words = show()
    with gr.Accordion(PlanText.EXPERT, open=False, elem_classes="fold"):
        recipe = action_html(elem_classes="knobs")
        yaml = copy_html()
        settings = show()
    return PlanPage(
        knobs=knobs, recipe=recipe, card=card, offers=offers, checks=checks, words=words,
        settings=settings, yaml=yaml, compare_fold=compare_fold, chart=chart, table=table,
        is_comparing=gr.State(False), machines=machines, costs=costs, stamp=gr.State(""),
        token=gr.State(""),
        timer=gr.Timer(1, active=False),
        action=action_bar(PlanText.START_WAIT, PlanText.START_HINT, back=PlanText.BACK),
        problem=problem,
    )  # fmt: skip


def enter(services: Services, owner: str, draft: Draft) -> tuple[Any, ...]:
    """Start measuring; where the engine has measured already, show the promise at once."""
    return (
        *_chosen(draft),
        show_costs(services, owner),
        fresh_draft_id(),
        *promise(services, owner, draft),
    )


def wire(page: PlanPage, shell: Shell, services: Services) -> None:
    """Attach handlers."""
    asked = [shell.draft_id]
    page.knobs.select(bind(on_knob, services), inputs=asked, outputs=page.answer, **IN_ORDER)
    page.recipe.select(
        bind(on_recipe, services), inputs=asked, outputs=[page.knobs, *page.answer], **READ
    )
    page.card.click(bind(on_exact, services), inputs=asked, outputs=page.answer, **WRITE)
    page.timer.tick(bind(on_wait, services), inputs=asked, outputs=page.answer, **READ)
    comparing = [*asked, page.is_comparing]
    page.stamp.change(bind(on_beside, services), inputs=comparing, outputs=page.beside, **READ)
    page.compare_fold.expand(
        bind(on_compare, services),
        inputs=asked,
        outputs=[page.is_comparing, page.chart, page.table],
        **READ,
    )
    page.compare_fold.collapse(_no_more, outputs=[page.is_comparing], **READ)
    wire_machine_folds(page.machines, shell.draft_id, services)
    adopted = [page.problem, shell.choices, page.knobs, page.recipe, *page.answer]
    for part in (page.offers, page.chart, page.table):
        part.click(bind(on_adopt, services), inputs=asked, outputs=adopted, **WRITE)
    page.costs.click(
        bind(on_costs, services), inputs=asked, outputs=[page.costs, *page.answer], **WRITE
    )
    shell.goto(page.action.back, MODEL)
    shell.goto(page.action.button, RUN_STEP, before_run, inputs=[page.token])


def on_knob(
    services: Services, draft_id: str, event: gr.EventData, request: gr.Request
) -> tuple[Any, ...]:
    """A choice was made: save what is chosen now, and promise anew."""
    return choose_knobs(services, identity(request), draft_id, sent_all(event))


def choose_knobs(
    services: Services, owner: str, draft_id: str, sent_words: Iterable[str]
) -> tuple[Any, ...]:
    """The same without Gradio. Every choice on the screen counts: of quick ones in a row the page
    sends the last alone."""
    draft = services.draft(owner, draft_id)
    chosen = dict(draft.knobs) | dict(map(read_choice, sent_words))
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
    knobs = _drawn_anew(knob_cards(recipe.knobs, dict(kept)))
    return (knobs, *promise(services, owner, draft))


def on_adopt(
    services: Services, draft_id: str, event: gr.EventData, request: gr.Request
) -> tuple[Any, ...]:
    """Another plan was taken: by its card, its point or its row."""
    owner = identity(request)
    try:
        return adopt(services, owner, draft_id, sent(event))
    except UserError as problem:
        return error_card(problem), *[gr.skip()] * ADOPTED


def adopt(services: Services, owner: str, draft_id: str, word: str) -> tuple[Any, ...]:
    """The same without Gradio: the plan is saved, and the whole screen follows."""
    draft = services.draft(owner, draft_id)
    taken = read_sent(draft, word)
    ready = {model.id for model in services.engine(owner).models() if model.is_ready}
    if taken.model_id not in ready:
        raise UserError(
            title=OfferText.GONE_TITLE,
            detail=OfferText.GONE_DETAIL.format(name=taken.model_id[:100]),
            fix=OfferText.GONE_FIX,
        )
    draft = services.save(owner, taken)
    choices = choices_so_far(read_choices(services, owner, draft))
    return NOTHING, choices, *_chosen(draft), *promise(services, owner, draft)


def on_wait(services: Services, draft_id: str, request: gr.Request) -> tuple[Any, ...]:
    """A tick while the rows are being measured."""
    if not draft_id:
        return (*[gr.skip()] * 7, gr.Timer(active=False), gr.skip())
    owner = identity(request)
    return promise(services, owner, services.draft(owner, draft_id))


def on_exact(services: Services, draft_id: str, request: gr.Request) -> tuple[Any, ...]:
    """The button on the card: follow one step of this plan exactly."""
    owner = identity(request)
    draft = services.draft(owner, draft_id)
    begin_exact(services, owner, draft)
    return promise(services, owner, draft)


def on_beside(
    services: Services, draft_id: str, is_comparing: bool, request: gr.Request
) -> tuple[Any, ...]:
    """The promise has moved."""
    owner = identity(request)
    draft = services.draft(owner, draft_id)
    return read_beside(services, owner, draft, is_open=is_comparing)


def on_compare(services: Services, draft_id: str, request: gr.Request) -> tuple[Any, ...]:
    """The fold with all plans was opened."""
    owner = identity(request)
    return True, *read_compared(services, owner, services.draft(owner, draft_id))


def on_costs(
    services: Services, draft_id: str, event: gr.EventData, request: gr.Request
) -> tuple[Any, ...]:
    """Prices were typed: keep them, and promise with them."""
    owner = identity(request)
    form, is_kept = keep_costs(services, owner, answers(event))
    if not is_kept:
        return form, *[gr.skip()] * ANSWERS
    return form, *promise(services, owner, services.draft(owner, draft_id))


def _chosen(draft: Draft) -> tuple[Any, Any]:
    """Knobs and ways to teach, with what the draft has chosen."""
    knobs = knob_cards(find_recipe(draft.recipe).knobs, dict(draft.knobs))
    return _drawn_anew(knobs), _drawn_anew(recipe_cards(recipes(), draft.recipe))


def _drawn_anew(markup: Html) -> Html:
    """Markup that the page draws although it got the same before: what a person has chosen since
    is in the page alone, and Gradio leaves a value alone that has not changed."""
    return join(markup, element("span", hidden=True, data_drawn=fresh_draft_id()))


def _no_more() -> bool:
    """The fold was closed."""
    return False


ANSWERS = 9
"""As many values as `promise` gives."""
ADOPTED = 3 + ANSWERS
"""The choices so far, knobs, ways to teach, and the promise."""
