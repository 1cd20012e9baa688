"""Tokens of the micro-batches of a measured run: exact where rows are packed, a habit where not.

A table that packs its rows tells everything with one number. One that trains on real rows tells a
limit at most, and rows of instructions are far shorter than their limit; their usual lengths are
known well enough to predict such a run, with its rows told apart in the report. `rows.py` asks
here.
"""

import math
from functools import cache
from statistics import NormalDist

from tailor.estimator.record import record
from tailor.estimator.workload import Batches, LengthHistogram

INSTRUCTION_ROW_TOKENS = 270
"""Mean length of an unpacked instruction row. Read off development rows: tokens a second over rows
a second of runs without padding are 193, 289 and 340 on three data sets."""
INSTRUCTION_ROW_SPREAD = 0.48
"""Standard deviation of a row's log length. Read off development rows: with padding the same data
have 369, 442 and 524 tokens a row in batches of 2, 4 and 8 against 289 without, which a log-normal
of 0.48 gives within 3 %."""
LONGEST_ROW_TOKENS = 2250
"""The longest of some thousand instruction rows: their tail is heavier than their body. Read off
development rows: peaks of 12 runs over one data set without a limit fit a longest row of 1,960 to
2,290 tokens, and without padding that row beside rows of the mean."""
LENGTH_SHARE = 0.40
"""Half width of 90 % for a speed that hangs on that mean: the three data sets lie from 0.71 to 1.26
of it."""
LONGEST_SHARE = 0.10
"""The same for memory that hangs on that longest row: half of such a peak grows with it, and the
measured ones lie from 0.87 to 1.02 of 2,250."""
HABITUAL_LIMIT = 4096
"""A limit for rows that nobody limited; longer rows of instructions hardly exist."""
GRID = 256
"""Rows that stand for all of them; finer steps change means by less than a thousandth."""
UNKNOWN_STEPS = 100
"""Steps of a run that does not tell them; nothing that is predicted of it hangs on their number."""

_NORMAL = NormalDist()


@record
class RowLengths:
    """What is known about the rows of a measured run."""

    limit_tokens: int
    """The packed length, or the limit of a row."""
    is_filled: bool
    """Every row has exactly the limit."""
    is_bucketed: bool = False
    """Rows of similar length stand side by side."""
    is_padding_free: bool = False


def build_lengths(rows: RowLengths, count: int) -> LengthHistogram:
    """The histogram of `count` rows."""
    if rows.is_filled:
        total = rows.limit_tokens * count
        return LengthHistogram(
            edges_tokens=(rows.limit_tokens,),
            counts=(count,),
            total_tokens=total,
            learned_tokens=total,
            longest_tokens=rows.limit_tokens,
        )
    grid = _grid(rows.limit_tokens)
    edges = sorted({math.ceil(length) for length in grid[GRID // 16 - 1 :: GRID // 16]})
    longest = min(rows.limit_tokens, LONGEST_ROW_TOKENS)
    edges = [edge for edge in edges if edge < longest] + [longest]
    share, rest = divmod(count, len(edges))
    counts = [share] * len(edges)
    counts[0] += rest
    total = round(sum(grid) / GRID * count)
    return LengthHistogram(
        edges_tokens=tuple(edges),
        counts=tuple(counts),
        total_tokens=total,
        learned_tokens=total,
        longest_tokens=longest,
    )


def build_batches(rows: RowLengths, micro_batch_rows: int, accumulation: int) -> Batches:
    """Tokens of the micro-batches of a run, on one card."""
    limit = rows.limit_tokens
    if rows.is_filled:
        return Batches(
            rows_in_step=micro_batch_rows * accumulation,
            mean_tokens=float(micro_batch_rows * limit),
            longest_tokens=micro_batch_rows * limit,
            longest_row_tokens=limit,
            learned_share=1.0,
            padding_share=0.0,
            attended_tokens=float(limit),
        )
    grid, longest = _grid(limit), min(limit, LONGEST_ROW_TOKENS)
    mean = sum(grid) / GRID
    # Rows of one length, or rows that need no common length, are as long as they are.
    together = 1 if rows.is_bucketed or rows.is_padding_free else micro_batch_rows
    padded, attended = _moments_of_longest(grid, together)
    longest_batch = micro_batch_rows * longest
    if rows.is_padding_free:
        longest_batch = longest + math.ceil((micro_batch_rows - 1) * mean)
    return Batches(
        rows_in_step=micro_batch_rows * accumulation,
        mean_tokens=micro_batch_rows * padded,
        longest_tokens=longest_batch,
        longest_row_tokens=longest,
        learned_share=1.0,
        padding_share=max(0.0, 1 - mean / padded),
        attended_tokens=attended,
    )


@cache
def _grid(limit: int) -> tuple[float, ...]:
    """Rising lengths that stand for all rows, cut at the limit."""
    return tuple(min(float(limit), _length_at((i + 0.5) / GRID)) for i in range(GRID))


def _length_at(share: float) -> float:
    """The length that this share of rows stays below."""
    middle = math.log(INSTRUCTION_ROW_TOKENS) - INSTRUCTION_ROW_SPREAD**2 / 2
    return math.exp(middle + INSTRUCTION_ROW_SPREAD * _NORMAL.inv_cdf(share))


def _moments_of_longest(grid: tuple[float, ...], rows: int) -> tuple[float, float]:
    """Mean of the longest of `rows` rows, to which all are padded, and the mean length of a token's
    own row."""
    chances = [((i + 1) / GRID) ** rows - (i / GRID) ** rows for i in range(GRID)]
    mean = sum(length * chance for length, chance in zip(grid, chances, strict=True))
    squared = sum(length**2 * chance for length, chance in zip(grid, chances, strict=True))
    return mean, squared / mean
