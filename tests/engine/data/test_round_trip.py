"""Whatever table is written in a form that people use reads back as the same text."""

import csv
import io
import json
from collections.abc import Callable
from typing import Any

import openpyxl
import pyarrow
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE
from pyarrow import parquet

Read = Callable[..., Any]
Rows = list[list[str]]

SAME_EVERY_TIME = settings(
    derandomize=True,
    deadline=None,
    max_examples=25,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)

# Delimiter, line end, and which cells are quoted.
DIALECTS = {
    "comma": (",", "\r\n", csv.QUOTE_MINIMAL),
    "comma, all quoted": (",", "\n", csv.QUOTE_ALL),
    "semicolon": (";", "\r\n", csv.QUOTE_MINIMAL),
    "tab": ("\t", "\n", csv.QUOTE_MINIMAL),
    "bar": ("|", "\n", csv.QUOTE_ALL),
    "old Mac": (";", "\r", csv.QUOTE_MINIMAL),
}
# Encoding, and letters that it has and that tell it from its neighbours.
ENCODINGS = {
    "utf-8": "aé字😀ß",
    "utf-8-sig": "aé字😀ß",
    "utf-16": "aé字😀ß",
    "cp1252": "äöüßéèà",
    "cp1251": "абвгдежз",
    "gb18030": "的一是不了人我在有他",
}
# Longer than any cell that a table is made of, so that the encoding can be told from it.
SENTENCES = {
    "cp1252": "Größe, Prüfung und Maß für die Straße déjà vu à l'école",
    "cp1251": "Как сбросить пароль и открыть новый счёт в вашем банке",
    "gb18030": "如何重置密码并在贵行开设新的账户请告诉我详细步骤",
}

# Cells that lose something in other readers, and any text; no cell of a line end alone.
TRICKY = [
    "007", "NA", "null", "None", "1.50", "1e5", "TRUE", "=1+1", "+49", "-", "@x", " padded ",
    'a "quoted" word', '"', '""', "a,b;c|d\te", "two\nlines", "'", "\\", "\\n", "#", "2024-01-02",
    "[1]", "{}", "<b>", "$$x$$", "", "3,14", "NaN", "//", "x" * 300,
]  # fmt: skip
FOREIGN = "".join(sorted(set("".join(ENCODINGS.values()))))


def cells(letters: str) -> st.SearchStrategy[str]:
    plain = "abcXYZ019 ,;|\t\"'\n.:-_/\\()[]{}"
    return st.one_of(
        st.sampled_from(TRICKY), st.text(alphabet=plain + letters, min_size=0, max_size=30)
    )


@st.composite
def tables(draw: Any, letters: str = FOREIGN) -> Rows:
    """Rows of two to five cells, each with something in it."""
    width = draw(st.integers(2, 5))
    # A nested table in which every line of a cell looks like a row cannot be told from rows.
    one = cells(letters).filter(lambda cell: cell.count("\n") < 2)
    row = st.lists(one, min_size=width, max_size=width).map(lambda row: ["x" + row[0], *row[1:]])
    return draw(st.lists(row, min_size=3, max_size=12))


def headings(rows: Rows) -> list[str]:
    return ["question", "answer", "context", "label", "note"][: len(rows[0])]


def write_csv(rows: Rows, dialect: str, sentence: str = "") -> str:
    delimiter, line_end, quoting = DIALECTS[dialect]
    buffer = io.StringIO()
    writer = csv.writer(buffer, delimiter=delimiter, lineterminator=line_end, quoting=quoting)
    writer.writerow(headings(rows))
    # In an old Mac's file a line break inside a cell is that of the file.
    writer.writerows([[cell.replace("\n", line_end) for cell in row] for row in rows])
    return buffer.getvalue()


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("dialect", DIALECTS)
def test_separated_text(read: Read, dialect: str, encoding: str) -> None:
    sentence = SENTENCES.get(encoding, "")

    @given(tables(ENCODINGS[encoding] if sentence else FOREIGN))
    @settings(SAME_EVERY_TIME, max_examples=8)
    def round_trip(rows: Rows) -> None:
        if sentence:
            rows = [*rows, *([sentence, *[""] * (len(rows[0]) - 1)] for _ in range(5))]
        content = write_csv(rows, dialect).encode(encoding)
        found = read(content)
        assert found.report.columns == tuple(headings(rows))
        assert found.cells == rows
        assert found.report.damaged == 0

    round_trip()


@given(tables())
@SAME_EVERY_TIME
def test_json_list(read: Read, rows: Rows) -> None:
    records = [dict(zip(headings(rows), row, strict=True)) for row in rows]
    for text in (
        json.dumps(records),
        json.dumps(records, ensure_ascii=False, indent=2),
        "\n".join(map(json.dumps, records)),
        json.dumps({"data": records, "version": 1}),
        json.dumps({"columns": headings(rows), "data": rows}),
        json.dumps([headings(rows), *rows]),
    ):
        found = read(text, "rows.json")
        assert found.report.columns == tuple(headings(rows))
        assert found.cells == rows


@given(tables())
@SAME_EVERY_TIME
def test_parquet(read: Read, rows: Rows) -> None:
    columns = zip(*rows, strict=True)
    table = pyarrow.table(dict(zip(headings(rows), map(list, columns), strict=True)))
    buffer = io.BytesIO()
    parquet.write_table(table, buffer)
    found = read(buffer.getvalue())
    assert found.report.columns == tuple(headings(rows))
    assert found.cells == rows


@given(tables())
@SAME_EVERY_TIME
def test_workbook(read: Read, rows: Rows) -> None:
    book = openpyxl.Workbook()
    for number, row in enumerate([headings(rows), *rows], start=1):
        for place, text in enumerate(row, start=1):
            cell = book.active.cell(number, place)
            cell.value = ILLEGAL_CHARACTERS_RE.sub("", text)
            # Else what begins with = would be stored as a formula.
            cell.data_type = "s"
    buffer = io.BytesIO()
    book.save(buffer)
    found = read(buffer.getvalue())
    assert found.report.columns == tuple(headings(rows))
    # A cell of nothing but spaces is empty to every spreadsheet program's reader.
    shown = [[cell if cell.strip() else "" for cell in row] for row in rows]
    assert [[cell if cell.strip() else "" for cell in row] for row in found.cells] == shown
