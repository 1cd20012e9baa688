"""How many rows one step learns from, and how they are fed to the machine.

The number for learning follows the number of rows: few rows in large batches give too few steps.
The number side by side follows memory and changes no result, only speed.
"""

from collections.abc import Iterator
from dataclasses import replace

from tailor.estimator.hardware import HardwareSpec
from tailor.estimator.memory import compute_memory
from tailor.estimator.record import record
from tailor.estimator.workload import Workload, compute_batches
from tailor.recipes.spec import ModelSpec

FEW_ROWS, SOME_ROWS = 500, 2_000
USABLE_SHARE = 0.85
"""Of the free memory; the rest is for what other programs may want meanwhile."""


@record
class Batch:
    """Rows of one step, and how they are fed."""

    rows: int
    micro_rows: int
    accumulation: int
    is_checkpointing: bool
    rows_words: str
    feeding_words: str


def compute_batch_rows(rows: int) -> int:
    """Rows that one step learns from.

    Measured on SmolLM2-135M, 240 rows, 3 passes, three random states: batches of 4, 8 and 16 rows
    gave 70, 64 and 39 of 100 held-out answers right.
    """
    return 4 if rows < FEW_ROWS else 8 if rows < SOME_ROWS else 16


def choose_batch(workload: Workload, model: ModelSpec, hardware: HardwareSpec) -> Batch:
    """As many rows side by side as fit; recomputing activations only where nothing else does.

    `workload` must be complete but for its batch. Recomputing costs a fifth of the speed (measured
    on a processor: 226 instead of 275 tokens/s), so it is tried last.
    """
    rows = compute_batch_rows(workload.lengths.rows)
    free = hardware.cards[0].free_bytes if hardware.cards else hardware.ram_free_bytes
    for micro, is_checkpointing in _ways(rows):
        tried = replace(
            workload,
            micro_batch_rows=micro,
            accumulation=rows // micro,
            is_checkpointing_activations=is_checkpointing,
        )
        memory = compute_memory(
            tried,
            model.architecture,
            compute_batches(tried),
            hardware.device,
            weights_bytes=model.weights_bytes,
        )
        if memory.high <= USABLE_SHARE * free:
            break
    return Batch(
        rows=rows,
        micro_rows=micro,
        accumulation=rows // micro,
        is_checkpointing=is_checkpointing,
        rows_words=f"Each step learns from {rows} rows. With {workload.lengths.rows:,} in all that "
        "makes enough steps, and steps that do not jump about.",
        feeding_words=_feeding_words(rows, micro, is_checkpointing),
    )


def _ways(rows: int) -> Iterator[tuple[int, bool]]:
    """Rows side by side and recomputing, in the order in which they are tried."""
    for is_checkpointing in (False, True):
        micro = rows
        while micro >= 1:
            yield micro, is_checkpointing
            micro //= 2


def _feeding_words(rows: int, micro: int, is_checkpointing: bool) -> str:
    words = (
        "All of them fit into memory side by side."
        if micro == rows
        else f"{micro} at a time fit into memory, so a step has {rows // micro} parts."
    )
    if is_checkpointing:
        words += " To save memory some numbers are computed twice, which is a fifth slower."
    return words
