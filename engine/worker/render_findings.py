"""What a person should know about the rows before a model learns from them.

Two faults ruin a training without a sound: answers that are cut away, and an end token that is not
learned, after which the model never stops talking. The render child asks for these findings; the
Check screen shows them.
"""

from collections.abc import Sequence
from typing import Any

from tailor.engine.findings import Finding
from tailor.engine.worker.template import PLAIN_TEMPLATE
from tailor.estimator.record import record
from tailor.recipes.spec import ModelSpec

LITTLE_LEARNED_SHARE = 0.02
NAMED_ROWS = 5


@record
class RowCount:
    """The numbers of one row."""

    id: int
    split: str
    tokens: int
    """Tokens that are read, after any cut."""
    learned_tokens: int
    characters: int
    """Characters that are read."""
    is_cut: bool
    has_answer: bool
    """Whether there is anything to learn before any cut."""
    has_end_token: bool
    """Whether the last learned token, before any cut, ends an answer."""


def find_problems(
    counts: Sequence[RowCount], limit: int, model: ModelSpec, tokenizer: Any
) -> tuple[Finding, ...]:
    """All findings, the ones that stop a run first."""
    found = [
        *_nothing_learned(counts),
        *_no_end_token(counts, model),
        *_too_long(counts, limit),
        *_little_learned(counts),
    ]
    if tokenizer.chat_template == PLAIN_TEMPLATE:
        found.append(
            Finding(
                level="note",
                title="This model was not made for conversations",
                detail="It brings no template of its own, so your rows are written plainly as "
                "Question and Answer.",
                fix="Nothing to do. The finished model keeps this form, also for other programs.",
            )
        )
    return tuple(sorted(found, key=lambda finding: ("stop", "warn", "note").index(finding.level)))


def _nothing_learned(counts: Sequence[RowCount]) -> list[Finding]:
    empty = [count for count in counts if not count.has_answer]
    if not empty:
        return []
    return [
        Finding(
            level="stop",
            title=f"{_rows(len(empty))} without an answer",
            detail="The model learns answers only, so there is nothing to learn from these rows.",
            fix="Go back to Data: fill the answers in, leave the rows out, or choose the column "
            "that holds the answers.",
            where=_where(empty),
        )
    ]


def _no_end_token(counts: Sequence[RowCount], model: ModelSpec) -> list[Finding]:
    endless = [count for count in counts if count.has_answer and not count.has_end_token]
    if not endless:
        return []
    return [
        Finding(
            level="stop",
            title="The model would not learn when to stop",
            detail=f"{len(endless):,} of the rows do not end with a token that {model.name} knows "
            "as the end of an answer.",
            fix="Choose another model for this data.",
            where=_where(endless),
        )
    ]


def _too_long(counts: Sequence[RowCount], limit: int) -> list[Finding]:
    train = [count for count in counts if count.split == "train" and count.has_answer]
    lost = [count for count in train if count.learned_tokens == 0]
    cut = [count for count in train if count.is_cut and count.learned_tokens]
    found = []
    if train and len(lost) == len(train):
        return [
            Finding(
                level="stop",
                title="Every row is too long",
                detail=f"At most {limit:,} tokens are read of a row, and no answer begins before "
                "that.",
                fix="Shorten the text before the answers, or choose a model that reads more.",
            )
        ]
    if lost:
        found.append(
            Finding(
                level="warn",
                title=f"{_rows(len(lost))} left out",
                detail=f"At most {limit:,} tokens are read of a row, and their answers begin "
                "behind that.",
                fix="Shorten the text before the answers, or choose a model that reads more.",
                where=_where(lost),
            )
        )
    if cut:
        found.append(
            Finding(
                level="warn",
                title=f"{_rows(len(cut))} cut",
                detail=f"They are longer than {limit:,} tokens. What is behind that is not read, "
                "and the end of these answers is not learned.",
                fix="Shorten them or split them, or choose a model that reads more.",
                where=_where(cut),
            )
        )
    return found


def _little_learned(counts: Sequence[RowCount]) -> list[Finding]:
    read = sum(count.tokens for count in counts)
    learned = sum(count.learned_tokens for count in counts)
    if not learned or learned / read >= LITTLE_LEARNED_SHARE:
        return []
    return [
        Finding(
            level="warn",
            title="The model would mostly read and hardly learn",
            detail=f"Only {100 * learned / read:.1f} % of the tokens are answers.",
            fix="Check that the answer column is the right one, or shorten the text before it.",
        )
    ]


def _rows(count: int) -> str:
    return "1 row is" if count == 1 else f"{count:,} rows are"


def _where(counts: Sequence[RowCount]) -> str:
    named = ", ".join(str(count.id) for count in counts[:NAMED_ROWS])
    return f"rows {named}" + (", ..." if len(counts) > NAMED_ROWS else "")
