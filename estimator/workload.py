"""What a run will do to a machine: tokens, batches, technique; no model and no hardware in it.

A recipe's plan implies one `Workload`; the estimator turns it into memory and time. How rows become
padded batches is counted here, because both memory and time depend on it.
"""

from itertools import accumulate
from typing import Literal

from tailor.estimator.record import record

Technique = Literal["full", "lora", "qlora"]


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


def compute_batches(workload: Workload) -> Batches:
    """Count padded tokens, with rows of similar length side by side."""
    lengths, rows = workload.lengths, workload.micro_batch_rows
    limit = max(1, workload.max_length_tokens)
    longest = max(1, min(lengths.longest_tokens, limit))
    in_step = rows * workload.accumulation
    group = _even_lengths(lengths, max(rows, min(GROUP_STEPS * in_step, GROUP_ROWS_LIMIT)))
    group = [min(float(longest), length) for length in group]
    chunks = [group[place : place + rows] for place in range(0, len(group), rows)]
    padded = sum(len(chunk) * max(chunk) for chunk in chunks)
    return Batches(
        rows_in_step=in_step,
        mean_tokens=padded / len(group) * rows,
        longest_tokens=rows * longest,
        longest_row_tokens=longest,
        learned_share=min(1.0, lengths.learned_tokens / max(1, lengths.total_tokens)),
        padding_share=1 - sum(group) / padded,
    )


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
