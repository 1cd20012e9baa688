"""A file is what its bytes say, whatever it is called."""

import io
import pickle
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tailor.engine.errors import UserError

Read = Callable[..., Any]


def zipped(*names: str) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name in names:
            archive.writestr(name, "x")
    return buffer.getvalue()


KINDS = [
    (zipped("[Content_Types].xml", "xl/workbook.xml"), "Excel workbook"),
    (zipped("[Content_Types].xml", "word/document.xml"), "Word document"),
    (zipped("archive/data.pkl", "archive/version"), "Python pickle"),
    (zipped("rows.csv"), "packed archive"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "old Office file"),
    (b"%PDF-1.7\n%text", "a PDF"),
    (b"PAR1" + bytes(40) + b"PAR1", "Parquet"),
    (b"ARROW1\0\0" + bytes(40), "Arrow table"),
    (b"\x1f\x8b\x08" + bytes(40), "packed archive"),
    (pickle.dumps({"question": ["a"]}), "Python pickle"),
    (b"\x89PNG\r\n\x1a\n" + bytes(40), "picture"),
    (b"\xff\xd8\xff\xe0" + bytes(40), "picture"),
    (b"RIFF\x10\0\0\0WAVEfmt ", "sound"),
    (b"SQLite format 3\0" + bytes(40), "database"),
    (b"\x93NUMPY\x01\0" + bytes(40), "database or a file of numbers"),
    (b"\x7fELF\x02\x01" + bytes(40), "program"),
    (b"GGUF\x03\0\0\0" + bytes(40), "a model"),
    (b"\x50\0\0\0\0\0\0\0" + b'{"w":{"dtype":"F32"}}', "a model"),
    (b"<!DOCTYPE html><html></html>", "web page"),
    (b"\xef\xbb\xbf\n <?xml version='1.0'?><a/>", "web page or XML"),
    (b"{\\rtf1 hello}", "formatted document"),
]


@pytest.mark.parametrize(("content", "told"), KINDS, ids=[told for _, told in KINDS])
@pytest.mark.parametrize("name", ["rows.csv", "rows.json"])
def test_other_kinds_are_named_and_a_way_out_is_told(
    read: Read, content: bytes, told: str, name: str
) -> None:
    with pytest.raises(UserError) as raised:
        read(content, name)
    assert told in raised.value.detail
    assert len(raised.value.fix) > 20


def test_a_column_called_like_a_file_mark_is_a_table(read: Read) -> None:
    for name in ("ID3", "PAR1", "BZh", "GGUF", "ORC"):
        assert read(f"{name},answer\na,b\nc,d\n").report.columns == (name, "answer")


@pytest.mark.parametrize("name", ["a.pkl", "a.csv", "a.json", "a.bin", "a.pt", "a.parquet"])
def test_a_pickle_is_never_opened(read: Read, tmp_path: Path, name: str) -> None:
    marker = tmp_path / "marker"
    payloads = [
        b"cos\nsystem\n(S'touch " + str(marker).encode() + b"'\ntR.",
        b"\x80\x04cos\nsystem\n(S'touch " + str(marker).encode() + b"'\ntR.",
        zipped("archive/data.pkl"),
    ]
    for payload in payloads:
        with pytest.raises(UserError):
            read(payload, name)
    assert not marker.exists()
