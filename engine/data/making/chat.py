"""Conversations: every answer of a row is learned that the row does not mark as context.

The turns stand in one cell, or are brought together from the rows of a thread by `threads`, which
hands them over as one cell of the same form.
"""

from tailor.engine.data.making.asking import Cells, cell_of, with_standing
from tailor.engine.data.making.example import Example
from tailor.engine.data.making.picture_marks import place_pictures, read_pictures
from tailor.engine.data.making.thread_cells import WHOLE
from tailor.engine.data.making.tool_calls import read_tools
from tailor.engine.data.making.turns import check_turns, read_turns
from tailor.engine.data_types import Mapping


def make_chat(mapping: Mapping, cells: Cells) -> Example:
    """The example of a row that holds a conversation, or ends one."""
    said = read_turns(cells[mapping.messages or WHOLE], mapping.answers_of)
    turns = with_standing(mapping, cells, check_turns(said.turns))
    pictures = said.pictures or read_pictures(cell_of(cells, mapping.pictures))
    return Example(
        messages=place_pictures(turns, pictures, is_mapped=bool(mapping.pictures)),
        tools=read_tools(cell_of(cells, mapping.tools)),
        pictures=pictures,
    )
