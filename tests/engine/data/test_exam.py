"""Ten questions that differ, out of what was held out."""

from typing import Any

from tailor.engine.data.candidates import Candidate, Candidates
from tailor.engine.data.exam import pick_exam, pool_ids
from tailor.engine.data.making.example import Example
from tailor.engine.data.mapped_file import MappedRow
from tailor.engine.data.split import Split
from tailor.recipes.spec import Message


def row(number: int, question: str, answer: str = "yes", **more: Any) -> MappedRow:
    messages = (Message(role="user", content=question), Message(role="assistant", content=answer))
    return MappedRow(id=number, side="held_out", example=Example(messages=messages, **more))


def test_variants_of_one_question_are_asked_once() -> None:
    same = [row(n, f"please reset my password now, number {n}") for n in range(40)]
    others = [row(100 + n, " ".join(f"topic{n}word{m}" for m in range(6))) for n in range(9)]
    picked = pick_exam([*same, *others])
    assert len(picked) == 10
    assert sum(int(one.id.removeprefix("row-")) < 100 for one in picked) == 1


def test_a_question_has_the_turns_before_the_answer_and_the_answer() -> None:
    [asked] = pick_exam([row(7, "Why?", "So.")])
    assert asked.id == "row-7"
    assert asked.messages == (Message(role="user", content="Why?"),)
    assert asked.expected == "So."


def test_very_long_rows_are_left_to_the_others_when_there_are_enough() -> None:
    pool = [row(n, f"short {n}") for n in range(10)] + [row(50, "long " * 2_000)]
    assert "row-50" not in {one.id for one in pick_exam(pool)}
    assert pick_exam([row(50, "long " * 2_000)])[0].id == "row-50"


def test_the_same_pool_gives_the_same_exam() -> None:
    pool = [row(n, f"question {n} about {n * 7 % 13}") for n in range(60)]
    assert pick_exam(pool) == pick_exam(pool)


def test_text_without_spaces_spreads_too() -> None:
    pool = [row(n, "如何重置密码" + chr(0x4E00 + n * 50) * 4) for n in range(30)]
    assert len(pick_exam(pool)) == 10


def test_raw_text_has_no_exam() -> None:
    assert pick_exam([MappedRow(id=1, side="held_out", example=Example(text="once"))]) == ()


def test_only_answers_that_are_good_and_in_words_are_asked_for() -> None:
    pool = [
        row(1, "liked?", rating="good"),
        row(2, "disliked?", rating="bad"),
        row(3, "what is on it?", pictures=("one.png",)),
        row(4, "call something", answer=""),
        row(5, "look it up", tools='[{"type": "function"}]'),
    ]
    assert [one.id for one in pick_exam(pool)] == ["row-1"]


def test_conversations_with_tools_are_asked_where_there_are_no_others() -> None:
    assert [one.id for one in pick_exam([row(5, "look it up", tools="[{}]")])] == ["row-5"]


def test_of_very_many_held_out_rows_some_from_everywhere_are_picked_from() -> None:
    rows = Candidates()
    for number in range(1, 5_001):
        rows.add(Candidate(id=number, question=1, whole=number * 2_654_435_761 % 2**32))
    picked = pool_ids(rows, Split(held_out=frozenset(range(1, 5_001)), is_given=True))
    assert len(picked) == 400
    assert min(picked) < 500
    assert max(picked) > 4_500
