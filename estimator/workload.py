"""What a run will do to a machine: tokens, batches, technique; no model and no hardware in it.

A recipe's plan implies one `Workload`; the estimator turns it into memory and time. How rows become
padded batches is counted here, because both memory and time depend on it.
"""

import math
from itertools import accumulate
from typing import Literal

from tailor.estimator.record import record
from tailor.estimator.timing.tokens import pack_rows

Technique = Literal["full", "lora", "qlora"]
Objective = Literal["sft", "dpo", "kto", "distill"]
BaseFormat = Literal["plain", "nf4", "nf4_double", "int8", "gptq"]
Optimizer = Literal[
    "adamw", "adamw_foreach", "adamw_8bit", "paged_adamw_8bit", "adafactor", "sgd_momentum"
]
Sharding = Literal["none", "ddp", "zero1", "zero2", "fsdp", "fsdp_offload"]
Attention = Literal["flash", "sdpa", "eager"]
AdapterKind = Literal["lora", "dora", "rslora"]
RowOrder = Literal["grouped", "shuffled"]


@record
class LengthHistogram:
    """How long the rows are, in tokens of one model's tokenizer."""

    edges_tokens: tuple[int, ...]
    """Upper edge of each bucket, rising; the last is the longest row."""
    counts: tuple[int, ...]
    """Rows in each bucket, same length as the edges."""
    total_tokens: int
    """Tokens of all rows together."""
    learned_tokens: int
    """Tokens with a label, all rows together."""
    longest_tokens: int
    """Tokens of the longest row."""

    @property
    def rows(self) -> int:
        """Rows counted."""
        return sum(self.counts)


@record
class Workload:
    """One run, as the estimator sees it."""

    technique: Technique
    lengths: LengthHistogram
    """Training rows."""
    max_length_tokens: int
    micro_batch_rows: int
    accumulation: int
    steps: int
    """Optimizer steps in all."""
    evaluations: int
    held_out_rows: int
    held_out_tokens: int
    exam_questions: int = 0
    exam_new_tokens: int = 0
    """Longest answer that the exam lets the model write, in tokens."""
    weight_bytes_per_parameter: float
    """4 for fp32, 2 for bf16, about 0.516 for the linear layers of an NF4 base."""
    trainable_bytes_per_parameter: float = 4.0
    """Bytes of one trainable weight; gradient and each optimizer moment take the same."""
    lora_rank: int = 0
    """0 when nothing is adapted (full fine-tuning)."""
    is_checkpointing_activations: bool = False
    save_count: int = 1
    objective: Objective = "sft"
    base_format: BaseFormat = "plain"
    """How the frozen linear layers are packed; `plain` is `weight_bytes_per_parameter` as it is."""
    optimizer: Optimizer = "adamw"
    """`adamw` is the fused one, which needs no copy; `adamw_foreach` copies what it trains."""
    cards: int = 1
    """Accelerators that work on each step; `micro_batch_rows` and `accumulation` are a card's."""
    sharding: Sharding = "none"
    """How several cards share the model; ZeRO-3 is `fsdp`."""
    attention: Attention = "flash"
    is_packed: bool = False
    """Rows stand one after the other and fill every micro-batch to its limit."""
    checkpointed_layers: int | None = None
    """Layers that are computed again in the backward pass; None is all of them, where
    `is_checkpointing_activations` says so."""
    is_offloading_activations: bool = False
    """Kept layer inputs wait in the computer's memory."""
    has_fused_kernels: bool = False
    is_autocast: bool = False
    """Trained weights rest in fp32 and are multiplied in 16 bits."""
    adapter_kind: AdapterKind = "lora"
    adapter_targets: tuple[str, ...] = ()
    """Linear layers with an adapter, of q k v o gate up down; empty is all of them."""
    adapter_dropout: float = 0.0
    has_reference_copy: bool = False
    """Preference learning with a second, frozen model in memory."""
    teacher_parameters: int = 0
    """Weights of the model that is imitated; 0 without one."""
    row_order: RowOrder = "grouped"
    """Whether rows of similar length stand side by side in a micro-batch."""
    is_padding_free: bool = False
    """The rows of a micro-batch stand end to end in one long row."""

    @property
    def read_held_out_tokens(self) -> int:
        """Tokens of the held-out rows as they are read: each cut at the limit."""
        return min(self.held_out_tokens, self.held_out_rows * self.max_length_tokens)


GROUP_STEPS = 16
"""Steps whose rows are sorted together by length; the worker's order does the same."""
GROUP_ROWS_LIMIT = 1024
"""Rows of a group that are worked out; more do not change the mean."""


@record
class Batches:
    """What a workload's rows become when they stand side by side."""

    rows_in_step: int
    """Rows of one optimizer step."""
    mean_tokens: float
    """Tokens of a micro-batch with its padding, on average."""
    longest_tokens: int
    """Tokens of the micro-batch with the longest rows; memory is decided here."""
    longest_row_tokens: int
    learned_share: float
    """Share of a row's tokens that are learned."""
    padding_share: float
    """Share of a micro-batch that is filler."""
    attended_tokens: float = 0.0
    """Length of the row that a token stands in, on average over tokens; attention grows with it.
    Filler is attended to as well. 0 where it was not counted."""
    rows_cut: int = 0
    """Rows that are longer than the limit."""
    tokens_cut: int = 0
    """Their tokens beyond it, about."""


def compute_batches(workload: Workload) -> Batches:
    """Count padded tokens."""
    lengths, rows = workload.lengths, workload.micro_batch_rows
    limit = max(1, workload.max_length_tokens)
    longest = max(1, min(lengths.longest_tokens, limit))
    in_step = rows * workload.accumulation
    group = _even_lengths(lengths, max(rows, min(GROUP_STEPS * in_step, GROUP_ROWS_LIMIT)))
    over = [length for length in group if length > limit] if lengths.longest_tokens > limit else []
    group = [min(float(longest), length) for length in group]
    fed = [(1.0, length) for length in group]
    if not (workload.is_packed or workload.is_padding_free):
        fed = _padded(workload, group)
    tokens = sum(count * length for count, length in fed)
    # Packed rows fill their place to the limit.
    padded = float(len(group) * limit) if workload.is_packed else tokens
    share = lengths.rows / len(group)
    return Batches(
        rows_in_step=in_step,
        mean_tokens=padded / len(group) * rows,
        longest_tokens=rows * (limit if workload.is_packed else longest),
        longest_row_tokens=limit if workload.is_packed else longest,
        learned_share=min(1.0, lengths.learned_tokens / max(1, lengths.total_tokens)),
        padding_share=_padding_share(workload, group, padded),
        attended_tokens=sum(count * length * length for count, length in fed) / tokens,
        rows_cut=round(share * len(over)),
        tokens_cut=round(share * sum(length - limit for length in over)),
    )


def _padded(workload: Workload, group: list[float]) -> list[tuple[float, float]]:
    """Rows and padded length of each micro-batch that the group makes."""
    rows = workload.micro_batch_rows
    if workload.row_order == "shuffled":
        # How often each is the longest of `rows` rows drawn at random.
        count = len(group)
        return [
            (count * (((place + 1) / count) ** rows - (place / count) ** rows), length)
            for place, length in enumerate(group)
        ]
    chunks = [group[place : place + rows] for place in range(0, len(group), rows)]
    return [(float(len(chunk)), max(chunk)) for chunk in chunks]


def _padding_share(workload: Workload, group: list[float], padded: float) -> float:
    if workload.is_packed:
        limit = max(1, workload.max_length_tokens)
        filled = pack_rows([math.ceil(length) for length in group], limit)
        return 1 - sum(filled) / (len(filled) * limit)
    return max(0.0, 1 - sum(group) / padded)


def _even_lengths(lengths: LengthHistogram, count: int) -> list[float]:
    """`count` lengths, rising, that stand for the histogram; their mean is the rows' true mean."""
    rows = lengths.rows
    if not rows:
        return [1.0] * count
    ends = list(accumulate(lengths.counts))
    picked, bucket = [], 0
    for place in range(count):
        rank = (place + 0.5) / count * rows
        while ends[bucket] < rank:
            bucket += 1
        lower = lengths.edges_tokens[bucket - 1] if bucket else 0
        inside = 1 - (ends[bucket] - rank) / lengths.counts[bucket]
        picked.append(lower + inside * (lengths.edges_tokens[bucket] - lower))
    scale = lengths.total_tokens / rows / (sum(picked) / count)
    return [max(1.0, length * scale) for length in picked]
