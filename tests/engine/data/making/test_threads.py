"""Conversations spread over rows are brought together once; circles are told and never followed."""

import pytest

from tailor.engine.data.making.mapping import build_example
from tailor.engine.data.making.threads import (
    CIRCLE,
    LONGEST,
    PART_OF_THREAD,
    TOO_LONG,
    join_threads,
)
from tailor.engine.data_types import Mapping
from tailor.recipes.spec import Message

Rows = list[tuple[str, ...]]
TREE = Mapping(shape="chat", thread="id", parent="parent", speaker="role", text="text")
GROUPED = Mapping(shape="chat", thread="thread", speaker="who", text="text", order="n")
PAIRS = Mapping(shape="question_answer", question="q", answer="a", thread="id", parent="parent")


def build(
    mapping: Mapping, columns: tuple[str, ...], rows: Rows
) -> list[str | tuple[Message, ...]]:
    threads = join_threads(
        mapping, columns, list(enumerate(rows, start=1)), lambda row_id: rows[row_id - 1]
    )
    examples = [
        build_example(mapping, threads.cells(row_id, cells))
        for row_id, cells in enumerate(rows, start=1)
    ]
    return [example.left_out or example.messages for example in examples]


def texts(turns: str | tuple[Message, ...]) -> list[tuple[str, bool]]:
    assert not isinstance(turns, str), turns
    return [(turn.content, turn.is_learned) for turn in turns]


def test_each_branch_of_a_tree_ends_in_an_example_and_shared_answers_are_learned_once() -> None:
    rows = [
        ("1", "", "prompter", "q"),
        ("2", "1", "assistant", "a"),
        ("3", "2", "prompter", "more?"),
        ("4", "3", "assistant", "yes"),
        ("5", "2", "prompter", "less?"),
        ("6", "5", "assistant", "no"),
    ]
    made = build(TREE, ("id", "parent", "role", "text"), rows)
    assert [made[place] for place in (0, 1, 2, 4)] == [PART_OF_THREAD] * 4
    assert texts(made[3]) == [("q", True), ("a", True), ("more?", True), ("yes", True)]
    assert texts(made[5]) == [("q", True), ("a", False), ("less?", True), ("no", True)]


def test_turns_of_one_thread_are_sorted_by_their_number() -> None:
    rows = [
        ("t1", "10", "agent", "bye"),
        ("t1", "2", "customer", "q"),
        ("t2", "1", "customer", "other"),
        ("t1", "3", "agent", "a"),
        ("t1", "9", "customer", "thanks"),
        ("t2", "2", "agent", "answer"),
    ]
    made = build(GROUPED, ("thread", "n", "who", "text"), rows)
    assert [text for text, _ in texts(made[0])] == ["q", "a", "thanks", "bye"]
    assert [text for text, _ in texts(made[5])] == ["other", "answer"]
    assert [made[place] for place in (1, 2, 3, 4)] == [PART_OF_THREAD] * 4


def test_a_time_stamp_makes_a_conversation_of_each_day() -> None:
    mapping = Mapping(
        shape="chat", thread="when", speaker="who", text="text", order="when", answers_of="Studio"
    )
    rows = [
        ("02.05.2024, 9:30", "Studio", "answer two"),
        ("02.05.2024, 9:05", "Anna", "question two"),
        ("01.05.2024, 10:00", "Anna", "question one"),
        ("01.05.2024, 10:05", "Studio", "answer one"),
    ]
    made = build(mapping, ("when", "who", "text"), rows)
    assert texts(made[0]) == [("question two", True), ("answer two", True)]
    assert texts(made[3]) == [("question one", True), ("answer one", True)]


def test_pairs_read_the_pairs_before_them() -> None:
    rows = [("r1", "", "q1", "a1"), ("r2", "r1", "q2", "a2"), ("r3", "missing", "q3", "a3")]
    made = build(PAIRS, ("id", "parent", "q", "a"), rows)
    assert texts(made[0]) == [("q1", True), ("a1", True)]
    assert texts(made[1]) == [("q1", True), ("a1", False), ("q2", True), ("a2", True)]
    assert texts(made[2]) == [("q3", True), ("a3", True)]


@pytest.mark.parametrize("mapping", [TREE, PAIRS])
def test_a_circle_is_told_and_nothing_else_is_lost(mapping: Mapping) -> None:
    columns = ("id", "parent", "role", "text", "q", "a")
    rows = [
        ("1", "2", "user", "x", "q", "a"),
        ("2", "1", "assistant", "x", "q", "a"),
        ("3", "2", "user", "x", "q", "a"),
        ("4", "4", "assistant", "x", "q", "a"),
        ("5", "", "user", "x", "q", "a"),
        ("6", "5", "assistant", "x", "q", "a"),
    ]
    made = build(mapping, columns, rows)
    assert made[:4] == [CIRCLE] * 4
    assert not isinstance(made[5], str)


def test_an_endless_thread_is_cut_and_the_rest_is_told() -> None:
    rows = [
        (str(n), str(n - 1) if n > 1 else "", "user" if n % 2 else "assistant", f"t{n}")
        for n in range(1, LONGEST + 101)
    ]
    made = build(TREE, ("id", "parent", "role", "text"), rows)
    assert made[LONGEST:] == [TOO_LONG] * 100
    assert len(texts(made[LONGEST - 1])) == LONGEST


def test_a_row_without_a_thread_stands_alone() -> None:
    mapping = Mapping(shape="chat", thread="thread", speaker="who", text="text")
    rows = [("", "user", "q"), ("", "user", "other")]
    made = build(mapping, ("thread", "who", "text"), rows)
    assert made == ["no turn is an answer"] * 2


def test_a_table_without_threads_is_left_as_it_is() -> None:
    mapping = Mapping(shape="question_answer", question="q", answer="a")
    threads = join_threads(mapping, ("q", "a"), iter(()), lambda row_id: ())
    assert threads.cells(1, ("x", "y")) == {"q": "x", "a": "y"}
