"""What happens beside the training steps: telling numbers, obeying, examining, sealing.

The trainer of the method (TRL's) drives the steps; these callbacks make it a run of ours. They are
called in the order in which they stand here: tell, obey, examine, seal.
"""

import math
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from transformers import TrainerCallback

from tailor.engine.errors import UserError
from tailor.engine.events import Checkpoint, Metric, Milestone, Warned
from tailor.engine.json_file import read_json
from tailor.engine.run_dir import RunDir, StopRequest
from tailor.engine.worker.evaluation import Evaluation
from tailor.engine.worker.event_log import EventLog
from tailor.engine.worker.heartbeat import Pulse
from tailor.engine.worker.memory import read_device_bytes, read_resident_bytes
from tailor.engine.worker.seal import Why, drop_old_checkpoints, seal_checkpoint
from tailor.engine.worker.standing import Standing, save_standing

CONTROL_EVERY_SECONDS = 2.0
NOT_A_NUMBER_LIMIT = 3
"""Logs in a row without a finite loss after which a run ends: one may be chance, three are not."""
WHY_RANK: tuple[Why, ...] = ("periodic", "asked", "last", "best", "stop")
"""Of several reasons to save at one step the last one here is told."""


class TellCallback(TrainerCallback):
    """Numbers of each step, and the end of a run whose loss is not a number any more."""

    def __init__(
        self,
        log: EventLog,
        pulse: Pulse,
        standing: Standing,
        *,
        device: str,
        training_mark: Path,
        epoch_of: Callable[[int], float],
        tokens_of: Callable[[int], int],
    ) -> None:
        """`epoch_of` and `tokens_of` answer for a step that is done, counted from 1."""
        self._log = log
        self._pulse = pulse
        self._standing = standing
        self._device = device
        self._training_mark = training_mark
        self._epoch_of = epoch_of
        self._tokens_of = tokens_of
        self._not_a_number = 0
        self._begun = 0.0
        self._logged_tokens = 0
        self._logged_seconds = 0.0
        self._logged_steps = 0

    def on_train_begin(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        """The rehearsal is over."""
        left = state.max_steps - state.global_step
        self._pulse.enter("train", f"Training, {left:,} steps to go.")

    def on_step_begin(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        """Start the clock of a step: what happens between steps is not training time."""
        self._begun = time.monotonic()

    def on_step_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        """Stop it."""
        seconds, tokens = time.monotonic() - self._begun, self._tokens_of(state.global_step)
        self._standing.train_seconds += seconds
        self._standing.tokens += tokens
        self._logged_seconds += seconds
        self._logged_tokens += tokens
        self._logged_steps += 1
        self._pulse.progress(state.global_step)
        if not self._training_mark.exists():
            self._training_mark.touch()

    def on_log(self, args: Any, state: Any, control: Any, logs: Any = None, **kwargs: Any) -> None:
        """One `Metric` event."""
        if "loss" not in logs:
            return
        values = [
            ("loss/train", logs["loss"]),
            ("learning_rate", logs["learning_rate"]),
            ("gradient_norm", logs.get("grad_norm", math.nan)),
            ("tokens_per_second", self._logged_tokens / max(self._logged_seconds, 1e-9)),
            ("step_seconds", self._logged_seconds / max(self._logged_steps, 1)),
            ("memory/resident_bytes", read_resident_bytes()),
            ("memory/device_bytes", read_device_bytes(self._device)),
        ]
        self._logged_tokens, self._logged_seconds, self._logged_steps = 0, 0.0, 0
        # JSON knows no NaN: a number that is not one is left out of the curve, and counted.
        finite = tuple((name, float(value)) for name, value in values if math.isfinite(value))
        self._log.tell(
            Metric, step=state.global_step, epoch=self._epoch_of(state.global_step), values=finite
        )
        self._not_a_number = 0 if math.isfinite(logs["loss"]) else self._not_a_number + 1
        if self._not_a_number == NOT_A_NUMBER_LIMIT:
            raise UserError(
                title="Training went out of control and was stopped",
                detail=f"The loss was not a number for {NOT_A_NUMBER_LIMIT} steps in a row, up to "
                f"step {state.global_step}. What was saved before is kept.",
                fix="Start again with a gentler strength on the Plan page: it learns in smaller "
                "steps.",
            )


class ControlCallback(TrainerCallback):
    """Obeys `control/stop`, read about every two seconds."""

    def __init__(self, run_dir: RunDir, sealer: "SealCallback") -> None:
        """Nothing is asked yet."""
        self._path = run_dir.stop
        self._sealer = sealer
        self._looked = 0.0
        self.request: StopRequest | None = None
        """What was asked, once it was."""

    def on_step_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        """Finish the step, save if wanted, and leave."""
        if time.monotonic() - self._looked < CONTROL_EVERY_SECONDS:
            return
        self._looked = time.monotonic()
        if not self._path.exists():
            return
        self.request = read_json(self._path, StopRequest)
        control.should_training_stop = True
        if self.request.mode == "keep":
            self._sealer.ask(control, "stop")


class EvaluateCallback(TrainerCallback):
    """About ten times a run: held-out loss and exam, the best version kept, an early end."""

    def __init__(
        self,
        evaluation: Evaluation,
        standing: Standing,
        sealer: "SealCallback",
        log: EventLog,
        *,
        every_steps: int,
        patience: int,
        is_asked_to_stop: Callable[[], bool],
    ) -> None:
        """`patience` is in evaluations without gain; 0 never ends early."""
        self._evaluation = evaluation
        self._standing = standing
        self._sealer = sealer
        self._log = log
        self._every_steps = every_steps
        self._patience = patience
        self._is_asked_to_stop = is_asked_to_stop

    def on_train_begin(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        """An evaluation that a stop has cut off is made up for, so that nothing differs."""
        step = state.global_step
        is_missing = self._standing.last_evaluated_step < step
        if is_missing and self._is_due(step, state.max_steps):
            self._evaluate(step, control, kwargs["model"])

    def on_step_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        """Evaluate where it is due."""
        step = state.global_step
        if self._is_due(step, state.max_steps) and not self._is_asked_to_stop():
            self._evaluate(step, control, kwargs["model"])
        if step == state.max_steps and not self._is_asked_to_stop():
            self._standing.is_finished = True
            self._sealer.ask(control, "last")

    def _is_due(self, step: int, last: int) -> bool:
        return step % self._every_steps == 0 or step == last

    def _evaluate(self, step: int, control: Any, model: Any) -> None:
        loss = self._evaluation.sit(model, step).held_out_loss
        if loss is None:
            self._standing.last_evaluated_step = step
            return
        if self._standing.note_loss(step, loss):
            self._sealer.ask(control, "best")
        elif self._patience and self._standing.evaluations_without_gain >= self._patience:
            self._standing.is_finished = True
            control.should_training_stop = True
            self._sealer.ask(control, "last")
            self._log.tell(
                Milestone,
                name="early_stop",
                words=f"Ended early at step {step}: no gain on held-out rows for "
                f"{self._patience} evaluations. The version of step {self._standing.best_step} "
                "was the best.",
            )


class SealCallback(TrainerCallback):
    """Asks the trainer to save when it is time or someone wants it, and seals what it wrote."""

    def __init__(
        self,
        run_dir: RunDir,
        attempt: int,
        standing: Standing,
        log: EventLog,
        pulse: Pulse,
        *,
        every_seconds: float,
        seconds_now: Callable[[], float],
    ) -> None:
        """`seconds_now` gives the seconds of the whole run so far."""
        self._run_dir = run_dir
        self._attempt = attempt
        self._standing = standing
        self._log = log
        self._pulse = pulse
        self._every_seconds = every_seconds
        self._seconds_now = seconds_now
        self._last = time.monotonic()
        self._why: Why = "periodic"

    def ask(self, control: Any, why: Why) -> None:
        """Save after this step."""
        control.should_save = True
        self._why = max(self._why, why, key=WHY_RANK.index)

    def on_train_begin(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        """The interval counts from the first step, not from loading."""
        self._last = time.monotonic()

    def on_step_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        """Save when the interval is over."""
        if not control.should_save and not control.should_training_stop:
            control.should_save = time.monotonic() - self._last >= self._every_seconds

    def on_save(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        """The trainer has written everything: check, seal, tell, tidy up."""
        why, self._why = self._why, "periodic"
        begun = time.monotonic()
        step = state.global_step
        written = self._run_dir.staging(self._attempt) / f"checkpoint-{step}"
        if not _is_finite(kwargs["model"]):
            shutil.rmtree(written)
            self._log.tell(
                Warned,
                title="Nothing was saved at this step",
                detail=f"At step {step} some of the model's numbers are not numbers any more.",
                fix="Nothing to do now: the version saved before is kept.",
            )
            return
        self._standing.seconds = self._seconds_now()
        save_standing(written, self._standing)
        held_out = self._standing.best_loss if why == "best" else None
        saved_bytes = seal_checkpoint(self._run_dir, self._attempt, step, why, held_out)
        self._last = time.monotonic()
        self._log.tell(
            Checkpoint, step=step, why=why, bytes=saved_bytes, seconds=self._last - begun
        )
        drop_old_checkpoints(self._run_dir, self._standing.best_step)
        self._pulse.progress(step)


def _is_finite(model: Any) -> bool:
    return all(
        bool(torch.isfinite(parameter).all())
        for parameter in model.parameters()
        if parameter.requires_grad
    )
