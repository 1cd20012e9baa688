"""A better and one or more worse answers to the same question.

The question stands in a column, in the turns before, or inside each answer; then both must repeat
the same one, or the comparison teaches nothing true. A rater's column may say which of two columns
is the better one, row by row.
"""

from collections.abc import Sequence
from dataclasses import replace

from tailor.engine.data.making.answers import Answer, read_answer, read_answers, read_ranked
from tailor.engine.data.making.asking import Cells, ask, cell_of, with_standing
from tailor.engine.data.making.example import Example, NotTeachableError
from tailor.engine.data.making.picture_marks import place_pictures, read_pictures
from tailor.engine.data.making.ratings import read_side
from tailor.engine.data.making.tool_calls import read_tools
from tailor.engine.data.making.turns import as_context, check_asked, read_turns
from tailor.engine.data_types import Mapping
from tailor.recipes.spec import Message


def make_preference(mapping: Mapping, cells: Cells) -> Example:
    """The example of a row that compares answers."""
    best, *others = (read_answer(cell, mapping.answers_of) for cell in _best_first(mapping, cells))
    _check_same_question(best, others)
    asked = before_answer(mapping, cells, best)
    chosen = best.turn
    if not (chosen.content.strip() or chosen.tool_calls):
        raise NotTeachableError("the better answer is empty")
    pictures = read_pictures(cell_of(cells, mapping.pictures))
    turns = place_pictures(asked, pictures, is_mapped=bool(mapping.pictures))
    return Example(
        # Both answers are learned from, whatever the row says of the turn in other uses.
        messages=(*turns, replace(chosen, is_learned=True)),
        rejected=_worse(chosen, others),
        tools=read_tools(cell_of(cells, mapping.tools)),
        pictures=pictures,
    )


def before_answer(mapping: Mapping, cells: Cells, answer: Answer) -> tuple[Message, ...]:
    """Everything before a compared or rated answer; only that answer is learned."""
    if any(turn.role != "system" for turn in answer.asked):
        turns = with_standing(mapping, cells, answer.asked)
    elif mapping.messages:
        turns = with_standing(mapping, cells, _turns_before(cells[mapping.messages], mapping))
    elif mapping.question:
        turns = ask(mapping, cells)
    else:
        raise NotTeachableError("there is no question before the answers")
    check_asked(turns)
    if turns[-1].role == "assistant":
        raise NotTeachableError("its question ends with an answer already")
    return as_context(turns)


def _turns_before(cell: str, mapping: Mapping) -> tuple[Message, ...]:
    """The turns before the answers; a cell without turns is the question itself."""
    try:
        return read_turns(cell, mapping.answers_of).turns
    except NotTeachableError:
        if cell.lstrip()[:1] in ("[", "{") or not cell.strip():
            raise
        return (Message(role="user", content=cell),)


def _best_first(mapping: Mapping, cells: Cells) -> list[str]:
    rating = cell_of(cells, mapping.rating)
    if mapping.ranked:
        return read_ranked(cells[mapping.ranked], rating)
    chosen, rejected = cells[mapping.chosen], cells[mapping.rejected]
    if mapping.rating and read_side(rating, mapping.chosen, mapping.rejected) == "second":
        chosen, rejected = rejected, chosen
    return [chosen, *read_answers(rejected, chosen)]


def _check_same_question(best: Answer, others: Sequence[Answer]) -> None:
    for other in others:
        if other.asked and best.asked and other.asked != best.asked:
            raise NotTeachableError("its two answers belong to different questions")


def _worse(chosen: Message, others: Sequence[Answer]) -> tuple[str, ...]:
    """The worse answers, each once, without those that equal the better one."""
    texts = [other.turn.content for other in others]
    if any(other.turn.tool_calls for other in others):
        raise NotTeachableError("a worse answer calls a tool, which cannot be compared yet")
    if not any(text.strip() for text in texts):
        raise NotTeachableError("the worse answer is empty")
    told = [text for text in dict.fromkeys(texts) if text.strip()]
    worse = tuple(text for text in told if text.strip() != chosen.content.strip())
    if not worse:
        raise NotTeachableError("the better and the worse answer are the same")
    return worse
