"""How many rows one step learns from, and how they are fed to the machine.

The number for learning follows the number of rows: few rows in large batches give too few steps.
How many stand side by side, and how many layers are computed twice for it, follows memory and time
and changes no result. On a card both are chosen together by predicted time; on a processor, where
recomputing was measured to cost a fifth, it comes last.
"""

from collections.abc import Iterator
from dataclasses import replace

from tailor.estimator.calibration import SHIPPED
from tailor.estimator.hardware import HardwareSpec
from tailor.estimator.memory.peak import compute_memory
from tailor.estimator.record import record
from tailor.estimator.search.bench import FITS, Bench
from tailor.estimator.search.feeding import (
    choose_feeding,
    count_checkpointed,
    list_micro_rows,
    with_checkpointing,
    with_micro_rows,
)
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
    checkpointed_layers: int | None = None
    """Layers that are computed twice, where it is not all of them or none."""
    twice: str = ""
    """How many that is, such as "12 of 32"; empty where the feeding's words tell it."""
    twice_words: str = ""


def compute_batch_rows(rows: int) -> int:
    """Rows that one step learns from.

    Measured on SmolLM2-135M, 240 rows, 3 passes, three random states: batches of 4, 8 and 16 rows
    gave 70, 64 and 39 of 100 held-out answers right.
    """
    return 4 if rows < FEW_ROWS else 8 if rows < SOME_ROWS else 16


def choose_batch(
    workload: Workload, model: ModelSpec, hardware: HardwareSpec, *, rows: int | None = None
) -> Batch:
    """How the rows of a step are fed. `workload` must be complete but for its batch.

    `rows` are those of one step on each card; None leaves the number to the number of rows.
    """
    if rows is None:
        rows = compute_batch_rows(workload.lengths.rows)
    if hardware.device == "cuda":
        return _choose_on_card(workload, rows, model, hardware)
    return _choose_on_processor(workload, rows, model, hardware)


def with_batch(workload: Workload, batch: Batch) -> Workload:
    """The workload, fed so."""
    return replace(
        workload,
        micro_batch_rows=batch.micro_rows,
        accumulation=batch.accumulation,
        is_checkpointing_activations=batch.is_checkpointing,
        checkpointed_layers=batch.checkpointed_layers,
    )


def _choose_on_card(
    workload: Workload, rows: int, model: ModelSpec, hardware: HardwareSpec
) -> Batch:
    """The quickest pair of pieces and layers computed twice that fits, as the estimator has it."""
    layers = model.architecture.layers
    bench = Bench(
        model.architecture, hardware, weights_bytes=model.weights_bytes, calibration=SHIPPED
    )
    fits, seconds = bench.within(FITS), bench.seconds
    whole = replace(workload, micro_batch_rows=rows, accumulation=1)
    pieces = list_micro_rows(whole)
    fed = choose_feeding(whole, layers, pieces, fits=fits, seconds=seconds)
    if fed is None:
        # The smallest way is planned, and the estimate says what is missing.
        fed = with_checkpointing(with_micro_rows(whole, 1), layers, layers)
    twice, micro = count_checkpointed(fed, layers), fed.micro_batch_rows
    words = _feeding_words(rows, micro, is_fitting=fits(fed))
    larger = pieces[max(0, pieces.index(micro) - 1)]
    if micro < rows and fits(with_checkpointing(with_micro_rows(whole, larger), layers, layers)):
        words = (
            f"{micro} at a time, so a step has {rows // micro} parts. More would fit, and would "
            "be no quicker."
        )
    slower = seconds(fed) / seconds(with_checkpointing(fed, 0, layers)) - 1
    return Batch(
        rows=rows,
        micro_rows=micro,
        accumulation=fed.accumulation,
        is_checkpointing=fed.is_checkpointing_activations,
        checkpointed_layers=fed.checkpointed_layers,
        rows_words=_rows_words(rows, workload),
        feeding_words=words,
        twice=f"{twice} of {layers}" if twice else "",
        twice_words=_twice_words(twice, layers, slower),
    )


def _choose_on_processor(
    workload: Workload, rows: int, model: ModelSpec, hardware: HardwareSpec
) -> Batch:
    """As many rows side by side as fit; recomputing activations only where nothing else does.

    Recomputing costs a fifth of the speed (measured on a processor: 226 instead of 275 tokens/s),
    so it is tried last.
    """
    free = hardware.cards[0].free_bytes if hardware.cards else hardware.ram_free_bytes
    is_fitting = False
    for tried in _ways(rows, workload):
        is_fitting = _high_bytes(tried, model, hardware) <= USABLE_SHARE * free
        if is_fitting:
            break
    micro, is_checkpointing = tried.micro_batch_rows, tried.is_checkpointing_activations
    words = _feeding_words(rows, micro, is_fitting=is_fitting)
    if is_checkpointing:
        words += " To save memory some numbers are computed twice, which is a fifth slower."
    return Batch(
        rows=rows,
        micro_rows=micro,
        accumulation=rows // micro,
        is_checkpointing=is_checkpointing,
        rows_words=_rows_words(rows, workload),
        feeding_words=words,
    )


def _ways(rows: int, workload: Workload) -> Iterator[Workload]:
    """Pieces of a step and recomputing, in the order in which they are tried."""
    whole = replace(workload, micro_batch_rows=rows, accumulation=1)
    for is_checkpointing in (False, True):
        for micro in list_micro_rows(whole):
            yield replace(
                with_micro_rows(whole, micro), is_checkpointing_activations=is_checkpointing
            )


def _high_bytes(workload: Workload, model: ModelSpec, hardware: HardwareSpec) -> float:
    return compute_memory(
        workload,
        model.architecture,
        compute_batches(workload),
        hardware.device,
        weights_bytes=model.weights_bytes,
    ).high


def _rows_words(rows: int, workload: Workload) -> str:
    return (
        f"Each step learns from {rows} rows. With {workload.lengths.rows:,} in all that "
        "makes enough steps, and steps that do not jump about."
    )


def _feeding_words(rows: int, micro: int, *, is_fitting: bool) -> str:
    if not is_fitting:
        return "One at a time is the least there is, and it may not fit into memory."
    if micro == rows:
        return "All of them fit into memory side by side."
    return f"{micro} at a time fit into memory, so a step has {rows // micro} parts."


def _twice_words(twice: int, layers: int, slower: float) -> str:
    if not twice:
        return ""
    which = "every layer is" if twice == layers else f"{twice} of {layers} layers are"
    percent = round(100 * slower)
    cost = f"about {percent} % slower" if percent else "hardly slower"
    return (
        f"To save memory {which} computed twice instead of kept, which is {cost}. The result is "
        "the same."
    )
