"""A workbook's parts: its sheets with their names, the texts they share, and the number formats.

A workbook is a zip of XML files that point at each other. Only the parts that rows need are opened:
no macros, no charts, no pictures, nothing that lies elsewhere. `sheets` opens one and takes rows
from it.
"""

import posixpath
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import BinaryIO
from xml.parsers import expat

from tailor.engine.data.archive.zip_door import open_zip
from tailor.engine.data.sheets.sheet_values import BUILT_IN, NumberFormat, read_format, unescape
from tailor.engine.data.sheets.sheet_xml import CHUNK_BYTES, local_name, safe_parser
from tailor.engine.errors import UserError
from tailor.estimator.record import record

WORKBOOK = "xl/workbook.xml"


@record
class SheetPart:
    """A sheet of the workbook."""

    title: str
    member: str
    is_hidden: bool


class Workbook:
    """An opened workbook; closed by its owner."""

    def __init__(self, file: BinaryIO) -> None:
        self._zip = open_zip(file)
        # Some programs write other letters or backslashes than the standard has.
        self._members = {name.replace("\\", "/").lower(): name for name in self._zip.namelist()}
        self.is_1904 = False
        """Whether days are counted from 1904, as old Macs did."""
        self._parts = {"styles": "xl/styles.xml", "sharedStrings": "xl/sharedstrings.xml"}
        with damage_in_words("its list of sheets"):
            self.sheets = self._read_sheets(self._read_targets())
        with damage_in_words("its number formats"):
            self._formats = self._read_formats()
        with damage_in_words("the texts that its sheets share"):
            self.texts = self._read_texts()

    def close(self) -> None:
        """Close the archive; the file itself stays open."""
        self._zip.close()

    def open_member(self, member: str) -> BinaryIO:
        """A part as a stream of bytes."""
        return self._zip.open(self._members[member])  # type: ignore[return-value]

    def size_bytes(self, member: str) -> int:
        """How much a part unpacks to."""
        return self._zip.getinfo(self._members[member]).file_size

    def format(self, style: int) -> NumberFormat:
        """The number format of a style."""
        return self._formats[style] if 0 <= style < len(self._formats) else NumberFormat()

    def _read_targets(self) -> dict[str, str]:
        """Where the workbook's relations point, by their ids; nothing outside the file."""
        targets: dict[str, str] = {}

        def start(name: str, attributes: dict[str, str]) -> None:
            is_inside = attributes.get("TargetMode", "Internal") == "Internal"
            if local_name(name) == "Relationship" and is_inside:
                target = attributes["Target"].replace("\\", "/")
                inside = target[1:] if target.startswith("/") else posixpath.join("xl", target)
                targets[attributes["Id"]] = posixpath.normpath(inside).lower()
                self._parts[posixpath.basename(attributes["Type"])] = targets[attributes["Id"]]

        self._parse("xl/_rels/workbook.xml.rels", start)
        return targets

    def _read_sheets(self, targets: dict[str, str]) -> tuple[SheetPart, ...]:
        sheets: list[SheetPart] = []

        def start(name: str, attributes: dict[str, str]) -> None:
            local = local_name(name)
            if local == "workbookPr":
                self.is_1904 = attributes.get("date1904", "0") in ("1", "true")
            elif local == "sheet":
                key = next(
                    (value for name, value in attributes.items() if name.endswith(":id")), ""
                )
                member = targets.get(key, "")
                # Charts are sheets too, and hold no rows.
                if member in self._members and "chartsheet" not in member:
                    state = attributes.get("state", "visible")
                    sheets.append(
                        SheetPart(
                            title=attributes.get("name", f"Sheet {len(sheets) + 1}"),
                            member=member,
                            is_hidden=state != "visible",
                        )
                    )

        self._parse(WORKBOOK, start)
        return tuple(sheets)

    def _read_formats(self) -> tuple[NumberFormat, ...]:
        """The number format of each style, by its number."""
        codes = dict(BUILT_IN)
        formats: list[NumberFormat] = []
        is_in_styles = False

        def start(name: str, attributes: dict[str, str]) -> None:
            nonlocal is_in_styles
            match local_name(name):
                case "numFmt" if attributes.get("numFmtId", "").isdigit():
                    codes[int(attributes["numFmtId"])] = attributes.get("formatCode", "General")
                case "cellXfs":
                    is_in_styles = True
                case "xf" if is_in_styles:
                    code = codes.get(int(attributes.get("numFmtId", "0")), "General")
                    formats.append(read_format(code))

        def end(name: str) -> None:
            nonlocal is_in_styles
            is_in_styles = is_in_styles and local_name(name) != "cellXfs"

        self._parse(self._parts["styles"], start, end)
        return tuple(formats)

    def _read_texts(self) -> list[str]:
        """The shared texts; what is written above letters as a reading aid is not part of them."""
        texts: list[str] = []
        pieces: list[str] = []
        is_kept = is_phonetic = False

        def start(name: str, attributes: dict[str, str]) -> None:
            nonlocal is_kept, is_phonetic
            local = local_name(name)
            is_phonetic = is_phonetic or local == "rPh"
            is_kept = local == "t" and not is_phonetic

        def end(name: str) -> None:
            nonlocal is_kept, is_phonetic
            is_kept = False
            local = local_name(name)
            if local == "rPh":
                is_phonetic = False
            elif local == "si":
                texts.append(unescape("".join(pieces)))
                pieces.clear()

        def data(text: str) -> None:
            if is_kept:
                pieces.append(text)

        self._parse(self._parts["sharedStrings"], start, end, data)
        return texts

    def _parse(
        self,
        member: str,
        start: Callable[[str, dict[str, str]], None],
        end: Callable[[str], None] = lambda name: None,
        data: Callable[[str], None] = lambda text: None,
    ) -> None:
        """Go through a part; one that is not there says nothing."""
        if member not in self._members:
            return
        parser = safe_parser(start, end, data)
        with self.open_member(member) as source:
            while piece := source.read(CHUNK_BYTES):
                parser.Parse(piece)
            parser.Parse(b"", True)


@contextmanager
def damage_in_words(part: str) -> Iterator[None]:
    """Say which part of a workbook cannot be read."""
    try:
        yield
    except (expat.ExpatError, zipfile.BadZipFile, zlib.error, EOFError, ValueError, KeyError,
            IndexError, NotImplementedError) as error:  # fmt: skip
        raise UserError(
            title="This workbook is damaged",
            detail=f"The file is an Excel workbook, but {part} cannot be read.",
            fix="Open it in your spreadsheet program, save it again as .xlsx and drop it again.",
        ) from error
