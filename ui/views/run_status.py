"""What a run is doing, as one sentence, its figures, and which buttons make sense. Pure.

The engine tells a status and numbers; a person wants to know whether anything is needed and when it
is done. The Run screen shows this at every tick.
"""

from typing import Literal

from tailor.engine.types import FINAL, RunRecord, Status
from tailor.estimator.record import record
from tailor.ui.text_run import RunText, StatusText
from tailor.ui.views.quantities import (
    bytes_range_words,
    bytes_words,
    clock_range_words,
    count_words,
    duration_range_words,
    duration_words,
    place_words,
)

Button = Literal["finish", "discard", "cancel", "resume", "results"]
Tone = Literal["quiet", "thread", "good", "care", "stop"]

TONES: dict[Status, Tone] = {
    "queued": "quiet",
    "leasing": "quiet",
    "starting": "thread",
    "running": "thread",
    "stopping": "care",
    "finishing": "thread",
    "stopped": "care",
    "succeeded": "good",
    "failed": "stop",
    "retry_wait": "care",
    "lost": "stop",
}


@record
class RunStatus:
    """The head of the Run screen."""

    word: str
    """The status in one or two words."""
    sentence: str
    detail: str = ""
    """The engine's own reason, where it says more than the sentence."""
    fix: str = ""
    tone: Tone
    share: float | None
    """How much is done, 0 to 1; None when it cannot be known."""
    is_live: bool
    """Whether anything can still change by itself."""
    buttons: frozenset[Button]


def run_status(run: RunRecord, *, now: float) -> RunStatus:
    """Read one run."""
    sentence = _sentence(run, now)
    preparing = is_preparing(run)
    return RunStatus(
        word=StatusText.WORDS["starting" if preparing else run.status],
        sentence=sentence,
        detail=_detail(run, sentence),
        fix=run.fix,
        tone=TONES[run.status],
        share=_share(run),
        is_live=run.status not in FINAL,
        buttons=_buttons(run),
    )


def is_preparing(run: RunRecord) -> bool:
    """Whether the run has begun but learns nothing yet: loading, reading, rehearsing."""
    return run.status == "starting" or (
        run.status == "running" and run.progress.step == 0 and run.progress.phase != "train"
    )


def time_left_words(run: RunRecord) -> str:
    """ "8-14 minutes", or that it is not known yet."""
    low, high = run.progress.seconds_left_low, run.progress.seconds_left_high
    if low is None or high is None:
        return RunText.UNKNOWN
    return duration_range_words(low, high)


def what_is_lost(run: RunRecord, *, now: float) -> str:
    """The question that "Stop and discard" asks, naming what would be gone."""
    if run.progress.step == 0:
        return RunText.ASK_CANCEL
    spent = duration_words(now - (run.started_at or now))
    lost = RunText.LOST_STEPS.format(steps=count_words(run.progress.step), time=spent)
    return RunText.ASK_DISCARD.format(lost=lost)


def _sentence(run: RunRecord, now: float) -> str:
    match run.status:
        case "queued":
            return _queued(run)
        case "running":
            return _running(run, now)
        case "stopped":
            return _stopped(run)
        case "succeeded":
            return _succeeded(run)
        case "failed" | "retry_wait":
            fallback = StatusText.FAILED if run.status == "failed" else StatusText.RETRY_WAIT
            return run.reason or fallback
    return {
        "leasing": StatusText.LEASING,
        "starting": run.progress.words or StatusText.STARTING,
        "stopping": StatusText.STOPPING,
        "finishing": run.progress.words or StatusText.FINISHING,
        "lost": StatusText.LOST,
    }[run.status]


def _queued(run: RunRecord) -> str:
    if run.position is None or run.position <= 1:
        return StatusText.QUEUED_NEXT
    return StatusText.QUEUED.format(place=place_words(run.position))


def _running(run: RunRecord, now: float) -> str:
    progress = run.progress
    if not progress.steps or is_preparing(run):
        return progress.words or StatusText.STARTING
    step, steps = count_words(progress.step), count_words(progress.steps)
    low, high = progress.seconds_left_low, progress.seconds_left_high
    if low is None or high is None:
        return StatusText.RUNNING_SOON.format(step=step, steps=steps)
    when = clock_range_words(now + low, now + high, now=now)
    return StatusText.RUNNING.format(step=step, steps=steps, when=when)


def _stopped(run: RunRecord) -> str:
    if run.reason:
        return run.reason
    if not run.is_resumable:
        return StatusText.STOPPED_NOTHING
    return StatusText.STOPPED.format(step=count_words(run.progress.step))


def _succeeded(run: RunRecord) -> str:
    promised = run.estimate.seconds
    seconds = run.result.seconds if run.result else _spent(run)
    done = StatusText.SUCCEEDED.format(
        time=duration_words(seconds),
        estimated=duration_range_words(promised.low, promised.high),
    )
    if run.result is None:
        return done
    memory = run.estimate.memory_bytes
    used = StatusText.SUCCEEDED_MEMORY.format(
        peak=bytes_words(run.result.peak_bytes), needs=bytes_range_words(memory.low, memory.high)
    )
    return f"{done} {used}"


def _spent(run: RunRecord) -> float:
    if run.started_at is None or run.ended_at is None:
        return 0.0
    return run.ended_at - run.started_at


def _detail(run: RunRecord, sentence: str) -> str:
    """The reason, unless the sentence above says it already."""
    if run.status in ("running", "starting", "finishing", "succeeded", "leasing"):
        return ""
    return "" if run.reason == sentence else run.reason


def _share(run: RunRecord) -> float | None:
    if run.status == "succeeded":
        return 1.0
    if not run.progress.steps or run.status in ("queued", "leasing"):
        return None
    return min(1.0, run.progress.step / run.progress.steps)


def _buttons(run: RunRecord) -> frozenset[Button]:
    can: set[Button] = set()
    if run.status in ("queued", "leasing", "retry_wait") or is_preparing(run):
        can.add("cancel")
    elif run.status == "running":
        can.update(("finish", "discard"))
    if run.status in ("stopped", "failed") and run.is_resumable:
        can.add("resume")
    if run.status == "succeeded" or (run.status == "stopped" and run.is_resumable):
        can.add("results")
    return frozenset(can)
