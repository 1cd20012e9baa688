"""Outcomes that depend on the numbers of a batch and are known without them.

A tensor without numbers can't tell which tokens have a label. How many have one is part of the
question, so the few operations that ask for it get their answer here; any other that looks at
numbers ends the trace, and nothing is guessed. The ledger asks before every operation.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch

from tailor.estimator.trace import TraceRequest

aten = torch.ops.aten


class KnownOutcomes:
    """Answers what follows from the number of labelled tokens."""

    def __init__(self, request: TraceRequest) -> None:
        self._mask = (request.rows, request.tokens - 1)
        self._labelled = min(request.learned_tokens, request.rows * (request.tokens - 1))
        self._columns = (request.evaluation_tokens - 1,)
        self._labelled_columns = min(request.evaluation_columns, request.evaluation_tokens - 1)

    def __call__(self, function: Any, arguments: tuple[Any, ...]) -> torch.Tensor | None:
        """The answer, or None where it's torch's own business."""
        if function is aten.index.Tensor:
            return self._pick(*arguments)
        if function is aten.masked_select.default and self._is_mask(arguments[1]):
            return arguments[0].new_empty((self._labelled,))
        if function is aten.nonzero.default and self._is_columns(arguments[0]):
            return arguments[0].new_empty((self._labelled_columns, 1), dtype=torch.int64)
        return None

    def _pick(self, source: torch.Tensor, places: list[torch.Tensor | None]) -> Any:
        if len(places) != 1 or places[0] is None or not self._is_mask(places[0]):
            return None
        return source.new_empty((self._labelled, *source.shape[2:]))

    def _is_mask(self, told: torch.Tensor) -> bool:
        return told.dtype == torch.bool and tuple(told.shape) == self._mask

    def _is_columns(self, told: torch.Tensor) -> bool:
        return told.dtype == torch.bool and tuple(told.shape) == self._columns


@contextmanager
def rows_stand_alone() -> Iterator[None]:
    """Within, transformers takes it that no two rows were packed into one: it would look for that
    in the positions' numbers, and build a mask where it can't see them."""
    try:
        from transformers import masking_utils
    except ImportError:  # before 4.53, which looked at no positions
        yield
        return
    looked = masking_utils.find_packed_sequence_indices
    masking_utils.find_packed_sequence_indices = lambda position_ids: None
    try:
        yield
    finally:
        masking_utils.find_packed_sequence_indices = looked
