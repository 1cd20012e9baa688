"""Files of lines that are appended and flushed: a line is whole or not there.

A kill or a power cut may leave half a line at the end. A reader takes what ends in a newline, and
the next append writes over the rest. The journal of a run and the record of measured runs are such
files.
"""

import os
from collections.abc import Iterable
from pathlib import Path

TAIL_BYTES = 1 << 20
"""No line of ours is longer."""


def append_lines(path: Path, lines: Iterable[bytes]) -> int:
    """Append and flush; the answer is the length to go back to with `take_back`."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        length = _whole_length(descriptor)
        data = b"".join(line + b"\n" for line in lines)
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


def read_lines(path: Path) -> list[bytes]:
    """Every whole line; what follows the last newline was never acknowledged."""
    if not path.exists():
        return []
    return path.read_bytes().split(b"\n")[:-1]


def take_back(path: Path, length: int) -> None:
    """Undo an append."""
    os.truncate(path, length)


def _whole_length(descriptor: int) -> int:
    """Length up to the last newline: a torn line is written over."""
    length = os.fstat(descriptor).st_size
    tail = os.pread(descriptor, min(length, TAIL_BYTES), max(0, length - TAIL_BYTES))
    return length - (len(tail) - (tail.rfind(b"\n") + 1))


def _write_all(descriptor: int, data: bytes, offset: int) -> None:
    while data:
        written = os.pwrite(descriptor, data, offset)
        data, offset = data[written:], offset + written
