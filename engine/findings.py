"""What a check has to say, and why something could not be done: the two ways to tell a person.

Checks of data, of a plan and of a machine all answer with a `Finding`; a refused verb becomes a
`Problem`. Both are plain sentences that survive a JSON round trip; the wizard shows them alike.
"""

from typing import Literal

from tailor.estimator.record import record


@record
class Fix:
    """Something that can be done about a finding in the data with one click, and undone."""

    id: str
    label: str
    """The button: "Keep the first of each"."""
    words: str
    """What will happen, with the number: "12 rows are left out."."""
    is_suggested: bool = False
    asks: str = ""
    """Label of a value to type first; empty when there is nothing to ask."""


@record
class Finding:
    """A check's result: nothing is raised, the person decides."""

    level: Literal["stop", "warn", "note"]
    title: str
    detail: str
    fix: str
    where: str = ""
    """Rows, file or setting that it speaks of."""
    check: str = ""
    """Id of the data check that found it; empty when nothing can be done with a click."""
    count: int = 0
    """How many rows it speaks of."""
    row_ids: tuple[int, ...] = ()
    """The first of these rows, at most 20."""
    examples: tuple[str, ...] = ()
    """At most three, each a short piece of a row as plain text."""
    effect: str = ""
    """What it would do to the model, one sentence."""
    fixes: tuple[Fix, ...] = ()
    is_skipped: bool = False
    """The person has seen it and leaves it as it is; it no longer stops anything."""


@record
class Problem:
    """A `UserError` as data: why something could not be done."""

    title: str
    detail: str
    fix: str
