"""The columns' meaning is guessed with a reason, best first."""

import json

import pytest

from tailor.engine.data.column_names import QUESTION_WORDS, TEXT_WORDS, rank_name, split_words
from tailor.engine.data.shapes import guess_shapes
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


def test_text_inside_context_is_no_text() -> None:
    assert split_words("context") == ("context",)
    assert rank_name("context", TEXT_WORDS) == 0
    assert rank_name("contextual", QUESTION_WORDS) == 0


def test_a_column_of_turns_is_a_conversation_and_nothing_else_is_offered() -> None:
    guesses = guess_shapes(("id", "conversations", "label"), [("1", CHAT, "good")] * 3)
    assert [guess.mapping for guess in guesses] == [Mapping(shape="chat", messages="conversations")]
    assert guesses[0].why


def test_two_columns_without_telling_names_are_guessed_by_their_text() -> None:
    rows = [(f"Is it {n}?", f"It is {n}, because of a much longer reason.") for n in range(5)]
    guess = guess_shapes(("Column 1", "Column 2"), rows)[0]
    assert (guess.mapping.question, guess.mapping.answer) == ("Column 1", "Column 2")
    assert guess.confidence <= 0.5
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
