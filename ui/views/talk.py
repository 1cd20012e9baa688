"""The talk with both models: each question with the untouched and the tuned answer beside it. Pure.

What a model wrote is shown letter by letter: no markup, no formulas, no pictures are made of it.
"""

from tailor.engine.findings import Problem
from tailor.engine.types import ChatAnswer, Job
from tailor.estimator.record import record
from tailor.ui.text_results import TalkText
from tailor.ui.views.changed_words import changed_words
from tailor.ui.views.html import Html, each, element
from tailor.ui.views.problem import error_card
from tailor.ui.views.quantities import percent_words

HASH_SHOWN = 12


@record
class Turn:
    """One question and what came of it."""

    question: str
    job_id: str
    words: str = ""
    """Progress while both models are answering."""
    answer: ChatAnswer | None = None
    problem: Problem | None = None

    @property
    def is_open(self) -> bool:
        """Whether an answer is still to come."""
        return self.answer is None and self.problem is None


def talk_html(turns: tuple[Turn, ...]) -> Html:
    """Newest question first, so that nothing needs to be scrolled to."""
    if not turns:
        return element("p", TalkText.EMPTY, class_="empty")
    return element(
        "div",
        each(_turn(turn) for turn in reversed(turns)),
        element("p", TalkText.UNTRUSTED, class_="quiet small"),
        class_="talk",
    )


def progress_words(job: Job, *, is_first: bool) -> str:
    """What to say while a job runs; the first one has both models to load."""
    if is_first:
        return TalkText.FIRST
    if job.words and job.done:
        return f"{job.words} {percent_words(job.done)}"
    return job.words or TalkText.THINKING


def _turn(turn: Turn) -> Html:
    return element(
        "article",
        element("p", turn.question, class_="asked"),
        _outcome(turn),
        class_="turn",
    )


def _outcome(turn: Turn) -> Html:
    if turn.problem is not None:
        return error_card(turn.problem)
    if turn.answer is None:
        words = element("p", turn.words or TalkText.THINKING, class_="quiet", role="status")
        return element("div", words, element("div", class_="shape line"), class_="thinking")
    base, tuned = turn.answer.base, turn.answer.tuned
    hash_words = TalkText.HASH.format(hash=turn.answer.adapter_hash[:HASH_SHOWN])
    same = element("p", TalkText.SAME_ANSWER, class_="quiet small") if base == tuned else None
    return element(
        "div",
        _side(TalkText.BASE, "", base, None),
        _side(TalkText.TUNED, hash_words if turn.answer.adapter_hash else "", tuned, base),
        same,
        class_="sides",
    )


def _side(title: str, small: str, text: str, compared: str | None) -> Html:
    shown: str = text if compared is None else changed_words(compared, text)
    return element(
        "div",
        element("h4", title, " ", element("span", small, class_="real-name") if small else None),
        element("p", shown if text.strip() else TalkText.NO_ANSWER, class_="answer"),
        class_="side",
    )
