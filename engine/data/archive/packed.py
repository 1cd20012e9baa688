"""Files packed with gzip: unpacked once, with a running limit, then read like any other.

What a packed file says about its own size can be a lie, so the limit is held while unpacking. The
copy lies in the child's own folder, has no name there, and is gone with the child.
"""

import gzip
import os
import zlib
from collections.abc import Mapping as Lookup
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryFile
from typing import BinaryIO

from tailor.engine.data.archive.zip_door import RATIO_FROM_BYTES, RATIO_LIMIT, UNPACKED_LIMIT_BYTES
from tailor.engine.data.detect import Format, find_format
from tailor.engine.data.held_open import hold_open
from tailor.engine.data.readers import find_reader
from tailor.engine.data.table import Table
from tailor.engine.errors import UserError

CHUNK_BYTES = 2**20
_PACKED_AGAIN: frozenset[Format] = frozenset({"gzip", "zip", "xlsx", "docx"})


def open_packed(file: BinaryIO, name: str, choices: Lookup[str, str]) -> Table:
    """Unpack a file and open what was in it."""
    copy = TemporaryFile(dir=Path.cwd())  # noqa: SIM115 - closed with the rows, or below
    try:
        _unpack(file, copy)
        table = _open_inside(copy, name, choices)
    except BaseException:
        copy.close()
        raise
    size_bytes = os.fstat(copy.fileno()).st_size
    return replace(
        table,
        rows=hold_open(copy, table.rows),
        note=" ".join(part for part in ("It was packed with gzip.", table.note) if part),
        done=table.done or (lambda: 1.0 if copy.closed else copy.tell() / max(1, size_bytes)),
    )


def _open_inside(copy: BinaryIO, name: str, choices: Lookup[str, str]) -> Table:
    found = find_format(copy)
    if found in _PACKED_AGAIN:
        raise UserError(
            title="This file is packed twice",
            detail="Behind gzip there is another packed file; Tailor unpacks one level.",
            fix="Unpack it once, then drop what was inside.",
        )
    inner = name[: -len(".gz")] if name.lower().endswith(".gz") else name
    return find_reader(found)(copy, inner, choices)


def _unpack(file: BinaryIO, copy: BinaryIO) -> None:
    packed_bytes = file.seek(0, 2)
    file.seek(0)
    unpacked_bytes = 0
    try:
        with gzip.GzipFile(fileobj=file) as source:
            while piece := source.read(CHUNK_BYTES):
                unpacked_bytes += len(piece)
                _check(unpacked_bytes, packed_bytes)
                copy.write(piece)
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise UserError(
            title="This file is damaged",
            detail="It begins like a file packed with gzip, but cannot be unpacked after "
            f"{unpacked_bytes / 1e6:.1f} MB. Perhaps it was cut off on its way.",
            fix="Copy or download it again.",
        ) from error
    copy.flush()


def _check(unpacked_bytes: int, packed_bytes: int) -> None:
    if unpacked_bytes <= RATIO_FROM_BYTES:
        return
    if unpacked_bytes > min(UNPACKED_LIMIT_BYTES, RATIO_LIMIT * packed_bytes):
        raise UserError(
            title="This file unpacks to something far larger",
            detail=f"It takes {packed_bytes / 1e6:.1f} MB and unpacks to more than "
            f"{unpacked_bytes / 1e6:,.0f} MB; Tailor unpacks up to "
            f"{UNPACKED_LIMIT_BYTES / 1e6:.0f} MB, and at most {RATIO_LIMIT} times the size.",
            fix="Unpack it yourself and drop what is inside, or keep only the rows you need.",
        )
