"""How a run stands: what the next attempt must know to go on as if nothing had happened.

Trainer and optimizer keep their own state in a checkpoint; early stopping, the best version and the
totals are ours and lie beside it as `standing.json`. The callbacks change it, the seal saves it.
"""

import math
from dataclasses import dataclass
from pathlib import Path

from tailor.engine.json_file import read_json, write_json

FILE = "standing.json"


@dataclass
class Standing:
    """Changes while a run goes on."""

    best_step: int | None = None
    """Step with the lowest held-out loss so far."""
    best_loss: float | None = None
    evaluations_without_gain: int = 0
    last_evaluated_step: int = 0
    is_finished: bool = False
    """Training is over, by its last step or by early stopping; only the proof is missing."""
    seconds: float = 0.0
    """All attempts up to the checkpoint, from the worker's start."""
    train_seconds: float = 0.0
    """Time in training steps alone."""
    tokens: int = 0
    """Tokens that went through the model in training steps, padding included."""

    def note_loss(self, step: int, loss: float) -> bool:
        """Take in an evaluation; True when it is the best so far. Not a number is never best."""
        self.last_evaluated_step = step
        if math.isfinite(loss) and (self.best_loss is None or loss < self.best_loss):
            self.best_step, self.best_loss, self.evaluations_without_gain = step, loss, 0
            return True
        self.evaluations_without_gain += 1
        return False


def save_standing(folder: Path, standing: Standing) -> None:
    """Write `standing.json` into a checkpoint."""
    write_json(folder / FILE, standing)


def read_standing(folder: Path) -> Standing:
    """Read it back."""
    return read_json(folder / FILE, Standing)
