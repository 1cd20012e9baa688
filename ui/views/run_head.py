"""The head of the Run screen as markup: status, progress, phases with their times, figures. Pure.

Drawn anew at every tick, so it holds nothing that a person can open, focus or select a word in.
"""

from tailor.engine.events import Phase
from tailor.engine.types import FINAL, RunRecord
from tailor.ui.text_run import RunText
from tailor.ui.views.estimate_card import figure
from tailor.ui.views.html import Html, each, element
from tailor.ui.views.icons import IconName, icon
from tailor.ui.views.quantities import (
    bytes_range_words,
    bytes_words,
    count_words,
    duration_words,
    percent_words,
)
from tailor.ui.views.run_status import RunStatus, Tone, time_left_words

SIGNS: dict[Tone, IconName] = {
    "quiet": "clock",
    "thread": "thread",
    "good": "check",
    "care": "care",
    "stop": "stop",
}
WORDS_A_TOKEN = 0.75
"""English words in a token, the usual rule of thumb; shown beside the exact figure."""


def run_head(run: RunRecord, status: RunStatus, phases: tuple[Phase, ...], *, now: float) -> Html:
    """Status card and the row of figures."""
    return element(
        "div",
        element("p", _of(run), class_="run-of"),
        element(
            "p",
            icon(SIGNS[status.tone]),
            element("span", status.word, role="status"),
            class_=f"status-word {status.tone}",
        ),
        element("p", status.sentence, class_="status-sentence"),
        element("p", status.detail, class_="quiet") if status.detail else None,
        element("p", status.fix, class_="fix") if status.fix else None,
        _bar(status),
        _phases(run, phases, now),
        element("dl", _figures(run, now), class_="measures"),
        class_="run-head",
    )


def _of(run: RunRecord) -> str:
    return RunText.OF.format(title=run.title, model=run.spec.model.name)


def _bar(status: RunStatus) -> Html | None:
    if not status.is_live and status.share is None:
        return None
    share = status.share
    fill = "bar-fill" if share is not None else "bar-fill unknown"
    return element(
        "div",
        element("span", class_=fill, style=f"width:{100 if share is None else share * 100:.1f}%"),
        class_="progress-bar",
        role="progressbar",
        aria_label=RunText.FIGURE_STEP,
        aria_valuemin="0",
        aria_valuemax="100",
        aria_valuenow=None if share is None else str(round(share * 100)),
    )


def _phases(run: RunRecord, phases: tuple[Phase, ...], now: float) -> Html:
    """The parts of the newest attempt; the current one counts up.

    A resumed attempt leaves out what an earlier one has done, such as the rehearsal: that is done.
    """
    attempt = max((phase.stamp.attempt for phase in phases), default=0)
    mine = [phase for phase in phases if phase.stamp.attempt == attempt]
    begun: dict[str, float] = {phase.name: phase.stamp.at for phase in mine}
    ends = [phase.stamp.at for phase in mine[1:]] + [run.ended_at or now]
    seconds: dict[str, float] = {
        phase.name: max(0.0, end - phase.stamp.at) for phase, end in zip(mine, ends, strict=False)
    }
    is_over = run.status in FINAL
    current = mine[-1].name if mine and not is_over else ""
    order = list(RunText.PHASES)
    passed = order[: max((order.index(name) for name in begun if name in order), default=0)]
    done = begun.keys() | ({phase.name for phase in phases} & set(passed))
    return element(
        "ol",
        each(
            _phase(title, name in done, seconds.get(name, 0.0), name == current)
            for name, title in RunText.PHASES.items()
        ),
        class_="phases",
        aria_label=RunText.PHASES_LABEL,
    )


def _phase(title: str, is_done: bool, seconds: float, is_current: bool) -> Html:
    state = "now" if is_current else "done" if is_done else "later"
    time_words = duration_words(seconds) if seconds >= 1 else ""
    return element(
        "li",
        icon("check") if state == "done" else element("span", class_="dot"),
        element("span", title),
        element("span", time_words, class_="figure") if time_words else None,
        class_=state,
        aria_current="step" if is_current else None,
    )


def _figures(run: RunRecord, now: float) -> Html:
    return each([_time(run, now), _steps(run), _memory(run), _speed(run)])


def _time(run: RunRecord, now: float) -> Html:
    spent = (run.ended_at or now) - run.started_at if run.started_at is not None else 0.0
    if run.result is not None:
        spent = run.result.seconds  # the sentence above says the same, breaks left out
    so_far = duration_words(spent) if spent >= 1 else RunText.UNKNOWN
    if run.status in FINAL or run.status == "stopping":
        return _figure(RunText.FIGURE_TIME_SPENT, so_far)
    note = f"{RunText.FIGURE_TIME_SPENT}: {so_far}" if spent >= 1 else ""
    return _figure(RunText.FIGURE_TIME_LEFT, time_left_words(run), note)


def _steps(run: RunRecord) -> Html:
    progress = run.progress
    if not progress.steps:
        return _figure(RunText.FIGURE_STEP, RunText.UNKNOWN)
    value = RunText.FIGURE_STEP_VALUE.format(
        step=count_words(progress.step), steps=count_words(progress.steps)
    )
    percent = percent_words(min(1.0, progress.step / progress.steps))
    return figure(RunText.FIGURE_STEP, value, RunText.FIGURE_STEP_NOTE.format(percent=percent))


def _memory(run: RunRecord) -> Html:
    memory = run.estimate.memory_bytes
    note = RunText.FIGURE_MEMORY_NOTE.format(low_high=bytes_range_words(memory.low, memory.high))
    if run.result is not None:
        return figure(RunText.FIGURE_PEAK, bytes_words(run.result.peak_bytes), note)
    used = run.progress.resident_bytes
    return _figure(RunText.FIGURE_MEMORY, bytes_words(used) if used else RunText.UNKNOWN, note)


def _speed(run: RunRecord) -> Html:
    speed = run.progress.tokens_per_second
    if not speed:
        return _figure(RunText.FIGURE_SPEED, RunText.UNKNOWN)
    value = RunText.FIGURE_SPEED_VALUE.format(words=count_words(speed * WORDS_A_TOKEN))
    note = RunText.FIGURE_SPEED_NOTE.format(tokens=count_words(speed))
    return figure(RunText.FIGURE_SPEED, value, note)


def _figure(name: str, value: str, note: str = "") -> Html:
    return figure(name, value, note, is_known=value != RunText.UNKNOWN)
