"""Attention as a card's kernels hold it: what they save, and what they take while they work.

On a processor torch has other kernels, which save other things. A card's save queries, keys, values
and the result as they are, and one fp32 number a row and head; with a mask a 16-bit copy of it too.
`card.py` puts this in the place of torch's attention.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch

BLOCK_TOKENS = 128
"""Rows are worked on in blocks of this many, and some buffers are rounded up to them."""
MASK_COLUMNS = 16
"""A mask's rows are filled up to a multiple of this many (torch, attention.cpp, pad_bias)."""


def attend(  # noqa: PLR0917 - the signature is torch's own
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    attn_mask: torch.Tensor | None = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    scale: float | None = None,
    enable_gqa: bool = False,
) -> torch.Tensor:
    """The result of `scaled_dot_product_attention`, rows by heads by tokens by width."""
    if query.dtype != value.dtype:
        raise TypeError("a card's attention wants queries and values in the same numbers")
    if attn_mask is not None:
        attn_mask = _as_numbers(attn_mask, query)
    return _CardAttention.apply(query, key, value, attn_mask)


def attend_as_flash(
    module: Any,
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    attention_mask: torch.Tensor | None,
    **named: Any,
) -> tuple[torch.Tensor, None]:
    """The same behind transformers' own door, as its flash attention: keys are never repeated, and
    fp32 numbers are cast."""
    if query.dtype == torch.float32:
        query, key, value = (told.to(torch.bfloat16) for told in (query, key, value))
    return attend(query, key, value).transpose(1, 2), None


@contextmanager
def flash_in_place_of_sdpa() -> Iterator[None]:
    """Within, models that were built with torch's attention use flash attention."""
    from transformers.modeling_utils import ALL_ATTENTION_FUNCTIONS

    before = ALL_ATTENTION_FUNCTIONS["sdpa"]
    ALL_ATTENTION_FUNCTIONS["sdpa"] = attend_as_flash
    try:
        yield
    finally:
        ALL_ATTENTION_FUNCTIONS["sdpa"] = before


def _as_numbers(mask: torch.Tensor, query: torch.Tensor) -> torch.Tensor:
    """A mask of yes and no becomes one of numbers that are added, with filled up rows."""
    columns = mask.shape[-1]
    if mask.dtype == torch.bool or columns % MASK_COLUMNS:
        filled = -(-columns // MASK_COLUMNS) * MASK_COLUMNS
        return query.new_empty((*mask.shape[:-1], filled))[..., :columns]
    return mask


class _CardAttention(torch.autograd.Function):
    """Holds what the kernel holds; the numbers themselves are never there."""

    @staticmethod
    def forward(
        ctx: Any,
        query: torch.Tensor,
        key: torch.Tensor,
        value: torch.Tensor,
        mask: torch.Tensor | None,
    ) -> torch.Tensor:
        rows, heads, tokens, _ = query.shape
        # The kernel writes token by token, so a later transpose is free of cost.
        told = query.new_empty((rows, tokens, heads, value.shape[-1])).transpose(1, 2)
        normaliser = query.new_empty((rows, heads, tokens), dtype=torch.float32)
        ctx.save_for_backward(query, key, value, told, normaliser, mask)
        return told

    @staticmethod
    def backward(ctx: Any, *gradients: Any) -> tuple[torch.Tensor | None, ...]:
        query, key, value, _, _, _ = ctx.saved_tensors
        rows, heads, tokens, width = query.shape
        filled = -(-tokens // BLOCK_TOKENS) * BLOCK_TOKENS
        of_query = torch.empty_like(query)
        of_key, of_value = torch.empty_like(key), torch.empty_like(value)
        work = [query.new_empty((rows, heads, filled), dtype=torch.float32)]
        if query.dtype != torch.float32:
            # Gradients of queries come from many blocks and are summed up in fp32.
            work.append(query.new_empty((rows, filled, heads, width), dtype=torch.float32))
        if key.shape[1] != heads:
            # Heads that share keys give a gradient each, which are added up at the end.
            work.append(key.new_empty((rows, heads, *key.shape[2:])))
            work.append(value.new_empty((rows, heads, *value.shape[2:])))
        del work
        return of_query, of_key, of_value, None
