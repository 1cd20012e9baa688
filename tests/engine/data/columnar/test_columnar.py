"""Parquet and Arrow give the text that was put into them, and damage is told, not read over."""

import datetime
import decimal
import io
import json
from collections.abc import Callable
from typing import Any

import pyarrow
import pytest
from pyarrow import ipc, parquet

from tailor.engine.errors import UserError

Read = Callable[..., Any]
TEXTS = {"question": ["q1", "007", "NA", ""], "answer": ["a1", "a2", None, "a4"]}
CELLS = [["q1", "a1"], ["007", "a2"], ["NA", ""], ["", "a4"]]


def as_parquet(table: Any, **options: Any) -> bytes:
    buffer = io.BytesIO()
    parquet.write_table(table, buffer, **options)
    return buffer.getvalue()


def as_arrow(table: Any, *, is_stream: bool = False, compression: str | None = None) -> bytes:
    sink = pyarrow.BufferOutputStream()
    make = ipc.new_stream if is_stream else ipc.new_file
    with make(sink, table.schema, options=ipc.IpcWriteOptions(compression=compression)) as writer:
        writer.write_table(table)
    return bytes(sink.getvalue())


FORMS = [
    ("Parquet", as_parquet),
    ("Arrow", as_arrow),
    ("Arrow", lambda table: as_arrow(table, is_stream=True)),
    ("Arrow", lambda table: as_arrow(table, compression="zstd")),
]


@pytest.mark.parametrize(("kind", "write"), FORMS)
@pytest.mark.parametrize("name", ["rows.parquet", "rows.csv"])
def test_each_form_gives_the_same_rows(
    read: Read, kind: str, write: Callable[[Any], bytes], name: str
) -> None:
    found = read(write(pyarrow.table(TEXTS)), name)
    assert found.report.found.startswith(f"{kind}, 2 columns, 4 rows.")
    if name == "rows.csv":
        assert f"It is called .csv, but its content is a{'n' * (kind == 'Arrow')} {kind} table" in (
            found.report.found
        )
    assert found.report.kind == kind
    assert found.cells == CELLS
    assert (found.rows[3].first_line, found.report.physical_lines) == (4, 4)


@pytest.mark.parametrize(
    ("values", "texts"),
    [
        (pyarrow.array([1, None, -3]), ["1", "", "-3"]),
        (pyarrow.array([7.0, 1.5, None]), ["7", "1.5", ""]),
        (pyarrow.array([True, False, None]), ["true", "false", ""]),
        (pyarrow.array(["a", "b", "a"]).dictionary_encode(), ["a", "b", "a"]),
        (pyarrow.array(["a", "b", "c"], pyarrow.large_string()), ["a", "b", "c"]),
        (pyarrow.array([b"a", "ü".encode(), None]), ["a", "ü", ""]),
        (
            pyarrow.array([datetime.date(2024, 2, 29)] * 2 + [None]),
            ["2024-02-29", "2024-02-29", ""],
        ),
        (
            pyarrow.array([1_709_211_900_000_000_001] * 3, pyarrow.timestamp("ns")),
            ["2024-02-29 13:05:00"] * 3,
        ),
        (
            pyarrow.array([decimal.Decimal("1.50")] * 3, pyarrow.decimal128(5, 2)),
            ["1.50"] * 3,
        ),
        (pyarrow.array([["ü", "b"], [], None]), ['["ü", "b"]', "[]", ""]),
        (
            pyarrow.array([[{"role": "user", "content": "q", "name": None}], None, []]),
            ['[{"role": "user", "content": "q"}]', "", "[]"],
        ),
        (
            pyarrow.array([[("k", 1)], None, []], pyarrow.map_(pyarrow.string(), pyarrow.int8())),
            ['[["k", 1]]', "", "[]"],
        ),
        (pyarrow.nulls(3), ["", "", ""]),
    ],
)
def test_every_kind_of_column_becomes_text(read: Read, values: Any, texts: list[str]) -> None:
    table = pyarrow.table({"id": ["x", "y", "z"], "value": values})
    for content in (as_parquet(table), as_arrow(table)):
        assert [row[1] for row in read(content).cells] == texts


def test_bytes_that_are_no_text_are_left_empty_and_told(read: Read) -> None:
    table = pyarrow.table({"text": ["a", "b"], "image": [b"\x89PNG\xff", b"\xff\xd8"]})
    found = read(as_parquet(table))
    assert found.cells == [["a", ""], ["b", ""]]
    [told] = found.report.findings
    assert told.title == "“image” holds bytes that are no text"
    assert "2 cells of 2" in told.detail


def test_texts_that_are_no_utf8_are_told(read: Read) -> None:
    broken = pyarrow.array([b"fine", b"\xff\xfe"]).view(pyarrow.string())
    found = read(as_parquet(pyarrow.table({"text": broken, "id": ["1", "2"]})))
    assert found.cells == [["fine", "1"], ["", "2"]]


def test_a_table_of_tokens_is_read_and_told_in_red(read: Read) -> None:
    tokens = pyarrow.table({"input_ids": [[1, 2], [3]], "labels": [[1, 2], [3]]})
    found = read(as_parquet(tokens))
    assert found.report.rows == 2
    [told] = found.report.findings
    assert told.level == "stop"
    assert "already prepared" in told.title
    lines = "\n".join(json.dumps({"text": "t", "input_ids": [n]}) for n in range(3))
    [warned] = read(lines).report.findings
    assert warned.level == "warn"
    assert "text" in warned.fix


def test_a_corrupt_page_is_told_and_not_read(read: Read) -> None:
    table = pyarrow.table({"question": [f"question {n}" for n in range(3_000)]})
    content = as_parquet(table, write_page_checksum=True, compression="none", use_dictionary=False)
    at = content.index(b"question 2000")
    with pytest.raises(UserError, match="damaged"):
        read(content[:at] + b"X" + content[at + 1 :])


def test_a_file_that_was_cut_off_is_told_with_the_place(read: Read) -> None:
    table = pyarrow.table({"question": [f"question {n}" for n in range(3_000)]})
    for content in (as_parquet(table), as_arrow(table)):
        with pytest.raises(UserError, match="damaged"):
            read(content[: len(content) // 2])
    sink = pyarrow.BufferOutputStream()
    with ipc.new_stream(sink, table.schema) as writer:
        for batch in table.to_batches(max_chunksize=1_000):
            writer.write_batch(batch)
    stream = bytes(sink.getvalue())
    with pytest.raises(UserError, match="cannot be read after row 2,000"):
        read(stream[:-2_000])


def test_offsets_that_point_outside_are_damage(read: Read) -> None:
    content = bytearray(as_arrow(pyarrow.table({"text": ["aaaa", "bbbb"]})))
    offsets = (0).to_bytes(4, "little") + (4).to_bytes(4, "little") + (8).to_bytes(4, "little")
    at = content.index(offsets)
    content[at + 8 : at + 12] = (2**30).to_bytes(4, "little")
    with pytest.raises(UserError, match="damaged"):
        read(bytes(content))


def test_a_file_of_many_columns_is_refused(read: Read) -> None:
    table = pyarrow.table({f"c{n}": ["x"] for n in range(1_001)})
    with pytest.raises(UserError, match="1,001, the limit is 1,000"):
        read(as_parquet(table))


def test_an_empty_table_is_told(read: Read) -> None:
    with pytest.raises(UserError, match="no rows"):
        read(as_parquet(pyarrow.table({"a": pyarrow.array([], pyarrow.string())})))


def test_columns_of_one_name_are_told_apart(read: Read) -> None:
    table = pyarrow.table([["x"], ["y"]], names=["a", "a"])
    found = read(as_parquet(table))
    assert found.report.columns == ("a", "a (2)")
    assert found.cells == [["x", "y"]]
