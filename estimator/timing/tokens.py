"""What rows become when they are fed: padded side by side, packed end to end, or cut.

Padding is the largest error of a time forecast, and what is cut decides what is learned, so both
are counted on the lengths of the real rows and never guessed from characters. `workload.py` does so
for rows that stand for a histogram; whoever has the real lengths can ask here.
"""

import math
from bisect import bisect_left, insort
from collections.abc import Sequence
from random import Random
from typing import Literal

from tailor.estimator.record import record

Filling = Literal["grouped", "shuffled", "packed", "padding_free"]
"""Rows of similar length side by side; as they come; end to end to the limit; without padding."""

SHUFFLES = 4
"""Orders that are tried for the mean of shuffled batches."""


@record
class Filled:
    """Micro-batches that rows make."""

    micro_batches: int
    mean_tokens: float
    """Of a micro-batch, padding included."""
    longest_tokens: int
    """Of the heaviest micro-batch, padding included."""
    attended_tokens: float
    """Length of the row that a token stands in, on average over tokens: squares over lengths.
    Filler is attended to as well, so a padded row counts with its padded length."""
    padding_share: float
    rows_cut: int
    """Rows that were longer than the limit."""
    tokens_cut: int
    """Their tokens beyond it."""


def count_filled(
    lengths: Sequence[int],
    *,
    limit_tokens: int,
    micro_batch_rows: int,
    filling: Filling,
    multiple: int = 1,
    group_rows: int = 0,
) -> Filled:
    """Feed rows of these lengths; `multiple` rounds a padded length up, as kernels like it.

    `group_rows` is how many rows are sorted together; 0 is all of them.
    """
    limit = max(1, limit_tokens)
    kept = [max(1, min(length, limit)) for length in lengths]
    cut = [length - limit for length in lengths if length > limit]
    rows = max(1, micro_batch_rows)
    if not kept:
        kept = [1]
    total = sum(kept)
    squares = sum(length * length for length in kept) / total
    if filling == "packed":
        sizes = [float(rows * limit)] * max(1, math.ceil(len(pack_rows(kept, limit)) / rows))
    elif filling == "padding_free":
        sizes = [float(sum(batch)) for batch in _batches(_shuffled(kept, 0), rows)]
    else:
        padded = _padded(kept, rows, filling, multiple, group_rows)
        sizes = [float(count * longest) for count, longest in padded]
        squares = sum(count * longest**2 for count, longest in padded) / sum(sizes)
    return Filled(
        micro_batches=len(sizes) // (SHUFFLES if filling == "shuffled" else 1),
        mean_tokens=sum(sizes) / len(sizes),
        longest_tokens=_heaviest(kept, rows, limit, filling, multiple),
        attended_tokens=squares,
        padding_share=_padding(sizes, total, filling),
        rows_cut=len(cut),
        tokens_cut=sum(cut),
    )


def pack_rows(lengths: Sequence[int], limit_tokens: int) -> list[int]:
    """Best fit, longest row first: the tokens that each filled row ends up with.

    A row goes where least room is left after it, as TRL's packing strategy "bfd" does.
    """
    room: list[int] = []
    for length in sorted(lengths, reverse=True):
        place = bisect_left(room, length)
        left = room.pop(place) - length if place < len(room) else limit_tokens - length
        insort(room, left)
    return [limit_tokens - left for left in room]


def _padded(
    kept: list[int], rows: int, filling: Filling, multiple: int, group_rows: int
) -> list[tuple[int, int]]:
    """Rows and padded length of each micro-batch; of several orders where rows are shuffled."""
    if filling == "grouped":
        group = group_rows or len(kept)
        ordered = _shuffled(kept, 0) if group < len(kept) else kept
        groups = [ordered[place : place + group] for place in range(0, len(ordered), group)]
        fed = [batch for rows_of in groups for batch in _batches(sorted(rows_of), rows)]
    else:
        orders = [_shuffled(kept, order) for order in range(SHUFFLES)]
        fed = [batch for order in orders for batch in _batches(order, rows)]
    return [(len(batch), _rounded(max(batch), multiple)) for batch in fed]


def _batches(lengths: Sequence[int], rows: int) -> list[Sequence[int]]:
    return [lengths[place : place + rows] for place in range(0, len(lengths), rows)]


def _shuffled(lengths: Sequence[int], order: int) -> list[int]:
    # A fixed order: the same rows give the same forecast.
    shuffled = list(lengths)
    Random(order).shuffle(shuffled)
    return shuffled


def _rounded(length: int, multiple: int) -> int:
    return -(-length // multiple) * multiple


def _heaviest(kept: list[int], rows: int, limit: int, filling: Filling, multiple: int) -> int:
    """The micro-batch that decides memory: any of the longest rows can meet in one."""
    if filling == "packed":
        return rows * limit
    longest = sorted(kept, reverse=True)[:rows]
    if filling == "padding_free":
        return sum(longest)
    return len(longest) * _rounded(longest[0], multiple)


def _padding(sizes: list[float], total: int, filling: Filling) -> float:
    fed = sum(sizes) / (SHUFFLES if filling == "shuffled" else 1)
    return max(0.0, 1 - total / fed)
