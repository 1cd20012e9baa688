"""Files that are whole or not there: written beside, flushed to disk, renamed.

A kill or a power cut must never leave half a file under its final name. Only the standard library
is used, because the shim writes with it too and must load nothing that could fail. Nouns go through
`json_file`, which adds their JSON form.
"""

import os
import threading
from pathlib import Path


def write_bytes(path: Path, data: bytes) -> None:
    """Write `data` beside `path`, flush it, rename it into place, flush the folder."""
    # Two threads may write the same file at once: each needs a neighbour of its own.
    beside = path.with_name(f".{path.name}.{os.getpid()}-{threading.get_ident()}.part")
    try:
        with beside.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    except OSError:
        # On a full disk the half-written neighbour must not take up what little space is left.
        beside.unlink(missing_ok=True)
        raise
    flush_folder(path.parent)


def flush_folder(folder: Path) -> None:
    """Make renames inside `folder` durable; Windows cannot open a folder and needs none of it."""
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
