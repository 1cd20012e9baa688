"""Opening a screen: which one, for which draft or run, and every value that it shows.

Whatever leads there (a button, the rail, a link, F5) ends in `open_screen`. No Gradio events in
here, so that it is tested without a browser; `shell` puts the values where they belong.
"""

import re
from dataclasses import dataclass
from typing import Any, Final, Protocol
from urllib.parse import urlencode

import gradio as gr
from gradio.components import Component

from tailor.engine.errors import UserError
from tailor.engine.types import Draft
from tailor.ui.choices import read_choices
from tailor.ui.services import RUN_STEP, Services
from tailor.ui.text import ShellText
from tailor.ui.views.choices import choices_so_far
from tailor.ui.views.html import NOTHING, Html
from tailor.ui.views.problem import error_card
from tailor.ui.views.step_rail import GOAL, furthest_step, step_rail

ID: Final = re.compile(r"[A-Za-z0-9_-]{1,80}")


class Page(Protocol):
    """A screen's components, by name."""

    @property
    def outputs(self) -> tuple[Component, ...]:
        """What `enter` fills, in its order."""

    @property
    def problem(self) -> gr.HTML:
        """Where an error card is shown."""


class Screen(Protocol):
    """A module of `ui/pages` that is one of the eight steps."""

    def build(self) -> Any:
        """Lay the screen out; gives its `Page`."""

    def enter(self, services: Services, owner: str, draft: Draft) -> tuple[Any, ...]:
        """Values for the page's outputs when it is opened."""

    def wire(self, page: Any, shell: Any, services: Services) -> None:
        """Attach handlers; all screens are built before the first is wired."""


@dataclass(frozen=True, kw_only=True)
class Place:
    """Where somebody wants to go."""

    draft_id: str
    run_id: str = ""
    """A run that is named; empty means the draft's last one."""
    step: int
    is_answered: bool = False
    """The step before was answered, so one that was never reached opens too."""


@dataclass(frozen=True, kw_only=True)
class Opened:
    """A screen that is open now."""

    step: int
    frame: tuple[Any, ...]
    """Draft id, run id, step, rail, choices, address: what stands around every screen."""
    problem: Html
    """Why the screen could not be filled; then `values` are empty."""
    values: tuple[Any, ...]
    """For the outputs of its page."""


def open_screen(
    services: Services, screens: tuple[Screen, ...], owner: str, place: Place
) -> Opened:
    """The screen of a place, or the furthest one that can be opened yet. Raises `UserError`."""
    draft = _read_draft(services, owner, place)
    furthest = max(furthest_step(draft), place.step if place.is_answered else GOAL)
    step = max(GOAL, min(place.step, furthest, len(screens) - 1))
    if draft.revision and draft.step < step:
        services.edit_draft(owner, draft.id, step=step)
    problem: Html = NOTHING
    values: tuple[Any, ...] = ()
    try:
        values = screens[step].enter(services, owner, draft)
    except UserError as trouble:
        problem = error_card(trouble)
    frame = (
        draft.id,
        draft.run_id,
        step,
        step_rail(step, furthest),
        choices_so_far(read_choices(services, owner, draft)),
        address_of(draft, step, place.run_id),
    )
    return Opened(step=step, frame=frame, problem=problem, values=values)


def address_of(draft: Draft, step: int, run_id: str) -> str:
    """The address of a screen; a run that was opened by its own link keeps it."""
    if run_id or (step >= RUN_STEP and draft.run_id):
        named = {"run": run_id or draft.run_id}
        return "/project?" + urlencode(named if step == RUN_STEP else {**named, "step": step})
    return "/project?" + urlencode({"draft": draft.id, "step": step})


def _read_draft(services: Services, owner: str, place: Place) -> Draft:
    if not ID.fullmatch(place.run_id or place.draft_id):
        raise UserError(
            title=ShellText.BAD_ADDRESS_TITLE,
            detail=ShellText.BAD_ADDRESS_DETAIL,
            fix=ShellText.BAD_ADDRESS_FIX,
            status=404,
        )
    if place.run_id:
        return services.draft_of_run(owner, place.run_id)
    return services.draft(owner, place.draft_id)
