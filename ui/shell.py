"""The frame around the eight screens of a project: one page, one way of opening, one address.

Screens are built once and hidden; opening one asks its `enter` for fresh values. Gradio makes every
output of an event anew, even a skipped one (0.4 ms each, measured), so each button lists only the
screen that it leaves and the one that it opens. `create_app` names the screens.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import gradio as gr
from gradio.components import Component

from tailor.engine.errors import UserError
from tailor.ui.binding import READ, WRITE, bind, identity
from tailor.ui.components.action_html import show
from tailor.ui.components.pulse import pulse
from tailor.ui.opening import Opened, Place, Screen, open_screen
from tailor.ui.services import RUN_STEP, Services, fresh_draft_id
from tailor.ui.text import ShellText
from tailor.ui.views.choices import choices_so_far
from tailor.ui.views.html import NOTHING
from tailor.ui.views.masthead import masthead
from tailor.ui.views.problem import error_card
from tailor.ui.views.step_rail import GOAL, step_rail
from tailor.ui.views.waiting import waiting_card

Before = Callable[..., None]
"""`before(services, owner, draft_id, *values)`: what a button does before the next screen opens.

It may raise `UserError`, which is shown in place; then the screen stays.
"""

Updatable = Component | gr.Column

PRESS_DOOR = """
element.addEventListener('click', event => {
  const pressed = event.target.closest('button[data-send]');
  if (pressed && pressed.getAttribute('aria-disabled') !== 'true') {
    document.getElementById('door-' + pressed.dataset.send).click();
  }
});
"""
"""A step of the rail presses its hidden button, which knows what it opens."""

WRITE_ADDRESS = """
const write = () => { if (props.value) { history.replaceState(null, '', props.value);
  window.scrollTo({top: 0}); } };
watch('value', write); write();
"""
"""Puts the current place into the address bar, so that F5 and a link open the same screen."""


@dataclass(frozen=True, kw_only=True)
class Shell:
    """What screens share, and the way from one to another."""

    services: Services
    draft_id: gr.State
    run_id: gr.State
    """The run that is shown, empty before the first one."""
    step: gr.State
    rail: gr.HTML
    choices: gr.HTML
    address: gr.HTML
    opening: gr.HTML
    """What stands in the middle until the first screen is open, or why none could be."""
    groups: tuple[gr.Column, ...]
    screens: tuple[Screen, ...]
    pages: tuple[Any, ...]
    here: int = GOAL
    """The screen that is being wired."""

    @property
    def frame(self) -> list[Updatable]:
        """What stands around every screen, in the order of `Opened.frame`."""
        return [self.draft_id, self.run_id, self.step, self.rail, self.choices, self.address]

    def goto(
        self,
        button: gr.Button,
        step: int,
        before: Before | None = None,
        *,
        inputs: Sequence[Component] = (),
    ) -> None:
        """Let `button` do `before` with the inputs' values, then open the screen `step`."""
        here = self.here

        def on_click(request: gr.Request, draft_id: str, run_id: str, *values: Any) -> list[Any]:
            owner = identity(request)
            shown_run = run_id if here >= RUN_STEP else ""
            place = Place(draft_id=draft_id, run_id=shown_run, step=step, is_answered=True)
            try:
                if before is not None:
                    before(self.services, owner, draft_id, *values)
                opened = open_screen(self.services, self.screens, owner, place)
            except UserError as problem:
                return [error_card(problem), *[gr.skip()] * (len(outputs) - 1)]
            left = [NOTHING, gr.update(visible=False)]
            return [*left, gr.update(visible=True), *opened.frame, *self.fill(opened)]

        outputs: list[Updatable] = [
            self.pages[here].problem,
            self.groups[here],
            self.groups[step],
            *self.frame,
            *self.filled(step),
        ]
        inputs = [self.draft_id, self.run_id, *inputs]
        button.click(on_click, inputs=inputs, outputs=outputs, **WRITE)

    def filled(self, step: int) -> list[Updatable]:
        """The outputs that `fill` has values for."""
        return [self.pages[step].problem, *self.pages[step].outputs]

    def fill(self, opened: Opened) -> list[Any]:
        """Values for the error card and the outputs of an opened screen."""
        if opened.problem:
            return [opened.problem, *[gr.skip()] * len(self.pages[opened.step].outputs)]
        return [NOTHING, *opened.values]


def build_project(services: Services, screens: tuple[Screen, ...], blocks: gr.Blocks) -> Shell:
    """Lay out the project page inside the current Gradio context and wire every screen."""
    draft_id, run_id, step = gr.State(""), gr.State(""), gr.State(GOAL)
    show(masthead(has_home_link=True))
    pulse()
    address = gr.HTML(html_template="", js_on_load=WRITE_ADDRESS, elem_classes="address")
    with gr.Row(elem_classes="desk"):
        with gr.Column(elem_classes="desk-left", min_width=0):
            rail = gr.HTML(step_rail(GOAL, GOAL), js_on_load=PRESS_DOOR, apply_default_css=False)
            doors = [
                gr.Button(title, visible="hidden", elem_id=f"door-{number}")
                for number, title in enumerate(ShellText.STEPS[: len(screens)])
            ]
        with gr.Column(elem_classes="desk-middle", min_width=0):
            opening = show(waiting_card(ShellText.OPENING, "", lines=6))
            built = [_build_one(screen) for screen in screens]
        with gr.Column(elem_classes="desk-right", min_width=0):
            choices = show(choices_so_far(()))
    shell = Shell(
        services=services, draft_id=draft_id, run_id=run_id, step=step, rail=rail,
        choices=choices, address=address, opening=opening, screens=screens,
        groups=tuple(group for group, _ in built), pages=tuple(page for _, page in built),
    )  # fmt: skip
    for number, (screen, page) in enumerate(zip(screens, shell.pages, strict=True)):
        screen.wire(page, replace(shell, here=number), services)
    for number, door in enumerate(doors):
        outputs = [*shell.groups, *shell.frame, *shell.filled(number)]
        bound = bind(on_door, shell, number)
        door.click(bound, inputs=[draft_id, run_id], outputs=outputs, **WRITE)
    blocks.load(bind(on_load, shell), outputs=load_outputs(shell), **READ)
    return shell


def on_door(
    shell: Shell, number: int, draft_id: str, run_id: str, request: gr.Request
) -> list[Any]:
    """A step of the rail was pressed; one that cannot be opened yet stays closed."""
    place = Place(draft_id=draft_id, run_id=run_id, step=number)
    count = len(shell.groups) + len(shell.frame) + len(shell.filled(number))
    try:
        opened = open_screen(shell.services, shell.screens, identity(request), place)
    except UserError as problem:
        kept: list[Any] = [gr.skip()] * (count - len(shell.groups))
        kept[len(shell.frame)] = error_card(problem)
        return [*_only(shell, number), *kept]
    if opened.step != number:
        return [gr.skip()] * count
    return [*_only(shell, number), *opened.frame, *shell.fill(opened)]


def on_load(shell: Shell, request: gr.Request) -> list[Any]:
    """The page was opened: by a link, by F5, on another device."""
    query = request.query_params
    run_id, step = str(query.get("run", "")), str(query.get("step", ""))
    place = Place(
        draft_id=str(query.get("draft", "")) or fresh_draft_id(),
        run_id=run_id,
        step=int(step) if step.isdecimal() and len(step) == 1 else RUN_STEP if run_id else GOAL,
    )
    return open_first(shell, identity(request), place)


def open_first(shell: Shell, owner: str, place: Place) -> list[Any]:
    """Values for `load_outputs`; an address that leads nowhere says so where a screen would be."""
    try:
        opened = open_screen(shell.services, shell.screens, owner, place)
    except UserError as problem:
        return [error_card(problem), *[gr.skip()] * (len(load_outputs(shell)) - 1)]
    filled: list[Any] = []
    for number in range(len(shell.pages)):
        is_open = number == opened.step
        filled += shell.fill(opened) if is_open else [gr.skip()] * len(shell.filled(number))
    return [NOTHING, *_only(shell, opened.step), *opened.frame, *filled]


def load_outputs(shell: Shell) -> list[Updatable]:
    """Everything that opening the page may change."""
    filled = [one for number in range(len(shell.pages)) for one in shell.filled(number)]
    return [shell.opening, *shell.groups, *shell.frame, *filled]


def _only(shell: Shell, step: int) -> list[dict[str, Any]]:
    return [gr.update(visible=number == step) for number in range(len(shell.groups))]


def _build_one(screen: Screen) -> tuple[gr.Column, Any]:
    with gr.Column(visible=False, elem_classes="screen") as group:
        page = screen.build()
    return group, page
