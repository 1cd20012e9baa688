"""`journal.jsonl`: each decision about a run, flushed to disk before anybody hears of it.

The store is an index that may be lost; this file is what a run's status is rebuilt from. The
supervisor appends inside the store's transaction, and takes the line back when the transaction
fails.
"""

import os
from pathlib import Path

from pydantic import TypeAdapter

from tailor.engine.lifecycle import Fact
from tailor.engine.types import Status
from tailor.estimator.record import record


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
    if not path.exists():
        return ()
    lines = path.read_bytes().split(b"\n")[:-1]
    return tuple(LINE.validate_json(line) for line in lines)


def append_lines(path: Path, lines: tuple[JournalLine, ...]) -> int:
    """Append and flush; the answer is the length to go back to with `take_back`."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        length = _whole_length(descriptor)
        data = b"".join(LINE.dump_json(line) + b"\n" for line in lines)
        try:
            _write_all(descriptor, data, length)
            os.fsync(descriptor)
        except OSError:
            os.ftruncate(descriptor, length)
            raise
        # A torn line of an earlier engine may have been longer than what now stands there.
        os.ftruncate(descriptor, length + len(data))
        return length
    finally:
        os.close(descriptor)


def take_back(path: Path, length: int) -> None:
    """Undo an append whose transaction failed."""
    os.truncate(path, length)


def _whole_length(descriptor: int) -> int:
    """Length up to the last newline: a torn line is written over."""
    length = os.fstat(descriptor).st_size
    tail = os.pread(descriptor, min(length, 1 << 20), max(0, length - (1 << 20)))
    return length - (len(tail) - (tail.rfind(b"\n") + 1))


def _write_all(descriptor: int, data: bytes, offset: int) -> None:
    while data:
        written = os.pwrite(descriptor, data, offset)
        data, offset = data[written:], offset + written
