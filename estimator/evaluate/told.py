"""The workload of a measured run, from the words of its row.

Everything a row says is read once into `Told`; the workload is then put together from it, and every
field that the row leaves open is named. `rows.py` asks here.
"""

import math
from dataclasses import replace

from tailor.estimator.architecture import Architecture
from tailor.estimator.evaluate.columns import Row
from tailor.estimator.evaluate.lengths import HABITUAL_LIMIT, RowLengths, build_lengths
from tailor.estimator.evaluate.notes import Notes
from tailor.estimator.evaluate.quantities import read_count
from tailor.estimator.evaluate.refused import RefusalError
from tailor.estimator.evaluate.settings import (
    SELECTIVE_SHARE,
    SINGLE_BYTES,
    Numbers,
    Sharing,
    is_packed,
    read_attention,
    read_checkpointing,
    read_numbers,
    read_optimizer,
)
from tailor.estimator.evaluate.technique import BASE_BYTES, Method
from tailor.estimator.record import record
from tailor.estimator.stack import Stack
from tailor.estimator.workload import Workload


@record
class Told:
    """One row, read."""

    row: Row
    notes: Notes
    method: Method
    sharing: Sharing
    stack: Stack
    architecture: Architecture
    cards: int
    micro_batch_rows: int
    accumulation: int | None
    lengths: RowLengths
    steps: int | None
    count: int
    """Rows of data that the run reads, as far as it matters."""


def read_lengths(row: Row, notes: Notes) -> RowLengths:
    """Lengths of the rows of data; real rows without any limit get a habitual one."""
    packed = is_packed(row.packing)
    limit = read_count(row.seq_len, "seq_len")
    if packed is False:
        words = f"{row.framework} {notes.kernels}".lower()
        fed = row.packing.lower()
        return RowLengths(
            limit_tokens=limit or HABITUAL_LIMIT,
            is_filled=False,
            is_bucketed="bucket" in fed or "group" in fed,
            is_padding_free="padding-free" in words or "padding_free" in words,
        )
    if limit is None:
        raise RefusalError("missing_seq_len", "The length of a row is not told.")
    return RowLengths(limit_tokens=limit, is_filled=True)


def read_steps(notes: Notes, rows_in_step: int) -> int | None:
    """Optimizer steps of the run, from steps or from rows and passes."""
    if notes.steps is not None:
        return notes.steps
    if notes.samples is None:
        return None
    steps_in_pass = math.ceil(notes.samples / rows_in_step)
    return max(1, math.ceil(steps_in_pass * (1.0 if notes.epochs is None else notes.epochs)))


def build_workload(told: Told) -> tuple[Workload, tuple[str, ...]]:
    """The workload, and what had to be assumed for it."""
    row, notes, method, stack = told.row, told.notes, told.method, told.stack
    is_full = method.technique == "full"
    numbers = _find_numbers(told)
    again = read_checkpointing(row.grad_ckpt, is_default=bool(stack.is_checkpointing))
    attention, attention_assumed = read_attention(row.attention)
    # DeepSpeed puts its own fused optimizer in the place of a plain AdamW.
    plain = "adamw" if told.sharing.has_masters else stack.optimizer
    optimizer, optimizer_assumed = read_optimizer(row.optimizer, plain)
    rank, rank_assumed = _find_rank(method, notes, stack)
    layers = told.architecture.layers
    workload = Workload(
        technique=method.technique,
        lengths=build_lengths(told.lengths, told.count),
        max_length_tokens=told.lengths.limit_tokens,
        micro_batch_rows=told.micro_batch_rows,
        accumulation=told.accumulation or 1,
        steps=told.steps or 1,
        evaluations=0,
        held_out_rows=0,
        held_out_tokens=0,
        weight_bytes_per_parameter=BASE_BYTES.get(method.base_format, numbers.weight_bytes),
        trainable_bytes_per_parameter=_trained_bytes(is_full, numbers, stack),
        lora_rank=rank,
        is_checkpointing_activations=again.is_on,
        save_count=0,
        objective=method.objective,
        base_format=method.base_format,
        optimizer=optimizer,
        cards=told.cards,
        sharding=told.sharing.sharding,
        attention=attention,
        is_packed=told.lengths.is_filled,
        checkpointed_layers=round(layers * SELECTIVE_SHARE) if again.is_selective else None,
        is_offloading_activations=_is_offloading(told, again.is_offloading),
        has_fused_kernels=stack.layers != "eager",
        is_autocast=numbers.is_autocast,
        adapter_kind=method.adapter_kind,
        adapter_targets=_find_targets(method, notes, stack),
        adapter_dropout=notes.dropout or 0.0,
        has_reference_copy=is_full and method.objective == "dpo",
    )
    return workload, (
        *method.assumed,
        *told.sharing.assumed,
        *numbers.assumed,
        *again.assumed,
        *attention_assumed,
        *optimizer_assumed,
        *rank_assumed,
        *_list_other(told),
    )


def _find_numbers(told: Told) -> Numbers:
    is_full = told.method.technique == "full"
    is_sharded = told.sharing.sharding in ("fsdp", "fsdp_offload")
    numbers = read_numbers(told.row.dtype, is_full=is_full, is_sharded=is_sharded)
    return replace(numbers, is_autocast=True) if is_full and told.sharing.has_masters else numbers


def _find_rank(method: Method, notes: Notes, stack: Stack) -> tuple[int, tuple[str, ...]]:
    if method.technique == "full":
        return 0, ()
    most = method.most_rank
    if notes.rank or most == 0:
        rank = notes.rank or 0
        return rank if most is None else min(rank, most), ()
    told = (f"The rank of the adapter is taken to be {stack.adapter_rank}.",)
    return stack.adapter_rank if most is None else min(stack.adapter_rank, most), told


def _find_targets(method: Method, notes: Notes, stack: Stack) -> tuple[str, ...]:
    if method.technique == "full":
        return ()
    return stack.adapter_targets if notes.targets is None else notes.targets


def _trained_bytes(is_full: bool, numbers: Numbers, stack: Stack) -> float:
    if not is_full:
        return stack.adapter_bytes
    return SINGLE_BYTES if numbers.is_autocast else numbers.weight_bytes


def _is_offloading(told: Told, is_checkpoint_offloaded: bool) -> bool:
    return (
        is_checkpoint_offloaded
        or told.sharing.is_offloading_activations
        or told.notes.is_offloading_activations
    )


def _list_other(told: Told) -> tuple[str, ...]:
    words = []
    if told.stack.is_assumed:
        words.append("The program is not known; its loss is taken to be Hugging Face's.")
    if told.accumulation is None:
        words.append("Every micro-batch is taken to be a step.")
    if told.method.technique != "full" and told.notes.targets is None:
        words.append("The adapter is taken to sit where this program puts it by itself.")
    if not told.lengths.is_filled:
        words.append("Rows are taken to be instructions of usual length.")
    elif is_packed(told.row.packing) is None:
        words.append("Every row is taken to have the full length.")
    return tuple(words)
