"""Ten questions that differ, out of what was held out."""

from tailor.engine.data.exam import pick_exam
from tailor.engine.data_types import Conversation
from tailor.recipes.spec import Message


def row(number: int, question: str, answer: str = "yes") -> Conversation:
    return Conversation(
        row_id=number,
        messages=(
            Message(role="user", content=question),
            Message(role="assistant", content=answer),
        ),
    )


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
    assert pick_exam([Conversation(row_id=1, messages=(), text="once")]) == ()
