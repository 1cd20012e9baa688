"""An answer that others are compared with: text, one turn, a whole conversation or a transcript.

Sets of preferences store their answers in all of these forms, and some repeat the question inside
each answer. Here every form becomes the turns before the answer and the answer itself, and lists of
answers become one order, best first. `preference` and `thumbs` read answers here.
"""

from collections.abc import Sequence
from typing import Any

from tailor.engine.data.making.example import NotTeachableError
from tailor.engine.data.making.json_cell import decode_cell, encode_cell
from tailor.engine.data.making.transcripts import split_transcript
from tailor.engine.data.making.turns import is_turn, read_turns
from tailor.estimator.record import record
from tailor.recipes.spec import Message

TEXT_KEYS = ("answer", "response", "text", "content", "completion", "output", "value", "reply")
HIGH_KEYS = ("score", "overall_score", "rating", "points", "stars", "votes", "pm_score", "quality")
LOW_KEYS = ("rank", "place", "position")


@record
class Answer:
    """An answer and what its cell holds before it."""

    asked: tuple[Message, ...] = ()
    """Empty where the question stands in a column of its own."""
    turn: Message


def read_answer(cell: str, answers_of: str = "") -> Answer:
    """The answer in a cell, split off at the last mark of the assistant."""
    value = decode_cell(cell)
    holds_turns = is_turn(value) or (isinstance(value, list) and all(map(is_turn, value)) and value)
    if not holds_turns and not (value is None and split_transcript(cell, answers_of)):
        return Answer(turn=Message(role="assistant", content=cell))
    turns = read_turns(cell, answers_of).turns
    if turns[-1].role != "assistant":
        raise NotTeachableError("one of the answers ends with a question")
    return Answer(asked=turns[:-1], turn=turns[-1])


def read_answers(cell: str, better: str) -> list[str]:
    """The cells of worse answers: several when the cell lists texts and the better one does not."""
    value = decode_cell(cell)
    is_several = isinstance(value, list) and bool(value) and decode_cell(better) is None
    if is_several and all(isinstance(one, str) for one in value):
        return [str(one) for one in value]
    return [cell]


def read_ranked(cell: str, scores: str = "") -> list[str]:
    """Answers best first; those that are as good as the best are taken out behind it.

    The order comes from `scores`, a list beside them, or from scores or ranks in the entries; bare
    texts stand in their order already.
    """
    value = decode_cell(cell)
    if not isinstance(value, list) or len(value) < 2:
        raise NotTeachableError("there are not two answers to compare")
    points = _points_beside(scores, len(value)) if scores else _points_inside(value)
    answers = [_answer_cell(one) for one in value]
    if not points:
        return answers
    best_first = sorted(range(len(answers)), key=lambda place: -points[place])
    best = best_first[0]
    worse = [answers[place] for place in best_first if points[place] < points[best]]
    if not worse:
        raise NotTeachableError("all its answers are rated alike")
    return [answers[best], *worse]


def points_of(entry: Any) -> float | None:
    """How good an entry of a list says that it is, more is better; None when it does not say."""
    if not isinstance(entry, dict):
        return None
    for keys, sign in ((HIGH_KEYS, 1.0), (LOW_KEYS, -1.0)):
        for key in keys:
            points = _number(entry.get(key))
            if points is not None:
                return sign * points
    return None


def _points_inside(entries: Sequence[Any]) -> list[float]:
    found = [points_of(entry) for entry in entries]
    known = [points for points in found if points is not None]
    if known and len(known) < len(found):
        raise NotTeachableError("one of its answers has no rating")
    return known


def _points_beside(cell: str, answers: int) -> list[float]:
    value = decode_cell(cell)
    found = [_number(one) for one in value] if isinstance(value, list) else []
    known = [points for points in found if points is not None]
    if len(known) != answers:
        raise NotTeachableError("there are not as many ratings as answers")
    return known


def _number(value: Any) -> float | None:
    try:
        return None if value is None or isinstance(value, bool) else float(value)
    except (TypeError, ValueError):
        return None


def _answer_cell(entry: Any) -> str:
    while isinstance(entry, dict) and not is_turn(entry):
        entry = next((entry[key] for key in TEXT_KEYS if key in entry), None)
    if isinstance(entry, str):
        return entry
    if isinstance(entry, list | dict):
        return encode_cell(entry)
    raise NotTeachableError("one of its answers is not text")
