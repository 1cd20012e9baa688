"""Conversations in every spelling become the same turns; what cannot be taught has its reason."""

import json
from typing import Any

import pytest

from tailor.engine.data.turns import NotTeachableError, check_turns, read_turns

OPENAI = [
    {"role": "system", "content": "Be brief."},
    {"role": "user", "content": "q"},
    {"role": "assistant", "content": "a"},
]
SHAREGPT = [
    {"from": "system", "value": "Be brief."},
    {"from": "human", "value": "q"},
    {"from": "gpt", "value": "a"},
]
PARTS = [
    {
        "role": "developer",
        "content": [{"type": "text", "text": "Be "}, {"type": "text", "text": "brief."}],
    },
    {"role": "Prompter", "content": [{"type": "text", "value": "q"}]},
    {"role": "model", "text": "a"},
]


@pytest.mark.parametrize("turns", [OPENAI, SHAREGPT, PARTS])
def test_every_spelling_gives_the_same_turns(turns: list[dict[str, Any]]) -> None:
    read = check_turns(read_turns(json.dumps(turns)))
    assert [(turn.role, turn.content) for turn in read] == [
        ("system", "Be brief."), ("user", "q"), ("assistant", "a"),
    ]  # fmt: skip


def test_two_turns_of_one_side_are_joined() -> None:
    turns = [{"role": "user", "content": "one"}, {"role": "user", "content": "two"}]
    assert [turn.content for turn in read_turns(json.dumps(turns))] == ["one\n\ntwo"]


def test_a_last_question_without_an_answer_is_not_read() -> None:
    turns = [*OPENAI, {"role": "user", "content": "and now?"}]
    assert check_turns(read_turns(json.dumps(turns)))[-1].content == "a"


@pytest.mark.parametrize(
    ("cell", "reason"),
    [
        ("", "the conversation is empty"),
        ("hello", "no list of turns"),
        ("[]", "no list of turns"),
        ("[" * 5_000, "no list of turns"),
        ('["a"]', "no list of turns"),
        ('[{"content": "x"}]', "who speaks"),
        ('[{"role": "narrator", "content": "x"}]', "“narrator” is not known"),
        ('[{"role": "user", "content": "x"}]', "no turn is an answer"),
        ('[{"role": "assistant", "content": "x"}]', "before any question"),
        (
            '[{"role": "user", "content": " "}, {"role": "assistant", "content": "x"}]',
            "a turn is empty",
        ),
        ('[{"role": "tool", "content": "x"}]', "uses tools"),
        ('[{"role": "assistant", "content": null, "tool_calls": [{}]}]', "uses tools"),
        ('[{"role": "user", "content": "<image>what?"}]', "holds pictures"),
        ('[{"role": "user", "content": [{"type": "image_url"}]}]', "holds pictures"),
        ('[{"role": "assistant", "content": "x", "weight": 0}]', "should not be learned"),
        ('[{"role": "user", "content": 5}]', "not text"),
    ],
)
def test_what_cannot_be_taught_has_its_reason(cell: str, reason: str) -> None:
    with pytest.raises(NotTeachableError) as raised:
        check_turns(read_turns(cell))
    assert reason in str(raised.value)
