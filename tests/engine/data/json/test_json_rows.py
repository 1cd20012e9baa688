"""JSON in the forms that people export, through one door that lets nothing broken pass."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from tailor.engine.errors import UserError

Read = Callable[..., Any]
PAIRS = [{"question": f"q{n}", "answer": f"a{n}"} for n in range(12)]
CELLS = [[f"q{n}", f"a{n}"] for n in range(12)]


@pytest.mark.parametrize(
    ("text", "form"),
    [
        (json.dumps(PAIRS), "JSON list"),
        (json.dumps(PAIRS, indent=2), "JSON list"),
        ("\n".join(map(json.dumps, PAIRS)), "JSON Lines"),
        ("\n\n".join(map(json.dumps, PAIRS)) + "\n", "JSON Lines"),
        ("\n".join(json.dumps(pair, indent=1) for pair in PAIRS), "JSON object"),
        (json.dumps({"version": 1, "data": PAIRS}), "JSON object, at data"),
        (
            json.dumps({"data": [{"part": PAIRS[:6]}, {"part": PAIRS[6:]}]}),
            "JSON object, at data > part",
        ),
        (
            json.dumps({key: [pair[key] for pair in PAIRS] for key in PAIRS[0]}),
            "JSON object, at columns side by side",
        ),
        (
            json.dumps(
                {key: {str(n): pair[key] for n, pair in enumerate(PAIRS)} for key in PAIRS[0]}
            ),
            "JSON object, at columns side by side",
        ),
    ],
)
def test_each_form_gives_the_same_rows(read: Read, text: str, form: str) -> None:
    found = read(text, "rows.json")
    assert found.cells == CELLS
    assert found.report.found.startswith(f"{form}, UTF-8, 2 columns, 12 rows.")


def test_records_keyed_by_id_keep_the_id(read: Read) -> None:
    found = read(json.dumps({"x1": {"q": "a"}, "x2": {"q": "b"}}))
    assert found.report.columns == ("id", "q")
    assert found.cells == [["x1", "a"], ["x2", "b"]]


def test_a_single_object_is_one_row(read: Read) -> None:
    assert read('{"question": "q", "answer": "a"}').cells == [["q", "a"]]


def test_a_list_of_texts_is_one_column(read: Read) -> None:
    assert read('["one", "two"]').cells == [["one"], ["two"]]


def test_numbers_keep_their_spelling_and_null_is_empty(read: Read) -> None:
    found = read(
        '[{"a": 1.50, "b": null, "c": true, "d": [1.0, {"e": 2e5}], "f": 12345678901234567890}]'
    )
    assert found.cells == [["1.50", "", "true", '[1.0, {"e": 2e5}]', "12345678901234567890"]]


def test_fields_that_only_some_rows_have_are_columns(read: Read) -> None:
    found = read('{"a": "1"}\n{"b": "2", "a": "3"}\n')
    assert found.report.columns == ("a", "b")
    assert found.cells == [["1", ""], ["3", "2"]]


def test_a_field_that_is_text_here_and_a_list_there_is_normal(read: Read) -> None:
    assert read('[{"a": "x"}, {"a": ["y"]}]').cells == [["x"], ['["y"]']]


def test_nested_question_sets_carry_their_passage_and_first_answer(read: Read) -> None:
    asked = [
        {"question": f"Q{n}", "answers": [{"text": f"A{n}", "answer_start": 3}]} for n in (1, 2)
    ]
    text = {"data": [{"title": "T", "paragraphs": [{"context": "C", "qas": asked}]}]}
    found = read(json.dumps(text))
    row = dict(zip(found.report.columns, found.cells[1], strict=True))
    assert (row["title"], row["context"]) == ("T", "C")
    assert (row["question"], row["answers[0].text"]) == ("Q2", "A2")


def test_a_list_inside_a_whole_row_does_not_multiply_it(read: Read) -> None:
    row = {"question": "q", "answer": "a", "sources": [{"url": "x"}, {"url": "y"}]}
    assert read(json.dumps({"data": [row, row]})).report.rows == 2


def test_conversations_are_not_torn_into_turns(read: Read) -> None:
    turns = [{"role": "user", "content": "q"}, {"role": "assistant", "content": "a"}]
    found = read(json.dumps({"rows": [{"messages": turns * 5}, {"messages": turns}]}))
    assert found.report.rows == 2
    assert found.report.columns == ("messages",)


def test_json_lines_called_json_is_told(read: Read) -> None:
    assert "one object a line" in read('{"a": "1"}\n{"a": "2"}\n', "x.json").report.found


def test_a_few_unreadable_lines_are_kept_out_and_named(read: Read) -> None:
    lines = [json.dumps({"question": f"q{n}", "answer": "a"}) for n in range(60)]
    lines[16] = '{"question": "broken" "answer": "a"}'
    lines[30] = '{"question": NaN, "answer": "a"}'
    found = read("\n".join(lines), "x.jsonl")
    assert found.report.rows == 60
    assert found.report.damaged == 2
    [finding] = found.report.findings
    assert "line 17 (no whole JSON value: a comma or a quotation mark is missing" in finding.where
    assert "line 31 (NaN" in finding.where


def test_names_that_come_twice_are_told(read: Read) -> None:
    found = read('{"a": "1", "a": "2"}\n{"a": "3"}\n')
    assert found.cells == [["2"], ["3"]]
    assert found.report.findings[0].title == "Field names that come twice"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('{"a": NaN}\n{"a": NaN}', "Line 1 holds NaN"),
        ('[{"a": -Infinity}]', "Line 1 holds -Infinity"),
        ('[{"a": 1e9999}]', "too large for any program"),
        ('[{"a": ' + "9" * 5_000 + "}]", "a number of 5,000 digits"),
        ('[{"a": "\\ud800 alone"}]', "lone surrogate"),
        ('{"a": "\\udfff"}\n{"a": "\\ud800"}', "Line 1 holds half of a letter pair"),
        ("[" * 100_000, "more than 64 levels"),
        ('[{"":' * 50_000, "more than 64 levels"),
        ("[" + "[" * 70 + "1" + "]" * 70 + "]", "more than 64 levels"),
        ('{"a": ' * 80 + "1" + "}" * 80, "more than 64 levels"),
        ('[{"a": 1}, {"a": 2},]', "a comma too many"),
        ('[\n{"a": 1}\n{"a": 2}\n]', "Line 3: a comma is missing between two entries"),
        ('[{"a": 1}, {"a": 2}', "never closed"),
        ('[{"a": 1}] tail', "behind the end of the list"),
        ('[{"a": 1}, {"a": "open}]', "never closed with a quotation mark"),
        ("[{'a': 1}]", "a name in double quotes is missing"),
        ("[]", "The list in it is empty"),
        ('{"a": }', "a value is missing"),
        ("This is not JSON.", "does not begin with { or ["),
        ("", "It holds 0 bytes"),
        (" \n\n ", "nothing but spaces"),
    ],
)
def test_each_fault_has_its_sentence(read: Read, text: str, told: str) -> None:
    with pytest.raises(UserError) as raised:
        read(text, "x.json")
    assert told in str(raised.value)
    assert raised.value.fix


def test_brackets_inside_texts_are_not_depth(read: Read) -> None:
    assert read(json.dumps([{"a": "[" * 500 + '"'}])).cells == [["[" * 500 + '"']]


def test_entries_that_span_pieces_of_the_file_are_whole(read: Read) -> None:
    rows = [{"a": "x" * 700_000, "b": n} for n in range(5)]
    found = read(json.dumps(rows))
    assert [len(row[0]) for row in found.cells] == [700_000] * 5
    assert [row[1] for row in found.cells] == ["0", "1", "2", "3", "4"]


def test_an_entry_beyond_the_limit_is_refused(read: Read) -> None:
    with pytest.raises(UserError, match="more than 8 MB"):
        read('[{"a": "' + "x" * 9_000_000 + '"}]')


def test_fields_one_level_down_are_columns_too(read: Read) -> None:
    rows = [
        {"row": {"question": f"q{n}", "meta": {"lang": "en"}}, "instances": [{"output": f"a{n}"}]}
        for n in range(3)
    ]
    found = read(json.dumps(rows))
    assert found.report.columns == (
        "row", "row.question", "row.meta.lang", "instances", "instances[0].output",
    )  # fmt: skip
    assert found.cells[1][1:] == ["q1", "en", '[{"output": "a1"}]', "a1"]


def test_turns_of_a_conversation_stay_whole(read: Read) -> None:
    turn = {"from": "gpt", "value": "a"}
    found = read(json.dumps([{"conversations": [turn], "chosen": turn}] * 2))
    assert found.report.columns == ("conversations", "chosen")


def test_objects_keyed_by_names_do_not_make_columns_without_end(read: Read) -> None:
    rows = [{"text": "t", "votes": {f"person {n}": 1}} for n in range(3_000)]
    assert read("\n".join(map(json.dumps, rows))).report.columns == ("text", "votes")


def test_a_field_of_two_kinds_is_told_with_one_of_each(read: Read) -> None:
    found = read('{"a": "x"}\n{"a": ["y"]}\n{"a": null}\n{"a": "z"}\n')
    [told] = found.report.findings
    assert told.title == "“a” is not always of one kind"
    assert "a text in 2 entries and a list in 1 entry" in told.detail
    assert told.examples == ("x", '["y"]')
    assert told.where == "line 1, line 2"


@pytest.mark.parametrize(
    ("value", "columns", "rows"),
    [
        ({"train": PAIRS[:8], "test": PAIRS[8:]}, ("split", "question", "answer"), 12),
        ({"May": PAIRS[:8], "June": PAIRS[8:]}, ("part", "question", "answer"), 12),
        ({"response": {"status": "ok", "items": PAIRS}}, ("status", "question", "answer"), 12),
        ({"columns": ["question", "answer"], "index": [0], "data": CELLS}, ("question", "answer"), 12),
        ([["question", "answer"], *CELLS], ("question", "answer"), 12),
        ([["What?", "It is so."], ["Who?", "Ada."]], ("Column 1", "Column 2"), 2),
        ({"0": PAIRS[0], "1": PAIRS[1]}, ("id", "question", "answer"), 2),
        ([[{"role": "user", "content": "q"}]] * 3, ("messages",), 3),
    ],
)  # fmt: skip
def test_more_forms_that_people_export(
    read: Read, value: Any, columns: tuple[str, ...], rows: int
) -> None:
    found = read(json.dumps(value), "rows.json")
    assert found.report.columns == columns
    assert found.report.rows == rows
    assert found.report.damaged == 0


def test_parts_of_a_file_keep_their_names(read: Read) -> None:
    found = read(json.dumps({"train": PAIRS[:8], "test": PAIRS[8:]}))
    assert [row[0] for row in found.cells] == ["train"] * 8 + ["test"] * 4


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('[{"a": 1,}]', "one comma too many"),
        ('[\n// first\n{"a": 1}]', "a comment stands there"),
        ('[{"a": None}]', "written null in JSON"),
        ('[{"a": True}]', "written small in JSON"),
        ("[{'a': 1}]", "single quotes are not JSON"),
        ("[{“a”: 1}]", "typographic quotation marks"),
        ('[{"a": 007}]', "a number is not written as JSON wants it"),
        ('[{"a": "line\nbreak"}]', "a line break or control character"),
        ('[{"a": "C:\\dir"}]', "a backslash stands before a letter"),
        ("{a: 1}", "a name in double quotes is missing"),
    ],
)
def test_slips_of_the_pen_have_their_sentence(read: Read, text: str, told: str) -> None:
    with pytest.raises(UserError) as raised:
        read(text, "x.json")
    assert told in str(raised.value)


@pytest.mark.parametrize("line", ["[00:12] Ada: Hello.", "[1] Smith, a book.", "{{name}} is here."])
def test_a_text_that_begins_with_a_bracket_is_no_json(read: Read, line: str) -> None:
    assert read(f"{line}\nAnd so on.\n" * 9, "notes.txt").report.kind == "Text"


def test_entries_are_counted_as_they_stand_in_the_file(read: Read) -> None:
    assert read(json.dumps(PAIRS, indent=2)).report.physical_lines == 12
    assert read("\n\n".join(map(json.dumps, PAIRS))).report.physical_lines == 23
