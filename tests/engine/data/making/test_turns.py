"""Conversations in every spelling become the same turns; what cannot be taught has its reason."""

import json
from typing import Any

import pytest

from tailor.engine.data.making.example import NotTeachableError
from tailor.engine.data.making.turns import as_context, check_turns, read_turns
from tailor.recipes.spec import Message

OPENAI = [
    {"role": "system", "content": "Be brief."},
    {"role": "user", "content": "q"},
    {"role": "assistant", "content": "a"},
]
SPELLINGS: dict[str, Any] = {
    "openai": OPENAI,
    "sharegpt": [
        {"from": "system", "value": "Be brief."},
        {"from": "human", "value": "q"},
        {"from": "gpt", "value": "a"},
    ],
    "parts": [
        {
            "role": "developer",
            "content": [{"type": "text", "text": "Be "}, {"type": "text", "text": "brief."}],
        },
        {"role": "Prompter", "content": [{"type": "text", "value": "q"}]},
        {"role": "model", "text": "a"},
    ],
    "german": [
        {"speaker": "System", "text": "Be brief."},
        {"speaker": "Kunde", "text": "q"},
        {"speaker": "Berater", "text": "a"},
    ],
    "within an object": {"messages": OPENAI},
    "author as object": [
        {"author": {"role": "system"}, "content": "Be brief."},
        {"author": {"role": "user"}, "content": "q"},
        {"author": {"role": "assistant"}, "content": "a"},
    ],
}
TRANSCRIPTS = [
    "System: Be brief.\n\nHuman: q\n\nAssistant: a",
    "### System: Be brief.\n### User: q\n### Assistant: a",
    "<|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>user\nq<|im_end|>\n"
    "<|im_start|>assistant\na<|im_end|>\n",
    "<|begin_of_text|><|start_header_id|>system<|end_header_id|>\n\nBe brief.<|eot_id|>"
    "<|start_header_id|>user<|end_header_id|>\n\nq<|eot_id|>"
    "<|start_header_id|>assistant<|end_header_id|>\n\na<|eot_id|>",
    "<|system|>\nBe brief.</s>\n<|user|>\nq</s>\n<|assistant|>\na</s>",
    "### System: Be brief. ### Human: q ### Assistant: a",
    "<s>[INST] <<SYS>>\nBe brief.\n<</SYS>>\n\nq [/INST] a </s>",
    "[10:31] System: Be brief.\n[10:32] Customer: q\n[10:33] Agent: a",
]


def read(turns: Any) -> tuple[Message, ...]:
    return check_turns(read_turns(json.dumps(turns)).turns)


@pytest.mark.parametrize("cell", [json.dumps(turns) for turns in SPELLINGS.values()] + TRANSCRIPTS)
def test_every_spelling_gives_the_same_turns(cell: str) -> None:
    turns = check_turns(read_turns(cell).turns)
    assert [(turn.role, turn.content) for turn in turns] == [
        ("system", "Be brief."), ("user", "q"), ("assistant", "a"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "turns",
    [["q", "a", "q2", "a2"], [["q", "a"], ["q2", "a2"]],
     [{"human": "q", "assistant": "a"}, {"human": "q2", "assistant": "a2"}]],
)  # fmt: skip
def test_texts_in_turn_and_pairs_are_conversations_too(turns: Any) -> None:
    assert [(turn.role, turn.content) for turn in read(turns)] == [
        ("user", "q"), ("assistant", "a"), ("user", "q2"), ("assistant", "a2"),
    ]  # fmt: skip


def test_two_turns_of_one_side_are_joined() -> None:
    turns = [{"role": "user", "content": "one"}, {"role": "user", "content": "two"}]
    assert [turn.content for turn in read_turns(json.dumps(turns)).turns] == ["one\n\ntwo"]


def test_a_last_question_without_an_answer_is_not_read() -> None:
    assert read([*OPENAI, {"role": "user", "content": "and now?"}])[-1].content == "a"


def test_a_greeting_before_the_first_question_is_not_read() -> None:
    greeted = [OPENAI[0], {"role": "assistant", "content": "Hello!"}, *OPENAI[1:]]
    assert read(greeted) == read(OPENAI)


def test_a_line_that_looks_like_a_mark_stays_inside_its_turn() -> None:
    cell = "Human: How much?\n\nAssistant: Let us count.\nAnswer: 42\nNote: roughly."
    assert read_turns(cell).turns[-1].content == "Let us count.\nAnswer: 42\nNote: roughly."


def test_an_answer_of_weight_zero_is_read_and_not_learned() -> None:
    turns = [
        {"role": "user", "content": "q"},
        {"role": "assistant", "content": "bad", "weight": 0},
        {"role": "user", "content": "no"},
        {"role": "assistant", "content": "good", "weight": 1},
        {"role": "user", "content": "thanks"},
        {"role": "assistant", "content": "bye", "weight": 0},
    ]
    assert [(turn.content, turn.is_learned) for turn in read(turns)] == [
        ("q", True), ("bad", False), ("no", True), ("good", True),
    ]  # fmt: skip


def test_earlier_turns_become_context() -> None:
    assert [turn.is_learned for turn in as_context(read(OPENAI))] == [True, True, False]


def test_calls_of_tools_are_parsed_from_every_spelling() -> None:
    arguments = {"city": "Köln"}
    function = {"name": "weather", "arguments": json.dumps(arguments)}
    spellings = [
        {"role": "assistant", "content": None, "tool_calls": [{"id": "1", "function": function}]},
        {"role": "assistant", "function_call": {"name": "weather", "arguments": arguments}},
        {"from": "function_call", "value": json.dumps(function)},
        {"from": "function_call", "value": json.dumps([function])},
        {"role": "assistant", "content": [{"type": "tool_call", "value": json.dumps(function)}]},
        {
            "role": "assistant",
            "content": [{"type": "tool_use", "name": "weather", "input": arguments}],
        },
    ]
    for call in spellings:
        turns = read(
            [
                {"role": "user", "content": "Is it cold?"},
                call,
                {"role": "tool", "content": "3 degrees"},
                {"role": "tool", "content": ""},
                {"from": "gpt", "value": "Yes."},
            ]
        )
        assert [turn.role for turn in turns] == ["user", "assistant", "tool", "tool", "assistant"]
        assert json.loads(turns[1].tool_calls) == [{"name": "weather", "arguments": arguments}]
        assert turns[1].content == ""
        assert "Köln" in turns[1].tool_calls


def test_a_text_and_the_call_behind_it_are_one_turn() -> None:
    turns = read(
        [
            {"from": "human", "value": "q"},
            {"from": "gpt", "value": "One moment."},
            {"from": "function_call", "value": '{"name": "look", "arguments": {}}'},
        ]
    )
    assert (turns[-1].content, json.loads(turns[-1].tool_calls)[0]["name"]) == (
        "One moment.",
        "look",
    )


def test_results_of_tools_in_a_users_turn_are_turns_of_the_tool() -> None:
    turns = read(
        [
            {"role": "user", "content": "q"},
            {"role": "assistant", "content": [{"type": "tool_use", "name": "f", "input": {}}]},
            {"role": "user", "content": [{"type": "tool_result", "content": "3"}]},
            {"role": "assistant", "content": "a"},
        ]
    )
    assert [turn.role for turn in turns] == ["user", "assistant", "tool", "assistant"]


@pytest.mark.parametrize(
    "answer",
    [
        {"content": [{"type": "reasoning", "value": "hm"}, {"type": "text", "value": "a"}]},
        {"content": "a", "reasoning_content": "hm"},
    ],
)
def test_thoughts_stand_marked_in_front_of_the_answer(answer: dict[str, Any]) -> None:
    turns = read([{"role": "user", "content": "q"}, {"role": "assistant", **answer}])
    assert turns[-1].content == "<think>\nhm\n</think>\n\na"


def test_a_speaker_with_a_name_gives_the_answers_when_the_person_says_so() -> None:
    cell = json.dumps([{"speaker": "Tom", "text": "q"}, {"speaker": "Lea", "text": "a"}])
    assert [turn.role for turn in read_turns(cell, "lea").turns] == ["user", "assistant"]
    with pytest.raises(NotTeachableError, match="“Tom” is not known"):
        read_turns(cell)


def test_pictures_inside_turns_leave_their_mark() -> None:
    part = {"type": "image_url", "image_url": {"url": "a.png"}}
    said = read_turns(
        json.dumps([{"role": "user", "content": [part, {"type": "text", "text": "what?"}]}])
    )
    assert (said.turns[0].content, said.pictures) == ("<image>what?", ("a.png",))


USER = '{"role": "user", "content": "x"}'


@pytest.mark.parametrize(
    ("cell", "reason"),
    [
        ("", "the conversation is empty"),
        ("hello", "no list of turns"),
        ("[]", "no list of turns"),
        ("[" * 5_000, "no list of turns"),
        ("[1]", "no list of turns"),
        ('[{"content": "x"}]', "who speaks"),
        ('[{"role": "narrator", "content": "x"}]', "“narrator” is not known"),
        (f"[{USER}]", "no turn is an answer"),
        ('[{"role": "assistant", "content": "x"}]', "before any question"),
        ('[{"role": "system", "content": "s"}, {"role": "assistant", "content": "x"}]',
         "before any question"),
        (f'[{USER}, {{"role": "system", "content": "s"}}, {{"role": "assistant", "content": "x"}}]',
         "in the middle"),
        ('[{"role": "user", "content": " "}, {"role": "assistant", "content": "x"}]',
         "a turn is empty"),
        (f'[{USER}, {{"role": "assistant", "content": null}}]', "a turn is empty"),
        (f'[{USER}, {{"role": "tool", "content": "3"}}, {{"role": "assistant", "content": "x"}}]',
         "although none was called"),
        (f'[{USER}, {{"from": "function_call", "value": "look it up"}}]', "cannot be read"),
        (f'[{USER}, {{"role": "assistant", "tool_calls": [{{}}]}}]', "cannot be read"),
        (f'[{USER}, {{"from": "function_call", "value": '
         '"{\\"name\\": \\"f\\", \\"arguments\\": \\"{broken\\"}"}]', "arguments of the call of “f”"),
        ('[{"role": "user", "content": [{"type": "input_audio"}]}]', "sound, film"),
        (f'[{USER}, {{"role": "assistant", "content": "x", "weight": 0}}]', "none of its answers"),
        ('[{"role": "user", "content": 5}]', "not text"),
        ('[{"role": "user", "content": [5]}]', "not text"),
        ("Human: only a question", "no list of turns"),
    ],
)  # fmt: skip
def test_what_cannot_be_taught_has_its_reason(cell: str, reason: str) -> None:
    with pytest.raises(NotTeachableError) as raised:
        check_turns(read_turns(cell).turns)
    assert reason in str(raised.value)
