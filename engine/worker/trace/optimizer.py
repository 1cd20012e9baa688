"""The optimizer of a plan in the form that torch and bitsandbytes give it on a card.

On a processor torch would take a plain loop, which holds less than a card's grouped form (8.75
instead of 10.0 bytes a weight at a depth of 2, measured), so the form is told. `step.py` builds it.
"""

from collections.abc import Callable, Sequence
from typing import Any

import torch

from tailor.engine.worker.trace.refusal import CannotTraceError
from tailor.estimator.workload import Optimizer

EIGHT_BIT_BLOCK = 256
"""Moments that share a scale (bitsandbytes 0.50, optim/optimizer.py)."""
EIGHT_BIT_LEAST = 4096
"""Weights with fewer numbers keep fp32 moments (bitsandbytes, `min_8bit_size`)."""
LEARNING_RATE = 1e-4
"""Any will do: there are no numbers."""

Named = Sequence[tuple[str, torch.nn.Parameter]]


def build_optimizer(kind: Optimizer, named: Named) -> torch.optim.Optimizer:
    """An optimizer over what learns, with the two groups that transformers makes."""
    if kind not in _BUILDERS:
        raise CannotTraceError(f"The optimizer {kind} asks for numbers while it works.")
    return _BUILDERS[kind](_groups(named))


def _groups(named: Named) -> list[dict[str, Any]]:
    """Norms and biases are kept apart; a grouped form works on one group at a time."""
    plain = [weight for name, weight in named if not _is_undecayed(name)]
    undecayed = [weight for name, weight in named if _is_undecayed(name)]
    return [{"params": group} for group in (plain, undecayed) if group]


def _is_undecayed(name: str) -> bool:
    return "norm" in name.lower() or name.endswith("bias")


class _EightBit(torch.optim.Optimizer):
    """What bitsandbytes' 8-bit AdamW holds: two moments of one byte, and their scales."""

    def __init__(self, groups: list[dict[str, Any]]) -> None:
        super().__init__(groups, {})

    def step(self, closure: Any = None) -> None:  # type: ignore[override]
        """Make the moments at the first step; the kernel takes nothing."""
        for group in self.param_groups:
            for weight in group["params"]:
                if weight.grad is not None and not self.state[weight]:
                    self.state[weight] = _moments(weight)


def _moments(weight: torch.Tensor) -> dict[str, torch.Tensor]:
    if weight.numel() < EIGHT_BIT_LEAST:
        return {name: torch.zeros_like(weight, dtype=torch.float32) for name in ("one", "two")}
    blocks = -(-weight.numel() // EIGHT_BIT_BLOCK)
    told = {}
    for name in ("one", "two"):
        told[name] = torch.zeros_like(weight, dtype=torch.uint8)
        told[f"{name} scales"] = weight.new_zeros(blocks, dtype=torch.float32)
        told[f"{name} code"] = weight.new_zeros(256, dtype=torch.float32)
    return told


def _adamw(groups: list[dict[str, Any]]) -> torch.optim.Optimizer:
    return torch.optim.AdamW(groups, lr=LEARNING_RATE, fused=True)


def _adamw_foreach(groups: list[dict[str, Any]]) -> torch.optim.Optimizer:
    return torch.optim.AdamW(groups, lr=LEARNING_RATE, foreach=True)


def _sgd_momentum(groups: list[dict[str, Any]]) -> torch.optim.Optimizer:
    return torch.optim.SGD(groups, lr=LEARNING_RATE, momentum=0.9, foreach=True)


_BUILDERS: dict[Optimizer, Callable[[list[dict[str, Any]]], torch.optim.Optimizer]] = {
    "adamw": _adamw,
    "adamw_foreach": _adamw_foreach,
    "adamw_8bit": _EightBit,
    # Paged moments wait in the computer's memory, but come back as plain ones after a resume.
    "paged_adamw_8bit": _EightBit,
    "sgd_momentum": _sgd_momentum,
}
