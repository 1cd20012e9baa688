"""A mapping makes the example that the person was shown, and says what is missing."""

import pytest

from tailor.engine.data.making.mapping import build_example, check_mapping
from tailor.engine.data_types import Mapping
from tailor.engine.errors import UserError

PAIR = Mapping(shape="question_answer", question="question", answer="answer")


def said(mapping: Mapping, **cells: str) -> list[tuple[str, str]]:
    return [(turn.role, turn.content) for turn in build_example(mapping, cells).messages]


def test_background_stands_before_the_question_and_instructions_before_all() -> None:
    mapping = Mapping(
        shape="question_answer",
        question="q",
        answer="a",
        context="c",
        system="s",
        instruction="Be brief.",
    )
    assert said(mapping, q="Why?", a=" So. ", c="Facts.", s="Be kind.") == [
        ("system", "Be brief.\n\nBe kind."), ("user", "Facts.\n\nWhy?"), ("assistant", " So. "),
    ]  # fmt: skip


def test_an_instruction_without_input_asks_by_itself() -> None:
    mapping = Mapping(
        shape="question_answer", question="input", answer="output", context="instruction"
    )
    assert said(mapping, instruction="Say hi.", input="", output="Hi.")[0] == ("user", "Say hi.")


def test_a_passage_without_a_question_is_left_out() -> None:
    mapping = Mapping(
        shape="question_answer", question="question", answer="answer", context="passage"
    )
    example = build_example(mapping, {"passage": "Long ago.", "question": " ", "answer": "x"})
    assert example.left_out == "the question is empty"


@pytest.mark.parametrize(
    ("cells", "reason"),
    [
        ({"question": "q", "answer": ""}, "the answer is empty"),
        ({"question": "q", "answer": " \n"}, "the answer is empty"),
        ({"question": "", "answer": "a"}, "the question is empty"),
    ],
)
def test_a_row_without_question_or_answer_is_left_out(cells: dict[str, str], reason: str) -> None:
    assert build_example(PAIR, cells).left_out == reason


def test_a_conversation_keeps_its_own_instructions_behind_the_typed_ones() -> None:
    mapping = Mapping(shape="chat", messages="m", instruction="Be brief.")
    cell = '[{"role":"system","content":"Be kind."},{"role":"user","content":"q"},{"role":"assistant","content":"a"}]'
    assert said(mapping, m=cell)[0] == ("system", "Be brief.\n\nBe kind.")


@pytest.mark.parametrize(
    ("mapping", "told"),
    [
        (
            Mapping(shape="question_answer", question="question"),
            "No column is chosen for the answer",
        ),
        (Mapping(shape="question_answer", answer="answer"), "No column is chosen for the question"),
        (Mapping(shape="chat"), "No column is chosen for the conversation"),
        (Mapping(shape="chat", text="question"), "No column is chosen for the speaker"),
        (
            Mapping(shape="chat", speaker="question"),
            "No column is chosen for the text of each turn",
        ),
        (Mapping(shape="classes", question="question"), "No column is chosen for the class"),
        (
            Mapping(shape="preference", rejected="answer"),
            "No column is chosen for the better answer",
        ),
        (Mapping(shape="preference", chosen="answer"), "No column is chosen for the worse answer"),
        (Mapping(shape="thumbs", messages="question"), "No column is chosen for the rating"),
        (
            Mapping(shape="thumbs", question="question", rating="answer"),
            "No column is chosen for the answer",
        ),
        (
            Mapping(shape="middle", answer="answer"),
            "No column is chosen for the part before the gap",
        ),
        (Mapping(shape="middle", before="answer"), "No column is chosen for the piece that fills"),
        (Mapping(shape="text"), "No column is chosen for the text"),
        (
            Mapping(shape="question_answer", question="question", answer="answr"),
            "“answr” was asked for",
        ),
        (
            Mapping(shape="chat", messages="answer", tools="tols"),
            "“tols” was asked for",
        ),
        (Mapping(shape="question_answer", question="answer", answer="answer"), "the same column"),
        (
            Mapping(shape="classes", question="answer", answer="answer"),
            "Text and class are the same",
        ),
        (
            Mapping(shape="preference", chosen="answer", rejected="answer"),
            "Better answer and worse answer are the same column",
        ),
        (
            Mapping(shape="thumbs", question="question", answer="answer", rating="answer"),
            "Answer and rating are the same column",
        ),
        (
            Mapping(shape="middle", before="answer", answer="answer"),
            "Part before the gap and piece that fills it are the same column",
        ),
    ],
)
def test_a_mapping_that_cannot_work_is_refused_in_words(mapping: Mapping, told: str) -> None:
    with pytest.raises(UserError) as raised:
        check_mapping(mapping, ("question", "answer"))
    assert told in str(raised.value)


@pytest.mark.parametrize(
    "mapping",
    [
        Mapping(shape="preference", ranked="answer"),
        Mapping(shape="preference", chosen="question", rejected="answer"),
        Mapping(shape="thumbs", messages="question", rating="answer"),
        Mapping(shape="chat", speaker="question", text="answer"),
        Mapping(shape="question_answer", answer="answer", pictures="question"),
        Mapping(shape="middle", before="question", answer="answer"),
    ],
)
def test_a_mapping_with_all_that_its_shape_needs_is_taken(mapping: Mapping) -> None:
    check_mapping(mapping, ("question", "answer"))


@pytest.mark.parametrize(
    "cell",
    [
        '[{"role": "user", "content": ' + "[" * 5_000,
        '[{"role": "user", "content": "\\ud800"}, {"role": "assistant", "content": "a"}]',
        '[{"role": "user", "content": NaN}, {"role": "assistant", "content": "a"}]',
        '[{"role": "user", "content": ' + '[{"text": ' * 200 + '"x"' + "}]" * 200 + "}]",
        '[{"role": "user", "content": ' + "9" * 5_000 + "}]",
    ],
)
def test_a_hostile_cell_is_left_out_with_a_reason(cell: str) -> None:
    assert build_example(Mapping(shape="chat", messages="m"), {"m": cell}).left_out
