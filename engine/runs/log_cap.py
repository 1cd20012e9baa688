"""Keeps a worker's log small enough to keep: its beginning and its end.

A library in a loop can print gigabytes in an hour; the first lines say what was started and the
last ones how it ended. The shim calls it each second. Standard library only.
"""

import os
from pathlib import Path

LIMIT_BYTES = 32 << 20
HEAD_BYTES = 1 << 20
TAIL_BYTES = 15 << 20


def cap_log(path: Path, limit_bytes: int = LIMIT_BYTES) -> bool:
    """Cut the middle out of a log that is too long; True when it was.

    The worker goes on writing meanwhile. It opened the log for appending, so its next line lands at
    the new end; a line that falls between our reading and our cutting is lost.
    """
    if not path.exists() or path.stat().st_size <= limit_bytes:
        return False
    head_bytes, tail_bytes = min(HEAD_BYTES, limit_bytes // 4), min(TAIL_BYTES, limit_bytes // 2)
    with path.open("r+b") as file:
        length = os.fstat(file.fileno()).st_size
        file.seek(length - tail_bytes)
        tail = file.read(tail_bytes)
        left_out = length - tail_bytes - head_bytes
        file.seek(head_bytes)
        file.write(f"\n... {left_out:,} bytes were left out here ...\n".encode())
        file.write(tail)
        file.truncate()
    return True
