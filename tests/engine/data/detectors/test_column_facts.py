"""A column's form is found by what it holds; what only numbers rows is never taken for more."""

import json

import pytest

from tailor.engine.data.detectors.column_facts import asks, measure_column

TURNS = json.dumps([{"role": "user", "content": "q"}])


@pytest.mark.parametrize(
    ("name", "cells", "form"),
    [
        ("", ["1", "2", "3", "4"], "index"),
        ("Column 1", ["0", "1", "2", "3"], "index"),
        ("order_id", ["17", "4", "912", "33"], "index"),
        ("total", ["17", "4", "912", "4"], "number"),
        ("price", ["1.50", "2,000.00", "3 %"], "number"),
        ("when", ["2024-01-02", "2024-01-03T10:00:01Z"], "date"),
        ("when", ["03.05.24, 14:22", "1/2/2024"], "date"),
        ("link", ["https://example.org/a?b=c", "www.example.org"], "link"),
        ("mail", ["someone@example.org", "other@example.org"], "link"),
        ("file", ["letters/1.txt", "src\\main.py"], "link"),
        ("file", ["report.pdf", "note.docx"], "link"),
        ("file", ["a/b.jpg", "c d.PNG"], "picture"),
        ("files", ['["a.jpg", "b.webp"]', '["c.gif"]'], "picture"),
        ("uuid", ["9f1c-2", "77aa-3", "b1-9"], "code"),
        ("row_id", ["9f1c-2", "77aa-3", "b1-9"], "index"),
        ("label", ["J45", "J45", "I10"], "code"),
        ("m", [TURNS] * 3, "turns"),
        ("m", [TURNS, TURNS, "", "[]"], "turns"),
        ("m", ['{"from": "gpt", "value": "x"}'] * 3, "turn"),
        ("t", ['[{"name": "f", "parameters": {}}]', "[]", "[]"], "tools"),
        ("a", ['["x", "y"]'] * 2, "texts"),
        ("a", ['[{"text": "x", "score": 1}, {"text": "y", "score": 2}]'], "scored"),
        ("h", ['[["q", "a"]]', "[]"], "pairs"),
        ("n", ["[1, 2.5]"], "numbers"),
        ("j", ['{"a": 1}'], "json"),
        ("c", ["Human: hi\nAssistant: hello"] * 2, "transcript"),
        ("c", ["Note: hi\nAssistant: hello"] * 2, "text"),
        ("x", ["", " ", "[]"], "empty"),
        ("x", ["word", "two words"], "text"),
    ],
)
def test_a_column_is_known_by_its_cells(name: str, cells: list[str], form: str) -> None:
    assert measure_column(name, cells).form == form


def test_few_short_values_that_come_back_are_classes() -> None:
    assert measure_column("c", ["yes", "no"] * 5).is_class
    assert not measure_column("c", ["yes", "no"] * 4).is_class
    assert not measure_column("c", ["yes"] * 20).is_class
    assert not measure_column("c", ["y" * 61, "no"] * 10).is_class
    assert not measure_column("c", [str(n % 101) + "x" for n in range(1_010)]).is_class


@pytest.mark.parametrize(
    "cell",
    ["Is it on?", "How does it work", "Wie geht das", "¿Cómo?", "Pourquoi pas", "它是什么？", "Explain it."],
)  # fmt: skip
def test_questions_and_requests_are_heard_in_several_languages(cell: str) -> None:
    assert asks(cell)


@pytest.mark.parametrize("cell", ["It is on.", "Howard did it.", "Das geht.", ""])
def test_statements_ask_nothing(cell: str) -> None:
    assert not asks(cell)
