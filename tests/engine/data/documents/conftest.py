"""Documents made byte by byte: a Word file from its XML, a PDF from its pages."""

import io
import zipfile
import zlib
from collections.abc import Callable, Sequence

import pytest

WORD_SPACE = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"


@pytest.fixture
def word() -> Callable[..., bytes]:
    """A Word file with this body and, if given, these styles."""

    def make(body: str, styles: str = "", head: str = "", space: str = WORD_SPACE) -> bytes:
        declared = (
            f'xmlns:w="{space}" '
            'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" '
            'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'
        )
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("[Content_Types].xml", "<Types/>")
            document = f"<w:document {declared}><w:body>{body}</w:body></w:document>"
            archive.writestr("word/document.xml", f'<?xml version="1.0"?>{head}{document}')
            if styles:
                archive.writestr("word/styles.xml", f"<w:styles {declared}>{styles}</w:styles>")
        return packed.getvalue()

    return make


def paragraph(text: str, properties: str = "") -> str:
    return f"<w:p><w:pPr>{properties}</w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>"


@pytest.fixture
def say() -> Callable[..., str]:
    """A paragraph of a Word file."""
    return paragraph


@pytest.fixture
def table() -> Callable[[Sequence[Sequence[str]]], str]:
    """A table of a Word file."""

    def make(rows: Sequence[Sequence[str]]) -> str:
        cells = [
            "<w:tr>" + "".join(f"<w:tc>{paragraph(cell)}</w:tc>" for cell in row) + "</w:tr>"
            for row in rows
        ]
        return f"<w:tbl>{''.join(cells)}</w:tbl>"

    return make


@pytest.fixture
def pdf() -> Callable[..., bytes]:
    """A PDF with these lines on its pages; a page may also be a ready stream of drawing steps."""

    def make(
        pages: Sequence[Sequence[str] | bytes], *, has_pictures: bool = False, trailer: bytes = b""
    ) -> bytes:
        kids = b" ".join(b"%d 0 R" % (5 + 2 * place) for place in range(len(pages)))
        picture = b"/XObject << /Im1 4 0 R >>" if has_pictures else b""
        parts = [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Count %d /Kids [%s] >>" % (len(pages), kids),
            b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
            b"<< /Type /XObject /Subtype /Image /Width 1 /Height 1 /BitsPerComponent 8 "
            b"/ColorSpace /DeviceGray /Length 1 >>\nstream\n0\nendstream",
        ]
        for place, page in enumerate(pages):
            parts.append(
                b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents %d 0 R "
                b"/Resources << /Font << /F1 3 0 R >> %s >> >>" % (6 + 2 * place, picture)
            )
            packed = zlib.compress(page if isinstance(page, bytes) else _draw(page))
            parts.append(
                b"<< /Length %d /Filter /FlateDecode >>\nstream\n%s\nendstream"
                % (len(packed), packed)
            )
        return _put_together(parts, trailer)

    return make


def _draw(lines: Sequence[str]) -> bytes:
    steps = [b"BT /F1 12 Tf 14 TL 50 780 Td"]
    for line in lines:
        escaped = line.encode("cp1252").replace(b"\\", b"\\\\")
        steps.append(b"(%s) Tj T*" % escaped.replace(b"(", b"\\(").replace(b")", b"\\)"))
    return b"\n".join([*steps, b"ET"])


def _put_together(parts: Sequence[bytes], trailer: bytes) -> bytes:
    out, places = b"%PDF-1.4\n", []
    for number, part in enumerate(parts, start=1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, part)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(parts) + 1)
    out += b"".join(b"%010d 00000 n \n" % place for place in places)
    out += b"trailer << /Size %d /Root 1 0 R %s >>\n" % (len(parts) + 1, trailer)
    return out + b"startxref\n%d\n%%%%EOF" % start
