"""The film strip: every exam question, the untouched model's answer, and each later one. Pure.

Watching the answers change is the one proof of learning that needs no statistics. It is built from
`Sample` events alone, so a reload, a second viewer and a resumed run see the same strip.
"""

from collections.abc import Iterable

from tailor.engine.events import Sample
from tailor.estimator.record import record
from tailor.recipes.spec import ExamQuestion
from tailor.ui.text_run import StripText
from tailor.ui.views.changed_words import changed_words
from tailor.ui.views.html import Html, each, element, join
from tailor.ui.views.icons import IconName, icon
from tailor.ui.views.quantities import count_words

RIGHT_SCORE = 0.999
WRONG_SCORE = 0.001


@record
class StripColumn:
    """One showing of the exam."""

    step: int
    score: float | None
    """0 to 100 over questions with an expected answer; None when a person must judge."""
    is_best: bool
    is_whole: bool
    """Whether every question was answered."""


@record
class Strip:
    """Questions by showings."""

    questions: tuple[ExamQuestion, ...]
    columns: tuple[StripColumn, ...]
    answers: tuple[tuple[Sample | None, ...], ...]
    """One row a question, in the order of the columns."""


def build_strip(
    exam: tuple[ExamQuestion, ...], samples: Iterable[Sample], best_step: int | None
) -> Strip:
    """Order the answers; where a resumed run repeated a step, its newest answer counts."""
    newest: dict[tuple[int, str], Sample] = {}
    for sample in samples:
        newest[(sample.step, sample.question)] = sample
    steps = sorted({step for step, _ in newest})
    return Strip(
        questions=exam,
        columns=tuple(_column(exam, newest, step, step == best_step) for step in steps),
        answers=tuple(
            tuple(newest.get((step, question.id)) for step in steps) for question in exam
        ),
    )


def strip_html(strip: Strip) -> Html:
    """A table that scrolls sideways with the question held in place."""
    if not strip.questions:
        return element("p", StripText.NO_EXAM, class_="empty")
    if not strip.columns:
        return element("p", StripText.EMPTY, class_="empty")
    head = element(
        "tr",
        element("th", StripText.QUESTION, scope="col"),
        each(_column_head(column) for column in strip.columns),
    )
    rows = (
        _row(strip, question, answers)
        for question, answers in zip(strip.questions, strip.answers, strict=True)
    )
    return element(
        "div",
        element(
            "table",
            element("caption", StripText.CAPTION, class_="out-of-sight"),
            element("thead", head),
            element("tbody", each(rows)),
        ),
        class_="film-strip",
        data_follow="end",
        tabindex="0",
        role="region",
        aria_label=StripText.CAPTION,
    )


def question_cell(question: ExamQuestion) -> Html:
    """The question and what the expert expects."""
    expected = element(
        "p", element("span", StripText.EXPECTED, class_="quiet"), " ", question.expected
    )
    return element(
        "th",
        element("p", asked(question), class_="asked"),
        expected if question.expected else None,
        scope="row",
    )


def asked(question: ExamQuestion) -> str:
    """What the person would type: the last turn."""
    return question.messages[-1].content if question.messages else ""


def mark_html(question: ExamQuestion, sample: Sample) -> Html | None:
    """Right, partly right or wrong, in a sign and a word; None when a person must judge."""
    if not question.expected:
        return None
    word, tone, sign = verdict_words(sample.score)
    return element("span", icon(sign), word, class_=f"mark-{tone}")


def verdict_words(score: float) -> tuple[str, str, IconName]:
    """Word, tone and sign of one score between 0 and 1."""
    if score >= RIGHT_SCORE:
        return StripText.RIGHT, "good", "check"
    if score <= WRONG_SCORE:
        return StripText.WRONG, "stop", "cross"
    return StripText.PARTLY, "care", "care"


def answer_html(sample: Sample, before: Sample | None) -> Html:
    """An answer with its new words marked; `before` None shows it plain."""
    if not sample.text.strip():
        return element("span", StripText.EMPTY_ANSWER, class_="quiet")
    return changed_words(before.text, sample.text) if before else each([sample.text])


def _column(
    exam: tuple[ExamQuestion, ...],
    newest: dict[tuple[int, str], Sample],
    step: int,
    is_best: bool,
) -> StripColumn:
    scored = [
        newest[(step, question.id)].score
        for question in exam
        if question.expected and (step, question.id) in newest
    ]
    return StripColumn(
        step=step,
        score=100 * sum(scored) / len(scored) if scored else None,
        is_best=is_best and step > 0,
        is_whole=all((step, question.id) in newest for question in exam),
    )


def _column_head(column: StripColumn) -> Html:
    is_before = column.step == 0
    title = StripText.BEFORE if is_before else StripText.STEP.format(step=count_words(column.step))
    kept = element("span", StripText.KEPT, class_="kept") if column.is_best else None
    score = None
    if column.score is not None and column.is_whole:
        score = element("span", StripText.SCORE.format(score=round(column.score)), class_="figure")
    return element(
        "th",
        element("span", title, " ", kept, class_="strip-step"),
        score,
        scope="col",
        class_="best" if column.is_best else None,
    )


def _row(strip: Strip, question: ExamQuestion, answers: tuple[Sample | None, ...]) -> Html:
    is_first_before = strip.columns[0].step == 0
    before = answers[0] if is_first_before else None
    cells = (
        _cell(question, answer, before if place else None, strip.columns[place].is_best)
        for place, answer in enumerate(answers)
    )
    return element("tr", question_cell(question), each(cells))


def _cell(
    question: ExamQuestion, answer: Sample | None, before: Sample | None, is_best: bool
) -> Html:
    if answer is None:
        return element("td", element("span", StripText.WAITING, class_="quiet"))
    return element(
        "td",
        element("p", answer_html(answer, before), class_="answer"),
        element(
            "p",
            join(
                mark_html(question, answer),
                None if answer.ended else element("span", StripText.NOT_ENDED, class_="quiet"),
            ),
            class_="marks",
        ),
        class_="best" if is_best else None,
    )
