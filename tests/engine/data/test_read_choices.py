"""What was found out can be decided otherwise, and every way to read is offered with its reason."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from tailor.engine.errors import UserError

Read = Callable[..., Any]
GERMAN = "frage;antwort\nWie groß?;Die Größe ist 5.\nWie süß?;Sehr süß.\n"


def choice(found: Any, name: str) -> Any:
    [told] = [one for one in found.report.choices if one.id == name]
    return told


def test_the_same_lines_are_shown_in_three_readings(read: Read) -> None:
    offered = choice(read(GERMAN.encode("cp1252")), "encoding")
    assert offered.value == "cp1252"
    assert len(offered.options) == 3
    labels = dict(offered.options)
    assert "Wie groß?" in labels["cp1252"]
    assert "Wie süß?" in labels["cp1252"]
    assert len(set(labels.values())) == 3
    assert offered.why


def test_a_chosen_encoding_wins(read: Read) -> None:
    content = GERMAN.encode("mac_roman")
    assert read(content, choices={"encoding": "mac_roman"}).cells[0][0] == "Wie groß?"
    assert read(GERMAN.encode(), choices={"encoding": "cp1252"}).cells[0][0] == "Wie groÃŸ?"
    with pytest.raises(UserError, match="not known"):
        read(content, choices={"encoding": "klingon"})


def test_letters_that_no_word_would_hold_tell_another_page(read: Read) -> None:
    polish = "pytanie;odpowiedź\n" + "Gdzie jest łódź?;Zażółć gęślą jaźń, proszę.\n" * 4
    found = read(polish.encode("cp1250"))
    assert choice(found, "encoding").value == "cp1250"
    assert found.cells[0][1] == "Zażółć gęślą jaźń, proszę."


def test_plain_english_leaves_nothing_to_choose(read: Read) -> None:
    found = read("question,answer\na,b\n")
    assert "encoding" not in {one.id for one in found.report.choices}


def test_a_few_letters_of_another_script_are_enough(read: Read) -> None:
    found = read("вопрос;ответ\nГде ключ?;Здесь.\n".encode("cp1251"))
    assert found.cells == [["Где ключ?", "Здесь."]]


def test_every_separator_is_offered_with_what_it_would_make(read: Read) -> None:
    found = read("question;answer\na, b;c, d\ne, f;g\n")
    offered = choice(found, "separator")
    assert offered.value == "semicolon"
    assert dict(offered.options)["semicolon"] == "Semicolons: 2 columns, 100 % of the rows fit"
    assert {"comma", "tab", "bar", "one_column", "none"} <= set(dict(offered.options))


def test_a_chosen_separator_wins(read: Read) -> None:
    content = "question;answer\na,b;c,d\ne,f;g,h\n"
    found = read(content, choices={"separator": "comma", "headings": "none"})
    assert found.cells[1:] == [["a", "b;c", "d"], ["e", "f;g", "h"]]
    assert found.report.damaged == 1
    assert read(content, choices={"separator": "one_column"}).cells == [["a,b;c,d"], ["e,f;g,h"]]
    assert read(content, choices={"separator": "none"}).report.kind == "Text"
    with pytest.raises(UserError, match="not known"):
        read(content, choices={"separator": "dots"})


def test_headings_are_found_below_a_title(read: Read) -> None:
    content = "Support questions;;\nExported in May;;\n\nid;question;answer\n1;a;b\n2;c;d\n"
    found = read(content)
    assert found.report.columns == ("id", "question", "answer")
    assert found.cells == [["1", "a", "b"], ["2", "c", "d"]]
    assert found.rows[0].first_line == 5
    assert choice(found, "headings").value == "4"
    told = [one.detail for one in found.report.findings if "lines make" in one.title]
    assert "3 lines above the headings" in told[0]


def test_a_title_without_separators_is_a_title_too(read: Read) -> None:
    found = read("Support questions\n\nid,question,answer\n1,a,b\n2,c,d\n")
    assert found.report.columns == ("id", "question", "answer")


def test_a_column_of_row_numbers_without_a_name_is_no_damage(read: Read) -> None:
    rows = "".join(f'"{n}","q{n}","a{n}"\n' for n in range(1, 20))
    found = read('"question","answer"\n' + rows)
    assert found.report.columns == ("Column 1", "question", "answer")
    assert found.cells[0] == ["1", "q1", "a1"]
    assert found.report.damaged == 0


@pytest.mark.parametrize(
    "text", ["id,question,answer\n" + "1,a,b,\n" * 9, "id,question,answer,\n" + "1,a,b\n" * 9]
)
def test_a_separator_too_many_at_the_end_is_no_damage(read: Read, text: str) -> None:
    found = read(text)
    assert found.report.columns[:3] == ("id", "question", "answer")
    assert found.cells[0][:3] == ["1", "a", "b"]
    assert found.report.damaged == 0


def test_rows_that_end_early_can_be_filled(read: Read) -> None:
    content = "id,question,answer\n1,a,b\n2,c\n3,d,e\n4,f,g,h\n"
    found = read(content)
    assert found.report.damaged == 2
    assert choice(found, "short_rows").value == "damaged"
    filled = read(content, choices={"short_rows": "fill"})
    assert filled.report.damaged == 1
    assert filled.cells[1] == ["2", "c", ""]


def test_a_comment_above_the_headings_is_a_title(read: Read) -> None:
    found = read("# exported in May\n# by Ada\nnr,name,text\n1,a,b\n2,c,d\n3,e,f\n")
    assert found.report.columns == ("nr", "name", "text")


def test_a_chosen_line_of_headings_wins(read: Read) -> None:
    content = "a,b\nquestion,answer\nc,d\n"
    assert read(content, choices={"headings": "2"}).report.columns == ("question", "answer")
    assert read(content, choices={"headings": "none"}).report.rows == 3
    with pytest.raises(UserError, match="cannot stand there"):
        read(content, choices={"headings": "7"})


def test_a_class_in_line_one_is_no_heading(read: Read) -> None:
    found = read("my card is gone,lost\nwhere is my card,arrival\ni lost it,lost\n")
    assert found.report.columns == ("Column 1", "Column 2")
    assert found.report.rows == 3


def test_headings_that_come_again_are_no_examples(read: Read) -> None:
    found = read("question,answer\na,b\nquestion,answer\nc,d\n")
    assert found.report.damaged == 1
    assert found.rows[1].damage == "it repeats the headings"


def test_quotation_marks_behind_backslashes_are_read(read: Read) -> None:
    found = read('question,answer\n"He said \\"no\\", twice","a"\n"b","c"\n')
    assert found.cells == [['He said "no", twice', "a"], ["b", "c"]]


def test_backslashes_are_letters_elsewhere(read: Read) -> None:
    found = read('path,note\nC:\\new\\"x,"a"\nD:\\old,"b"\n')
    assert found.cells[1] == ["D:\\old", "b"]


def test_a_table_drawn_with_bars_is_a_table(read: Read) -> None:
    found = read("| Question | Answer |\n|---|:---:|\n| a \\| b | c |\n| d |  |\n", "chat.md")
    assert found.report.columns == ("Question", "Answer")
    assert found.cells == [["a | b", "c"], ["d", ""]]
    assert found.rows[0].first_line == 3


def test_a_document_with_a_drawn_table_is_a_document(read: Read) -> None:
    table = "| a | b |\n|---|---|\n" + "| c | d |\n" * 20
    assert read(f"# Title\n\nSome words.\n\n{table}", "page.md").report.kind == "Markdown"


NESTED = {
    "version": 2,
    "data": [
        {"title": "T1", "paragraphs": [{"context": "C1", "qas": [{"question": "Q", "answer": "A"}]}]},
        {"title": "T2", "paragraphs": []},
    ],
}  # fmt: skip


def test_every_list_of_rows_is_offered(read: Read) -> None:
    found = read(json.dumps(NESTED))
    offered = choice(found, "root")
    assert offered.value == "data"
    assert [value for value, _ in offered.options] == [
        "data", "data > paragraphs", "data > paragraphs > qas", "whole",
    ]  # fmt: skip


def test_a_chosen_place_of_the_rows_wins(read: Read) -> None:
    found = read(json.dumps(NESTED), choices={"root": "data > paragraphs > qas"})
    assert found.report.columns == ("title", "context", "question", "answer")
    assert found.cells == [["T1", "C1", "Q", "A"]]
    assert read(json.dumps(NESTED), choices={"root": "whole"}).report.rows == 1
    with pytest.raises(UserError, match="cannot stand there"):
        read(json.dumps(NESTED), choices={"root": "nowhere"})


def test_entries_that_only_hold_questions_are_opened(read: Read) -> None:
    entries = [
        {"title": f"T{n}", "qas": [{"question": "Q", "answers": [{"text": "A"}]}] * 2}
        for n in range(3)
    ]
    for text in (
        json.dumps(entries),
        "\n".join(map(json.dumps, [*entries, {"title": "T", "qas": []}])),
    ):
        found = read(text)
        assert choice(found, "root").value == "qas"
        assert found.report.rows == 6
        assert found.report.columns[:2] == ("title", "question")
    [told] = [one for one in found.report.findings if "hold no row" in one.title]
    assert told.where == "line 4"
    whole = read(json.dumps(entries), choices={"root": "whole"})
    assert whole.report.rows == 3
