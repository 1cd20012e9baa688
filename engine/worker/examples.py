"""All rows of a run as examples: tokenised once, counted, and refused where nothing is learned.

A row whose answer the limit does not leave whole teaches nothing and is left out; so is an answer
that somebody rated bad, for this way of learning imitates. A row without any answer, or one that
the model cannot read, is a fault and stops the run. All are told with their number. The worker's
start calls this before the model is loaded.
"""

from collections.abc import Sequence
from typing import Any

from tailor.engine.errors import UserError
from tailor.engine.worker.data import Example, build_example
from tailor.engine.worker.refusals import find_refusal
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
    """Rows of which the limit leaves no answer whole."""
    bad_rows: int
    """Rows whose answer was rated bad."""


def build_examples(tokenizer: Any, rows: Sequence[Row], max_length: int) -> Examples:
    """Every row as the model reads it."""
    parts: dict[str, list[Example]] = {"train": [], "held_out": []}
    cut_rows = left_out_rows = bad_rows = 0
    for row in rows:
        if not row.is_imitated:
            bad_rows += 1
            continue
        refusal = find_refusal(tokenizer, row)
        if refusal is not None:
            raise refusal
        example = build_example(tokenizer, row, max_length)
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
            detail=f"None of the {len(rows):,} rows has a whole answer within {max_length:,} "
            "tokens that may be learned.",
            fix="Shorten the rows, or allow longer ones on the Plan page.",
        )
    return Examples(
        train=tuple(parts["train"]),
        held_out=tuple(parts["held_out"]),
        cut_rows=cut_rows,
        left_out_rows=left_out_rows,
        bad_rows=bad_rows,
    )
