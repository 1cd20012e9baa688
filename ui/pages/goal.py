"""Goal: what should the model get better at?

A card is saved the moment it is picked. The goal decides how the exam is scored and which rows are
needed; the wish in the person's own words names the project.
"""

from dataclasses import dataclass
from typing import Any, get_args

import gradio as gr
from gradio.components import Component

from tailor.engine.errors import UserError
from tailor.engine.types import Draft
from tailor.recipes.spec import Goal
from tailor.ui.binding import WRITE, bind, identity
from tailor.ui.choices import read_choices
from tailor.ui.components.action_html import action_html, sent
from tailor.ui.components.screen import ActionBar, action_bar, heading, problem_place
from tailor.ui.services import Services
from tailor.ui.shell import Shell
from tailor.ui.text import GoalText
from tailor.ui.views.choice_cards import Card, choice_cards
from tailor.ui.views.choices import choices_so_far
from tailor.ui.views.html import NOTHING, Html
from tailor.ui.views.icons import IconName
from tailor.ui.views.problem import error_card
from tailor.ui.views.step_rail import DATA

GOALS: tuple[Goal, ...] = get_args(Goal)
ICONS: dict[Goal, IconName] = {
    "answer": "answer",
    "format": "form",
    "classify": "tags",
    "style": "pen",
}
TITLE_CHARACTERS = 80


@dataclass(frozen=True, kw_only=True)
class GoalPage:
    """Handles of the Goal screen."""

    cards: gr.HTML
    wish: gr.Textbox
    problem: gr.HTML
    action: ActionBar

    @property
    def outputs(self) -> tuple[Component, ...]:
        """What `enter` fills."""
        return self.cards, self.wish


def build() -> GoalPage:
    """Four cards and one text box."""
    heading(GoalText.TITLE, GoalText.WHY)
    cards = action_html(goal_cards("answer"))
    wish = gr.Textbox(
        label=GoalText.WISH, info=GoalText.WISH_INFO, placeholder=GoalText.WISH_PLACEHOLDER,
        max_length=400, lines=1, max_lines=3,
    )  # fmt: skip
    problem = problem_place()
    action = action_bar(GoalText.CONTINUE, GoalText.PROMISE)
    return GoalPage(cards=cards, wish=wish, problem=problem, action=action)


def enter(services: Services, owner: str, draft: Draft) -> tuple[Any, ...]:
    """The draft's goal and wish."""
    return goal_cards(draft.goal), draft.wish


def wire(page: GoalPage, shell: Shell, services: Services) -> None:
    """Picking saves; Continue saves the wish and goes on."""
    page.cards.select(
        bind(on_pick, services),
        inputs=[shell.draft_id],
        outputs=[shell.choices, page.problem],
        **WRITE,
    )
    shell.goto(page.action.button, DATA, before_data, inputs=[page.wish])


def on_pick(
    services: Services, draft_id: str, request: gr.Request, event: gr.EventData
) -> tuple[Any, Any]:
    """A card was picked."""
    return pick_goal(services, identity(request), draft_id, sent(event))


def pick_goal(services: Services, owner: str, draft_id: str, goal: str) -> tuple[Any, Any]:
    """Save the goal; choices and error card come back."""
    if goal not in GOALS:
        return gr.skip(), gr.skip()
    try:
        draft = services.edit_draft(owner, draft_id, goal=goal)
    except UserError as problem:
        return gr.skip(), error_card(problem)
    return choices_so_far(read_choices(services, owner, draft)), NOTHING


def before_data(services: Services, owner: str, draft_id: str, wish: str) -> None:
    """Save the wish; it names the project until something better does."""
    draft = services.draft(owner, draft_id)
    named = draft.title if draft.title and draft.title != draft.wish[:TITLE_CHARACTERS] else ""
    wish = " ".join(wish.split())
    services.edit_draft(owner, draft_id, wish=wish, title=named or wish[:TITLE_CHARACTERS])


def goal_cards(chosen: Goal) -> Html:
    """The four cards."""
    cards = tuple(
        Card(
            value=goal,
            title=GoalText.CARDS[goal][0],
            line=GoalText.CARDS[goal][1],
            example=GoalText.CARDS[goal][2],
            facts=GoalText.FACTS[goal],
            icon=ICONS[goal],
            note=GoalText.SUGGESTED if goal == "answer" else "",
        )
        for goal in GOALS
    )
    return choice_cards("goal", GoalText.LEGEND, cards, chosen, is_grid=True)
