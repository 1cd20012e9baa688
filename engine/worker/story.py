"""The story of one attempt, in order: load, prepare, train, prove, finish.

Each chapter is a function of its own file; here they are put one behind the other. Called by the
worker's main, which knows what to do when a chapter ends badly.
"""

import shutil
from pathlib import Path
from typing import Any, Literal

import torch

from tailor.engine.events import Measured, Milestone, Proof, Warned
from tailor.engine.json_file import flush_folder
from tailor.engine.run_dir import (
    EXIT_DONE,
    EXIT_STOPPED_SAVED,
    EXIT_STOPPED_UNSAVED,
    Attempt,
    RunDir,
    StopRequest,
)
from tailor.engine.types import FrozenRun
from tailor.engine.worker.added_words import add_words
from tailor.engine.worker.build import build_model, load_weights
from tailor.engine.worker.endings import read_end_ids
from tailor.engine.worker.evaluation import Evaluation, Judgement, read_baseline
from tailor.engine.worker.event_log import EventLog
from tailor.engine.worker.exam import Exam, ExamResult
from tailor.engine.worker.examples import Examples, build_examples
from tailor.engine.worker.final import save_finished
from tailor.engine.worker.heartbeat import Pulse
from tailor.engine.worker.memory import read_allocated_bytes, read_peak_bytes
from tailor.engine.worker.proof import Difference, forget_models, prove, read_probe
from tailor.engine.worker.rows import read_checked_rows
from tailor.engine.worker.seal import clear_staging, flush_tree, require_checkpoint, set_newer_aside
from tailor.engine.worker.standing import Standing, read_standing
from tailor.engine.worker.template import load_tokenizer
from tailor.engine.worker.training import Lesson, compute_epoch, train
from tailor.estimator.record import record


@record
class Ending:
    """How an attempt ended well."""

    outcome: Literal["succeeded", "stopped"]
    step: int
    words: str
    exit_code: int


def run_attempt(
    run_dir: RunDir,
    run: FrozenRun,
    attempt: Attempt,
    *,
    log: EventLog,
    pulse: Pulse,
    begun: float,
) -> Ending:
    """All of it. Raises when it cannot be done."""
    if attempt.threads:
        torch.set_num_threads(attempt.threads)
    try:
        return _tell(run_dir, run, attempt, log=log, pulse=pulse, begun=begun)
    finally:
        # Half a checkpoint is of no use to anybody, and on a full disk it is in the way.
        clear_staging(run_dir)


def _tell(
    run_dir: RunDir,
    run: FrozenRun,
    attempt: Attempt,
    *,
    log: EventLog,
    pulse: Pulse,
    begun: float,
) -> Ending:
    standing = _take_up(run_dir, attempt)
    lesson = _prepare(run_dir, run, attempt, standing=standing, log=log, pulse=pulse, begun=begun)
    model = build_model(run.plan, Path(run.spec.model.path), run.spec.seed, lesson.added)
    baseline = read_baseline(lesson.evaluation.exam, log) or _examine_untouched(lesson, model)
    step, request = _train(lesson, model)
    if request is not None:
        return _stopped(step, request)
    return _finish(lesson, model, baseline, step)


def _take_up(run_dir: RunDir, attempt: Attempt) -> Standing:
    """Verify what is resumed from, and clear away what must not be."""
    clear_staging(run_dir)
    if not attempt.resume_from:
        set_newer_aside(run_dir, step=0)
        return Standing()
    folder = run_dir.checkpoints / attempt.resume_from
    require_checkpoint(folder, run_dir.id)
    set_newer_aside(run_dir, _step_of(attempt))
    return read_standing(folder)


def _prepare(
    run_dir: RunDir,
    run: FrozenRun,
    attempt: Attempt,
    *,
    standing: Standing,
    log: EventLog,
    pulse: Pulse,
    begun: float,
) -> Lesson:
    """Rows as tokens, and everything that will be asked of the model."""
    plan, base, dataset = run.plan, Path(run.spec.model.path), run.spec.dataset
    pulse.enter("prepare", f"Reading your {dataset.train_rows:,} training rows.")
    tokenizer = load_tokenizer(base)
    added = add_words(tokenizer, run.spec.added_words)
    examples = build_examples(tokenizer, read_checked_rows(dataset), plan.max_length_tokens)
    _tell_cuts(log, examples, plan.max_length_tokens)
    exam = Exam(run.spec, tokenizer, read_end_ids(tokenizer, base), plan.max_new_tokens, log)
    evaluation = Evaluation(
        plan,
        examples.held_out,
        exam,
        padding=tokenizer.pad_token_id,
        log=log,
        pulse=pulse,
        epoch_of=lambda step: compute_epoch(len(examples.train), dict(plan.training), step),
    )
    return Lesson(
        run_dir=run_dir,
        run=run,
        attempt=attempt,
        log=log,
        pulse=pulse,
        tokenizer=tokenizer,
        added=added,
        examples=examples,
        evaluation=evaluation,
        standing=standing,
        begun=begun,
        seconds_before=standing.seconds,
    )


def _examine_untouched(lesson: Lesson, model: Any) -> Judgement:
    """What the model can do before it learns anything."""
    baseline = lesson.evaluation.sit(model, step=0)
    if any(question.expected for question in lesson.evaluation.exam.questions):
        lesson.log.tell(
            Milestone,
            name="before",
            words=f"Before training the model reaches {baseline.score:.0f} of 100 points in your "
            "exam.",
        )
    return baseline


def _train(lesson: Lesson, model: Any) -> tuple[int, StopRequest | None]:
    """Train, unless an earlier attempt has finished that and only the proof is missing."""
    resume_from = lesson.attempt.resume_from
    if lesson.standing.is_finished:
        load_weights(model, lesson.run_dir.checkpoints / resume_from)
        return _step_of(lesson.attempt), None
    if resume_from:
        words = f"Going on from step {_step_of(lesson.attempt)}."
        lesson.log.tell(Milestone, name="resumed", words=words)
    return train(lesson, model)


def _stopped(step: int, request: StopRequest) -> Ending:
    if request.mode == "keep":
        words = f"Stopped after step {step}; everything up to it is saved."
        return Ending(outcome="stopped", step=step, words=words, exit_code=EXIT_STOPPED_SAVED)
    words = f"Stopped after step {step} without saving."
    return Ending(outcome="stopped", step=step, words=words, exit_code=EXIT_STOPPED_UNSAVED)


def _finish(lesson: Lesson, model: Any, baseline: Judgement, step: int) -> Ending:
    """Keep the best version, save it, prove it from disk, and only then call it finished."""
    plan, base = lesson.run.plan, Path(lesson.run.spec.model.path)
    kept = lesson.standing.best_step or step
    lesson.pulse.enter("prove", "Saving the model and loading it again to compare.")
    if kept != step:
        load_weights(model, lesson.run_dir.checkpoint(kept))
    saved = lesson.run_dir.path / "final.tmp"
    save_finished(
        model,
        lesson.tokenizer,
        saved,
        base=base,
        base_name=lesson.run.spec.model.name,
        end_ids=read_end_ids(lesson.tokenizer, base),
        has_added_words=bool(lesson.added),
    )
    probes = lesson.examples.held_out or lesson.examples.train
    in_memory = read_probe(model, plan, probes)
    _let_go(model)
    difference, (loss, exam) = prove(
        plan,
        base,
        saved,
        in_memory=in_memory,
        examples=probes,
        ask=lambda reloaded: lesson.evaluation.measure(reloaded, kept),
        added=lesson.added,
    )
    _tell_result(lesson, baseline, difference, loss, exam)
    lesson.pulse.enter("finish", "Putting the finished model in its place.")
    _put_in_place(saved, lesson.run_dir.final)
    words = f"Finished and proven; the version of step {kept} is kept."
    return Ending(outcome="succeeded", step=kept, words=words, exit_code=EXIT_DONE)


def _tell_result(
    lesson: Lesson,
    before: Judgement,
    difference: Difference,
    loss: float | None,
    exam: ExamResult,
) -> None:
    lesson.log.tell(
        Measured,
        peak_bytes=read_peak_bytes(lesson.run.plan.device),
        seconds=lesson.seconds,
        train_seconds=lesson.standing.train_seconds,
        tokens=lesson.standing.tokens,
        allocated_bytes=read_allocated_bytes(lesson.run.plan.device),
    )
    answers = dict(before.answers)
    lesson.log.tell(
        Proof,
        answers_changed=sum(answers.get(question) != text for question, text in exam.answers),
        answers=len(exam.answers),
        max_difference_from_memory=difference.from_memory,
        max_difference_from_base=difference.from_base,
        score_before=before.score,
        score_after=exam.score,
        held_out_before=before.held_out_loss,
        held_out_after=loss,
    )


def _let_go(model: Any) -> None:
    """Free the trained model before it is loaded again, for both may not fit.

    References to it live on in frames and in the trainer, so its weights are dropped instead.
    """
    for parameter in model.parameters():
        parameter.data = parameter.data.new_empty(0)
    forget_models()


def _put_in_place(saved: Path, final: Path) -> None:
    flush_tree(saved)
    if final.exists():
        shutil.rmtree(final)  # of an attempt that died right after this step
    saved.rename(final)
    flush_folder(final.parent)


def _step_of(attempt: Attempt) -> int:
    return int(attempt.resume_from.removeprefix("step-"))


def _tell_cuts(log: EventLog, examples: Examples, max_length: int) -> None:
    if not examples.cut_rows and not examples.left_out_rows:
        return
    log.tell(
        Warned,
        title="Some rows are longer than the limit",
        detail=f"{examples.cut_rows:,} rows are read up to {max_length:,} tokens only, and "
        f"{examples.left_out_rows:,} are left out because no answer of theirs is whole by then.",
        fix="Shorten them, or allow longer rows on the Plan page.",
    )
