"""The dress rehearsal: the longest batch goes forward and backward once before training begins.

A run that runs out of memory should do so in its first minute and say so in words, not after an
hour when the longest rows come by. Nothing is learned from it and nothing of it is left behind.
"""

from collections.abc import Callable
from typing import Any

import torch
from transformers import TrainerCallback, set_seed

from tailor.engine.errors import UserError
from tailor.engine.worker.crash import is_out_of_memory
from tailor.engine.worker.heartbeat import Pulse
from tailor.engine.worker.loss import Batch


class RehearseCallback(TrainerCallback):
    """Runs when everything is prepared and before the first step; not in a resumed attempt."""

    def __init__(self, longest: Callable[[torch.device], Batch], seed: int, pulse: Pulse) -> None:
        """`longest` makes the micro-batch with the most tokens, filler included."""
        self._pulse = pulse
        self._longest = longest
        self._seed = seed
        self.trainer: Any = None
        """Set once the trainer is made: it holds the prepared model."""

    def on_train_begin(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        """Rehearse, then start all random numbers from the seed, as if nothing had been."""
        if state.global_step == 0:
            self._pulse.enter("rehearsal", "Rehearsing with your longest rows.")
            rehearse(self.trainer, self._longest(args.device))
            set_seed(self._seed)


def rehearse(trainer: Any, batch: dict[str, torch.Tensor]) -> None:
    """One forward and backward pass; its gradients are thrown away."""
    rows, tokens = batch["input_ids"].shape
    try:
        trainer.current_gradient_accumulation_steps = 1
        trainer.training_step(trainer.model_wrapped, batch)
    except (MemoryError, RuntimeError) as error:
        if not is_out_of_memory(error):
            raise
        raise UserError(
            title="This run does not fit into memory",
            detail=f"The longest batch holds {rows} rows of {tokens} tokens, and the memory was "
            "used up when it was tried before training.",
            fix="Choose smaller steps on the Plan page, a smaller model, or shorten the longest "
            "rows.",
        ) from error
    finally:
        trainer.model_wrapped.zero_grad()
