"""In which order the rows are seen: shuffled, with rows of similar length side by side.

Padding is work for nothing, so a micro-batch holds rows of similar length; shuffling happens before
and after, so that long and short rows come evenly over the run. The whole order is a pure function
of lengths and seed: a resumed run skips what it has seen and meets exactly the rows an unbroken one
would have met, whatever happened to the random state meanwhile.
"""

import random
from collections.abc import Sequence

GROUP_STEPS = 16
"""Optimizer steps whose rows are sorted together: few enough to stay well mixed."""


def compute_order(
    lengths: Sequence[int], *, steps: int, micro_batch_rows: int, accumulation: int, seed: int
) -> list[int]:
    """Places of the rows for `steps` optimizer steps, one micro-batch after the other."""
    step_rows = micro_batch_rows * accumulation
    needed = steps * step_rows
    source = random.Random(seed)
    stream: list[int] = []
    while len(stream) < needed:
        epoch = list(range(len(lengths)))
        source.shuffle(epoch)
        stream += epoch
    order: list[int] = []
    group_rows = GROUP_STEPS * step_rows
    for start in range(0, needed, group_rows):
        group = stream[start : min(start + group_rows, needed)]
        # Rows of one length keep their shuffled order: the sort is stable.
        group.sort(key=lambda place: lengths[place])
        chunks = [group[i : i + step_rows] for i in range(0, len(group), step_rows)]
        source.shuffle(chunks)
        for chunk in chunks:
            order += chunk
    return order


def padded_tokens(lengths: Sequence[int], micro_batch: Sequence[int]) -> int:
    """Tokens that go through the model for these rows, padding included."""
    return len(micro_batch) * max(lengths[place] for place in micro_batch)


def split_batches(order: Sequence[int], rows: int) -> list[list[int]]:
    """Micro-batches of an order."""
    return [list(order[i : i + rows]) for i in range(0, len(order), rows)]
