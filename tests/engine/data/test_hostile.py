"""Files made to hurt are refused by the real child: soon, in little memory, in plain words."""

import base64
import gzip
import hashlib
import io
import json
import random
import shutil
import struct
import time
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pyarrow
import pytest
from pyarrow import parquet
from pydantic import TypeAdapter

from tailor.engine.child import Child
from tailor.engine.data.request import MODULE, Original, Request, limits_for
from tailor.engine.errors import UserError

MEMORY_LIMIT_BYTES = 300_000_000
SECONDS = 60.0
"""Generous: on an idle computer each takes one or two."""


@dataclass
class Refused:
    """How the child ended."""

    problem: UserError
    peak_bytes: int


@pytest.fixture
def refuse(tmp_path: Path) -> Callable[[bytes, str], Refused]:
    """Have a file read by the real child, which must refuse it."""

    def refuse_it(content: bytes, name: str) -> Refused:
        path = tmp_path / "original"
        path.write_bytes(content)
        original = Original(path=str(path), name=name, sha256=hashlib.sha256(content).hexdigest())
        request = TypeAdapter(Request).dump_python(
            Request(work="read", originals=(original,)), mode="json"
        )
        child = Child(MODULE, tmp_path / "work", request, limits_for(len(content)))
        peak, deadline = 0, time.monotonic() + SECONDS
        try:
            while child.is_alive():
                peak = max(peak, peak_bytes(child.pid))
                assert time.monotonic() < deadline, "it took too long"
                time.sleep(0.005)
            with pytest.raises(UserError) as raised:
                child.poll()
        finally:
            child.kill()
            # What a bomb has written so far would be kept with the folders of three runs.
            shutil.rmtree(tmp_path / "work")
        return Refused(raised.value, peak)

    return refuse_it


def peak_bytes(pid: int) -> int:
    """The most memory that a process has held so far; 0 when it is gone."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return 0
    told = [line for line in status.splitlines() if line.startswith("VmHWM")]
    return int(told[0].split()[1]) * 1024 if told else 0


def workbook(members: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    book = {
        "xl/workbook.xml": b'<workbook xmlns:r="r"><sheets>'
        b'<sheet name="One" sheetId="1" r:id="a"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": b'<Relationships><Relationship Id="a" '
        b'Type="x/worksheet" Target="worksheets/s.xml"/></Relationships>',
        "xl/worksheets/s.xml": b"<worksheet><sheetData><row><c t='str'><v>x</v></c></row>"
        b"<row><c t='str'><v>y</v></c></row></sheetData></worksheet>",
    }
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in (book | members).items():
            archive.writestr(name, content)
    return buffer.getvalue()


def packed_zeros(total_bytes: int) -> bytes:
    """Zeros packed as a deflate stream, without ever holding them."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    piece = bytes(2**20)
    block = packer.compress(piece) + packer.flush(zlib.Z_FULL_FLUSH)
    again = packer.compress(piece) + packer.flush(zlib.Z_FULL_FLUSH)
    return block + again * (total_bytes // 2**20 - 1) + packer.flush()


def zip_of_one(name: bytes, packed: bytes, unpacked_bytes: int) -> bytes:
    """A zip with one packed member that says what size it has."""
    common = struct.pack(
        "<HHHHHIIIHH", 20, 0, 8, 0, 33, 0, len(packed), unpacked_bytes, len(name), 0
    )
    local = b"PK\x03\x04" + common + name + packed
    listed = b"PK\x01\x02" + struct.pack("<H", 20) + common + struct.pack("<HHHII", 0, 0, 0, 0, 0)
    listed += name
    end = b"PK\x05\x06" + struct.pack("<HHHHIIH", 0, 0, 1, 1, len(listed), len(local), 0)
    return local + listed + end


def many_members(count: int) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("xl/workbook.xml", "<workbook/>")
        for number in range(count):
            archive.writestr(f"xl/worksheets/sheet{number}.xml", "")
    return buffer.getvalue()


def hundred_thousand_members() -> bytes:
    """A list that says in long numbers how long it is, and in short ones that it is short."""
    name = b"xl/workbook.xml"
    common = struct.pack("<HHHHHIIIHH", 20, 0, 0, 0, 33, 0, 0, 0, len(name), 0)
    local = b"PK\x03\x04" + common + name
    one = (
        b"PK\x01\x02" + struct.pack("<H", 20) + common + struct.pack("<HHHII", 0, 0, 0, 0, 0) + name
    )
    listed = one * 100_000
    long_end = b"PK\x06\x06" + struct.pack(
        "<QHHIIQQQQ", 44, 45, 45, 0, 0, 100_000, 100_000, len(listed), len(local)
    )
    locator = b"PK\x06\x07" + struct.pack("<IQI", 0, len(local) + len(listed), 1)
    end = b"PK\x05\x06" + struct.pack("<HHHHIIH", 0, 0, 1, 1, len(one), len(local), 0)
    return local + listed + long_end + locator + end


def entity_bomb() -> bytes:
    names = "abcdefghij"
    entities = "".join(
        f'<!ENTITY {name} "{f"&{names[at - 1]};" * 10 if at else "lol" * 10}">'
        for at, name in enumerate(names)
    )
    return f"<!DOCTYPE x [{entities}]><sst><si><t>&j;</t></si></sst>".encode()


def external_entity() -> bytes:
    return (
        b'<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/hostname">]>'
        b"<worksheet><sheetData><row><c t='str'><v>&e;</v></c></row></sheetData></worksheet>"
    )


def parquet_bomb() -> bytes:
    """A footer that declares fifty times fifty megabytes, and nothing else."""
    table = pyarrow.table({"text": ["x" * 1_000_000] * 50})
    buffer = io.BytesIO()
    parquet.write_table(table, buffer, compression="zstd", use_dictionary=False)
    footer = parquet.read_metadata(buffer)
    once = parquet.read_metadata(buffer)
    for _ in range(49):
        footer.append_row_groups(once)
    declared = io.BytesIO()
    footer.write_metadata_file(declared)
    return declared.getvalue()


def dictionary_bomb() -> bytes:
    """A text of three megabytes that stands in ten thousand rows, in a file of a few kilobytes."""
    texts = pyarrow.DictionaryArray.from_arrays(
        pyarrow.array([0] * 10_000, pyarrow.int16()), pyarrow.array(["x" * 3_000_000])
    )
    buffer = io.BytesIO()
    parquet.write_table(pyarrow.table({"text": texts}), buffer, compression="zstd")
    return buffer.getvalue()


def shared_text_bomb() -> bytes:
    """A shared text of a megabyte that stands twice in every row of a small workbook."""
    text = (
        b"<sst><si><t>" + base64.b64encode(random.Random(0).randbytes(750_000)) + b"</t></si></sst>"
    )
    cells = b"<row>" + b"<c t='s'><v>0</v></c>" * 2 + b"</row>"
    sheet = b"<worksheet><sheetData>" + cells * 5_000 + b"</sheetData></worksheet>"
    return workbook({"xl/sharedStrings.xml": text, "xl/worksheets/s.xml": sheet})


HOSTILE: list[tuple[str, Callable[[], bytes], str]] = [
    ("200 MB of zeros in a sheet", lambda: workbook({"xl/worksheets/s.xml": bytes(200_000_000)}),
     "far larger"),
    ("a shared text of 2 GB", lambda: zip_of_one(b"xl/workbook.xml", packed_zeros(2**31), 2**31),
     "far larger"),
    ("a member that lies about its size",
     lambda: zip_of_one(b"xl/workbook.xml", packed_zeros(2**28), 1_000), "damaged"),
    ("10,000 sheets", lambda: many_members(10_000), "too many parts"),
    ("100,000 members", hundred_thousand_members, "too many parts"),
    ("an entity bomb", lambda: workbook({"xl/sharedStrings.xml": entity_bomb()}),
     "not safe to open"),
    ("a file elsewhere", lambda: workbook({"xl/worksheets/s.xml": external_entity()}),
     "not safe to open"),
    ("a deep sheet", lambda: workbook({"xl/worksheets/s.xml": b"<a>" * 1_000_000}), "damaged"),
    ("a gzip bomb", lambda: gzip.compress(bytes(100_000_000)), "far larger"),
    ("a gzip in a gzip", lambda: gzip.compress(gzip.compress(b"a,b\n1,2\n")), "packed twice"),
    ("a Parquet bomb", parquet_bomb, "far larger"),
    ("100,000 brackets", lambda: b"[" * 100_000, "64 levels"),
    ("brackets and names", lambda: b'[{"":' * 50_000, "64 levels"),
    ("5,000 digits", lambda: b'[{"a": ' + b"9" * 5_000 + b"}]", "5,000 digits"),
    ("a number beyond all", lambda: b'[{"a": 1e9999}]', "too large"),
    ("half a letter", lambda: b'[{"a": "\\ud800"}]', "surrogate"),
    ("no number", lambda: b'[{"a": NaN}]', "NaN"),
    ("1,001 columns", lambda: b",".join(b"c%d" % n for n in range(1_001)) + b"\n1\n",
     "limit is 1,000"),
    ("1,000,000 columns", lambda: b",".join([b"c"] * 1_000_000) + b"\n1\n", "limit is 1,000"),
    ("keys without end", lambda: json.dumps([{f"k{n}": 1 for n in range(50_000)}]).encode(),
     "limit is 1,000"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("make", "told"), [case[1:] for case in HOSTILE], ids=[case[0] for case in HOSTILE]
)
def test_a_hostile_file_is_refused(
    refuse: Callable[[bytes, str], Refused], make: Callable[[], bytes], told: str
) -> None:
    refused = refuse(make(), "rows.csv")
    assert told in str(refused.problem)
    assert refused.problem.fix
    assert refused.peak_bytes < MEMORY_LIMIT_BYTES


@pytest.mark.slow
@pytest.mark.parametrize("make", [dictionary_bomb, shared_text_bomb])
def test_a_text_that_is_repeated_without_end_does_not_fill_the_disk(
    refuse: Callable[[bytes, str], Refused], make: Callable[[], bytes]
) -> None:
    refused = refuse(make(), "rows.xlsx")
    told = str(refused.problem)
    assert "its rows already hold 1.0 GB of text" in told or "too big to read safely" in told


@pytest.mark.parametrize("start", [b"", b"question,answer\n", b'[{"a": "', b'{"a": "', b'q,a\n"'])
def test_a_line_of_a_hundred_megabytes_is_refused_in_little_memory(
    refuse: Callable[[bytes, str], Refused], start: bytes
) -> None:
    refused = refuse(start + b"x" * 100_000_000, "rows.csv")
    assert "too long" in refused.problem.title or "single object" in refused.problem.title
    assert refused.peak_bytes < MEMORY_LIMIT_BYTES
