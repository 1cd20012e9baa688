"""Blocks of a Word document as paragraphs of text: what belongs together stays together.

A heading says nothing without the text under it, the items of a list are one thought, and a table
in a text is read row by row. Pure; `word` reads a document that is text with it.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from tailor.engine.data.documents.pieces import Paragraph
from tailor.engine.data.documents.word_blocks import Block
from tailor.engine.data.documents.word_styles import Styles


@dataclass
class _Open:
    """What was taken and may go on."""

    texts: list[str] = field(default_factory=list)
    items: list[str] = field(default_factory=list)
    first: int = 0

    def close(self, last: int) -> Paragraph:
        """All of it as one paragraph."""
        texts = [*self.texts, *(["\n".join(self.items)] if self.items else [])]
        paragraph = Paragraph(text="\n\n".join(texts), first=self.first, last=last)
        self.texts, self.items, self.first = [], [], 0
        return paragraph


def join_blocks(blocks: Iterable[Block], styles: Styles) -> Iterator[Paragraph]:
    """Paragraphs, numbered as the document's own are."""
    taken = _Open()
    number = 0
    for number, block in enumerate(blocks, start=1):
        is_heading = block.style in styles.headings
        is_item = (block.is_item or block.style in styles.lists) and not is_heading
        if taken.items and not is_item:
            yield taken.close(number - 1)
        taken.first = taken.first or number
        if is_item:
            taken.items.append(f"- {block.text}")
            continue
        taken.texts.append(_text(block))
        if not is_heading:
            yield taken.close(number)
    if taken.texts or taken.items:
        yield taken.close(number)


def _text(block: Block) -> str:
    if not block.table:
        return block.text
    return "\n".join(" | ".join(cell.replace("\n", " ") for cell in row) for row in block.table)
