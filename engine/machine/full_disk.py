"""A full disk, told in words: what was being written, how much room is left, what to do.

Every write of the engine can meet it. `full_disk_in_words` turns the operating system's errors into
the one `UserError` that people read; whoever uses it must have left things as they were.
"""

import errno
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tailor.engine.errors import UserError

FULL = frozenset({errno.ENOSPC, errno.EDQUOT})


def disk_full(path: Path) -> OSError:
    """The error of a write that found no room, for writers that report it in another way."""
    return OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))


@contextmanager
def full_disk_in_words(folder: Path, unchanged: str) -> Iterator[None]:
    """Raise a `UserError` in place of "no space left"; `unchanged` says what was kept as it was."""
    try:
        yield
    except OSError as error:
        if error.errno not in FULL:
            raise
        free_mb = shutil.disk_usage(folder).free / 1e6
        raise UserError(
            title="The disk is full",
            detail=f"{free_mb:,.0f} MB are free where Tailor keeps its files. {unchanged}",
            fix="Make some room on this disk and try again.",
            status=507,
        ) from error
