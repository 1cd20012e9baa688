"""The Results screen as markup: verdict, figures, every question before and after. Pure.

One look says what to do; the rest of the screen is the evidence for it.
"""

from tailor.engine.events import Sample
from tailor.engine.types import RunRecord
from tailor.recipes.spec import ExamQuestion
from tailor.ui.text_results import ResultsText
from tailor.ui.views.estimate_card import figure
from tailor.ui.views.exam_strip import Strip, answer_html, asked, mark_html
from tailor.ui.views.html import NOTHING, Html, each, element, join
from tailor.ui.views.icons import IconName, icon
from tailor.ui.views.quantities import (
    bytes_range_words,
    bytes_words,
    count_words,
    duration_range_words,
    duration_words,
    percent_words,
)
from tailor.ui.views.verdict import Verdict

SIGNS: dict[str, IconName] = {"good": "check", "care": "care", "stop": "stop"}


def verdict_html(verdict: Verdict) -> Html:
    """What to do, and from which figure."""
    return element(
        "div",
        icon(SIGNS[verdict.tone]),
        element("div", element("h2", verdict.title), element("p", verdict.words)),
        class_=f"verdict {verdict.tone}",
    )


def figures_html(run: RunRecord, strip: Strip) -> Html:
    """The row of figures, before and after; nothing while none is known."""
    shown = _figures(run, strip)
    title = element("h2", ResultsText.FIGURES)
    return join(title, element("dl", each(shown), class_="measures")) if shown else NOTHING


def answers_html(strip: Strip, best_step: int | None) -> Html:
    """Question, before, after, expected, with new words underlined."""
    before, after = _first_and_kept(strip, best_step)
    if after is None:
        return element("p", ResultsText.NO_ANSWERS, class_="empty")
    step = strip.columns[after].step
    titles = (
        ResultsText.COLUMN_QUESTION,
        ResultsText.COLUMN_BEFORE,
        ResultsText.COLUMN_AFTER,
        ResultsText.COLUMN_EXPECTED,
    )
    rows = (
        _row(question, answers[before] if before is not None else None, answers[after])
        for question, answers in zip(strip.questions, strip.answers, strict=True)
    )
    return element(
        "div",
        element("p", ResultsText.KEPT_VERSION.format(step=count_words(step)), class_="quiet small"),
        element(
            "div",
            element(
                "table",
                element("caption", ResultsText.ANSWERS_CAPTION, class_="out-of-sight"),
                element(
                    "thead", element("tr", each(element("th", t, scope="col") for t in titles))
                ),
                element("tbody", each(rows)),
            ),
            class_="answers-table",
            tabindex="0",
            role="region",
            aria_label=ResultsText.ANSWERS_CAPTION,
        ),
    )


def promise_html(run: RunRecord) -> Html:
    """What was promised beside what was measured."""
    if run.result is None:
        return NOTHING
    seconds, memory = run.estimate.seconds, run.estimate.memory_bytes
    rows = (
        (
            ResultsText.PROMISE_TIME,
            duration_range_words(seconds.low, seconds.high),
            duration_words(run.result.seconds),
            _kept(run.result.seconds, seconds.low, seconds.high),
        ),
        (
            ResultsText.PROMISE_MEMORY,
            bytes_range_words(memory.low, memory.high),
            bytes_words(run.result.peak_bytes),
            _kept(run.result.peak_bytes, memory.low, memory.high),
        ),
    )
    head = ("", ResultsText.PROMISED, ResultsText.MEASURED, "")
    return element(
        "table",
        element("thead", element("tr", each(element("th", name, scope="col") for name in head))),
        element("tbody", each(_promise_row(*row) for row in rows)),
        class_="promise-table",
    )


def _promise_row(name: str, promised: str, measured: str, kept: str) -> Html:
    return element(
        "tr",
        element("th", name, scope="row"),
        element("td", promised, class_="figure"),
        element("td", measured, class_="figure"),
        element("td", kept, class_="quiet"),
    )


def _kept(value: float, low: float, high: float) -> str:
    if value > high:
        return ResultsText.OVER_PROMISE
    return ResultsText.UNDER_PROMISE if value < low else ResultsText.KEPT_PROMISE


def _figures(run: RunRecord, strip: Strip) -> list[Html]:
    result = run.result
    shown: list[Html] = []
    if result is not None and any(question.expected for question in strip.questions):
        value = ResultsText.EXAM_VALUE.format(
            before=round(result.score_before), after=round(result.score_after)
        )
        note = ResultsText.EXAM_NOTE.format(questions=len(strip.questions))
        shown.append(figure(ResultsText.EXAM, value, note))
    if result is not None:
        shown.append(figure(ResultsText.MISTAKES, *_mistakes(run)))
        changed = ResultsText.CHANGED_VALUE.format(
            changed=result.answers_changed, answers=result.answers
        )
        shown.append(figure(ResultsText.CHANGED, changed))
    ends = _ends(strip, run.progress.best_step)
    if ends:
        shown.append(figure(ResultsText.ENDS, ends))
    return shown


def _mistakes(run: RunRecord) -> tuple[str, str]:
    result = run.result
    if result is None or result.held_out_before is None or result.held_out_after is None:
        return ResultsText.UNKNOWN, ""
    value = ResultsText.MISTAKES_VALUE.format(
        before=f"{result.held_out_before:.2f}", after=f"{result.held_out_after:.2f}"
    )
    return value, ResultsText.MISTAKES_NOTE


def _ends(strip: Strip, best_step: int | None) -> str:
    _, after = _first_and_kept(strip, best_step)
    if after is None:
        return ""
    samples = [sample for answers in strip.answers if (sample := answers[after]) is not None]
    ended = sum(sample.ended for sample in samples)
    return ResultsText.ENDS_VALUE.format(percent=percent_words(ended / max(1, len(samples))))


def _first_and_kept(strip: Strip, best_step: int | None) -> tuple[int | None, int | None]:
    """Places of the untouched model's column and of the version that was kept."""
    steps = [column.step for column in strip.columns]
    before = steps.index(0) if 0 in steps else None
    if best_step in steps and best_step != 0:
        return before, steps.index(best_step)
    return before, len(steps) - 1 if len(steps) > (before is not None) else None


def _row(question: ExamQuestion, before: Sample | None, after: Sample | None) -> Html:
    return element(
        "tr",
        element("th", asked(question), scope="row"),
        _answer(question, before, None, ResultsText.COLUMN_BEFORE),
        _answer(question, after, before, ResultsText.COLUMN_AFTER),
        element("td", question.expected, data_label=ResultsText.COLUMN_EXPECTED),
    )


def _answer(
    question: ExamQuestion, sample: Sample | None, compared: Sample | None, label: str
) -> Html:
    if sample is None:
        return element("td", element("span", ResultsText.UNKNOWN, class_="quiet"), data_label=label)
    return element(
        "td",
        element("p", answer_html(sample, compared), class_="answer"),
        mark_html(question, sample),
        data_label=label,
    )
