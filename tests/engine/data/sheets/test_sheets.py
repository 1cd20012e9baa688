"""A workbook is read as a person sees it, and everything that is left aside is told."""

import io
import zipfile
from collections.abc import Callable
from typing import Any

import openpyxl
import pytest

from tailor.engine.errors import UserError
from tailor.engine.findings import Finding

Read = Callable[..., Any]
Sheets = dict[str, list[list[Any]]]


def workbook(sheets: Sheets, change: Callable[[Any], None] = lambda book: None) -> bytes:
    book = openpyxl.Workbook()
    book.remove(book.active)
    for title, rows in sheets.items():
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(row)
    change(book)
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


def sheet_xml(rows: str, *, behind: str = "", texts: str = "", workbook_rest: str = "") -> bytes:
    """A workbook of one sheet, written by hand."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(
            "xl/workbook.xml",
            f'<workbook xmlns:r="r">{workbook_rest}<sheets><sheet name="One" sheetId="1" '
            'r:id="a"/></sheets></workbook>',
        )
        archive.writestr(
            "xl/_rels/workbook.xml.rels",
            '<Relationships><Relationship Id="a" Type="x/worksheet" Target="worksheets/s.xml"/>'
            '<Relationship Id="b" Type="x/sharedStrings" Target="/xl/strings.xml"/>'
            "</Relationships>",
        )
        archive.writestr("xl/strings.xml", f"<sst>{texts}</sst>")
        archive.writestr(
            "xl/worksheets/s.xml", f"<worksheet><sheetData>{rows}</sheetData>{behind}</worksheet>"
        )
    return buffer.getvalue()


def finding(found: Any, words: str) -> Finding:
    [told] = [one for one in found.report.findings if words in one.title]
    return told


def choice(found: Any, name: str) -> Any:
    [told] = [one for one in found.report.choices if one.id == name]
    return told


HEAD = ["question", "answer"]
ROWS = [[f"q{n}", f"a{n}"] for n in range(12)]


def test_a_plain_sheet_is_read(read: Read) -> None:
    found = read(workbook({"Examples": [HEAD, *ROWS]}), "rows.xlsx")
    assert found.report.found == "Excel, 2 columns, 12 rows."
    assert found.report.kind == "Excel"
    assert found.cells == ROWS
    assert (found.rows[0].first_line, found.rows[0].part) == (2, "")
    assert found.report.physical_lines == 13


def test_a_workbook_called_csv_is_a_workbook(read: Read) -> None:
    found = read(workbook({"Examples": [HEAD, *ROWS]}), "rows.csv").report
    assert found.kind == "Excel"
    assert "It is called .csv, but its content is an Excel workbook" in found.found


def test_title_rows_above_the_headings_are_told_and_skipped(read: Read) -> None:
    found = read(workbook({"S": [["Report of 2024"], [], ["as of", "May"], ["id", *HEAD],
                                 *[[n, *row] for n, row in enumerate(ROWS)]]}))  # fmt: skip
    assert found.report.columns == ("id", "question", "answer")
    assert found.report.rows == 12
    assert "row 4" in finding(found, "above the headings").detail
    assert choice(found, "headings").value == "4"


def test_the_headings_can_be_chosen_otherwise(read: Read) -> None:
    content = workbook({"S": [["Title", "x"], HEAD, *ROWS]})
    assert read(content, choices={"headings": "2"}).report.columns == ("question", "answer")
    without = read(content, choices={"headings": "none"})
    assert without.report.columns == ("Column 1", "Column 2")
    assert without.report.rows == 14
    with pytest.raises(UserError, match="cannot stand there"):
        read(content, choices={"headings": "99"})


def test_merged_cells_are_filled_down_unless_that_is_not_wanted(read: Read) -> None:
    rows = [["topic", *HEAD], ["Cards", "q1", "a1"], [None, "q2", "a2"], ["Loans", "q3", "a3"]]
    content = workbook({"S": rows}, lambda book: book["S"].merge_cells("A2:A3"))
    found = read(content)
    assert [row[0] for row in found.cells] == ["Cards", "Cards", "Loans"]
    assert choice(found, "merged").value == "fill"
    stored = read(content, choices={"merged": "as_stored"})
    assert [row[0] for row in stored.cells] == ["Cards", "", "Loans"]
    assert finding(stored, "not filled down")


def test_formulas_give_their_stored_result(read: Read) -> None:
    rows = (
        '<row r="1"><c r="A1" t="inlineStr"><is><t>q</t></is></c>'
        '<c r="B1" t="inlineStr"><is><t>sum</t></is></c></row>'
        '<row r="2"><c r="A2" t="str"><f>A1</f><v>text</v></c><c r="B2"><f>1+1</f><v>2</v></c></row>'
        '<row r="3"><c r="A3" t="str"><f>B9</f><v></v></c><c r="B3" t="e"><f>1/0</f><v>#DIV/0!</v></c></row>'
    )
    found = read(sheet_xml(rows))
    assert found.cells == [["text", "2"], ["", "#DIV/0!"]]
    assert not [one for one in found.report.findings if "without a result" in one.title]
    assert finding(found, "with an error").where == "B3"


def test_formulas_that_were_never_calculated_are_told(read: Read) -> None:
    found = read(workbook({"S": [HEAD, ["q", "=1+1"], ["r", "=2+2"], ["s", "x"]]}))
    told = finding(found, "without a result")
    assert told.title == "2 formulas without a result yet"
    assert told.where == "B2, B3"


def test_a_stray_cell_far_away_is_told_and_costs_nothing(read: Read) -> None:
    def change(book: Any) -> None:
        book["S"]["A1048576"] = "x"
        book["S"]["XFD3"] = "y"

    found = read(workbook({"S": [HEAD, *ROWS]}, change))
    assert found.cells == ROWS
    told = finding(found, "far from the table")
    assert told.title == "2 cells far from the table"
    assert "column XFD" in told.where
    assert "A1048576" in told.where


def test_a_table_need_not_begin_in_the_first_cell(read: Read) -> None:
    def change(book: Any) -> None:
        sheet = book["S"]
        sheet.insert_cols(1, 2)
        sheet.insert_rows(1, 3)

    found = read(workbook({"S": [HEAD, *ROWS]}, change))
    assert found.cells == ROWS
    assert found.rows[0].first_line == 5


def test_the_largest_visible_sheet_is_read_and_the_others_are_offered(read: Read) -> None:
    def change(book: Any) -> None:
        book["Hidden"].sheet_state = "hidden"

    content = workbook(
        {
            "Notes": [["read me"]],
            "Hidden": [HEAD, *ROWS, *ROWS],
            "Rows": [HEAD, *ROWS],
            "Empty": [],
        },
        change,
    )
    found = read(content, "rows.xlsx")
    assert found.report.found == "Sheet “Rows”, 2 columns, 12 rows."
    assert {row.part for row in found.rows} == {"Rows"}
    offered = choice(found, "sheet")
    assert offered.value == "Rows"
    assert [value for value, _ in offered.options] == ["Notes", "Hidden", "Rows"]
    assert "(hidden)" in dict(offered.options)["Hidden"]
    assert "“Hidden” (25 rows)" in finding(found, "not read").where
    assert read(content, choices={"sheet": "Hidden"}).report.rows == 24
    with pytest.raises(UserError, match="not in the workbook"):
        read(content, choices={"sheet": "Nothing"})


def test_sheets_with_equal_headings_can_be_stacked(read: Read) -> None:
    content = workbook(
        {"May": [HEAD, *ROWS], "June": [["Title"], [], HEAD, *ROWS], "Other": [["x"]]}
    )
    found = read(content)
    assert found.report.rows == 12
    assert choice(found, "stack").value == "no"
    both = read(content, choices={"stack": "yes"})
    assert both.report.rows == 24
    assert [both.rows[0].part, both.rows[-1].part] == ["May", "June"]
    assert both.rows[-1].first_line == 15


def test_short_rows_under_the_table_are_asked_about(read: Read) -> None:
    rows = [[*row, "x", "y"] for row in ROWS]
    content = workbook({"S": [[*HEAD, "c", "d"], *rows, [], ["Source: our team"], ["Sum", 12]]})
    found = read(content)
    assert found.report.rows == 14
    assert finding(found, "may be notes").where == "row 15, row 16"
    out = read(content, choices={"notes": "leave_out"})
    assert out.report.rows == 14
    assert [row.damage != "" for row in out.rows] == [False] * 12 + [True, True]


def test_an_example_without_an_answer_is_no_note(read: Read) -> None:
    found = read(workbook({"S": [HEAD, *ROWS, ["q", None]]}))
    assert found.cells[-1] == ["q", ""]
    assert not [one for one in found.report.choices if one.id == "notes"]


def test_numbers_that_have_lost_digits_are_told(read: Read) -> None:
    rows = '<row><c t="str"><v>id</v></c><c t="str"><v>text</v></c></row>' + "".join(
        f'<row><c><v>{number}</v></c><c t="str"><v>x</v></c></row>'
        for number in ("1234567890123450000", "1.23456789012345E+18", "123456789012345", "2E+18")
    )
    found = read(sheet_xml(rows))
    assert finding(found, "lost digits").where == "A2, A3"
    assert found.cells[0][0] == "1234567890123450000"


def test_hidden_rows_are_read_and_told(read: Read) -> None:
    def change(book: Any) -> None:
        book["S"].row_dimensions[3].hidden = True

    found = read(workbook({"S": [HEAD, *ROWS]}, change))
    assert found.cells == ROWS
    assert "1 row" in finding(found, "Hidden rows").detail


def test_reading_aids_above_letters_and_formatted_pieces_are_one_text(read: Read) -> None:
    texts = (
        "<si><t>word</t></si><si><t>x</t></si>"
        "<si><r><t>two </t></r><r><t>pieces</t></r><rPh><t>aid</t></rPh></si>"
        "<si><t>line_x000D_&#10;end</t></si>"
    )
    rows = "".join(
        f'<row r="{n}"><c r="A{n}" t="s"><v>{a}</v></c><c r="B{n}" t="s"><v>{b}</v></c></row>'
        for n, (a, b) in enumerate([(0, 1), (2, 3)], start=1)
    )
    assert read(sheet_xml(rows, texts=texts)).cells == [["two pieces", "line\nend"]]


def test_headings_that_come_again_are_no_examples(read: Read) -> None:
    found = read(workbook({"S": [HEAD, *ROWS, HEAD, *ROWS]}))
    assert found.report.damaged == 1
    assert "row 14" in finding(found, "damaged").where


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (workbook({"A": [], "B": []}), "There is nothing in this workbook"),
        (workbook({"A": [HEAD]}), "There are no rows in this file"),
        (sheet_xml("<row><c><v>1"), "damaged"),
        (sheet_xml('<row><c t="s"><v>7</v></c></row>'), "damaged"),
        (sheet_xml('<row><c r="XFE1"><v>1</v></c></row>'), "damaged"),
    ],
)
def test_what_cannot_be_read_is_told(read: Read, content: bytes, told: str) -> None:
    with pytest.raises(UserError, match=told):
        read(content)


def test_too_many_columns_are_refused(read: Read) -> None:
    with pytest.raises(UserError, match="1,001, the limit is 1,000"):
        read(workbook({"S": [[f"c{n}" for n in range(1_001)], ["x"] * 1_001]}))
