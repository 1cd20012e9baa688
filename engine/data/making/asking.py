"""What stands before an answer: standing instructions, earlier turns, background, the question.

Pairs, preferences and thumbs differ in their answers and ask alike, so the asking part of an
example is made here for all of them.
"""

from collections.abc import Mapping as Lookup

from tailor.engine.data.detectors.column_names import rank_name
from tailor.engine.data.detectors.part_words import ASKING_WORDS
from tailor.engine.data.making.example import NotTeachableError
from tailor.engine.data.making.json_cell import decode_cell
from tailor.engine.data.making.thread_cells import EARLIER
from tailor.engine.data.making.turns import as_context, read_turns
from tailor.engine.data_types import Mapping
from tailor.recipes.spec import Message

Cells = Lookup[str, str]


def ask(mapping: Mapping, cells: Cells) -> tuple[Message, ...]:
    """Everything before the answer, ending with the question."""
    context = cell_of(cells, mapping.context)
    question = cell_of(cells, mapping.question)
    is_asked = question.strip() or cell_of(cells, mapping.pictures).strip()
    if not is_asked and not (context.strip() and _asks(mapping.context)):
        raise NotTeachableError("the question is empty")
    asked = "\n\n".join(part for part in (context, question) if part.strip())
    return (
        *with_standing(mapping, cells, ()),
        *_history(cell_of(cells, mapping.history)),
        *_history(cells.get(EARLIER, "")),
        Message(role="user", content=asked),
    )


def with_standing(
    mapping: Mapping, cells: Cells, turns: tuple[Message, ...]
) -> tuple[Message, ...]:
    """Turns behind their standing instructions: typed for all rows, the row's column, their own."""
    has_own = bool(turns) and turns[0].role == "system"
    own, rest = (turns[0].content, turns[1:]) if has_own else ("", turns)
    parts = (mapping.instruction, cell_of(cells, mapping.system), own)
    standing = "\n\n".join(part for part in parts if part.strip())
    return (Message(role="system", content=standing), *rest) if standing else tuple(rest)


def cell_of(cells: Cells, column: str) -> str:
    """The cell of a column; empty when none is chosen."""
    return cells[column] if column else ""


def _asks(column: str) -> bool:
    """Whether the column in front of the question asks by itself, as Alpaca's "instruction" does.

    Its "input" is empty in most rows, and then the instruction alone is the question. A passage
    without a question is no example.
    """
    return rank_name(column, ASKING_WORDS) > 0


def _history(cell: str) -> tuple[Message, ...]:
    """Earlier questions and answers; their answers are read and never learned a second time."""
    if not cell.strip() or decode_cell(cell) == []:
        return ()
    try:
        turns = read_turns(cell).turns
    except NotTeachableError:
        raise NotTeachableError("its earlier turns cannot be read") from None
    if [turn.role for turn in turns] != ["user", "assistant"] * (len(turns) // 2):
        raise NotTeachableError("its earlier turns are not questions and answers in turn")
    return as_context(turns)
