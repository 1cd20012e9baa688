"""Tables are read as the text they are, with every difference told."""

from collections.abc import Callable
from typing import Any

import pytest

from tailor.engine.data.text.table_columns import name_columns
from tailor.engine.data.text.table_form import choose_form
from tailor.engine.errors import UserError

Read = Callable[..., Any]


@pytest.mark.parametrize(
    ("delimiter", "word"),
    [(",", "Commas"), (";", "Semicolons"), ("\t", "Tabs"), ("|", "Vertical bars")],
)
def test_the_separator_is_found_by_content(read: Read, delimiter: str, word: str) -> None:
    text = "".join(
        f"who {n}{delimiter}me, {n}\n" if delimiter != "," else f"who {n},me {n}\n"
        for n in range(20)
    )
    found = read(f"question{delimiter}answer\n{text}", "anything.bin")
    assert found.report.found == f"{word}, UTF-8, 2 columns, 20 rows."
    assert found.report.columns == ("question", "answer")


def test_everything_is_text(read: Read) -> None:
    cells = ["007", "NA", "null", "1e5", "=SUM(A1)", " padded ", "TRUE", "2024-01-02", "1.50"]
    found = read("code,note\n" + "".join(f"{cell},x\n" for cell in cells))
    assert [row[0] for row in found.cells] == cells


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_every_kind_of_line_end_works(read: Read, end: str) -> None:
    found = read(f'a,b{end}1,2{end}"once{end}more",4{end}')
    assert found.cells == [["1", "2"], ["once\nmore", "4"]]


def test_the_last_line_without_an_end_is_a_row(read: Read) -> None:
    assert read("a,b\n1,2\n3,4").cells == [["1", "2"], ["3", "4"]]


def test_rows_of_the_wrong_width_are_kept_shown_and_told(read: Read) -> None:
    found = read('column_a,column_b,column_c\n1,27,,"too long"\n,"too short"\n0,mixed,17\n')
    assert found.report.rows == 3
    assert found.report.damaged == 2
    [finding] = found.report.findings
    assert "line 2 (4 cells instead of 3)" in finding.where
    assert "line 3 (2 cells instead of 3)" in finding.where
    assert found.rows[0].cells == ["1", "27", ",too long"]
    assert found.rows[2].damage == ""


def test_lines_and_rows_are_compared_and_the_difference_is_told(read: Read) -> None:
    found = read('question,answer\nq,"a\nb"\n\nq2,c\n')
    assert found.report.physical_lines == 5
    [finding] = found.report.findings
    assert finding.title == "5 lines make 2 rows"
    assert "1 line break inside cells and 1 blank line" in finding.detail


def test_stray_quotes_are_told_and_no_row_is_lost(read: Read) -> None:
    lines = [f"{n};text {n};y\n" for n in range(100)]
    lines[40] = '40;"half a quote;y\n'
    found = read("id;text;label\n" + "".join(lines))
    assert found.report.rows == 100
    assert found.report.found.endswith("100 rows. 1 line repaired.")


def test_a_table_without_headings_keeps_its_first_row(read: Read) -> None:
    found = read("How do I reset it?,Hold the button.\nWhat is the fee?,There is none.\n")
    assert found.report.columns == ("Column 1", "Column 2")
    assert found.report.rows == 2
    assert found.report.findings[0].title == "The columns have no names"


def test_names_are_made_distinct() -> None:
    assert name_columns(["a", "a", "", "b\nc", "a (2)"]) == (
        "a",
        "a (2)",
        "Column 3",
        "b c",
        "a (2) (2)",
    )


def test_one_column_under_a_heading_is_a_table(read: Read) -> None:
    found = read("text\nfirst, with a comma\nsecond\n")
    assert found.cells == [["first, with a comma"], ["second"]]


def test_excels_separator_line_is_obeyed(read: Read) -> None:
    found = read("sep=;\nquestion;answer\na,b;c\n")
    assert found.report.columns == ("question", "answer")
    assert found.rows[0].first_line == 3


def test_a_space_before_a_quoted_cell_is_not_part_of_it(read: Read) -> None:
    found = read('question, answer\n"a, b", "c, d"\n"e", "f, g"\n')
    assert found.cells == [["a, b", "c, d"], ["e", "f, g"]]


def test_running_text_is_read_as_text_and_a_table_is_one_choice_away(read: Read) -> None:
    prose = "It was a dark night, and it rained.\nNobody came; nobody went.\n" * 30
    found = read(prose, "story.txt")
    assert found.report.columns == ("text",)
    [choice] = [one for one in found.report.choices if one.id == "separator"]
    assert choice.value == "none"
    table = read(prose, "story.txt", {"separator": "comma", "headings": "none"})
    assert table.report.columns == ("Column 1", "Column 2")
    assert table.report.damaged == 30


def test_too_many_columns_are_refused(read: Read) -> None:
    with pytest.raises(UserError, match="1,001, the limit is 1,000"):
        read(",".join(f"c{n}" for n in range(1_001)) + "\n" + ",".join("1" * 1_001) + "\n")


def test_headings_without_rows_are_refused(read: Read) -> None:
    with pytest.raises(UserError, match="no rows in this file"):
        read("question,answer\n")


def test_a_suffix_that_lies_is_named(read: Read) -> None:
    assert "called .json, but holds a table" in read("a,b\n1,2\n", "x.json").report.found


def test_a_single_sentence_is_no_table(read: Read) -> None:
    found = read("One day, a long time ago, there was a king; he had no name.", "a.txt")
    assert found.report.kind == "Text"


def test_prose_has_no_form() -> None:
    assert choose_form(["Hello there, my friend.\n", "How are you?\n", "Fine.\n"], {}) is None
