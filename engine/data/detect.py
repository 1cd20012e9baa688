"""What a file is, by its first bytes and never by its name, and what to do with other kinds.

A name can lie by accident or by intent, and the wrong reader makes nonsense in silence. `read` asks
here which reader a file needs. A pickle or a program is named and refused without being opened.
"""

import re
from pathlib import PurePath
from typing import BinaryIO, Literal

from tailor.engine.data.archive.zip_door import open_zip
from tailor.engine.errors import UserError
from tailor.estimator.record import record

HEAD_BYTES = 64 * 1024
SAVE_AS_XLSX = "Save it as .xlsx or CSV (File, Save as) and drop it again."
SAVE_AS_DOCX = "Save it as .docx (File, Save as) and drop it again."
EXPORT_TABLE = "Export the rows as CSV, JSON Lines or Parquet and drop that file."

Format = Literal["text", "xlsx", "docx", "zip", "gzip", "pdf", "parquet", "arrow"]


@record
class Kind:
    """A kind of file that holds no rows for us."""

    title: str
    """ "an old Excel sheet (.xls)": completes "By its content it is ..."."""
    fix: str


_PACKED = Kind(
    title="a packed archive of another kind than .zip",
    fix="Unpack it first, then drop the files inside, or a .zip of them.",
)
_PICKLE = Kind(
    title="a Python pickle, which can run programs when it is opened",
    fix="Tailor never opens one. Write the rows as CSV or JSON Lines where they came from.",
)
_PICTURE = Kind(
    title="a picture",
    fix="Put your pictures into a .zip, together with a table that names the picture of each row.",
)
_SOUND = Kind(
    title="a sound or film file", fix="Tailor learns from text. Write it down first, as CSV."
)
_WEIGHTS = Kind(
    title="a model, not examples", fix="Add it on the Model page; here, drop a file with examples."
)
_OLD_OFFICE = Kind(
    title="an old Office file (.xls, .doc)",
    fix="Save it as .xlsx or .docx (File, Save as) and drop it again.",
)
_COLUMNAR = Kind(title="a table in a form that Tailor does not read", fix=EXPORT_TABLE)
_DATABASE = Kind(title="a database or a file of numbers", fix=EXPORT_TABLE)
_PROGRAM = Kind(title="a program", fix="Drop the file that holds your examples.")
_MARKUP = Kind(
    title="a web page or XML file",
    fix="Open it in your spreadsheet program and save it as .xlsx or CSV, or save it as text, then "
    "drop that file.",
)

_SUFFIXES: dict[str, Format] = {
    ".csv": "text", ".tsv": "text", ".txt": "text", ".md": "text", ".json": "text",
    ".jsonl": "text", ".ndjson": "text", ".xlsx": "xlsx", ".xlsm": "xlsx", ".xls": "xlsx",
    ".docx": "docx", ".doc": "docx", ".zip": "zip", ".gz": "gzip", ".pdf": "pdf",
    ".parquet": "parquet", ".arrow": "arrow", ".feather": "arrow",
}  # fmt: skip
_TITLES: dict[Format, str] = {
    "text": "text", "xlsx": "an Excel workbook", "docx": "a Word document", "zip": "a zip archive",
    "gzip": "a packed file", "pdf": "a PDF", "parquet": "a Parquet table",
    "arrow": "an Arrow table",
}  # fmt: skip

_FORMATS: tuple[tuple[bytes, Format], ...] = (
    (b"\x1f\x8b", "gzip"), (b"%PDF-", "pdf"), (b"PAR1", "parquet"),
    (b"ARROW1", "arrow"), (b"\xff\xff\xff\xff", "arrow"),
)  # fmt: skip
_MAGIC: tuple[tuple[int, bytes, Kind], ...] = (
    (0, b"{\\rtf", Kind(title="a formatted document (.rtf)", fix=SAVE_AS_DOCX)),
    (0, b"PARE", Kind(title="a Parquet table that is locked with a key", fix=EXPORT_TABLE)),
    (0, b"FEA1", _COLUMNAR), (0, b"ORC", _COLUMNAR), (0, b"Obj\x01", _COLUMNAR),
    (0, b"BZh", _PACKED), (0, b"\xfd7zXZ\x00", _PACKED),
    (0, b"\x28\xb5\x2f\xfd", _PACKED), (0, b"7z\xbc\xaf\x27\x1c", _PACKED),
    (0, b"Rar!\x1a\x07", _PACKED), (257, b"ustar", _PACKED),
    (0, b"PK\x05\x06", Kind(title="an archive with nothing in it", fix="Check what was packed.")),
    (0, b"\x80\x02", _PICKLE), (0, b"\x80\x03", _PICKLE),
    (0, b"\x80\x04", _PICKLE), (0, b"\x80\x05", _PICKLE),
    (0, b"\x89PNG", _PICTURE), (0, b"\xff\xd8\xff", _PICTURE), (0, b"GIF8", _PICTURE),
    (8, b"WEBP", _PICTURE), (0, b"II*\x00", _PICTURE), (0, b"MM\x00*", _PICTURE),
    (4, b"ftypheic", _PICTURE),
    (8, b"WAVE", _SOUND), (8, b"AVI ", _SOUND), (0, b"ID3", _SOUND), (0, b"OggS", _SOUND),
    (0, b"fLaC", _SOUND), (4, b"ftyp", _SOUND), (0, b"\x1aE\xdf\xa3", _SOUND),
    (0, b"GGUF", _WEIGHTS),
    (0, b"SQLite format 3\x00", _DATABASE), (0, b"\x93NUMPY", _DATABASE),
    (0, b"\x89HDF", _DATABASE), (4, b"Standard Jet DB", _DATABASE),
    (4, b"Standard ACE DB", _DATABASE), (0, b"RDX2\n", _DATABASE), (0, b"RDX3\n", _DATABASE),
    (0, b"$FL2", _DATABASE), (0, b"MATLAB 5", _DATABASE),
    (0, b"\x7fELF", _PROGRAM), (0, b"MZ\x90\x00", _PROGRAM), (0, b"\xca\xfe\xba\xbe", _PROGRAM),
    (0, b"\xcf\xfa\xed\xfe", _PROGRAM), (0, b"\x00asm", _PROGRAM),
)  # fmt: skip

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
# Names of streams inside, in the two-byte letters in which old Office files write them.
_INSIDE_OLE: tuple[tuple[bytes, Kind], ...] = (
    (
        "EncryptedPackage".encode("utf-16-le"),
        Kind(
            title="an Office file that is locked with a password",
            fix="Save it without a password and drop it again.",
        ),
    ),
    (
        "__substg1.0_".encode("utf-16-le"),
        Kind(title="a mail (.msg)", fix="Copy its text into a document or a table and drop that."),
    ),
    (
        "WordDocument".encode("utf-16-le"),
        Kind(title="an old Word document (.doc)", fix=SAVE_AS_DOCX),
    ),
    ("Workbook".encode("utf-16-le"), Kind(title="an old Excel sheet (.xls)", fix=SAVE_AS_XLSX)),
    ("PowerPoint".encode("utf-16-le"), Kind(title="an old slide show (.ppt)", fix=SAVE_AS_DOCX)),
)

_ZIP = b"PK\x03\x04"
_READ_INSIDE_ZIP: tuple[tuple[str, Format], ...] = (
    ("xl/workbook.xml", "xlsx"),
    ("word/document.xml", "docx"),
)
_REFUSED_INSIDE_ZIP: tuple[tuple[str, Kind], ...] = (
    ("xl/workbook.bin", Kind(title="a binary Excel workbook (.xlsb)", fix=SAVE_AS_XLSX)),
    ("ppt/presentation.xml", Kind(title="a slide show (.pptx)", fix=SAVE_AS_DOCX)),
    ("META-INF/container.xml", Kind(title="an e-book (.epub)", fix=SAVE_AS_DOCX)),
    ("META-INF/MANIFEST.MF", _PROGRAM),
    ("AndroidManifest.xml", _PROGRAM),
    ("Index/Document.iwa", Kind(title="a Pages or Numbers file", fix=SAVE_AS_XLSX)),
)
_OPEN_DOCUMENT = b"mimetypeapplication/vnd.oasis.opendocument."
_OPEN_DOCUMENT_SHEET = Kind(title="a spreadsheet (.ods)", fix=SAVE_AS_XLSX)
_OPEN_DOCUMENT_TEXT = Kind(title="a document (.odt)", fix=SAVE_AS_DOCX)

_NEVER_IN_TEXT = bytes(range(9))
# Protocol 0 is letters: it begins with a name to import or a mark for a list, and ends with a stop.
_TEXT_PICKLE = re.compile(rb"c[\w.]+\n[\w.]+\n[(p]|\((?:dp?|lp?)\d*\n")
_SAFETENSORS_HEAD = b'{"'
_MARKUP_STARTS = (b"<?xml", b"<!doctype", b"<html", b"<head", b"<body", b"<table", b"<svg")


def find_format(file: BinaryIO) -> Format:
    """Which reader a file needs; raises with its kind and what to export when there is none."""
    size_bytes = file.seek(0, 2)
    if size_bytes == 0:
        raise UserError(
            title="This file is empty",
            detail="It holds 0 bytes.",
            fix="Check that it was saved, then drop it again.",
        )
    head, tail = _read_ends(file, size_bytes)
    if head.startswith(_ZIP):
        return _find_zip_format(file, head)
    found = find_kind(head, tail)
    if isinstance(found, Kind):
        raise _refused(found)
    return found


def tell_false_name(name: str, found: Format) -> str:
    """A sentence when the name promises another format than the content has; else nothing."""
    suffix = PurePath(name).suffix.lower()
    if _SUFFIXES.get(suffix, found) == found:
        return ""
    return f"It is called {suffix}, but its content is {_TITLES[found]}; it was read as that."


def find_kind(head: bytes, tail: bytes) -> Format | Kind:
    """The format or the kind by its marks; "text" when nothing speaks against it."""
    is_text = not any(byte in head for byte in _NEVER_IN_TEXT)
    for mark, found in _FORMATS:
        # A column may well be called "ID3" or "PAR1": letters alone do not make a binary file.
        if head.startswith(mark) and not (is_text and mark.isalnum()):
            return found
    if head.startswith(_OLE):
        return next(
            (kind for name, kind in _INSIDE_OLE if name in head or name in tail), _OLD_OFFICE
        )
    for offset, mark, kind in _MAGIC:
        if head.startswith(mark, offset) and not (is_text and mark.isalnum()):
            return kind
    if _TEXT_PICKLE.match(head) and tail.endswith(b"."):
        return _PICKLE
    if head[8:10] == _SAFETENSORS_HEAD and b"\x00" in head[:8]:
        return _WEIGHTS
    is_markup = head.removeprefix(b"\xef\xbb\xbf").lstrip().lower().startswith(_MARKUP_STARTS)
    return _MARKUP if is_markup else "text"


def _find_zip_format(file: BinaryIO, head: bytes) -> Format:
    if _OPEN_DOCUMENT in head[:200]:
        is_text = b"opendocument.text" in head[:200]
        raise _refused(_OPEN_DOCUMENT_TEXT if is_text else _OPEN_DOCUMENT_SHEET)
    with open_zip(file) as archive:
        names = set(archive.namelist())
    file.seek(0)
    for name, found in _READ_INSIDE_ZIP:
        if name in names:
            return found
    for name, kind in _REFUSED_INSIDE_ZIP:
        if name in names:
            raise _refused(kind)
    if any(name.endswith("/data.pkl") for name in names):
        raise _refused(_PICKLE)
    if names and all(name.endswith(".npy") for name in names):
        raise _refused(_DATABASE)
    return "zip"


def _refused(kind: Kind) -> UserError:
    return UserError(
        title="Tailor cannot read this kind of file",
        detail=f"By its content it is {kind.title}.",
        fix=kind.fix,
    )


def _read_ends(file: BinaryIO, size_bytes: int) -> tuple[bytes, bytes]:
    file.seek(0)
    head = file.read(HEAD_BYTES)
    file.seek(max(0, size_bytes - HEAD_BYTES))
    tail = file.read(HEAD_BYTES)
    file.seek(0)
    return head, tail
