"""How an attempt ended: from what it left behind to the one fact that the lifecycle takes.

The worker's last event, the shim's exit file, the stop request and the sealed checkpoints may each
be missing after a kill, so they are weighed here in one place. "Succeeded" needs the worker's
proof; it is never concluded from an exit code. The supervisor calls it once nothing of the attempt
is left alive.
"""

import json
import os
from pathlib import Path

from pydantic import ValidationError

from tailor.engine.diagnose import Diagnosis, Signs, diagnose
from tailor.engine.events import Ended
from tailor.engine.json_file import read_json
from tailor.engine.lifecycle import Failed, SentBack, Stopped, Succeeded
from tailor.engine.run_dir import (
    EXIT_BUSY,
    EXIT_NOT_STARTED,
    EXIT_STOPPED_SAVED,
    EXIT_STOPPED_UNSAVED,
    AttemptDir,
    Crash,
    Exit,
    RunDir,
)
from tailor.engine.runs.checkpoint import newest_checkpoint
from tailor.engine.runs.reading import Reading
from tailor.engine.runs.stop_deadline import read_stop
from tailor.engine.types import Result, RunRecord

LOG_TAIL_BYTES = 16 << 10

Outcome = Succeeded | Stopped | Failed | SentBack


def conclude(record: RunRecord, reading: Reading, at: float) -> Outcome:
    """The fact with which the current attempt of `record` is over."""
    run_dir = RunDir(Path(record.folder))
    attempt = run_dir.attempt(record.attempt)
    ending = read_exit(attempt)
    code = ending.code if ending is not None else None
    told = reading.ended if reading.attempt == record.attempt else None
    if code == EXIT_BUSY and record.status in ("leasing", "starting"):
        words = "What it needs was still in use, so it waits for its turn again."
        return SentBack(at=at, words=words)
    if code == EXIT_NOT_STARTED:
        return _not_started(record, at)
    if told is not None and told.outcome == "succeeded":
        result = _result(record, reading, at)
        return _unproven(run_dir, at) if result is None else Succeeded(at=at, result=result)
    if _was_stopped(run_dir, attempt, code, told):
        return _stopped(run_dir, reading, at)
    return _unproven(run_dir, at) if code == 0 else _failed(run_dir, attempt, reading, ending, at)


def _was_stopped(
    run_dir: RunDir, attempt: AttemptDir, code: int | None, told: Ended | None
) -> bool:
    """Whether somebody wanted it to end; an error of its own on the way there is a failure."""
    if code in (EXIT_STOPPED_SAVED, EXIT_STOPPED_UNSAVED):
        return True
    if told is not None and told.outcome == "stopped":
        return True
    return read_stop(run_dir) is not None and not attempt.crash.exists()


def read_exit(attempt: AttemptDir) -> Exit | None:
    """`exit.json`, None while it is not there."""
    try:
        return read_json(attempt.exit, Exit)
    except FileNotFoundError:
        return None


def _result(record: RunRecord, reading: Reading, at: float) -> Result | None:
    """What was proven; None without a proof or without the model that it speaks of."""
    proof, measured = reading.proof, reading.measured
    final = RunDir(Path(record.folder)).final
    if proof is None or not final.is_dir():
        return None
    began = record.started_at or record.created_at
    return Result(
        score_before=proof.score_before,
        score_after=proof.score_after,
        held_out_before=proof.held_out_before,
        held_out_after=proof.held_out_after,
        answers_changed=proof.answers_changed,
        answers=proof.answers,
        seconds=measured.seconds if measured is not None else max(0.0, at - began),
        peak_bytes=measured.peak_bytes if measured is not None else reading.peak_bytes,
        folder=str(final),
    )


def _not_started(record: RunRecord, at: float) -> Failed:
    return Failed(
        at=at,
        failure="start",
        words="The training could not be started on this computer. Nothing was changed.",
        fix="Run python app.py doctor to see what is missing, then try again.",
        is_resumable=record.is_resumable,
    )


def _unproven(run_dir: RunDir, at: float) -> Failed:
    checkpoint = newest_checkpoint(run_dir)
    return Failed(
        at=at,
        failure="no_proof",
        words="The training ended, but its model was not proven to work, so it does not count.",
        fix=_resume_words(checkpoint.step if checkpoint is not None else None),
        is_resumable=checkpoint is not None,
    )


def is_discarded(run_dir: RunDir) -> bool:
    """Whether somebody asked to stop and to keep nothing."""
    request = read_stop(run_dir)
    return request is not None and request.mode == "discard"


def _stopped(run_dir: RunDir, reading: Reading, at: float) -> Stopped:
    if is_discarded(run_dir):
        return Stopped(
            at=at,
            words=f"It was stopped at step {reading.step}, and what it had learned was discarded.",
            fix="Start it again from its plan; your data and settings are kept.",
            is_resumable=False,
        )
    checkpoint = newest_checkpoint(run_dir)
    if checkpoint is None:
        when = f"at step {reading.step}" if reading.step else "before its first step"
        return Stopped(
            at=at,
            words=f"It was stopped {when}, so nothing was saved yet.",
            fix="Start it again from its plan; your data and settings are kept.",
            is_resumable=False,
        )
    lost = reading.step - checkpoint.step
    if lost <= 0:
        words = f"It was stopped at step {checkpoint.step}, and everything up to there is saved."
    else:
        words = (
            f"It was stopped at step {reading.step}. Everything up to step {checkpoint.step} is "
            f"saved; the last {_steps(lost)} {'was' if lost == 1 else 'were'} not."
        )
    return Stopped(at=at, words=words, fix=_resume_words(checkpoint.step), is_resumable=True)


def _failed(
    run_dir: RunDir, attempt: AttemptDir, reading: Reading, ending: Exit | None, at: float
) -> Failed:
    diagnosis = diagnose(
        Signs(
            crash=_read_crash(attempt),
            code=ending.code if ending is not None else None,
            memory_kills=ending.out_of_memory_kills if ending is not None else 0,
            log_tail=_read_tail(attempt.log),
        )
    )
    checkpoint = newest_checkpoint(run_dir)
    step = checkpoint.step if checkpoint is not None else None
    return Failed(
        at=at,
        failure=diagnosis.failure,
        words=f"{diagnosis.words} {_kept_words(reading.step, step)}",
        fix=_join_fix(diagnosis, step),
        is_resumable=step is not None,
    )


def _kept_words(step: int, saved: int | None) -> str:
    """What was kept, as the sentence after what happened."""
    if saved is None:
        return "Nothing was saved yet; your data is unchanged."
    lost = step - saved
    if lost <= 0:
        return f"Everything up to step {saved} is saved."
    return f"It had reached step {step}; everything up to step {saved} is saved."


def _join_fix(diagnosis: Diagnosis, saved: int | None) -> str:
    return " ".join(part for part in (diagnosis.fix, _resume_words(saved)) if part)


def _resume_words(saved: int | None) -> str:
    return "Start it again from its plan." if saved is None else f"Resume from step {saved}."


def _steps(count: int) -> str:
    return "step" if count == 1 else f"{count} steps"


def _read_crash(attempt: AttemptDir) -> Crash | None:
    try:
        return read_json(attempt.crash, Crash)
    except FileNotFoundError:
        return None
    except (ValidationError, json.JSONDecodeError):
        # A half-written error file is a sign of a crash too; its log says more.
        return None


def _read_tail(path: Path) -> str:
    try:
        with path.open("rb") as file:
            length = os.fstat(file.fileno()).st_size
            file.seek(max(0, length - LOG_TAIL_BYTES))
            return file.read().decode("utf-8", "replace")
    except FileNotFoundError:
        return ""
