"""The columns' meaning is guessed with a reason, best first."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from tailor.engine.data.detectors.shapes import guess_shapes
from tailor.engine.data.making.mapping import columns_of
from tailor.engine.data_types import Mapping


def best(columns: tuple[str, ...], *row: str) -> Mapping:
    return guess_shapes(columns, [row] * 5)[0].mapping


CHAT = json.dumps([{"from": "human", "value": "q"}, {"from": "gpt", "value": "a"}])


@pytest.mark.parametrize(
    ("columns", "row", "expected"),
    [
        (("question", "answer"), ("q", "a"), ("q:question", "a:answer")),
        (("answer", "question"), ("a", "q"), ("q:question", "a:answer")),
        (
            ("id", "context", "question", "answer"),
            ("1", "c", "q", "a"),
            ("q:question", "a:answer", "c:context"),
        ),
        (("context", "answer"), ("c", "a"), ("q:context", "a:answer")),
        (("text", "context", "answer"), ("t", "c", "a"), ("q:text", "a:answer", "c:context")),
        (
            ("instruction", "input", "output"),
            ("do", "", "x"),
            ("q:input", "a:output", "c:instruction"),
        ),
        (("instruction", "output"), ("do", "x"), ("q:instruction", "a:output")),
        (("text", "category"), ("t", "c"), ("q:text", "a:category")),
        (("Prompt", "Completion"), ("t", "c"), ("q:Prompt", "a:Completion")),
        (
            ("UserQuestion", "expert_answer_v2"),
            ("t", "c"),
            ("q:UserQuestion", "a:expert_answer_v2"),
        ),
        (("Frage", "Antwort"), ("t", "c"), ("q:Frage", "a:Antwort")),
        (
            ("question", "answers", "answers[0].text"),
            ("q", "[]", "a"),
            ("q:question", "a:answers[0].text"),
        ),
    ],
)
def test_columns_are_recognised_by_whole_words(
    columns: tuple[str, ...], row: tuple[str, ...], expected: tuple[str, ...]
) -> None:
    mapping = best(columns, *row)
    found = [f"q:{mapping.question}", f"a:{mapping.answer}"] + [f"c:{mapping.context}"] * bool(
        mapping.context
    )
    assert tuple(found) == expected


def test_a_column_of_turns_is_a_conversation_and_nothing_else_is_offered() -> None:
    guesses = guess_shapes(("id", "conversations", "label"), [("1", CHAT, "good")] * 3)
    assert [guess.mapping for guess in guesses] == [Mapping(shape="chat", messages="conversations")]
    assert guesses[0].why


def test_two_columns_without_telling_names_are_guessed_by_their_text() -> None:
    rows = [(f"Is it {n}?", f"It is {n}, because of a much longer reason.") for n in range(5)]
    guess = guess_shapes(("Column 1", "Column 2"), rows)[0]
    assert (guess.mapping.question, guess.mapping.answer) == ("Column 1", "Column 2")
    assert guess.confidence < 0.7
    assert "look closely" in guess.why
    turned = guess_shapes(("Column 1", "Column 2"), [(long, short) for short, long in rows])[0]
    assert turned.mapping.question == "Column 2"


def test_without_question_marks_the_column_that_stands_first_comes_in() -> None:
    rows = [(f"gave the patient in room {n} the evening dose", f"{n} | dose") for n in range(5)]
    for sample in (rows, [(short, long) for long, short in rows]):
        guess = guess_shapes(("what I said", "chart entry"), sample)[0]
        assert (guess.mapping.question, guess.mapping.answer) == ("what I said", "chart entry")
        assert "stands first" in guess.why


def test_a_single_column_is_running_text() -> None:
    assert best(("stuff",), "once upon a time") == Mapping(shape="text", text="stuff")


def test_a_conversation_that_cannot_be_taught_is_still_named_with_its_share() -> None:
    asks_only = json.dumps([{"role": "user", "content": "q"}])
    [guess] = guess_shapes(("messages",), [(asks_only,)] * 4)
    assert guess.mapping.shape == "chat"
    assert guess.confidence == 0
    assert "Only 0%" in guess.why


def test_guesses_come_best_first() -> None:
    guesses = guess_shapes(
        ("question", "answer", "notes"), [("q", "a", "some long notes here")] * 5
    )
    confidences = [guess.confidence for guess in guesses]
    assert confidences == sorted(confidences, reverse=True)
    assert len(guesses) <= 4


def test_an_index_is_never_guessed() -> None:
    rows = [(str(n), f"part number {n}", f"it is {n}") for n in range(1, 30)]
    for guess in guess_shapes(("", "name", "remark"), rows):
        assert "" not in columns_of(guess.mapping).values()


def test_names_that_contradict_what_the_columns_hold_are_told() -> None:
    rows = [(f"Is it {n}?", f"It is {n}.") for n in range(20)]
    first, second, *_ = guess_shapes(("Answer", "Question"), rows)
    assert (first.mapping.question, first.mapping.answer) == ("Question", "Answer")
    assert "look closely" in first.why
    assert (second.mapping.question, second.mapping.answer) == ("Answer", "Question")


def test_a_rating_that_never_changes_is_no_thumb() -> None:
    rows = [(f"q{n}?", f"a{n}", "good") for n in range(20)]
    guesses = guess_shapes(("question", "answer", "feedback"), rows)
    assert "thumbs" not in [guess.mapping.shape for guess in guesses]


def test_numbers_alone_are_nothing_to_learn_from() -> None:
    assert guess_shapes(("input_ids",), [("[1, 2, 3]",)] * 5) == ()


def test_a_huge_sample_is_looked_at_as_far_as_memory_allows() -> None:
    rows = [("q", "a" * 9_000_000)] * 4
    assert guess_shapes(("question", "answer"), rows)[0].mapping.shape == "question_answer"


def test_a_question_is_found_in_a_windows_file_with_its_columns_the_wrong_way_round(
    read: Callable[..., Any],
) -> None:
    lines = ["Nr;Antwort;Frage"]
    lines += [f"{n};Größe {n} genügt.;Genügt die Größe für Gerät {n}?" for n in range(1, 13)]
    file = read("\r\n".join(lines).encode("cp1252"))
    best = file.report.guesses[0].mapping
    assert (best.question, best.answer) == ("Frage", "Antwort")
    nameless = read("\r\n".join(["a;b;c", *lines[1:]]).encode("cp1252"))
    best = nameless.report.guesses[0].mapping
    assert (best.question, best.answer) == ("c", "b")


def test_notes_beside_short_forms_are_pairs_whatever_the_columns_are_called() -> None:
    rows = [(f"pump {n} leaks at the seal", f"P{n}|leak") for n in range(40)]

    assert guess_shapes(("memo", "form"), rows)[0].mapping == Mapping(
        shape="question_answer", question="memo", answer="form"
    )
    assert guess_shapes(("memo", "ticket id"), rows)[0].mapping.shape == "text"
