"""A row that cannot be predicted, and why.

A guess in place of a refusal would flatter or ruin the figures without anybody noticing, so every
row that is not predicted carries one of these codes. `rows.py` and its helpers raise them; the
report counts them.
"""

from typing import Literal

from tailor.estimator.record import record

Code = Literal[
    "unknown_model",
    "not_text_model",
    "unknown_technique",
    "unknown_card",
    "ambiguous_card",
    "missing_seq_len",
    "missing_batch",
    "missing_run_length",
    "unsupported_metric",
    "unsupported_sharding",
    "bad_number",
]
"""Why a row is not predicted."""


class RefusalError(Exception):
    """The row cannot be predicted."""

    def __init__(self, code: Code, words: str) -> None:
        super().__init__(words)
        self.code: Code = code
        self.words = words


@record
class Refused:
    """A row that is not predicted."""

    number: int
    """Place in the file, the header left out."""
    source_group: str
    metric: str
    model: str
    code: Code
    words: str
    """What is missing or unknown, in words."""
