"""How the bytes of a text file become letters: found out over the whole file, told in words.

A wrong guess turns "Größe" into "GrцЯe" in every row without an error, so the guess follows fixed
rules, a detector is trusted only where it was measured to be right, and the lines that depend on
the guess are shown. The reading child surveys a file once, then opens it as text with the answer.
"""

import codecs
import hashlib
import io
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import BinaryIO, TextIO

from charset_normalizer import from_bytes

from tailor.engine.data.counted import LISTED, list_places
from tailor.engine.errors import UserError
from tailor.engine.findings import Finding
from tailor.estimator.record import record

CHUNK_BYTES = 2**20
SAMPLE_BYTES = 64 * 1024
TRUSTED_FROM_BYTES = 200
"""Letters outside ASCII from which the detector was right on every non-Latin page (measured)."""
DAMAGED_LINES_SHARE = 0.001

_BOMS: tuple[tuple[bytes, str, str], ...] = (
    (codecs.BOM_UTF8, "utf-8-sig", "UTF-8"),
    (codecs.BOM_UTF32_LE, "utf-32", "UTF-32"),
    (codecs.BOM_UTF32_BE, "utf-32", "UTF-32"),
    (codecs.BOM_UTF16_LE, "utf-16", "UTF-16"),
    (codecs.BOM_UTF16_BE, "utf-16", "UTF-16"),
)
_NON_LATIN = {
    "cp1251": "Cyrillic (Windows)", "koi8_r": "Cyrillic (KOI8-R)", "koi8_u": "Cyrillic (KOI8-U)",
    "cp866": "Cyrillic (DOS)", "cp1125": "Cyrillic (DOS)", "iso8859_5": "Cyrillic (ISO)",
    "mac_cyrillic": "Cyrillic (Mac)", "gb18030": "Chinese (GB18030)", "gbk": "Chinese (GBK)",
    "gb2312": "Chinese (GB2312)", "big5": "Chinese (Big5)", "big5hkscs": "Chinese (Big5)",
    "cp950": "Chinese (Big5)", "cp932": "Japanese (Windows)", "shift_jis": "Japanese (Shift JIS)",
    "euc_jp": "Japanese (EUC)", "cp949": "Korean (Windows)", "euc_kr": "Korean (EUC)",
    "cp1256": "Arabic (Windows)", "iso8859_6": "Arabic (ISO)", "cp1255": "Hebrew (Windows)",
    "iso8859_8": "Hebrew (ISO)", "cp1253": "Greek (Windows)", "iso8859_7": "Greek (ISO)",
    "cp874": "Thai (Windows)", "tis_620": "Thai",
}  # fmt: skip
_LATIN = (
    ("cp1252", "Western European (Windows)"),
    ("mac_roman", "Western European (Mac)"),
)
_CONTROLS = bytes(set(range(32)) - set(b"\t\n\r\f\x1a"))


@record
class TextEncoding:
    """How to decode a file, and what to tell about it."""

    codec: str
    words: str
    errors: str = "strict"
    findings: tuple[Finding, ...] = ()


@dataclass
class Survey:
    """What one pass over all bytes has counted."""

    bytes: int = 0
    sha256: str = ""
    even_nuls: int = 0
    odd_nuls: int = 0
    controls: int = 0
    is_utf8: bool = True


@dataclass
class _BrokenLines:
    """Lines that are not UTF-8, counted by `_read_broken_lines`."""

    lines: int = 0
    broken: int = 0
    valid_foreign: int = 0
    """Lines that hold letters outside ASCII and are good UTF-8."""
    foreign_bytes: int = 0
    places: list[int] = field(default_factory=list)
    sample: bytearray = field(default_factory=bytearray)


def survey_bytes(file: BinaryIO) -> Survey:
    """Count and hash every byte once, from the start."""
    seen, digest = Survey(), hashlib.sha256()
    decoder = codecs.getincrementaldecoder("utf-8")()
    file.seek(0)
    while chunk := file.read(CHUNK_BYTES):
        digest.update(chunk)
        first_odd = seen.bytes % 2
        seen.even_nuls += chunk[first_odd::2].count(0)
        seen.odd_nuls += chunk[1 - first_odd :: 2].count(0)
        seen.controls += len(chunk) - len(chunk.translate(None, _CONTROLS))
        seen.bytes += len(chunk)
        if seen.is_utf8:
            seen.is_utf8 = _decodes(decoder, chunk)
    seen.is_utf8 = seen.is_utf8 and _decodes(decoder, b"", final=True)
    seen.sha256 = digest.hexdigest()
    return seen


def choose_encoding(file: BinaryIO, seen: Survey) -> TextEncoding:
    """The encoding by byte order mark, zero bytes, strict UTF-8, then by code page."""
    file.seek(0)
    head = file.read(4)
    for mark, codec, words in _BOMS:
        if head.startswith(mark):
            return _checked_whole(file, codec, words)
    has_nul_pattern = max(seen.even_nuls, seen.odd_nuls) >= 0.2 * seen.bytes / 2
    # Russian UTF-16 without a mark is valid UTF-8 (measured), so this is asked before UTF-8 is.
    if has_nul_pattern or seen.controls > 0.01 * seen.bytes:
        return _choose_utf16(file)
    if seen.is_utf8:
        return TextEncoding(codec="utf-8", words="UTF-8")
    broken = _read_broken_lines(file)
    if broken.broken < DAMAGED_LINES_SHARE * broken.lines and broken.valid_foreign:
        return TextEncoding(
            codec="utf-8", words="UTF-8", errors="replace", findings=(_damaged_lines(broken),)
        )
    return _choose_code_page(file, broken)


@contextmanager
def open_text(file: BinaryIO, encoding: TextEncoding) -> Iterator[TextIO]:
    """The file as text from its start, with every kind of line end turned into a line feed."""
    file.seek(0)
    text = io.TextIOWrapper(file, encoding=encoding.codec, errors=encoding.errors, newline=None)
    try:
        yield text
    finally:
        text.detach()


def _choose_utf16(file: BinaryIO) -> TextEncoding:
    file.seek(0)
    sample = file.read(SAMPLE_BYTES)
    sample = sample[: len(sample) // 2 * 2]
    best, codec = 0, ""
    for candidate in ("utf-16-le", "utf-16-be"):
        text = sample.decode(candidate, errors="replace")
        # Spaces, line ends and separators look like themselves in one byte order only.
        plain = sum(text.count(mark) for mark in ' \n,;\t"')
        if "\x00" not in text and plain > best:
            best, codec = plain, candidate
    if not codec:
        raise UserError(
            title="This is not a text file",
            detail="Its bytes are not letters in any encoding that Tailor knows.",
            fix="Tailor reads CSV, JSON and JSON Lines. Export the rows as CSV in UTF-8.",
        )
    return _checked_whole(file, codec, "UTF-16")


def _choose_code_page(file: BinaryIO, broken: _BrokenLines) -> TextEncoding:
    if broken.foreign_bytes >= TRUSTED_FROM_BYTES:
        match = from_bytes(bytes(broken.sample)).best()
        if match is not None and match.encoding in _NON_LATIN:
            words = _NON_LATIN[match.encoding]
            chosen = _checked_whole(file, match.encoding, words)
            return _with_readings(chosen, broken.sample)
    # For Latin letters both detectors were wrong on French and German (measured).
    for codec, words in _LATIN:
        if _decodes_whole(file, codec):
            return _with_readings(TextEncoding(codec=codec, words=words), broken.sample)
    return _with_readings(
        TextEncoding(codec="cp1252", words=_LATIN[0][1], errors="replace"), broken.sample
    )


def _with_readings(encoding: TextEncoding, sample: bytearray) -> TextEncoding:
    line = bytes(sample).split(b"\n", 1)[0].decode(encoding.codec, "replace").strip()
    told = Finding(
        level="warn",
        title="Check the letters outside English",
        detail=f"This file is not UTF-8. It was read as {encoding.words}; one line then says: "
        f"“{line[:160]}”",
        fix="If that looks wrong, save the file as UTF-8 (in Excel: CSV UTF-8) and drop it again.",
        where="the whole file",
    )
    return TextEncoding(
        codec=encoding.codec,
        words=encoding.words,
        errors=encoding.errors,
        findings=(*encoding.findings, told),
    )


def _damaged_lines(broken: _BrokenLines) -> Finding:
    return Finding(
        level="warn",
        title="Some letters are damaged",
        detail=f"{broken.broken} of {broken.lines:,} lines hold bytes that are no letters; "
        "they show as �.",
        fix="Mend these lines in the file, or leave them out, and drop it again.",
        where="line " + list_places(list(map(str, broken.places)), broken.broken),
    )


def _read_broken_lines(file: BinaryIO) -> _BrokenLines:
    found = _BrokenLines()
    file.seek(0)
    # Bounded pieces: a file without line ends must not come into memory as one line.
    for line in iter(partial(file.readline, CHUNK_BYTES), b""):
        found.lines += 1
        if line.isascii():
            continue
        if _is_utf8(line):
            found.valid_foreign += 1
        else:
            found.broken += 1
            if len(found.places) < LISTED:
                found.places.append(found.lines)
        found.foreign_bytes += sum(byte > 127 for byte in line[:SAMPLE_BYTES])
        if len(found.sample) < SAMPLE_BYTES:
            found.sample += line[: SAMPLE_BYTES - len(found.sample)]
    return found


def _checked_whole(file: BinaryIO, codec: str, words: str) -> TextEncoding:
    """The encoding, lenient and with a word about it when not every byte fits."""
    if _decodes_whole(file, codec):
        return TextEncoding(codec=codec, words=words)
    told = Finding(
        level="warn",
        title="Some letters are damaged",
        detail=f"Not every byte of this file is good {words}; damaged letters show as �.",
        fix="Save the file again as UTF-8 in the program it came from.",
        where="the whole file",
    )
    return TextEncoding(codec=codec, words=words, errors="replace", findings=(told,))


def _decodes_whole(file: BinaryIO, codec: str) -> bool:
    decoder = codecs.getincrementaldecoder(codec)()
    file.seek(0)
    while chunk := file.read(CHUNK_BYTES):
        if not _decodes(decoder, chunk):
            return False
    return _decodes(decoder, b"", final=True)


def _decodes(decoder: codecs.IncrementalDecoder, chunk: bytes, *, final: bool = False) -> bool:
    try:
        decoder.decode(chunk, final)
    except UnicodeDecodeError:
        return False
    return True


def _is_utf8(line: bytes) -> bool:
    try:
        line.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True
