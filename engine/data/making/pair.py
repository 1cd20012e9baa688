"""Question and answer, and a text with its class: one turn asks, one answers.

The answer's bytes stay as they are, so that a class is learned exactly as it is written. Sets of
questions store every accepted answer in a list; the first one is learned.
"""

from tailor.engine.data.detectors.column_names import split_words
from tailor.engine.data.making.asking import Cells, ask, cell_of
from tailor.engine.data.making.example import Example, NotTeachableError
from tailor.engine.data.making.json_cell import decode_cell
from tailor.engine.data.making.picture_marks import place_pictures, read_pictures
from tailor.engine.data.making.tool_calls import read_tools
from tailor.engine.data_types import Mapping
from tailor.recipes.spec import Message

ANSWER_LISTS = frozenset(
    {"answers", "antworten", "reponses", "respuestas", "risposte", "respostas"}
)


def make_pair(mapping: Mapping, cells: Cells) -> Example:
    """The example of a row with a question and an answer."""
    answer = first_answer(cells[mapping.answer], mapping.answer)
    if not answer.strip():
        raise NotTeachableError("the answer is empty")
    asked = ask(mapping, cells)
    pictures = read_pictures(cell_of(cells, mapping.pictures))
    if mapping.pictures:
        asked = place_pictures(asked, pictures, is_mapped=True)
    return Example(
        messages=(*asked, Message(role="assistant", content=answer)),
        tools=read_tools(cell_of(cells, mapping.tools)),
        pictures=pictures,
    )


def first_answer(cell: str, column: str) -> str:
    """The cell, or the first of the accepted answers when it is a list of them (SQuAD form).

    A list of plain texts may be the answer itself, so it is taken apart only in a column that is
    called "answers".
    """
    value = decode_cell(cell)
    if value is None:
        return cell
    is_answer_list = not ANSWER_LISTS.isdisjoint(split_words(column))
    match value:
        case {"text": [*texts], "answer_start": _}:
            return str(texts[0]) if texts else ""
        case [{"text": str(text), "answer_start": _}, *_]:
            return text
        case [str(text), *_] if is_answer_list and all(isinstance(one, str) for one in value):
            return text
        case [] if is_answer_list:
            return ""
    return cell
