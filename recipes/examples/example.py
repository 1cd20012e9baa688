"""A built-in example project: rows, what they mean, and what the model should learn from them.

Plain data, so that the first try of the product needs no data of one's own and the demo always runs
the same thing. One file an example beside this one, found by `catalog`.
"""

from pathlib import Path

from tailor.estimator.record import record
from tailor.recipes.spec import Goal


@record
class Example:
    """One example project."""

    id: str
    """The file's name."""
    title: str
    words: str
    """What it is about, in one sentence."""
    goal: Goal
    wish: str
    """What the model should get better at, as a person would write it."""
    path: Path
    """The CSV file."""
    question: str
    """Column with the question."""
    answer: str
    """Column with the answer."""
    instruction: str = ""
    """Standing instruction for every row."""
