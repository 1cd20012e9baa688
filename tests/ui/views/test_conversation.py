"""Finished examples of every kind: all that is learned from is seen, as text and in its place."""

import re
from html import unescape

from tailor.engine.data_types import Conversation
from tailor.recipes.spec import Message
from tailor.ui.views.conversation import conversation
from tailor.ui.views.long_text import long_text

ASKED = Message(role="user", content="Where is <b>pump 3</b>?")
ANSWERED = Message(role="assistant", content="In hall 2.")


def words_of(markup: str) -> str:
    return unescape(re.sub(r"<[^>]+>", " ", re.sub(r"<svg.*?</svg>", "", markup)))


def test_turns_stand_in_their_order_with_names_in_the_margin() -> None:
    shown = conversation(Conversation(row_id=7, messages=(ASKED, ANSWERED)), "chat")
    assert "Row 7" in shown
    assert "&lt;b&gt;pump 3&lt;/b&gt;" in shown
    assert shown.index("comes in") < shown.index("goes out") < shown.index("In hall 2.")


def test_an_earlier_answer_is_said_to_be_only_read() -> None:
    earlier = Message(role="assistant", content="In hall 1.", is_learned=False)
    one = Conversation(row_id=1, messages=(ASKED, earlier, ASKED, ANSWERED))
    shown = conversation(one, "question_answer")
    assert shown.index("only read") < shown.index("In hall 1.") < shown.index("goes out")


def test_a_better_and_worse_answers_stand_side_by_side() -> None:
    one = Conversation(row_id=1, messages=(ASKED, ANSWERED), rejected=("No idea.", "Ask <i>"))
    shown = conversation(one, "preference")
    assert shown.count('class="answer worse"') == 2
    assert shown.index("In hall 2.") < shown.index("No idea.") < shown.index("Ask &lt;i&gt;")


def test_a_thumb_is_told_in_words() -> None:
    for rating, words in (("good", "learns to answer like this"), ("bad", "learns not to")):
        one = Conversation(row_id=1, messages=(ASKED, ANSWERED), rating=rating)
        assert words in conversation(one, "thumbs")


def test_a_label_is_a_label() -> None:
    one = Conversation(
        row_id=1, messages=(ASKED, Message(role="assistant", content="no <complaint>"))
    )
    assert '<span class="chip label">no &lt;complaint&gt;</span>' in conversation(one, "classes")


def test_the_gap_in_code_is_marked_where_it_stands() -> None:
    one = Conversation(
        row_id=1, messages=(), text="    return a + b\n", before="def add(a, b):\n", after="\nx = 1"
    )
    shown = conversation(one, "middle")
    assert 'def add(a, b):\n<mark class="gap">    return a + b\n</mark>\nx = 1' in shown


def test_of_long_code_the_lines_around_the_gap_are_shown() -> None:
    before = "\n".join(f"line {number}" for number in range(100))
    shown = conversation(Conversation(row_id=1, messages=(), text="gap", before=before), "middle")
    assert "line 99" in shown
    assert "line 50" not in shown


def test_pictures_tools_and_calls_are_named() -> None:
    call = '[{"name": "find_pump", "arguments": {"number": 3}}]'
    one = Conversation(
        row_id=1,
        messages=(
            ASKED,
            Message(role="assistant", content="", tool_calls=call),
            Message(role="tool", content="hall 2"),
            ANSWERED,
        ),
        tools='[{"type": "function", "function": {"name": "find_pump"}}]',
        pictures=("pump <3>.png",),
    )
    words = words_of(conversation(one, "chat"))
    assert "may call" in words
    assert "calls find_pump" in words
    assert '"number": 3' in words
    assert "tool answers" in words
    assert "pump <3>.png" in words
    assert "(empty)" not in words


def test_tools_and_calls_that_are_no_json_are_shown_as_they_are() -> None:
    broken = ("[" * 5_000, "<find_pump>", "[1, null]", '{"function": 3}', "")
    for text in broken:
        one = Conversation(
            row_id=1,
            messages=(ASKED, Message(role="assistant", content="", tool_calls=text)),
            tools=text,
        )
        assert "<find_pump>" not in conversation(one, "chat")


def test_an_empty_turn_is_said_to_be_empty() -> None:
    one = Conversation(row_id=1, messages=(ASKED, Message(role="assistant", content=" ")))
    assert "(empty)" in conversation(one, "question_answer")


def test_running_text_needs_no_turns() -> None:
    assert "Once upon" in conversation(
        Conversation(row_id=1, messages=(), text="Once upon"), "text"
    )


def test_a_long_text_folds_and_loses_nothing() -> None:
    text = "\n".join(f"line <{number}>" for number in range(200))
    shown = long_text(text)
    assert shown.startswith("<details")
    assert f"Show all {len(text):,} characters" in shown
    assert text in unescape(shown)
    assert not long_text("short").startswith("<details")
