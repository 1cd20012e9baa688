"""What the demo shows of a run: honest answers, and the promise in one line."""

from tailor.engine.events import Sample, Stamp
from tailor.estimator.estimate import Estimate, Range
from tailor.recipes.spec import ExamQuestion, Message
from tailor.ui.terminal.demo import pick_answers, promise_words

GIB = 2**30
STAMP = Stamp(seq=1, attempt=1, at=0.0, mono=0.0)
EXAM = tuple(
    ExamQuestion(id=f"q{n}", messages=(Message(role="user", content="?"),), expected="!")
    for n in range(5)
)


def answers(step, *scores):
    return {
        f"q{n}": Sample(
            stamp=STAMP, step=step, question=f"q{n}", text="", tokens=1, ended=True, score=score
        )
        for n, score in enumerate(scores)
    }


def test_one_of_the_three_answers_is_still_wrong_where_there_is_one():
    shown = pick_answers(EXAM, answers(0, 0, 0, 0, 0, 0), answers(9, 1, 1, 1, 0, 1))
    assert [question.id for question in shown] == ["q0", "q1", "q3"]


def test_three_right_answers_are_shown_when_all_are_right():
    shown = pick_answers(EXAM, answers(0, 0, 0, 0, 0, 0), answers(9, 1, 1, 1, 1, 1))
    assert [question.id for question in shown] == ["q0", "q1", "q2"]


def test_a_model_that_learned_nothing_shows_that():
    shown = pick_answers(EXAM, answers(0, 0, 0, 0, 0, 0), answers(9, 0, 0, 0, 0, 0))
    assert len(shown) == 3


def test_questions_without_an_answer_are_left_out():
    assert pick_answers(EXAM, answers(0, 0), answers(9, 1)) == EXAM[:1]
    assert pick_answers(EXAM, {}, {}) == ()


def test_the_promise_is_told_in_the_wizards_own_words():
    promise = Estimate(
        device="cpu", parts=(), memory_bytes=Range(low=GIB, likely=1.2 * GIB, high=1.5 * GIB),
        capacity_bytes=12 * GIB, verdict="fits", reason="",
        seconds=Range(low=120, likely=200, high=300),
        tokens_per_second=Range(low=50, likely=100, high=200), ram_bytes=GIB, disk_bytes=GIB,
    )  # fmt: skip
    assert promise_words(promise) == "2-5 minutes, 1-1.5 GB of 12 GB of free memory, 1 GB of disk"
