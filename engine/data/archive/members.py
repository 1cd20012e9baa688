"""The members of a zip archive, with names that are labels and never paths.

An archive may name files outside the folder, links, or two files alike; nothing is ever unpacked to
such a name. `zip_door` has measured the archive before it comes here; `archive` and its readers get
a member's bytes from here alone.
"""

import shutil
import stat
import unicodedata
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import PurePosixPath
from tempfile import TemporaryFile
from typing import BinaryIO

from tailor.engine.data.archive.zip_damage import damage_in_words
from tailor.engine.data.archive.zip_door import open_zip
from tailor.engine.data.original import clean_label
from tailor.engine.errors import UserError

COPY_BYTES = 2**20

_NAME_IS_UTF8 = 0x800
_METHODS = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2})


@dataclass(frozen=True, slots=True)
class Member:
    """A file in an archive."""

    path: str
    """Its name as a label: folders parted by "/", nothing invisible, no two alike."""
    bytes: int
    """What it holds unpacked."""
    is_link: bool
    """Whether it is a link or a device, which is never followed."""
    info: zipfile.ZipInfo


@dataclass(frozen=True)
class Archive:
    """An archive whose list was found harmless."""

    members: tuple[Member, ...]
    """Files in the order of the archive; folders have nothing to read."""
    zip: zipfile.ZipFile

    def read(self, member: Member, most_bytes: int = -1) -> bytes:
        """What a member holds, or the start of it."""
        with damage_in_words(partial(_damaged, member)), self.zip.open(member.info) as stream:
            return stream.read(most_bytes)

    @contextmanager
    def as_file(self, member: Member) -> Iterator[BinaryIO]:
        """A member as a file of its own without a name, which is gone afterwards."""
        # In the working folder: the reading child's own one, on the disk that files are kept on.
        with TemporaryFile(dir=".") as file:
            with damage_in_words(partial(_damaged, member)), self.zip.open(member.info) as stream:
                # A stream never gives more than the list said.
                shutil.copyfileobj(stream, file, COPY_BYTES)
            file.seek(0)
            yield file


def list_members(file: BinaryIO) -> Archive:
    """The archive's files; raises when any of them makes it unsafe to open."""
    opened = open_zip(file)
    return Archive(members=tuple(_members(opened.infolist())), zip=opened)


def label_path(name: str) -> str:
    """A path as people may see it and as names are compared: see `Member.path`."""
    plain = unicodedata.normalize("NFC", name.replace("\\", "/"))
    return "/".join(clean_label(part) for part in PurePosixPath(plain).parts)


def _members(infos: list[zipfile.ZipInfo]) -> Iterator[Member]:
    taken: set[str] = set()
    for info in infos:
        path = _safe_path(info)
        if info.is_dir() or not path:
            continue
        _check_method(info, path)
        final, again = path, 1
        while final in taken:
            again += 1
            final = f"{path} ({again})"
        taken.add(final)
        mode = info.external_attr >> 16
        is_link = bool(mode) and stat.S_IFMT(mode) not in (0, stat.S_IFREG)
        yield Member(path=final, bytes=info.file_size, is_link=is_link, info=info)


def _safe_path(info: zipfile.ZipInfo) -> str:
    """The name as a label; raises when it points out of the archive."""
    name = info.orig_filename
    if not info.flag_bits & _NAME_IS_UTF8 and not name.isascii():
        # Many programs write UTF-8 without saying so; other letters are no valid UTF-8 by chance.
        try:
            name = name.encode("cp437").decode("utf-8")
        except UnicodeError:
            name = info.orig_filename
    plain = name.replace("\\", "/")
    is_outside = plain.startswith("/") or plain[1:3] == ":/" or ".." in plain.split("/")
    if is_outside or "\x00" in plain:
        raise UserError(
            title="This archive names a file outside itself",
            detail=f"One of its files is called “{_visible(plain)}” and would be put into another "
            "folder. Honest programs do not write such names.",
            fix="Pack the files again yourself, or drop them one by one.",
        )
    return label_path(name)


def _visible(name: str) -> str:
    return "/".join(clean_label(part) if part.strip(".") else part for part in name.split("/"))[:80]


def _check_method(info: zipfile.ZipInfo, path: str) -> None:
    if info.compress_type not in _METHODS:
        raise UserError(
            title="This archive is packed in an unusual way",
            detail=f"“{path}” uses a kind of packing (number {info.compress_type}) that Tailor "
            "does not open.",
            fix="Pack the files again as an ordinary zip.",
        )


def _damaged(member: Member) -> UserError:
    return UserError(
        title="This archive is damaged",
        detail=f"“{member.path}” in it cannot be unpacked.",
        fix="Pack or download it again.",
    )
