"""How rows are fed: how many side by side, and how many layers are computed twice for it.

Both buy memory with time and change no result, so they are chosen together, by predicted time among
what fits. Fewer rows side by side leave room to keep more layers, which is often the faster pair.
The search and the recipes' choice of a batch ask here, each with its own idea of what fits.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from tailor.estimator.workload import Workload

PARTS_OF_A_MODEL = 16
"""Layers are left alone in sixteenths of a model: one saves about a sixtieth of the time, which no
run tells from noise, and round numbers leave some room."""
MOST_PIECE_ROWS = 64
"""Rows side by side beyond this win nothing more: products are large enough (derived: 64 rows of 32
tokens fill a matrix product of 2,048 rows)."""
SAME_TIME = 0.01
"""Times that are this close are equal by any forecast; the larger piece with fewer parts wins."""


def choose_feeding(
    workload: Workload,
    layers: int,
    micro_rows: Sequence[int],
    *,
    fits: Callable[[Workload], bool],
    seconds: Callable[[Workload], float],
    may_checkpoint: bool = True,
) -> Workload | None:
    """The quickest way of feeding that fits; None when nothing does.

    `micro_rows` divide the rows of a step and are tried in their order. `workload` keeps the rows
    of its step and everything else.
    """
    best, best_seconds = None, float("inf")
    for micro in micro_rows:
        fed = with_micro_rows(workload, micro)
        kept = _keep_most(fed, layers, fits) if may_checkpoint else fed if fits(fed) else None
        if kept is None:
            continue
        needs = seconds(kept)
        if needs < best_seconds * (1 - SAME_TIME):
            best, best_seconds = kept, needs
    return best


def with_micro_rows(workload: Workload, micro_rows: int) -> Workload:
    """The same rows of a step, so many of them at a time."""
    rows = workload.micro_batch_rows * workload.accumulation
    return replace(workload, micro_batch_rows=micro_rows, accumulation=rows // micro_rows)


def with_checkpointing(workload: Workload, count: int, layers: int) -> Workload:
    """`count` of `layers` are computed twice."""
    return replace(
        workload,
        is_checkpointing_activations=count > 0,
        checkpointed_layers=count if 0 < count < layers else None,
        is_offloading_activations=workload.is_offloading_activations and count > 0,
    )


def count_checkpointed(workload: Workload, layers: int) -> int:
    """Layers that are computed twice."""
    if not workload.is_checkpointing_activations:
        return 0
    return layers if workload.checkpointed_layers is None else workload.checkpointed_layers


def list_micro_rows(workload: Workload, at_most: int = MOST_PIECE_ROWS) -> tuple[int, ...]:
    """Every division of a step's rows into equal pieces of at most so many rows, falling."""
    return tuple(_divisors(workload.micro_batch_rows * workload.accumulation, at_most))


def _divisors(rows: int, most: int) -> Iterator[int]:
    low = [count for count in range(1, int(rows**0.5) + 1) if rows % count == 0]
    both = sorted({*low, *(rows // count for count in low)}, reverse=True)
    return (count for count in both if count <= most)


def _keep_most(
    workload: Workload, layers: int, fits: Callable[[Workload], bool]
) -> Workload | None:
    """As few layers computed twice as fit: more of them always need less memory."""
    none, every = (with_checkpointing(workload, count, layers) for count in (0, layers))
    if fits(none):
        return none
    if not fits(every):
        return None
    # From the fewest to the most; the first does not fit and the last does.
    counts = (0, *_part_counts(layers), layers)
    too_few, enough = 0, len(counts) - 1
    while enough - too_few > 1:
        middle = (too_few + enough) // 2
        if fits(with_checkpointing(workload, counts[middle], layers)):
            enough = middle
        else:
            too_few = middle
    return with_checkpointing(workload, counts[enough], layers)


def _part_counts(layers: int) -> range:
    """Numbers of layers between none and all that are worth a plan of their own."""
    step = max(1, layers // PARTS_OF_A_MODEL)
    return range(layers % step or step, layers, step)
