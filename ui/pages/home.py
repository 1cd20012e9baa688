"""Home: go on with a project, begin one, or try the example; and what this computer has.

It keeps no list of its own: drafts and runs are asked of the engine whenever the page opens, and
every few seconds while a run is on its way.
"""

import time
from dataclasses import dataclass, replace
from typing import Any

import gradio as gr

from tailor.engine.errors import UserError
from tailor.engine.types import Draft
from tailor.ui.binding import READ, WRITE, bind, identity
from tailor.ui.components.action_html import action_html, sent, show
from tailor.ui.components.pulse import pulse
from tailor.ui.components.screen import heading, problem_place
from tailor.ui.services import Services, fresh_draft_id
from tailor.ui.text import HomeText
from tailor.ui.views.hardware_card import hardware_card
from tailor.ui.views.html import NOTHING, Html, element, join
from tailor.ui.views.icons import icon
from tailor.ui.views.masthead import masthead
from tailor.ui.views.problem import error_card
from tailor.ui.views.projects import list_projects, project_list
from tailor.ui.views.step_rail import DATA, PLAN
from tailor.ui.views.waiting import waiting_card

REFRESH_SECONDS = 4.0

GO_THERE = "watch('value', () => { if (props.value) { location.assign(props.value); } });"


@dataclass(frozen=True, kw_only=True)
class HomePage:
    """Handles of the first page."""

    projects: gr.HTML
    computer: gr.HTML
    example: gr.Button
    address: gr.HTML
    problem: gr.HTML
    asking: gr.State
    """The draft or run whose end waits for a yes; the list must not be drawn anew meanwhile."""
    timer: gr.Timer


def build() -> HomePage:
    """Begin at the left, this computer at the right."""
    show(masthead(has_home_link=False))
    pulse()
    with gr.Row(elem_classes="home"):
        with gr.Column(elem_classes="home-main", min_width=0):
            heading(HomeText.TITLE, HomeText.WHY)
            with gr.Row(elem_classes="home-begin"):
                show(
                    element(
                        "a",
                        icon("plus"),
                        HomeText.NEW,
                        href="/project",
                        class_="own-button primary",
                    )
                )
                example = gr.Button(HomeText.EXAMPLE, elem_classes="outline-button")
            show(element("p", HomeText.EXAMPLE_WORDS, class_="small quiet"))
            problem = problem_place()
            show(element("h2", HomeText.CONTINUE))
            projects = action_html(waiting_card(HomeText.CONTINUE, "", lines=2))
        with gr.Column(elem_classes="home-side", min_width=0):
            computer = show()
    address = gr.HTML(html_template="", js_on_load=GO_THERE, elem_classes="address")
    timer = gr.Timer(REFRESH_SECONDS, active=False)
    return HomePage(
        projects=projects, computer=computer, example=example, address=address, problem=problem,
        asking=gr.State(""), timer=timer,
    )  # fmt: skip


def wire(page: HomePage, services: Services, blocks: gr.Blocks) -> None:
    """`blocks` is the page whose opening fills it."""
    shown = [page.projects, page.timer, page.problem]
    blocks.load(bind(on_open, services), outputs=shown, **READ)
    blocks.load(bind(read_computer, services), outputs=[page.computer], **READ)
    page.timer.tick(bind(on_tick, services), inputs=[page.asking], outputs=shown, **READ)
    page.projects.click(
        bind(on_list, services), outputs=[page.projects, page.problem, page.asking], **WRITE
    )
    page.example.click(bind(on_example, services), outputs=[page.address, page.problem], **WRITE)


def on_open(services: Services, request: gr.Request) -> tuple[Any, ...]:
    """The list, and a clock that runs only while a run does."""
    try:
        markup, is_live = read_list(services, identity(request))
    except UserError as problem:
        return gr.skip(), gr.Timer(active=True), error_card(problem)
    return markup, gr.Timer(active=is_live), NOTHING


def on_tick(services: Services, asking: str, request: gr.Request) -> tuple[Any, ...]:
    """The list again, unless a question in it waits for its answer."""
    return (gr.skip(),) * 3 if asking else on_open(services, request)


def on_list(services: Services, request: gr.Request, event: gr.EventData) -> tuple[Any, ...]:
    """A button in the list: ask, remove or delete, or keep."""
    verb, _, name = sent(event).partition(" ")
    try:
        return answer_list(services, identity(request), verb, name)
    except UserError as problem:
        return gr.skip(), error_card(problem), ""


def answer_list(services: Services, owner: str, verb: str, name: str) -> tuple[Html, Html, str]:
    """Do what was pressed; the list, no problem, and what is asked about come back."""
    if verb == "remove":
        services.engine(owner).delete_draft(name)
    if verb == "delete":
        delete_run(services, owner, name)
    asking = name if verb == "ask" else ""
    return read_list(services, owner, asking=asking)[0], NOTHING, asking


def delete_run(services: Services, owner: str, run_id: str) -> None:
    """Delete a run; the project that it was started from goes back to its plan."""
    engine = services.engine(owner)
    engine.delete(run_id)
    for draft in engine.drafts():
        if draft.run_id == run_id:
            services.save(owner, replace(draft, run_id="", step=PLAN))


def on_example(services: Services, request: gr.Request) -> tuple[Any, Any]:
    """A new project with the built-in rows; the browser goes to its Data screen."""
    try:
        draft = begin_example(services, identity(request))
    except UserError as problem:
        return gr.skip(), error_card(problem)
    return f"/project?draft={draft.id}&step={DATA}", NOTHING


def begin_example(services: Services, owner: str) -> Draft:
    """Save a draft that has the example's rows."""
    dataset = services.engine(owner).add_example()
    draft = Draft(id=fresh_draft_id(), owner=owner, title=dataset.title, goal="format")
    return services.save(owner, replace(draft, dataset_id=dataset.id, step=DATA))


def read_list(services: Services, owner: str, *, asking: str = "") -> tuple[Html, bool]:
    """The list as it stands, and whether anything in it still moves."""
    engine = services.engine(owner)
    projects = list_projects(engine.drafts(), engine.runs())
    is_run = any(asking == project.run_id for project in projects if asking)
    frees_bytes = engine.run_bytes(asking) if is_run else 0
    markup = project_list(projects, now=time.time(), asking=asking, frees_bytes=frees_bytes)
    return markup, any(project.is_live for project in projects)


def read_computer(services: Services) -> Html:
    """This computer, or a line that it could not be read."""
    try:
        return hardware_card(services.hardware())
    except UserError as problem:
        return join(element("p", HomeText.ENGINE_AWAY, class_="quiet"), error_card(problem))
