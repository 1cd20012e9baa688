"""What is written to the store together: a run's change, a remembered request, a tracker's place.

A kill between two writes would leave a run that its own diary does not know, so the supervisor
hands the store one noun and the store writes it in one transaction.
"""

from tailor.engine.runs.journal import JournalLine
from tailor.engine.runs.reading import Reading
from tailor.engine.types import DiaryLine, RunRecord
from tailor.estimator.record import record


@record
class Request:
    """A write that somebody asked for under an id of his own, and what he was answered."""

    owner: str
    id: str
    verb: str
    body_hash: str
    answer: str
    """JSON; for a submit the run's id."""


@record
class Change:
    """Everything about one run that changes together."""

    record: RunRecord
    is_new: bool = False
    joins_queue: bool = False
    """Go to the end of the queue."""
    reading: Reading | None = None
    """None leaves the stored one."""
    lines: tuple[JournalLine, ...] = ()
    diary: tuple[DiaryLine, ...] = ()
    request: Request | None = None


@record
class TrackerRun:
    """Where a tracker keeps a run, and how far it has read."""

    name: str
    """The tracker's own id of the run."""
    seq: int
    """Last event that it has taken."""
