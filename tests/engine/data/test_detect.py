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


def old_office(stream: str) -> bytes:
    return b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600) + stream.encode("utf-16-le") + bytes(60)


KINDS = [
    (zipped("archive/data.pkl", "archive/version"), "Python pickle"),
    (zipped("ppt/presentation.xml"), "slide show (.pptx)"),
    (zipped("xl/workbook.bin"), "binary Excel workbook (.xlsb)"),
    (zipped("a.npy", "b.npy"), "database or a file of numbers"),
    (zipped("META-INF/container.xml"), "e-book"),
    (old_office(""), "old Office file"),
    (old_office("Workbook"), "old Excel sheet (.xls)"),
    (old_office("WordDocument"), "old Word document (.doc)"),
    (old_office("EncryptedPackage"), "locked with a password"),
    (b"BZh91AY&SY\0" + bytes(40), "packed archive"),
    (b"7z\xbc\xaf\x27\x1c" + bytes(40), "packed archive"),
    (bytes(257) + b"ustar\x0000", "packed archive"),
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
DAMAGED = [
    b"PK\x03\x04" + b"xl/workbook.xml" + bytes(30),
    zipped("rows.csv")[:-30],
    b"PAR1" + bytes(40) + b"PAR1",
    b"ARROW1\0\0" + bytes(40),
    b"\xff\xff\xff\xff" + bytes(40),
    b"\x1f\x8b\x08" + bytes(40),
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


@pytest.mark.parametrize("content", DAMAGED)
def test_a_file_that_only_begins_like_its_kind_is_damaged(read: Read, content: bytes) -> None:
    with pytest.raises(UserError, match="damaged"):
        read(content, "rows.csv")


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
