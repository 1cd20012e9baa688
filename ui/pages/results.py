"""Results: is it good enough to use? The verdict first, then the evidence, then a talk with both.

Figures and answers come from the run's own proof and exam; nothing is computed that the run has not
measured. The talk asks the untouched and the tuned model the same question, by a job of the engine.
"""

from dataclasses import dataclass, replace
from typing import Any

import gradio as gr
from gradio.components import Component
from pydantic import TypeAdapter

from tailor.engine.client import EngineClient
from tailor.engine.errors import UserError
from tailor.engine.types import ChatAnswer, Draft
from tailor.recipes.spec import ExamQuestion, Message
from tailor.ui.binding import READ, WRITE, bind, identity
from tailor.ui.components.action_html import show
from tailor.ui.components.live_panel import live_panel
from tailor.ui.components.screen import (
    ActionBar,
    action_bar,
    heading,
    problem_place,
    promise_markup,
)
from tailor.ui.run_story import read_story
from tailor.ui.services import RUN_STEP, Services
from tailor.ui.shell import Shell
from tailor.ui.text_results import ResultsText, TalkText
from tailor.ui.views.exam_strip import build_strip
from tailor.ui.views.html import NOTHING, element
from tailor.ui.views.problem import error_card
from tailor.ui.views.results_view import answers_html, figures_html, promise_html, verdict_html
from tailor.ui.views.run_address import run_in
from tailor.ui.views.step_rail import USE_IT
from tailor.ui.views.talk import Turn, progress_words, talk_html
from tailor.ui.views.verdict import judge

CHAT_ANSWER: TypeAdapter[ChatAnswer] = TypeAdapter(ChatAnswer)
LONGEST_QUESTION = 20_000
"""Characters; above any context of the models that run here."""
TURNS_KEPT = 12


@dataclass(frozen=True, kw_only=True)
class ResultsPage:
    """Handles of the screen."""

    verdict: gr.HTML
    figures: gr.HTML
    answers: gr.HTML
    promise: gr.HTML
    proven: gr.Column
    """What is there only for a model that was finished and proven."""
    question: gr.Textbox
    ask: gr.Button
    talk: gr.HTML
    turns: gr.State
    timer: gr.Timer
    action: ActionBar
    problem: gr.HTML

    @property
    def outputs(self) -> tuple[Component | gr.Column, ...]:
        """What `enter` fills."""
        return (
            self.verdict, self.figures, self.answers, self.promise, self.proven,
            self.action.button, self.action.promise, *self.spoken,
        )  # fmt: skip

    @property
    def spoken(self) -> tuple[Component, ...]:
        """What the talk changes."""
        return (self.question, self.talk, self.turns, self.timer)


def build() -> ResultsPage:
    """Lay the screen out."""
    heading(ResultsText.TITLE, ResultsText.WHY)
    problem = problem_place()
    verdict = show()
    figures = show()
    show(element("h2", ResultsText.ANSWERS))
    answers = live_panel()
    with gr.Column(visible=False, elem_classes="screen") as proven:
        show(element("h2", TalkText.TITLE))
        show(element("p", TalkText.LEAD, class_="quiet"))
        with gr.Row(elem_classes="ask-both"):
            question = gr.Textbox(
                label=TalkText.QUESTION, placeholder=TalkText.PLACEHOLDER, lines=2, max_lines=6
            )
            ask = gr.Button(TalkText.ASK, elem_classes="ask-button")
        talk = live_panel(talk_html(()))
        show(element("h2", ResultsText.PROMISE))
        promise = show()
    return ResultsPage(
        verdict=verdict, figures=figures, answers=answers, promise=promise, proven=proven,
        question=question, ask=ask, talk=talk, turns=gr.State(()),
        timer=gr.Timer(1, active=False), problem=problem,
        action=action_bar(ResultsText.CONTINUE, ResultsText.CONTINUE_HINT, back=ResultsText.BACK),
    )  # fmt: skip


def enter(services: Services, owner: str, draft: Draft) -> tuple[Any, ...]:
    """The run's result; a stopped run shows how far it came."""
    client = services.engine(owner)
    run = client.run(draft.run_id) if draft.run_id else None
    if run is None or run.status not in ("succeeded", "stopped", "failed"):
        raise UserError(
            title=ResultsText.NO_RESULT_TITLE,
            detail=ResultsText.NO_RESULT_DETAIL,
            fix=ResultsText.NO_RESULT_FIX,
        )
    best = run.progress.best_step
    strip = build_strip(run.spec.exam, read_story(client, run.id).samples, best)
    return (
        verdict_html(judge(run, strip)),
        figures_html(run, strip),
        answers_html(strip, best),
        promise_html(run),
        gr.Column(visible=run.result is not None),
        gr.Button(visible=run.result is not None),
        promise_markup(ResultsText.CONTINUE_HINT if run.result else ""),
        gr.Textbox(value=""),
        talk_html(()),
        (),
        gr.Timer(active=False),
    )


def wire(page: ResultsPage, shell: Shell, services: Services) -> None:
    """Attach handlers."""
    where = [shell.address]
    for event in (page.ask.click, page.question.submit):
        event(
            bind(on_ask, services),
            inputs=[*where, page.turns, page.question],
            outputs=[page.problem, *page.spoken],
            **WRITE,
        )
    page.timer.tick(
        bind(on_tick, services),
        inputs=[page.turns],
        outputs=[page.talk, page.turns, page.timer],
        **READ,
    )
    shell.goto(page.action.back, RUN_STEP)
    shell.goto(page.action.button, USE_IT)


def on_ask(
    services: Services,
    address: str,
    turns: tuple[Turn, ...],
    question: str,
    request: gr.Request,
) -> tuple[Any, ...]:
    """A question for both models; a refusal is told in place and the question stays."""
    try:
        asked = ask(services.engine(identity(request)), run_in(address), turns, question)
    except UserError as problem:
        return error_card(problem), *[gr.skip()] * 4
    return NOTHING, gr.Textbox(value=""), talk_html(asked), asked, gr.Timer(active=True)


def ask(
    client: EngineClient, run_id: str, turns: tuple[Turn, ...], question: str
) -> tuple[Turn, ...]:
    """Start the job that answers."""
    text = (question or "").strip()
    if not text:
        raise UserError(
            title=TalkText.NO_QUESTION_TITLE,
            detail=TalkText.NO_QUESTION_DETAIL,
            fix=TalkText.NO_QUESTION_FIX,
        )
    if len(text) > LONGEST_QUESTION:
        raise UserError(
            title=TalkText.TOO_LONG_TITLE,
            detail=TalkText.TOO_LONG_DETAIL.format(length=len(text), limit=LONGEST_QUESTION),
            fix=TalkText.TOO_LONG_FIX,
        )
    standing = standing_instructions(client.run(run_id).spec.exam)
    job = client.chat(run_id, (*standing, Message(role="user", content=text)))
    words = progress_words(job, is_first=not turns)
    turn = Turn(question=text, job_id=job.id, words=words)
    return (*turns, turn)[-TURNS_KEPT:]


def standing_instructions(exam: tuple[ExamQuestion, ...]) -> tuple[Message, ...]:
    """What every row told the model first; a question without it would be asked unfairly."""
    first = {question.messages[0] for question in exam if question.messages}
    shared = first.pop() if len(first) == 1 else None
    return (shared,) if shared is not None and shared.role == "system" else ()


def on_tick(services: Services, turns: tuple[Turn, ...], request: gr.Request) -> tuple[Any, ...]:
    """Once a second while an answer is to come."""
    return heard(services, identity(request), turns)


def heard(services: Services, owner: str, turns: tuple[Turn, ...]) -> tuple[Any, ...]:
    """The same without Gradio."""
    asked = listen(services.engine(owner), turns)
    is_open = any(turn.is_open for turn in asked)
    if asked == turns:
        return gr.skip(), gr.skip(), gr.Timer(active=is_open)
    return talk_html(asked), asked, gr.Timer(active=is_open)


def listen(client: EngineClient, turns: tuple[Turn, ...]) -> tuple[Turn, ...]:
    """The turns with whatever has been answered meanwhile."""
    return tuple(
        _heard(client, turn, is_first=place == 0) if turn.is_open else turn
        for place, turn in enumerate(turns)
    )


def _heard(client: EngineClient, turn: Turn, *, is_first: bool) -> Turn:
    job = client.job(turn.job_id)
    if job.status == "done":
        return replace(turn, answer=CHAT_ANSWER.validate_json(job.answer))
    if job.status == "failed":
        return replace(turn, problem=job.problem)
    return replace(turn, words=progress_words(job, is_first=is_first))
