"""The inbox: where files wait to be taken over, and how it is kept clean.

The wizard writes a file there under a fresh uuid and names only that; the built-in example arrives
the same way, so it is read by the very same code as anybody's file.
"""

import os
import shutil
import uuid
from pathlib import Path

from tailor.engine.data.owner import OwnerFolder

LEFTOVER_SECONDS = 3600.0
"""An unfinished upload that nobody has written to for an hour is given up."""


def put_into_inbox(folder: OwnerFolder, source: Path) -> str:
    """Copy a file of ours into the inbox, whole or not at all; its id."""
    inbox_id = uuid.uuid4().hex
    final = folder.inbox_file(inbox_id)
    beside = final.with_name(f"{inbox_id}.part")
    shutil.copyfile(source, beside)
    with beside.open("rb") as file:
        os.fsync(file.fileno())
    beside.rename(final)
    return inbox_id


def clear_leftovers(home: Path, now: float) -> None:
    """Remove uploads that broke off."""
    for part in (home / "data").glob("*/inbox/*.part"):
        if now - part.lstat().st_mtime > LEFTOVER_SECONDS:
            part.unlink()
