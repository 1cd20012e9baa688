"""Text that nobody asks for: running text, and code with a gap in the middle."""

from tailor.engine.data.making.asking import Cells, cell_of
from tailor.engine.data.making.example import Example, NotTeachableError
from tailor.engine.data_types import Mapping


def make_text(mapping: Mapping, cells: Cells) -> Example:
    """The example of a row of running text."""
    text = cells[mapping.text]
    if not text.strip():
        raise NotTeachableError("the text is empty")
    return Example(text=text)


def make_middle(mapping: Mapping, cells: Cells) -> Example:
    """The example of a row with a gap; nothing may stand behind the gap, or before it."""
    before, after = cells[mapping.before], cell_of(cells, mapping.after)
    middle = cells[mapping.answer]
    if not middle.strip():
        raise NotTeachableError("the piece that fills the gap is empty")
    if not before.strip() and not after.strip():
        raise NotTeachableError("nothing stands around the gap")
    return Example(text=middle, before=before, after=after)
