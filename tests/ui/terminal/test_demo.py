"""What the demo shows of a run: honest answers, and the promise in one line."""

from tailor.engine.events import Sample, Stamp
from tailor.recipes.spec import ExamQuestion, Message
from tailor.ui.terminal.demo import minutes, pick_answers, span

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


def test_times_are_told_in_a_unit_that_fits():
    assert span(20, 80) == "20 to 80 seconds"
    assert span(80, 500) == "1 to 8 minutes"
    assert minutes(431) == "7:11 minutes"
