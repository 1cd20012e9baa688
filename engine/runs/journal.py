"""`journal.jsonl`: each decision about a run, flushed to disk before anybody hears of it.

The store is an index that may be lost; this file is what a run's status is rebuilt from. The
supervisor appends inside the store's transaction, and takes the line back when the transaction
fails.
"""

from pathlib import Path

from pydantic import TypeAdapter

from tailor.engine.lifecycle import Fact
from tailor.engine.machine import line_file
from tailor.engine.machine.line_file import take_back
from tailor.engine.types import Status
from tailor.estimator.record import record

__all__ = ["JournalLine", "append_lines", "read_journal", "take_back"]


@record
class JournalLine:
    """One decision: the fact, and what the run was after it."""

    schema: int = 1
    number: int
    """Rises by one over the life of the run, from 1."""
    after_seq: int
    """Last event that was read when it happened: its place between the events."""
    fact: Fact
    status: Status
    reason: str


LINE: TypeAdapter[JournalLine] = TypeAdapter(JournalLine)


def read_journal(path: Path) -> tuple[JournalLine, ...]:
    """Every whole line; what follows the last newline was never acknowledged."""
    return tuple(LINE.validate_json(line) for line in line_file.read_lines(path))


def append_lines(path: Path, lines: tuple[JournalLine, ...]) -> int:
    """Append and flush; the answer is the length to go back to with `take_back`."""
    return line_file.append_lines(path, (LINE.dump_json(line) for line in lines))
