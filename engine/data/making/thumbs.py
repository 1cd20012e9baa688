"""One answer and whether it was good.

The answer is the last turn of a conversation or a column of its own. A rating that says neither
good nor bad leaves the row out.
"""

from dataclasses import replace

from tailor.engine.data.making.answers import Answer, read_answer
from tailor.engine.data.making.asking import Cells, cell_of
from tailor.engine.data.making.example import Example, NotTeachableError
from tailor.engine.data.making.picture_marks import place_pictures, read_pictures
from tailor.engine.data.making.preference import before_answer
from tailor.engine.data.making.ratings import read_thumb
from tailor.engine.data.making.tool_calls import read_tools
from tailor.engine.data.making.turns import check_turns, read_turns
from tailor.engine.data_types import Mapping


def make_thumbs(mapping: Mapping, cells: Cells) -> Example:
    """The example of a row with a rated answer."""
    rating = read_thumb(cells[mapping.rating], mapping.stars)
    answer = _answer(mapping, cells)
    if not (answer.turn.content.strip() or answer.turn.tool_calls):
        raise NotTeachableError("the answer is empty")
    asked = before_answer(mapping, cells, answer)
    pictures = read_pictures(cell_of(cells, mapping.pictures))
    turns = place_pictures(asked, pictures, is_mapped=bool(mapping.pictures))
    return Example(
        messages=(*turns, replace(answer.turn, is_learned=True)),
        rating=rating,
        tools=read_tools(cell_of(cells, mapping.tools)),
        pictures=pictures,
    )


def _answer(mapping: Mapping, cells: Cells) -> Answer:
    if mapping.answer:
        return read_answer(cells[mapping.answer], mapping.answers_of)
    turns = check_turns(read_turns(cells[mapping.messages], mapping.answers_of).turns)
    return Answer(asked=turns[:-1], turn=turns[-1])
