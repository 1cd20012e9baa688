"""TRL's own loss, with the kernels left out that only a card can run.

TRL 1.16 computes the loss tile by tile without the logits. On a processor it replaces its kernels
by plain torch, which holds whole tiles in fp32 and scores every position; on a card it does
neither. So its own code runs here with kernels that take nothing, as the real ones do. `step.py`
asks.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any

import torch

from tailor.engine.worker.trace.refusal import CannotTraceError

OUTPUTS = ("log_probs", "entropy", "is_top1")
"""What TRL's trainer wants of its head (trainer/sft_trainer.py, read)."""


class _Kernel:
    """A kernel that works in place: started like Triton's, and nothing is taken."""

    def __getitem__(self, grid: Any) -> Any:
        return lambda *arguments, **named: None


class _Triton:
    """The one thing of Triton that is asked outside of a kernel."""

    @staticmethod
    def cdiv(numerator: int, denominator: int) -> int:
        return -(-numerator // denominator)


def _add_product(total: torch.Tensor, one: torch.Tensor, other: torch.Tensor) -> None:
    """On a card the product is added in fp32 inside the kernel, without a copy in fp32."""


def add_head(model: Any) -> None:
    """Give a model TRL's head."""
    from trl.trainer.utils import add_fused_lm_head

    add_fused_lm_head(model, outputs=OUTPUTS)


def compute_loss(model: Any, inputs: dict[str, Any], learned: torch.Tensor) -> torch.Tensor:
    """The mean over labelled tokens as TRL's trainer computes it."""
    told = model(**inputs, use_cache=False, fused_lm_head=True)
    loss: torch.Tensor = (-told.log_probs).sum() / learned
    return loss


@contextmanager
def kernels_left_out() -> Iterator[None]:
    """Within, TRL takes its path for cards, with kernels that compute nothing."""
    from trl.kernels import chunked_logprob
    from trl.trainer import utils

    changes: list[tuple[ModuleType, str, Any]] = [
        (chunked_logprob, "_use_triton", lambda device: True),
        (utils, "_use_triton", lambda device: True),
        (chunked_logprob, "_forward_kernel", _Kernel()),
        (chunked_logprob, "_backward_kernel", _Kernel()),
        (chunked_logprob, "_addmm_fp32", _add_product),
    ]
    missing = [name for module, name, _ in changes if not hasattr(module, name)]
    if missing:
        raise CannotTraceError(
            "This version of TRL computes its loss in a way that the trace does not know."
        )
    if not hasattr(chunked_logprob, "triton"):
        changes.append((chunked_logprob, "triton", _Triton()))
    before = [(module, name, getattr(module, name, None)) for module, name, _ in changes]
    for module, name, value in changes:
        setattr(module, name, value)
    try:
        yield
    finally:
        for module, name, value in before:
            if value is None:
                delattr(module, name)
            else:
                setattr(module, name, value)
