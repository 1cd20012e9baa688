"""The members of an archive by what they are: pictures, what can be opened, and what stays aside.

Decided by content wherever that is possible: a link points elsewhere and an archive in an archive
hides its size, so neither is opened; folders of the Mac and hidden files are nobody's data.
`archive` sorts every archive here before it opens a member.
"""

from dataclasses import dataclass
from pathlib import PurePosixPath

from tailor.engine.data.archive.languages import find_language
from tailor.engine.data.archive.members import Archive, Member
from tailor.engine.data.detect import find_format
from tailor.engine.errors import UserError

HEAD_BYTES = 512
LINK = "link"
NESTED = "packed file"
EMPTY = "empty file"
HIDDEN = "hidden file"
FALSE_PICTURE = "file called a picture"
"""Its content is none that Tailor reads: PNG, JPEG, GIF or WebP."""

_ZIP = b"PK\x03\x04"
_PACKED = (
    (0, b"PK\x05\x06"), (0, b"\x1f\x8b"), (0, b"BZh"), (0, b"\xfd7zXZ\x00"),
    (0, b"7z\xbc\xaf\x27\x1c"), (0, b"Rar!\x1a\x07"), (0, b"\x28\xb5\x2f\xfd"), (257, b"ustar"),
)  # fmt: skip
_PICTURES = ((0, b"\x89PNG\r\n\x1a\n"), (0, b"\xff\xd8\xff"), (0, b"GIF8"), (8, b"WEBP"))
PICTURE_SUFFIXES = frozenset({
    ".png", ".jpg", ".jpeg", ".jpe", ".jfif", ".gif", ".webp", ".bmp", ".tif", ".tiff", ".heic",
    ".avif", ".svg",
})  # fmt: skip
_HIDDEN_NAMES = frozenset({"__macosx", "thumbs.db", "desktop.ini"})
_SIDE_STEMS = frozenset({
    "readme", "license", "licence", "copying", "notice", "changelog", "manifest", "sources",
    "citation", "authors", "dataset_info",
})  # fmt: skip


@dataclass(frozen=True)
class Sorted:
    """An archive's members by kind."""

    pictures: tuple[Member, ...]
    others: tuple[Member, ...]
    """What may be opened: tables, documents, sources, or nothing that can be read."""
    aside: tuple[tuple[str, Member], ...]
    """What is not opened, with its kind."""


def sort_members(archive: Archive) -> Sorted:
    """Look at the first bytes of each member."""
    pictures, others, aside = [], [], []
    for member in archive.members:
        reason = _closed_for(archive, member)
        if reason:
            aside.append((reason, member))
        elif _is_any(_PICTURES, archive.read(member, HEAD_BYTES)):
            pictures.append(member)
        elif PurePosixPath(member.path).suffix.lower() in PICTURE_SUFFIXES:
            aside.append((FALSE_PICTURE, member))
        else:
            others.append(member)
    return Sorted(pictures=tuple(pictures), others=tuple(others), aside=tuple(aside))


def is_side_file(path: str) -> bool:
    """Whether a file usually speaks about the others, or makes them, and is no data itself."""
    return PurePosixPath(path).stem.lower() in _SIDE_STEMS or bool(find_language(path))


def _closed_for(archive: Archive, member: Member) -> str:
    """Why a member is not opened; empty when it may be."""
    if any(is_hidden(part) for part in member.path.split("/")):
        return HIDDEN
    if member.is_link:
        return LINK
    if member.bytes == 0:
        return EMPTY
    return NESTED if _is_nested(archive, member) else ""


def is_hidden(part: str) -> bool:
    """Whether a folder or file of this name is kept out of sight."""
    return part.startswith(".") or part.lower() in _HIDDEN_NAMES


def _is_nested(archive: Archive, member: Member) -> bool:
    head = archive.read(member, HEAD_BYTES)
    if not head.startswith(_ZIP):
        return _is_any(_PACKED, head)
    with archive.as_file(member) as file:
        try:
            # Word and Excel files are zips as well; their own readers measure them again.
            return find_format(file) == "zip"
        except UserError:
            # Whoever opens it says why it cannot be read.
            return False


def _is_any(marks: tuple[tuple[int, bytes], ...], head: bytes) -> bool:
    return any(head.startswith(mark, offset) for offset, mark in marks)
