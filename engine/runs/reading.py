"""What the engine has read from a run's events so far, and how far the run is by it.

Events are read once, in order; this noun is everything that is kept of them besides the diary. It
is stored together with the byte offset in one transaction, so a killed engine goes on exactly where
it was. `fold_event` is pure; `progress.compute_progress` turns a reading into what a page shows.
"""

import math
from dataclasses import replace

from tailor.engine.events import (
    Checkpoint,
    Ended,
    Event,
    Heartbeat,
    Measured,
    Metric,
    Milestone,
    Phase,
    Proof,
    Sample,
    Warned,
)
from tailor.estimator.record import record

KEPT_STEPS = 60
"""Logged training steps whose times are kept: enough for a recent speed, small enough to store."""


@record
class StepTime:
    """When a logged training step ended, by CLOCK_MONOTONIC."""

    step: int
    mono: float
    seconds: float = 0.0
    """The step alone, without what came between steps; 0 where the worker did not tell."""
    tokens: float = 0.0
    """Tokens of the step, padding included; 0 where the worker did not tell."""


@record
class Reading:
    """Everything kept of the events up to `offset`."""

    offset: int = 0
    """Byte of `events.jsonl` at which the next unread line begins."""
    seq: int = 0
    attempt: int = 0
    """Attempt of the newest event; times and outcome below are of this attempt alone."""
    began_mono: float | None = None
    train_mono: float | None = None
    """When its training phase began."""
    now_mono: float = 0.0
    """Stamp of the newest event."""
    phase: str = ""
    words: str = ""
    step: int = 0
    first_step: StepTime | None = None
    step_times: tuple[StepTime, ...] = ()
    longest_step_seconds: float = 0.0
    beside_seconds: float = 0.0
    """Evaluations, exams and saves between the steps of this attempt, all together."""
    checkpoint_seconds: float = 0.0
    checkpoint_step: int | None = None
    """Step of the newest sealed checkpoint, over all attempts."""
    loss_train: float | None = None
    loss_held_out: float | None = None
    best_loss: float | None = None
    best_step: int | None = None
    tokens_per_second: float | None = None
    resident_bytes: int | None = None
    peak_bytes: int = 0
    proof: Proof | None = None
    measured: Measured | None = None
    ended: Ended | None = None


def fold_event(reading: Reading, event: Event) -> Reading:
    """The reading after one more event."""
    stamp = event.stamp
    if stamp.attempt < reading.attempt:
        # A late line of a worker that was given up: its attempt is over.
        return reading
    if stamp.attempt > reading.attempt:
        reading = _next_attempt(reading, stamp.attempt)
    reading = replace(
        reading,
        seq=max(reading.seq, stamp.seq),
        now_mono=stamp.mono,
        began_mono=stamp.mono if reading.began_mono is None else reading.began_mono,
    )
    match event:
        case Phase():
            reading = _fold_phase(reading, event)
        case Metric():
            reading = _fold_metric(reading, event)
        case Checkpoint():
            seconds = max(reading.checkpoint_seconds, event.seconds)
            reading = replace(reading, checkpoint_step=event.step, checkpoint_seconds=seconds)
        case Heartbeat():
            used_bytes = event.device_bytes or event.resident_bytes
            reading = replace(
                reading,
                resident_bytes=event.resident_bytes,
                peak_bytes=max(reading.peak_bytes, used_bytes),
                step=max(reading.step, event.step),
            )
        case Proof():
            reading = replace(reading, proof=event)
        case Measured():
            reading = replace(reading, measured=event)
        case Ended():
            reading = replace(reading, ended=event)
        case Sample() | Milestone() | Warned():
            # They go to the diary or to the page as they are.
            pass
    return reading


def _next_attempt(reading: Reading, attempt: int) -> Reading:
    """Forget what belongs to one attempt: another process, perhaps after a reboot."""
    return replace(
        reading,
        attempt=attempt,
        began_mono=None,
        train_mono=None,
        first_step=None,
        step_times=(),
        beside_seconds=0.0,
        proof=None,
        measured=None,
        ended=None,
        # A resumed attempt begins at its checkpoint, below the last step of the one that died.
        step=reading.checkpoint_step or 0,
    )


def _fold_phase(reading: Reading, event: Phase) -> Reading:
    train_mono = event.stamp.mono if event.name == "train" else reading.train_mono
    return replace(reading, phase=event.name, words=event.words, train_mono=train_mono)


def _fold_metric(reading: Reading, event: Metric) -> Reading:
    values = dict(event.values)
    if "loss/train" in values:
        reading = _fold_step(reading, event)
    held_out = values.get("loss/held_out", reading.loss_held_out)
    is_best = (
        "loss/held_out" in values
        and held_out is not None
        and math.isfinite(held_out)
        and (reading.best_loss is None or held_out < reading.best_loss)
    )
    resident = values.get("memory/resident_bytes")
    used = values.get("memory/device_bytes") or resident or 0.0
    return replace(
        reading,
        loss_train=values.get("loss/train", reading.loss_train),
        loss_held_out=held_out,
        best_loss=held_out if is_best else reading.best_loss,
        best_step=event.step if is_best else reading.best_step,
        tokens_per_second=values.get("tokens_per_second", reading.tokens_per_second),
        resident_bytes=reading.resident_bytes if resident is None else int(resident),
        peak_bytes=max(reading.peak_bytes, int(used)),
    )


def _fold_step(reading: Reading, event: Metric) -> Reading:
    """Time of a training step: the gap to the one before, shared among the steps between."""
    told = dict(event.values)
    seconds = told.get("step_seconds", 0.0)
    here = StepTime(
        step=event.step,
        mono=event.stamp.mono,
        seconds=seconds,
        tokens=seconds * told.get("tokens_per_second", 0.0),
    )
    before = reading.step_times[-1] if reading.step_times else None
    longest, beside = reading.longest_step_seconds, reading.beside_seconds
    if before is not None and here.step > before.step:
        steps, passed = here.step - before.step, here.mono - before.mono
        longest = max(longest, passed / steps)
        beside += max(0.0, passed - steps * seconds) if seconds else 0.0
    return replace(
        reading,
        step=event.step,
        first_step=reading.first_step or here,
        step_times=(*reading.step_times, here)[-KEPT_STEPS:],
        longest_step_seconds=longest,
        beside_seconds=beside,
    )
