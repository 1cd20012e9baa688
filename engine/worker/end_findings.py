"""Whether the model would learn to stop: the end token named, learned, and known to the model.

A model that was not taught its end token writes until it is cut off, and no number of the training
shows it. Each condition is checked before anything is paid for. `render_findings` asks.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tailor.engine.findings import Finding
from tailor.engine.worker.end_vector import is_untouched
from tailor.engine.worker.endings import find_special_ending, template_ending
from tailor.engine.worker.named_rows import name_rows, shown_ids
from tailor.engine.worker.row_count import RowCount
from tailor.recipes.spec import ModelSpec


def find_end_problems(
    counts: Sequence[RowCount], model: ModelSpec, tokenizer: Any
) -> list[Finding]:
    """At most one finding: the first condition that does not hold."""
    if tokenizer.eos_token is None:
        return [
            Finding(
                level="stop",
                title="The end of an answer is unknown",
                detail=f"The tokenizer of {model.name} names no end token, so a model trained on "
                "it would go on writing for ever.",
                fix="Choose another model. The starter model has one.",
            )
        ]
    endless = [count.id for count in counts if count.has_answer and not count.has_end_token]
    if endless:
        return [
            Finding(
                level="stop",
                title="The model would not learn when to stop",
                detail=f"{len(endless):,} of the rows do not end with a token that {model.name} "
                "knows as the end of an answer.",
                fix="Choose another model for this data.",
                where=name_rows(endless),
                count=len(endless),
                row_ids=shown_ids(endless),
            )
        ]
    return _new_to_model(model, tokenizer)


def _new_to_model(model: ModelSpec, tokenizer: Any) -> list[Finding]:
    ending = find_special_ending(tokenizer, template_ending(tokenizer)) or tokenizer.eos_token
    token = tokenizer.convert_tokens_to_ids(ending)
    if token < model.architecture.vocabulary and not is_untouched(Path(model.path), token):
        return []
    return [
        Finding(
            level="stop",
            title="The end of an answer is new to this model",
            detail=f"{model.name} has {ending} in its vocabulary and was never trained with it. "
            "A small adapter cannot teach it to write such a token, so it would not stop.",
            fix="Choose the variant of this model that was made for conversations, often called "
            "Instruct or Chat.",
        )
    ]
