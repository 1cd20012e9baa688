"""The one door through which a zip enters: Excel workbooks, Word documents and archives of files.

A few kilobytes can promise gigabytes, and a list of members can be longer than any of them. So the
list is counted before it is read, and everything a zip says about itself is held against the limits
before a single member is opened. Whoever reads a kind of zip opens it here.
"""

import struct
import zipfile
from typing import BinaryIO

from tailor.engine.data.counted import count_words
from tailor.engine.errors import UserError

MEMBERS_LIMIT = 2_000
UNPACKED_LIMIT_BYTES = 500_000_000
RATIO_LIMIT = 100
"""Honest sheets reach 58 in one member, bombs 1,000 (measured)."""
RATIO_FROM_BYTES = 5_000_000
"""Below this much a ratio means nothing: blank pages pack very well."""

_LIST_LIMIT_BYTES = MEMBERS_LIMIT * 1_000
_END_MARK, _END_BYTES, _LONGEST_COMMENT = b"PK\x05\x06", 22, 65_535
_LOCATOR_MARK, _LOCATOR_BYTES, _LONG_BYTES = b"PK\x06\x07", 20, 20 + 56
_ENCRYPTED_FLAG = 0x1


def open_zip(file: BinaryIO) -> zipfile.ZipFile:
    """Open a zip that is within the limits by its own words; the caller closes it.

    A member cannot unpack to more than it says: reading stops there, and its checksum is wrong.
    """
    _check_list(file)
    file.seek(0)
    try:
        archive = zipfile.ZipFile(file)
    except (zipfile.BadZipFile, NotImplementedError, ValueError, OSError) as error:
        raise damaged_zip() from error
    members = archive.infolist()
    if len(members) > MEMBERS_LIMIT:
        raise _too_many(len(members))
    unpacked, packed = sum(m.file_size for m in members), sum(m.compress_size for m in members)
    _check_unpacked(unpacked, packed, "It")
    for member in members:
        _check_unpacked(member.file_size, member.compress_size, f"“{member.filename[:60]}” in it")
    if any(member.flag_bits & _ENCRYPTED_FLAG for member in members):
        raise UserError(
            title="This file is locked with a password",
            detail="Its members are encrypted, so nothing in it can be read.",
            fix="Save it without a password and drop it again.",
        )
    return archive


def damaged_zip() -> UserError:
    """A zip that is cut off or wrong inside."""
    return UserError(
        title="This file is damaged",
        detail="It begins like a packed file (.zip, .xlsx, .docx), but its parts cannot be found. "
        "Perhaps it was cut off on its way.",
        fix="Copy or download it again, or save it again in the program it came from.",
    )


def _check_list(file: BinaryIO) -> None:
    """Hold the list of members against the limits before it is read into memory."""
    size = file.seek(0, 2)
    file.seek(max(0, size - _LONG_BYTES - _END_BYTES - _LONGEST_COMMENT))
    tail = file.read()
    at = tail.rfind(_END_MARK)
    if at < 0 or len(tail) - at < _END_BYTES:
        raise damaged_zip()
    members, list_bytes = struct.unpack_from("<HI", tail, at + 10)
    # A record in front of the end can say it all again in longer numbers, and then it counts.
    if at >= _LONG_BYTES and tail[at - _LOCATOR_BYTES : at].startswith(_LOCATOR_MARK):
        members, list_bytes = struct.unpack_from("<QQ", tail, at - _LONG_BYTES + 32)
    if members > MEMBERS_LIMIT or list_bytes > _LIST_LIMIT_BYTES:
        raise _too_many(members)


def _check_unpacked(unpacked_bytes: int, packed_bytes: int, what: str) -> None:
    if unpacked_bytes <= RATIO_FROM_BYTES:
        return
    is_bomb = unpacked_bytes > RATIO_LIMIT * max(1, packed_bytes)
    if unpacked_bytes > UNPACKED_LIMIT_BYTES or is_bomb:
        raise UserError(
            title="This file unpacks to something far larger",
            detail=f"{what} takes {packed_bytes / 1e6:.1f} MB and unpacks to "
            f"{unpacked_bytes / 1e6:,.0f} MB; Tailor unpacks up to "
            f"{UNPACKED_LIMIT_BYTES / 1e6:.0f} MB, and at most {RATIO_LIMIT} times the size.",
            fix="Save it again in the program it came from, or keep only the rows you need.",
        )


def _too_many(members: int) -> UserError:
    return UserError(
        title="This file has too many parts",
        detail=f"It lists {count_words(members, 'file')} or their names are too long; the limit is "
        f"{MEMBERS_LIMIT:,} files.",
        fix="Pack only the files with your examples, or drop them one by one.",
    )
