"""Originals: how an uploaded file enters the store, and the one way in which it is opened again.

What a person gave us must stay exactly as it was, so the file gets a name of ours, loses its write
permission and is hashed on arrival. The library calls `take_over`; the reading child opens the file
through `open_original`; the person's own name for it is kept as a label and never becomes a path.
"""

import hashlib
import os
import re
import stat
import unicodedata
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import BinaryIO

from tailor.engine.data.owner import OwnerFolder
from tailor.engine.data_types import FileRecord
from tailor.engine.errors import UserError
from tailor.engine.json_file import read_json, write_json

FILE_LIMIT_BYTES = 8 * 2**30
LABEL_CHARACTERS = 120

# Bidirectional controls, zero-width space and byte order mark: they let a name look like another.
# The joiners U+200C and U+200D are kept, several scripts need them to be spelt right.
_DECEPTIVE = re.compile("[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]")
_UNSEEN_CATEGORIES = frozenset({"Cc", "Cs", "Co", "Cn", "Zl", "Zp"})


def take_over(folder: OwnerFolder, inbox_id: str, name: str) -> FileRecord:
    """Move a file from the inbox into the store; asked twice, it answers the same record twice."""
    record_path = folder.file_record(inbox_id)
    if record_path.exists():
        return read_json(record_path, FileRecord)
    kept, arrived = folder.file(inbox_id), folder.inbox_file(inbox_id)
    if not kept.exists() and not os.path.lexists(arrived):
        raise UserError(
            title="This file has not arrived",
            detail="Nothing under this name is in the inbox.",
            fix="Drop the file again.",
            status=404,
        )
    source = kept if kept.exists() else arrived
    with open_original(source) as file:
        size = os.fstat(file.fileno()).st_size
        digest = hash_file(file)
        os.fchmod(file.fileno(), 0o400)
        os.fsync(file.fileno())
    if source == arrived:
        arrived.rename(kept)
    taken = FileRecord(id=inbox_id, name=clean_label(name), bytes=size, sha256=digest)
    write_json(record_path, taken)
    return taken


def open_original(path: Path) -> BinaryIO:
    """Open a file that a stranger made: regular files only, never through a link, never waiting."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as refused:
        raise _not_a_file(str(refused.strerror)) from refused
    about = os.fstat(descriptor)
    if not stat.S_ISREG(about.st_mode):
        os.close(descriptor)
        raise _not_a_file("It is a folder, a link or a device.")
    if about.st_size > FILE_LIMIT_BYTES:
        os.close(descriptor)
        raise UserError(
            title="This file is larger than Tailor reads",
            detail=f"It holds {about.st_size / 1e9:.1f} GB, the limit is 8 GB.",
            fix="Split it, or keep only the rows that you need.",
        )
    return os.fdopen(descriptor, "rb", buffering=2**20)


def hash_original(path: Path) -> str:
    """sha256 of a file that a stranger made."""
    with open_original(path) as file:
        return hash_file(file)


def hash_file(file: BinaryIO) -> str:
    """sha256 of an open file, from where it stands."""
    digest = hashlib.sha256()
    while piece := file.read(2**20):
        digest.update(piece)
    return digest.hexdigest()


def clean_label(name: str) -> str:
    """The person's name for a file as one harmless line: no folders, no invisible characters."""
    last = PurePosixPath(PureWindowsPath(name).name).name
    seen = "".join(
        character
        for character in _DECEPTIVE.sub("", last)
        if unicodedata.category(character) not in _UNSEEN_CATEGORIES
    ).strip()
    if len(seen) > LABEL_CHARACTERS:
        stem, dot, suffix = seen.rpartition(".")
        tail = f"{dot}{suffix}" if stem and len(suffix) < 10 else ""
        seen = seen[: LABEL_CHARACTERS - len(tail) - 1] + "…" + tail
    return seen or "unnamed file"


def _not_a_file(why: str) -> UserError:
    return UserError(
        title="This is not a plain file",
        detail=why,
        fix="Drop the file itself, not a link or a folder.",
    )
