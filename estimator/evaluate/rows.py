"""A line of a file of measurements as the estimator's own nouns: a `Case`, or a refusal.

Public measurements come in the words of forty projects; a prediction needs a workload, a shape and
a machine. Nothing here can see a value: rows are read without them (`columns.py`), and a case
carries only the factor that brings its value to our unit. `predict.py` predicts cases, `fit.py`
learns from them.
"""

from pathlib import Path

from tailor.estimator.architecture import Architecture
from tailor.estimator.evaluate.cards import count_cards, find_hardware
from tailor.estimator.evaluate.columns import Row, read_rows
from tailor.estimator.evaluate.families import KINDS, Family, find_family, find_scale
from tailor.estimator.evaluate.lengths import UNKNOWN_STEPS, build_batches
from tailor.estimator.evaluate.notes import Notes, read_notes
from tailor.estimator.evaluate.quantities import read_count, read_number
from tailor.estimator.evaluate.refused import RefusalError, Refused
from tailor.estimator.evaluate.settings import read_sharing
from tailor.estimator.evaluate.technique import read_method
from tailor.estimator.evaluate.told import Told, build_workload, read_lengths, read_steps
from tailor.estimator.hardware import HardwareSpec
from tailor.estimator.models.model_names import Refusal, resolve
from tailor.estimator.record import record
from tailor.estimator.stack import Stack, find_stack
from tailor.estimator.workload import Batches, Workload

MOST_CARDS = 100_000
"""Cards of one run; nobody has more."""


@record
class Case:
    """One row that can be predicted."""

    number: int
    """Place in the file, the header left out."""
    source: str
    source_group: str
    model: str
    family: Family
    metric: str
    scale: float
    """What the row's value is multiplied by to be in our unit."""
    workload: Workload
    batches: Batches
    architecture: Architecture
    hardware: HardwareSpec
    stack: Stack
    is_generic: bool
    """The model's shape is a guess from its size."""
    is_length_cap: bool
    """The row's length is a limit or not told at all; its rows are real and shorter."""
    is_length_unknown: bool
    """Not even a limit is told."""
    is_without_padding: bool
    """A speed in tokens counts those of the rows alone."""
    is_one_step: bool
    """A time is that of one optimizer step, not of the run."""
    assumed: tuple[str, ...]
    """Inputs that the row does not tell."""
    run: str
    """The source's own name of the run, or empty."""
    setting: str
    """Everything that was run, without what was measured."""

    @property
    def group(self) -> tuple[str, str]:
        """Rows of one run."""
        return self.source, self.run or self.setting


def read_cases(path: Path) -> tuple[Case | Refused, ...]:
    """Every row of the file, as a case or refused."""
    return tuple(read_case(row) for row in read_rows(path))


def read_case(row: Row) -> Case | Refused:
    """One row."""
    try:
        return _read_case(row)
    except RefusalError as refusal:
        return Refused(
            number=row.number,
            source_group=row.source_group,
            metric=row.metric,
            model=row.model,
            code=refusal.code,
            words=refusal.words,
        )


def _read_case(row: Row) -> Case:
    # In this order: a row of another kind of model should not be told to lack a batch.
    architecture, is_generic = _find_model(row)
    family = find_family(row.metric)
    cards = read_count(row.num_gpus, "num_gpus", most=MOST_CARDS) or count_cards(row.hardware)
    told = _read_told(row, architecture, cards)
    hardware = _find_hardware(row, family, cards)
    if row.metric.lower() == "train_time_s" and told.steps is None:
        raise RefusalError("missing_run_length", "Neither steps nor rows of the run are told.")
    workload, assumed = build_workload(told)
    return Case(
        number=row.number,
        source=row.source,
        source_group=row.source_group,
        model=row.model,
        family=family,
        metric=row.metric,
        scale=find_scale(row.metric, row.unit, cards) / _cards_in_sum(told.notes, family, cards),
        workload=workload,
        batches=build_batches(told.lengths, told.micro_batch_rows, told.accumulation or 1),
        architecture=architecture,
        hardware=hardware,
        stack=told.stack,
        is_generic=is_generic,
        is_length_cap=not told.lengths.is_filled or told.notes.is_length_cap,
        is_length_unknown=not row.seq_len,
        is_without_padding=told.notes.is_without_padding,
        is_one_step=row.metric.lower() == "sec_per_iter",
        assumed=assumed,
        run=told.notes.run,
        setting=_setting(row),
    )


def _read_told(row: Row, architecture: Architecture, cards: int) -> Told:
    notes = read_notes(f"{row.notes}; {row.technique}")
    method = read_method(row.technique, row.quantization, notes)
    sharing = read_sharing(row.sharding, cards)
    lengths = read_lengths(row, notes)
    micro_batch = read_count(row.per_device_batch, "per_device_batch")
    if micro_batch is None:
        raise RefusalError("missing_batch", "The micro-batch is not told.")
    accumulation = read_count(row.grad_accum, "grad_accum")
    rows_in_step = micro_batch * (accumulation or 1) * cards
    steps = read_steps(notes, rows_in_step)
    return Told(
        row=row,
        notes=notes,
        method=method,
        sharing=sharing,
        stack=find_stack(row.framework, row.notes),
        architecture=architecture,
        cards=cards,
        micro_batch_rows=micro_batch,
        accumulation=accumulation,
        lengths=lengths,
        steps=steps,
        count=rows_in_step * (steps or UNKNOWN_STEPS),
    )


def _find_model(row: Row) -> tuple[Architecture, bool]:
    params_b = read_number(row.params_b, "params_b") if row.params_b else None
    found = resolve(row.model, params_b)
    if isinstance(found, Refusal):
        if found.code == "not_text_model":
            raise RefusalError("not_text_model", found.words)
        raise RefusalError("unknown_model", found.words)
    return found.architecture, found.is_generic


def _find_hardware(row: Row, family: Family, cards: int) -> HardwareSpec:
    is_memory = KINDS[family] in ("memory", "outcome")
    hardware = find_hardware(row.hardware, cards, is_memory=is_memory)
    if family == "oom" and not hardware.cards[0].free_bytes:
        name = row.hardware or "the card"
        raise RefusalError("unknown_card", f"The memory of {name} is not known.")
    return hardware


def _cards_in_sum(notes: Notes, family: Family, cards: int) -> int:
    return cards if notes.is_summed_over_cards and KINDS[family] == "memory" else 1


def _setting(row: Row) -> str:
    values = (
        row.hardware, row.num_gpus, row.model, row.params_b, row.technique, row.quantization,
        row.dtype, row.optimizer, row.seq_len, row.per_device_batch, row.grad_accum, row.grad_ckpt,
        row.attention, row.packing, row.sharding, row.framework,
    )  # fmt: skip
    return "|".join(values)
