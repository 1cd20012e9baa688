"""Counts what tensors hold, allocation by allocation, and remembers every phase's peak.

A card's allocator hands out whole blocks of 512 bytes and takes them back when the last tensor over
a storage is gone; the ledger does the same sums from the outside, for tensors of any kind. The
steps run inside it, and the answers come from it.
"""

import weakref
from collections.abc import Callable, Iterable
from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

from tailor.estimator.trace import Phase

BLOCK_BYTES = 512
"""Smallest unit of torch's CUDA allocator (c10/cuda/CUDACachingAllocator.cpp, kMinBlockSize)."""
START = "start of the phase"

Answer = Callable[[Any, tuple[Any, ...]], torch.Tensor | None]
"""Answers an operation whose outcome is known beforehand; None leaves it to torch."""


class Ledger(TorchDispatchMode):
    """What is held now, and the most that was held in each phase, by the operation that took it."""

    def __init__(self, answer: Answer = lambda function, arguments: None) -> None:
        super().__init__()
        self.held_bytes = 0
        self.peaks: dict[Phase, dict[str, int]] = {}
        self._answer = answer
        self._sizes: dict[int, int] = {}
        self._phase: dict[str, int] = {}

    def enter(self, phase: Phase) -> None:
        """From here on, peaks are this phase's."""
        self._phase = self.peaks.setdefault(phase, {})
        self._phase[START] = max(self._phase.get(START, 0), self.held_bytes)

    def forget_peaks(self) -> None:
        """Begin anew, with everything that is held staying held."""
        self.peaks = {}
        self._phase = {}

    def count(self, tensors: Iterable[torch.Tensor]) -> None:
        """Take in tensors that were there before."""
        for tensor in tensors:
            self._notice(tensor, START)

    def __torch_dispatch__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        """Run an operation and count what it took."""
        told = self._answer(func, args)
        if told is None:
            told = func(*args, **(kwargs or {}))
        for leaf in tree_leaves(told):
            if isinstance(leaf, torch.Tensor):
                self._notice(leaf, func)
        return told

    def _notice(self, tensor: torch.Tensor, operation: Any) -> None:
        storage = tensor.untyped_storage()
        key = storage._cdata
        if key in self._sizes:
            return
        size = _whole_blocks(storage.nbytes())
        self._sizes[key] = size
        self.held_bytes += size
        weakref.finalize(storage, self._free, key)
        self._note(_name(operation, tensor), self.held_bytes)

    def _note(self, operation: str, held_bytes: int) -> None:
        if held_bytes > self._phase.get(operation, 0):
            self._phase[operation] = held_bytes

    def _free(self, key: int) -> None:
        self.held_bytes -= self._sizes.pop(key)


def _whole_blocks(size_bytes: int) -> int:
    return -(-size_bytes // BLOCK_BYTES) * BLOCK_BYTES


def _name(operation: Any, tensor: torch.Tensor) -> str:
    """An operation in its place: its name, for which shape, and whose gradient it makes."""
    node = torch._C._current_autograd_node()
    shape = "x".join(str(side) for side in tensor.shape)
    return f"{operation} {shape}" + (f" in {node.name()}" if node else "")
