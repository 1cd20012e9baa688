"""The promise card: memory by part, the verdict in words, time with clock times, disk. Pure.

It is what the person agrees to before Start, frozen with the run and shown again beside what was
measured. The Plan screen draws it anew at every change of a knob.
"""

from tailor.estimator.estimate import Estimate
from tailor.estimator.hardware import HardwareSpec
from tailor.estimator.workload import Workload
from tailor.ui.text_plan import PromiseText
from tailor.ui.views.html import Html, each, element
from tailor.ui.views.icons import IconName, icon
from tailor.ui.views.memory_bar import memory_bar
from tailor.ui.views.quantities import (
    bytes_range_words,
    bytes_words,
    clock_range_words,
    count_words,
    duration_range_words,
)

TONES: dict[str, tuple[str, IconName]] = {
    "fits": ("good", "check"),
    "tight": ("care", "care"),
    "will_not_fit": ("stop", "stop"),
}


def estimate_card(
    estimate: Estimate, workload: Workload, hardware: HardwareSpec, *, now: float
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
        element("p", PromiseText.MEMORY_OF[estimate.device], class_="quiet small"),
        memory_bar(estimate, hardware),
        _figures(estimate, workload, hardware, now),
        _verdict(estimate),
        _foot(estimate),
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
    return PromiseText.MEMORY_FIGURE.format(
        needs=bytes_range_words(memory.low, memory.high), free=bytes_words(estimate.capacity_bytes)
    )


def _figures(estimate: Estimate, workload: Workload, hardware: HardwareSpec, now: float) -> Html:
    seconds = estimate.seconds
    shown = [
        (
            PromiseText.TIME,
            duration_range_words(seconds.low, seconds.high),
            PromiseText.TIME_DONE.format(when=when_done(estimate, now=now)),
        ),
        (
            PromiseText.DISK,
            bytes_words(estimate.disk_bytes),
            PromiseText.DISK_FREE.format(free=bytes_words(hardware.disk_free_bytes)),
        ),
        _third_figure(estimate, workload, hardware),
    ]
    if estimate.kwh is not None:
        shown.append((PromiseText.ENERGY, _kwh_words(estimate), PromiseText.ENERGY_PRICE))
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


def _kwh_words(estimate: Estimate) -> str:
    if estimate.kwh is None:
        return ""
    low, high = f"{estimate.kwh.low:.2f}", f"{estimate.kwh.high:.2f}"
    return f"{high} kWh" if low == high else f"{low}-{high} kWh"


def _verdict(estimate: Estimate) -> Html:
    tone, sign = TONES[estimate.verdict]
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


def _foot(estimate: Estimate) -> Html:
    assumed = element(
        "details",
        element("summary", PromiseText.ASSUMED),
        element("ul", each(element("li", line) for line in estimate.assumed)),
        id="promise-assumed",
    )
    return element(
        "div",
        element("p", PromiseText.PROVENANCE[estimate.provenance], class_="quiet"),
        assumed if estimate.assumed else None,
        class_="promise-foot",
    )
