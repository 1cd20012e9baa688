"""How the bytes of a text file become letters: found out over the whole file, told in words.

A wrong guess turns "Größe" into "GrцЯe" in every row without an error, so the guess follows fixed
rules, and the lines that depend on it are shown in the three likeliest readings. The reading child
surveys a file once, then opens it as text with the answer.
"""

import codecs
import io
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from typing import BinaryIO, TextIO

from tailor.engine.data.counted import LISTED, list_places
from tailor.engine.data.text.code_pages import WORDS, find_non_latin, offer_readings, order_latin
from tailor.engine.data_types import ReadChoice
from tailor.engine.errors import UserError
from tailor.engine.findings import Finding
from tailor.estimator.record import record

CHUNK_BYTES = 2**20
SAMPLE_BYTES = 64 * 1024
DAMAGED_LINES_SHARE = 0.001
SHOWN_LINES = 3
UTF8 = "utf-8"

_BOMS: tuple[tuple[bytes, str, str], ...] = (
    (codecs.BOM_UTF8, "utf-8-sig", "UTF-8"),
    (codecs.BOM_UTF32_LE, "utf-32", "UTF-32"),
    (codecs.BOM_UTF32_BE, "utf-32", "UTF-32"),
    (codecs.BOM_UTF16_LE, "utf-16", "UTF-16"),
    (codecs.BOM_UTF16_BE, "utf-16", "UTF-16"),
)
_FOREIGN = bytes(range(128, 256))
_CONTROLS = bytes(set(range(32)) - set(b"\t\n\r\f\x1a"))


@record
class TextEncoding:
    """How to decode a file, and what to tell about it."""

    codec: str
    words: str
    errors: str = "strict"
    findings: tuple[Finding, ...] = ()
    choices: tuple[ReadChoice, ...] = ()
    """The choice of the encoding; empty when there was nothing to guess."""


@dataclass
class Survey:
    """What one pass over all bytes has counted."""

    bytes: int = 0
    even_nuls: int = 0
    odd_nuls: int = 0
    controls: int = 0
    is_utf8: bool = True
    first_foreign: int = -1
    """Where the first piece begins that holds a byte outside ASCII; -1 without one."""


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
    """Count every byte once, from the start."""
    seen = Survey()
    decoder = codecs.getincrementaldecoder(UTF8)()
    file.seek(0)
    while chunk := file.read(CHUNK_BYTES):
        if 0 in chunk:
            first_odd = seen.bytes % 2
            seen.even_nuls += chunk[first_odd::2].count(0)
            seen.odd_nuls += chunk[1 - first_odd :: 2].count(0)
        seen.controls += len(chunk) - len(chunk.translate(None, _CONTROLS))
        if seen.first_foreign < 0 and not chunk.isascii():
            seen.first_foreign = seen.bytes
        seen.bytes += len(chunk)
        if seen.is_utf8:
            seen.is_utf8 = _decodes(decoder, chunk)
    seen.is_utf8 = seen.is_utf8 and _decodes(decoder, b"", final=True)
    return seen


def choose_encoding(file: BinaryIO, seen: Survey, asked: str = "") -> TextEncoding:
    """The encoding by byte order mark, zero bytes, strict UTF-8, then by code page.

    `asked`: the person's own choice, which wins.
    """
    if asked:
        return _take_asked(file, seen, asked)
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
        return _certain_utf8(file, seen)
    broken = _read_broken_lines(file)
    # Other text is hardly ever good UTF-8 by accident, so many good lines outweigh a few bad ones.
    is_utf8 = broken.broken < DAMAGED_LINES_SHARE * broken.lines and broken.valid_foreign
    if is_utf8 or broken.broken * 10 < broken.valid_foreign:
        why = f"All but {broken.broken:,} of {broken.lines:,} lines are good UTF-8."
        return TextEncoding(
            codec=UTF8,
            words=WORDS[UTF8],
            errors="replace",
            findings=(_damaged_lines(broken),),
            choices=(offer_readings(UTF8, _lines_of(broken.sample), (), why),),
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


def _take_asked(file: BinaryIO, seen: Survey, asked: str) -> TextEncoding:
    if asked not in WORDS:
        raise UserError(
            title="This encoding is not known",
            detail=f"“{asked[:40]}” was asked for; Tailor knows {', '.join(WORDS)}.",
            fix="Choose one of these, or leave the choice to Tailor.",
        )
    lines = _foreign_lines(file, seen)
    others = order_latin(b"\n".join(lines))
    choice = offer_readings(asked, lines, others, "You chose it.")
    return replace(_checked_whole(file, asked, WORDS[asked]), choices=(choice,))


def _certain_utf8(file: BinaryIO, seen: Survey) -> TextEncoding:
    """UTF-8; without a letter outside ASCII there is nothing that could be read otherwise."""
    if seen.first_foreign < 0:
        return TextEncoding(codec=UTF8, words=WORDS[UTF8])
    choice = offer_readings(
        UTF8, _foreign_lines(file, seen), (), "Every byte of the file is good UTF-8."
    )
    return TextEncoding(codec=UTF8, words=WORDS[UTF8], choices=(choice,))


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
            fix="Export the rows as CSV in UTF-8, or as an Excel workbook (.xlsx).",
        )
    return _checked_whole(file, codec, "UTF-16")


def _choose_code_page(file: BinaryIO, broken: _BrokenLines) -> TextEncoding:
    sample, lines = bytes(broken.sample), _lines_of(broken.sample)
    likely = order_latin(sample)
    codec = find_non_latin(sample, broken.foreign_bytes)
    if codec:
        why = f"The letters make words in {WORDS[codec]}; the file does not say."
        chosen = _checked_whole(file, codec, WORDS[codec])
    else:
        why = "The file does not say, so it was told by where these letters stand."
        # Several code pages leave bytes out; a page that holds all of them comes first.
        whole = (one for one in likely if _decodes_whole(file, one))
        codec = next(whole, likely[0])
        chosen = _checked_whole(file, codec, WORDS[codec])
    line = lines[0].decode(codec, "replace").strip() if lines else ""
    return replace(
        chosen,
        findings=(*chosen.findings, _check_letters(WORDS[codec], line)),
        choices=(offer_readings(codec, lines, likely, why),),
    )


def _check_letters(words: str, line: str) -> Finding:
    return Finding(
        level="warn",
        title="Check the letters outside English",
        detail=f"This file is not UTF-8. It was read as {words}; one line then says: "
        f"“{line[:160]}”",
        fix="If that looks wrong, choose another reading, or save the file as UTF-8 (in Excel: "
        "CSV UTF-8) and drop it again.",
        where="the whole file",
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


def _foreign_lines(file: BinaryIO, seen: Survey) -> list[bytes]:
    """The first lines that hold a byte outside ASCII."""
    file.seek(max(0, seen.first_foreign))
    return _lines_of(file.read(CHUNK_BYTES))


def _lines_of(sample: bytes | bytearray) -> list[bytes]:
    lines = (line for line in bytes(sample).splitlines() if not line.isascii())
    return list(islice(lines, SHOWN_LINES))


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
        found.foreign_bytes += len(line) - len(line.translate(None, _FOREIGN))
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
