"""A finished example, or the reason why a row cannot be one.

Every shape ends in the same noun, so that whatever comes behind (preview, doctor, split, trainer)
knows one thing only. The makers beside this file fill it; `mapping` hands it out.
"""

from typing import Literal

from tailor.estimator.record import record
from tailor.recipes.spec import Message


class NotTeachableError(ValueError):
    """A row makes no example that can be taught; the message completes "left out because ..."."""


@record
class Example:
    """A finished example, or why the row cannot be one."""

    messages: tuple[Message, ...] = ()
    text: str = ""
    """Raw text, or the piece that fills the gap between `before` and `after`."""
    rejected: tuple[str, ...] = ()
    """Worse answers than the last turn, best of them first."""
    rating: Literal["good", "bad", ""] = ""
    tools: str = ""
    """JSON list of the tools that may be called; empty without."""
    pictures: tuple[str, ...] = ()
    before: str = ""
    after: str = ""
    left_out: str = ""
    """Completes "left out because ..."; empty for a good example."""
