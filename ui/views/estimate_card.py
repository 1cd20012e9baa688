"""The promise card: memory by part and card, the verdict in words, time with clock times, disk,
electricity and money. Pure.

It is what the person agrees to before Start, frozen with the run and shown again beside what was
measured. The Plan screen draws it anew at every change of a knob.
"""

from tailor.estimator.hardware import HardwareSpec
from tailor.estimator.promise import Estimate
from tailor.estimator.workload import Workload
from tailor.ui.text_plan import PromiseText
from tailor.ui.views.cost_words import cost_words, kwh_words
from tailor.ui.views.exact_check import Exactness, exact_check
from tailor.ui.views.html import Html, each, element
from tailor.ui.views.icons import icon
from tailor.ui.views.memory_bar import memory_bars
from tailor.ui.views.quantities import (
    bytes_range_words,
    bytes_words,
    clock_range_words,
    count_words,
    duration_range_words,
)
from tailor.ui.views.verdict_mark import MARKS

UNASKED = Exactness()


def estimate_card(
    estimate: Estimate,
    workload: Workload,
    hardware: HardwareSpec,
    *,
    now: float,
    exactness: Exactness = UNASKED,
) -> Html:
    """The whole card, for a run that starts `now`."""
    return element(
        "section",
        element(
            "div",
            element("h3", PromiseText.TITLE),
            element("span", _memory_figure(estimate), class_="figure"),
            class_="promise-head",
        ),
        element("p", _whose_memory(estimate), class_="quiet small"),
        memory_bars(estimate, hardware),
        _figures(estimate, workload, hardware, now),
        _verdict(estimate),
        _advice(estimate),
        _foot(estimate, exactness),
        class_="promise-card",
        aria_label=PromiseText.TITLE,
    )


def waiting_promise(words: str) -> Html:
    """The card's place before anything is known, of the same size, so that nothing jumps."""
    return element(
        "section",
        element(
            "div",
            element("h3", PromiseText.TITLE),
            class_="promise-head",
        ),
        element("div", class_="shape bar"),
        element("div", class_="shape line"),
        element("div", class_="shape block"),
        element("p", words, class_="quiet", role="status"),
        class_="promise-card waiting",
        aria_label=PromiseText.TITLE,
    )


def when_done(estimate: Estimate, *, now: float) -> str:
    """ "between 01:50 and 02:20"."""
    seconds = estimate.seconds
    return clock_range_words(now + seconds.low, now + seconds.high, now=now)


def _memory_figure(estimate: Estimate) -> str:
    memory = estimate.memory_bytes
    words = PromiseText.MEMORY_FIGURE.format(
        needs=bytes_range_words(memory.low, memory.high), free=bytes_words(estimate.capacity_bytes)
    )
    # With several cards the head tells of the one that decides; each has its own line below.
    return PromiseText.FULLEST.format(figure=words) if len(estimate.cards) > 1 else words


def _whose_memory(estimate: Estimate) -> str:
    count = len(estimate.cards)
    words = (
        PromiseText.MEMORY_OF_CARDS.format(count=count)
        if count > 1
        else PromiseText.MEMORY_OF[estimate.device]
    )
    return f"{words} {PromiseText.PHASE.format(phase=estimate.phase)}" if estimate.phase else words


def _figures(estimate: Estimate, workload: Workload, hardware: HardwareSpec, now: float) -> Html:
    seconds = estimate.seconds
    free = PromiseText.DISK_FREE.format(free=bytes_words(hardware.disk_free_bytes))
    done = PromiseText.TIME_DONE.format(when=when_done(estimate, now=now))
    shown = [
        (PromiseText.TIME, duration_range_words(seconds.low, seconds.high), done),
        (PromiseText.DISK, bytes_words(estimate.disk_bytes), free),
        _third_figure(estimate, workload, hardware),
    ]
    if estimate.download_bytes:
        size = bytes_words(estimate.download_bytes)
        shown.append((PromiseText.DOWNLOAD, size, PromiseText.DOWNLOAD_NOTE))
    if estimate.kwh is not None:
        shown.append((PromiseText.ENERGY, kwh_words(estimate.kwh), cost_words(estimate)))
    elif estimate.money is not None:
        shown.append((PromiseText.MONEY, cost_words(estimate), ""))
    return element("dl", each(figure(*three) for three in shown), class_="measures")


def figure(name: str, value: str, note: str = "", *, is_known: bool = True) -> Html:
    """One figure of a row: its name, the number, and one small line."""
    return element(
        "div",
        element("dt", name),
        element("dd", value, class_="figure" if is_known else "figure unknown"),
        element("dd", note, class_="quiet") if note else None,
        class_="measure",
    )


def _third_figure(
    estimate: Estimate, workload: Workload, hardware: HardwareSpec
) -> tuple[str, str, str]:
    # On a processor the bar above already is the computer's memory.
    if estimate.device != "cpu":
        free = PromiseText.RAM_FREE.format(free=bytes_words(hardware.ram_free_bytes))
        return (PromiseText.RAM, bytes_words(estimate.ram_bytes), free)
    times = workload.evaluations + 1
    note = PromiseText.ANSWERS_NOTE.format(questions=workload.exam_questions, times=times)
    return (PromiseText.ANSWERS, count_words(workload.exam_questions * times), note)


def _verdict(estimate: Estimate) -> Html:
    tone, sign = MARKS[estimate.verdict]
    return element(
        "p",
        icon(sign),
        element(
            "span",
            element("strong", PromiseText.VERDICT[estimate.verdict] + "."),
            " ",
            estimate.reason,
        ),
        class_=f"promise-verdict {tone}",
    )


def _advice(estimate: Estimate) -> Html | None:
    if not estimate.advice:
        return None
    return element(
        "ul", each(element("li", line) for line in estimate.advice), class_="promise-advice"
    )


def _foot(estimate: Estimate, exactness: Exactness) -> Html:
    assumed = element(
        "details",
        element("summary", PromiseText.ASSUMED),
        element("ul", each(element("li", line) for line in estimate.assumed)),
        id="promise-assumed",
    )
    return element(
        "div",
        _badge(estimate),
        element("p", PromiseText.PROVENANCE[estimate.provenance], class_="quiet"),
        exact_check(exactness),
        assumed if estimate.assumed else None,
        class_="promise-foot",
    )


def _badge(estimate: Estimate) -> Html | None:
    runs = estimate.runs_learned_from
    if not runs:
        return None
    words = PromiseText.FROM_RUN if runs == 1 else PromiseText.FROM_RUNS.format(runs=runs)
    return element("p", icon("check"), words, class_="promise-badge")
