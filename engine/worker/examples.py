"""All rows of a run as examples: tokenised once, counted, and refused where nothing is learned.

A row that is cut so early that none of its answer is left teaches nothing and is left out; a row
without any answer is a fault of the data and stops the run. Both are told with their number. The
worker's start calls this before the model is loaded.
"""

from collections.abc import Sequence
from typing import Any

from tailor.engine.errors import UserError
from tailor.engine.worker.data import Example, build_example
from tailor.engine.worker.rows import Row
from tailor.estimator.record import record


@record
class Examples:
    """What the model will read."""

    train: tuple[Example, ...]
    held_out: tuple[Example, ...]
    cut_rows: int
    """Rows longer than the limit whose beginning is read all the same."""
    left_out_rows: int
    """Rows of whose answer the limit leaves nothing."""


def build_examples(tokenizer: Any, rows: Sequence[Row], max_length: int) -> Examples:
    """Every row as the model reads it."""
    parts: dict[str, list[Example]] = {"train": [], "held_out": []}
    cut_rows = left_out_rows = 0
    for row in rows:
        example = build_example(tokenizer, row.content, max_length)
        if example.last_learned_id < 0:
            raise UserError(
                title="A row teaches nothing",
                detail=f"Row {row.id} has no answer, so the model could only read it.",
                fix="Give it an answer or take it out, on the Data page.",
            )
        if example.learned_tokens == 0:
            left_out_rows += 1
            continue
        cut_rows += example.cut_tokens > 0
        parts[row.split].append(example)
    if not parts["train"]:
        raise UserError(
            title="There is nothing to learn",
            detail=f"None of the {len(rows)} rows leaves a part of its answer within "
            f"{max_length} tokens.",
            fix="Shorten the questions, or allow longer rows on the Plan page.",
        )
    return Examples(
        train=tuple(parts["train"]),
        held_out=tuple(parts["held_out"]),
        cut_rows=cut_rows,
        left_out_rows=left_out_rows,
    )
