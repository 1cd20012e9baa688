"""The proof of a result: what lies on disk is what was trained, and it is not the base.

"Finished" would be an empty word if the saved file could not be loaded, or if nothing had been
learned. So the model is loaded again from its folder, compared with the one in memory and with the
untouched base, and the reloaded one sits the exam whose score is shown. Called at the end of a run.
"""

import ctypes
import gc
import shutil
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import torch
from peft import PeftModel

from tailor.engine.errors import UserError
from tailor.engine.worker.added_words import AddedWord
from tailor.engine.worker.build import load_base, load_tuned, precision_context
from tailor.engine.worker.data import Example
from tailor.engine.worker.loss import can_skip_logits
from tailor.estimator.record import record
from tailor.recipes.spec import TrainPlan

PROBE_ROWS = 4
PROBE_LENGTH_TOKENS = 512
PROBE_LAST_TOKENS = 16
"""Compared positions a row: its last ones, where the answer stands."""
FP32_TOLERANCE = 1e-4
"""Absolute, on a logit: three orders of magnitude above fp32's own error on logits near 20."""
HALF_TOLERANCE_STEPS = 8
"""For 16-bit arithmetic: rounding steps of the largest logit."""


@record
class Difference:
    """Largest absolute differences of a logit."""

    from_memory: float
    from_base: float
    tolerance: float
    """Below it two models cannot be told apart."""


def read_probe(model: Any, plan: TrainPlan, examples: Sequence[Example]) -> torch.Tensor:
    """Logits of `model` at the ends of a few rows, to be compared with another model's."""
    model.eval()
    is_short = can_skip_logits(model.get_base_model() if isinstance(model, PeftModel) else model)
    told = []
    with torch.no_grad(), precision_context(plan):
        for example in examples[:PROBE_ROWS]:
            ids = torch.tensor([example.input_ids[:PROBE_LENGTH_TOKENS]], device=model.device)
            wanted = {"logits_to_keep": PROBE_LAST_TOKENS} if is_short else {}
            logits = model(input_ids=ids, use_cache=False, **wanted).logits
            told.append(logits[0, -PROBE_LAST_TOKENS:].float().cpu())
    return torch.cat(told)


def prove(
    plan: TrainPlan,
    base: Path,
    saved: Path,
    *,
    in_memory: torch.Tensor,
    examples: Sequence[Example],
    ask: Callable[[Any], Any],
    added: Sequence[AddedWord] = (),
) -> tuple[Difference, Any]:
    """Load `saved`, compare, refuse what is no result; then `ask` the reloaded model."""
    if plan.technique == "full":
        untouched = read_probe(load_base(plan, base, added), plan, examples)
        forget_models()
        model = load_tuned(plan, base, saved, added)
    else:
        model = load_tuned(plan, base, saved, added)
        with model.disable_adapter():
            untouched = read_probe(model, plan, examples)
    reloaded = read_probe(model, plan, examples)
    difference = Difference(
        from_memory=_distance(reloaded, in_memory),
        from_base=_distance(reloaded, untouched),
        tolerance=_tolerance(plan, in_memory),
    )
    _require_result(difference, plan, saved)
    return difference, ask(model)


def forget_models() -> None:
    """Give the memory of models that nobody holds any more back."""
    gc.collect()
    if torch.cuda.is_available():
        torch.cuda.empty_cache()
    with suppress(AttributeError):  # glibc's own; other C libraries give back by themselves
        ctypes.CDLL(None).malloc_trim(0)


def _distance(one: torch.Tensor, other: torch.Tensor) -> float:
    return float((one - other).abs().max())


def _tolerance(plan: TrainPlan, logits: torch.Tensor) -> float:
    if plan.precision == "fp32":
        return FP32_TOLERANCE
    half = torch.float16 if plan.precision == "fp16" else torch.bfloat16
    return HALF_TOLERANCE_STEPS * torch.finfo(half).eps * float(logits.abs().max())


def _require_result(difference: Difference, plan: TrainPlan, saved: Path) -> None:
    # Written so that a difference that is not a number fails, too.
    if not difference.from_memory <= difference.tolerance:
        shutil.rmtree(saved)
        raise UserError(
            title="The saved model is not the one that was trained",
            detail=f"Loaded again from disk its numbers differ by {difference.from_memory:.2g}; at "
            f"most {difference.tolerance:.2g} is allowed.",
            fix="Press Resume: the saved training state is intact and the model is written again.",
        )
    if not difference.from_base > difference.tolerance:
        shutil.rmtree(saved)
        raise UserError(
            title="Unchanged: the model is the same as before",
            detail=f"After {plan.steps} steps its numbers differ from the untouched model's by "
            f"{difference.from_base:.1g}, which is nothing. {_why_unchanged(plan)}",
            fix="Choose a stronger setting on the Plan page and start again.",
        )


def _why_unchanged(plan: TrainPlan) -> str:
    rate = float(dict(plan.training).get("learning_rate") or 0)
    if rate == 0:
        return "The learning rate is 0, so no step can change anything."
    return (
        f"The usual causes are a learning rate that is too small (it is {rate:g}), too few steps "
        "(long warm-up included), or answers that the model gave already."
    )
