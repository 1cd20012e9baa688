"""A file packed with gzip is read like the file inside, and a bomb is not unpacked."""

import gzip
import io
import zipfile
from collections.abc import Callable
from typing import Any

import pytest

from tailor.engine.errors import UserError

Read = Callable[..., Any]
ROWS = "question,answer\n" + "".join(f"q{n},a{n}\n" for n in range(20))


def test_what_is_inside_is_read_like_any_file(read: Read) -> None:
    found = read(gzip.compress(ROWS.encode()), "rows.csv.gz")
    assert found.report.found == ("Commas, UTF-8, 2 columns, 20 rows. It was packed with gzip.")
    assert found.cells == read(ROWS).cells


def test_several_packed_pieces_are_one_file(read: Read) -> None:
    content = ROWS.encode()
    assert read(gzip.compress(content[:50]) + gzip.compress(content[50:])).report.rows == 20


def test_the_choices_reach_the_file_inside(read: Read) -> None:
    content = gzip.compress("Größe,x\nMaß,y\n".encode("cp1252"))
    found = read(content, choices={"encoding": "mac_roman", "headings": "none"})
    assert found.cells[0][0] == "Grˆﬂe"


def test_an_inner_name_that_lies_is_told(read: Read) -> None:
    found = read(gzip.compress(b'{"a": "1"}\n{"a": "2"}\n'), "rows.json.gz")
    assert "one object a line" in found.report.found


def test_what_is_packed_twice_is_refused(read: Read) -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("rows.csv", ROWS)
    for inner in (gzip.compress(ROWS.encode()), buffer.getvalue()):
        with pytest.raises(UserError, match="packed twice"):
            read(gzip.compress(inner))


def test_a_packed_file_that_was_cut_off_is_told(read: Read) -> None:
    with pytest.raises(UserError, match="damaged"):
        read(gzip.compress(ROWS.encode())[:-12])


def test_far_more_than_its_size_is_not_unpacked(read: Read) -> None:
    with pytest.raises(UserError, match="unpacks to something far larger"):
        read(gzip.compress(bytes(20_000_000)))


def test_an_empty_file_inside_is_told(read: Read) -> None:
    with pytest.raises(UserError, match="empty"):
        read(gzip.compress(b""))
