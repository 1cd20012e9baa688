"""What a file is, by its first bytes and never by its name, and what to do with other kinds.

A name can lie by accident or by intent, and the wrong reader makes nonsense in silence. The reading
child asks here before it decodes anything. A pickle, an archive or a program is named and refused
without being opened.
"""

import re
from typing import BinaryIO

from tailor.engine.errors import UserError
from tailor.estimator.record import record

HEAD_BYTES = 64 * 1024
SAVE_AS_CSV = (
    "Tailor reads CSV, JSON and JSON Lines. Save it as CSV (File, Save as) and drop it again."
)
EXPORT_TEXT = "Tailor reads CSV, JSON and JSON Lines. Export the rows as CSV and drop that file."


@record
class Kind:
    """A kind of file that holds no rows for us."""

    title: str
    """ "an old Excel sheet (.xls)": completes "This is ..."."""
    fix: str


_SHEET = Kind(title="an Excel workbook (.xlsx)", fix=SAVE_AS_CSV)
_WORD = Kind(
    title="a Word document (.docx)",
    fix="Tailor reads CSV, JSON and JSON Lines. Put your examples into a table with one row each, "
    "save that as CSV and drop it again.",
)
_PACKED = Kind(
    title="a packed archive", fix="Unpack it first, then drop the CSV or JSON file inside."
)
_PICKLE = Kind(
    title="a Python pickle, which can run programs when it is opened",
    fix="Tailor never opens one. Write the rows as CSV or JSON Lines where they came from.",
)
_PICTURE = Kind(
    title="a picture", fix="Tailor learns from text. Put questions and answers into a CSV file."
)
_SOUND = Kind(
    title="a sound or film file", fix="Tailor learns from text. Write it down first, as CSV."
)
_WEIGHTS = Kind(
    title="a model, not examples", fix="Add it on the Model page; here, drop a CSV file."
)
_OLD_OFFICE = Kind(title="an old Office file (.xls, .doc)", fix=SAVE_AS_CSV)
_COLUMNAR = Kind(title="a Parquet or Arrow table", fix=EXPORT_TEXT)
_DATABASE = Kind(title="a database or a file of numbers", fix=EXPORT_TEXT)
_PROGRAM = Kind(title="a program", fix="Drop the file that holds your examples, as CSV or JSON.")
_MARKUP = Kind(title="a web page or XML file", fix=EXPORT_TEXT)

_MAGIC: tuple[tuple[int, bytes, Kind], ...] = (
    (0, b"%PDF-", Kind(title="a PDF", fix=_WORD.fix)),
    (0, b"{\\rtf", Kind(title="a formatted document (.rtf)", fix=_WORD.fix)),
    (0, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", _OLD_OFFICE),
    (0, b"PAR1", _COLUMNAR), (0, b"ARROW1", _COLUMNAR), (0, b"\xff\xff\xff\xff", _COLUMNAR),
    (0, b"ORC", _COLUMNAR), (0, b"Obj\x01", _COLUMNAR),
    (0, b"\x1f\x8b", _PACKED), (0, b"BZh", _PACKED), (0, b"\xfd7zXZ\x00", _PACKED),
    (0, b"\x28\xb5\x2f\xfd", _PACKED), (0, b"7z\xbc\xaf\x27\x1c", _PACKED),
    (0, b"Rar!\x1a\x07", _PACKED), (257, b"ustar", _PACKED),
    (0, b"\x80\x02", _PICKLE), (0, b"\x80\x03", _PICKLE),
    (0, b"\x80\x04", _PICKLE), (0, b"\x80\x05", _PICKLE),
    (0, b"\x89PNG", _PICTURE), (0, b"\xff\xd8\xff", _PICTURE), (0, b"GIF8", _PICTURE),
    (8, b"WEBP", _PICTURE), (0, b"II*\x00", _PICTURE), (0, b"MM\x00*", _PICTURE),
    (4, b"ftypheic", _PICTURE),
    (8, b"WAVE", _SOUND), (8, b"AVI ", _SOUND), (0, b"ID3", _SOUND), (0, b"OggS", _SOUND),
    (0, b"fLaC", _SOUND), (4, b"ftyp", _SOUND), (0, b"\x1aE\xdf\xa3", _SOUND),
    (0, b"GGUF", _WEIGHTS),
    (0, b"SQLite format 3\x00", _DATABASE), (0, b"\x93NUMPY", _DATABASE),
    (0, b"\x89HDF", _DATABASE),
    (0, b"\x7fELF", _PROGRAM), (0, b"MZ\x90\x00", _PROGRAM), (0, b"\xca\xfe\xba\xbe", _PROGRAM),
    (0, b"\xcf\xfa\xed\xfe", _PROGRAM),
)  # fmt: skip

_ZIP = b"PK\x03\x04"
_INSIDE_ZIP: tuple[tuple[bytes, Kind], ...] = (
    (b"xl/workbook", _SHEET),
    (b"word/document.xml", _WORD),
    (b"ppt/presentation.xml", Kind(title="a slide show (.pptx)", fix=_WORD.fix)),
    (b"opendocument.spreadsheet", Kind(title="a spreadsheet (.ods)", fix=SAVE_AS_CSV)),
    (b"opendocument.text", Kind(title="a document (.odt)", fix=_WORD.fix)),
    (b"/data.pkl", _PICKLE),
)
_NEVER_IN_TEXT = bytes(range(9))
# Protocol 0 is letters: it begins with a name to import or a mark for a list, and ends with a stop.
_TEXT_PICKLE = re.compile(rb"c[\w.]+\n[\w.]+\n[(p]|\((?:dp?|lp?)\d*\n")
_SAFETENSORS_HEAD = b'{"'
_MARKUP_STARTS = (b"<?xml", b"<!doctype", b"<html", b"<head", b"<body", b"<table", b"<svg")


def refuse_other_kinds(file: BinaryIO, size_bytes: int) -> None:
    """Return when the file can be text; else raise, naming its kind and what to export instead."""
    if size_bytes == 0:
        raise UserError(
            title="This file is empty",
            detail="It holds 0 bytes.",
            fix="Check that it was saved, then drop it again.",
        )
    head, tail = _read_ends(file, size_bytes)
    kind = find_kind(head, tail)
    if kind is not None:
        raise UserError(
            title="Tailor cannot read this kind of file",
            detail=f"By its content it is {kind.title}.",
            fix=kind.fix,
        )


def find_kind(head: bytes, tail: bytes) -> Kind | None:
    """The kind by its marks, or None when nothing speaks against text."""
    if head.startswith(_ZIP):
        # A zip lists its members at its end; the first of them also stand at its start.
        return next((kind for mark, kind in _INSIDE_ZIP if mark in head or mark in tail), _PACKED)
    is_text = not any(byte in head for byte in _NEVER_IN_TEXT)
    for offset, mark, kind in _MAGIC:
        # A column may well be called "ID3" or "PAR1": letters alone do not make a binary file.
        if head.startswith(mark, offset) and not (is_text and mark.isalnum()):
            return kind
    if _TEXT_PICKLE.match(head) and tail.endswith(b"."):
        return _PICKLE
    if head[8:10] == _SAFETENSORS_HEAD and b"\x00" in head[:8]:
        return _WEIGHTS
    is_markup = head.removeprefix(b"\xef\xbb\xbf").lstrip().lower().startswith(_MARKUP_STARTS)
    return _MARKUP if is_markup else None


def _read_ends(file: BinaryIO, size_bytes: int) -> tuple[bytes, bytes]:
    head = file.read(HEAD_BYTES)
    file.seek(max(0, size_bytes - HEAD_BYTES))
    tail = file.read(HEAD_BYTES)
    file.seek(0)
    return head, tail
