"""The training itself: order of the rows, callbacks, trainer, and where to go on.

It joins what the other files of this folder make; the method's own file holds the trainer. Called
by the story, once an attempt.
"""

import importlib
import time
from dataclasses import dataclass
from typing import Any

from tailor.engine.events import Warned
from tailor.engine.run_dir import Attempt, RunDir, StopRequest
from tailor.engine.types import FrozenRun
from tailor.engine.worker.added_words import AddedWord
from tailor.engine.worker.batch_order import compute_order, padded_tokens, split_batches
from tailor.engine.worker.build import precision_context
from tailor.engine.worker.callbacks import (
    ControlCallback,
    EvaluateCallback,
    SealCallback,
    TellCallback,
)
from tailor.engine.worker.evaluation import Evaluation
from tailor.engine.worker.event_log import EventLog
from tailor.engine.worker.examples import Examples
from tailor.engine.worker.heartbeat import Pulse
from tailor.engine.worker.loss import pad_batch
from tailor.engine.worker.packing import keeps_rows_apart, pack_batch, packed_tokens
from tailor.engine.worker.recompute import can_recompute
from tailor.engine.worker.rehearsal import RehearseCallback
from tailor.engine.worker.standing import Standing


@dataclass(frozen=True)
class Lesson:
    """All that one attempt works with, from its start to its end."""

    run_dir: RunDir
    run: FrozenRun
    attempt: Attempt
    log: EventLog
    pulse: Pulse
    tokenizer: Any
    added: tuple[AddedWord, ...]
    """Words that are tokens of their own in this run."""
    examples: Examples
    evaluation: Evaluation
    standing: Standing
    begun: float
    """`time.monotonic()` of the worker's start."""
    seconds_before: float
    """Seconds of earlier attempts, as far as they counted."""

    @property
    def seconds(self) -> float:
        """Seconds of the whole run so far."""
        return self.seconds_before + time.monotonic() - self.begun


def train(lesson: Lesson, model: Any) -> tuple[int, StopRequest | None]:
    """Train to the end, to an early end or to a stop; the step reached, and what was asked."""
    plan = lesson.run.plan
    batches, lengths = plan_batches(lesson)
    packs = _may_pack(lesson, model)
    _tell_recomputed(lesson, model)
    sealer = _sealer(lesson)
    control = ControlCallback(lesson.run_dir, sealer)
    rehearse = _rehearser(lesson, batches, lengths, packs=packs)
    teller = _teller(lesson, batches, lengths, packs=packs)
    evaluator = EvaluateCallback(
        lesson.evaluation,
        lesson.standing,
        sealer,
        lesson.log,
        every_steps=plan.evaluate_every_steps,
        patience=plan.patience_evaluations if lesson.examples.held_out else 0,
        is_asked_to_stop=lambda: control.request is not None,
    )
    method = importlib.import_module(f"tailor.engine.worker.methods.{plan.method}")
    trainer = method.make_trainer(
        plan,
        model,
        lesson.tokenizer,
        examples=lesson.examples.train,
        order=[place for batch in batches for place in batch],
        callbacks=[rehearse, teller, control, evaluator, sealer],
        folder=lesson.run_dir.staging(lesson.attempt.number),
        seed=lesson.run.spec.seed,
        packs=packs,
    )
    rehearse.trainer = trainer
    resume_from = lesson.attempt.resume_from
    checkpoint = str(lesson.run_dir.checkpoints / resume_from) if resume_from else None
    trainer.train(resume_from_checkpoint=checkpoint)
    return trainer.state.global_step, control.request


def plan_batches(lesson: Lesson) -> tuple[list[list[int]], list[int]]:
    """Every micro-batch of the run in order, and the rows' lengths."""
    plan = lesson.run.plan
    arguments = dict(plan.training)
    micro_batch_rows = int(arguments.get("per_device_train_batch_size", 8))
    lengths = [len(example.input_ids) for example in lesson.examples.train]
    order = compute_order(
        lengths,
        steps=plan.steps,
        micro_batch_rows=micro_batch_rows,
        accumulation=int(arguments.get("gradient_accumulation_steps", 1)),
        seed=lesson.run.spec.seed,
    )
    return split_batches(order, micro_batch_rows), lengths


def compute_epoch(lesson_rows: int, training: dict[str, Any], step: int) -> float:
    """How many times all rows have been seen after `step` steps."""
    rows = int(training.get("per_device_train_batch_size", 8))
    return step * rows * int(training.get("gradient_accumulation_steps", 1)) / lesson_rows


def _may_pack(lesson: Lesson, model: Any) -> bool:
    """Whether the plan packs rows and this very model keeps packed rows apart."""
    if not dict(lesson.run.plan.training).get("packing"):
        return False
    with precision_context(lesson.run.plan):
        is_apart = keeps_rows_apart(model, lesson.run.spec.model.architecture.vocabulary)
    if not is_apart:
        lesson.log.tell(
            Warned,
            title="Rows are filled up instead of packed",
            detail="The plan packs short rows behind each other, and a trial with this model "
            "showed that they would hear of each other.",
            fix="Nothing to do. The result is the same and training takes a little longer.",
        )
    return is_apart


def _tell_recomputed(lesson: Lesson, model: Any) -> None:
    """A plan that leaves some layers alone needs a model whose layers can be told apart."""
    if not can_recompute(model, lesson.run.plan):
        lesson.log.tell(
            Warned,
            title="Every layer is computed twice",
            detail="The plan would leave some alone, and the layers of this model can only be "
            "switched together.",
            fix="Nothing to do. The result is the same and training takes longer than planned.",
        )


def _sealer(lesson: Lesson) -> SealCallback:
    return SealCallback(
        lesson.run_dir,
        lesson.attempt.number,
        lesson.standing,
        lesson.log,
        lesson.pulse,
        every_seconds=lesson.run.plan.save_every_seconds,
        seconds_now=lambda: lesson.seconds,
    )


def _rehearser(
    lesson: Lesson, batches: list[list[int]], lengths: list[int], *, packs: bool
) -> RehearseCallback:
    count_tokens = packed_tokens if packs else padded_tokens
    longest = max(batches, key=lambda places: count_tokens(lengths, places))
    rows = [lesson.examples.train[place] for place in longest]
    make = pack_batch if packs else pad_batch
    return RehearseCallback(
        lambda device: make(rows, lesson.tokenizer.pad_token_id, device),
        lesson.run.spec.seed,
        lesson.pulse,
    )


def _teller(
    lesson: Lesson, batches: list[list[int]], lengths: list[int], *, packs: bool
) -> TellCallback:
    plan = lesson.run.plan
    arguments = dict(plan.training)
    accumulation = int(arguments.get("gradient_accumulation_steps", 1))
    count_tokens = packed_tokens if packs else padded_tokens

    def tokens_of(step: int) -> int:
        of_step = batches[(step - 1) * accumulation : step * accumulation]
        return sum(count_tokens(lengths, places) for places in of_step)

    return TellCallback(
        lesson.log,
        lesson.pulse,
        lesson.standing,
        device=plan.device,
        training_mark=lesson.run_dir.attempt(lesson.attempt.number).training,
        epoch_of=lambda step: compute_epoch(len(lengths), arguments, step),
        tokens_of=tokens_of,
    )
