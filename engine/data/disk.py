"""Room on the disk, asked for before a file is read: the rows are stored a second time as text.

A disk that fills up half-way costs minutes and leaves everybody without room, and the size of a
file tells beforehand what it will need. Asked by the library; what happens on a full disk all the
same is told by `engine/machine/full_disk.py`.
"""

import shutil
from pathlib import Path

from tailor.engine.errors import UserError

TIMES_THE_FILE = 3
"""Rows as read, rows as mapped, and one more version."""
FLOOR_BYTES = 200_000_000
"""Left free, so that the engine can go on writing its own records."""


def check_room(folder: Path, size_bytes: int) -> None:
    """Raise when there is no room to read a file of this size."""
    free = shutil.disk_usage(folder).free
    needed = TIMES_THE_FILE * size_bytes + FLOOR_BYTES
    if free < needed:
        raise UserError(
            title="Not enough room on the disk",
            detail=f"This needs {needed / 1e9:.1f} GB; {free / 1e9:.1f} GB are free.",
            fix="Free some space, then drop the file again.",
            status=507,
        )
