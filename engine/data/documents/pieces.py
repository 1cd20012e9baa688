"""From paragraphs to examples: what one row of a document is, and the choice about it.

A document has no rows of its own, so somebody must say what one example is. Text files, Word files
and PDFs all come as paragraphs with their places; `cut_pieces` makes rows of them in the way that
was chosen, and a piece ends at a paragraph wherever it can.
"""

import re
from collections.abc import Iterable, Iterator
from collections.abc import Mapping as Lookup

from tailor.engine.data.read_row import ReadRow, Tally
from tailor.engine.data.text.lines import ROW_LIMIT_CHARACTERS, too_long
from tailor.engine.data_types import ReadChoice
from tailor.engine.findings import Finding
from tailor.estimator.record import record

COLUMNS = ("text",)
PIECE_BYTES = 4_000
"""About 1,000 tokens of English and 1,300 of Chinese: long enough to learn how sentences follow
one another, short enough for every model. Bytes, because they follow tokens closer than letters."""
WHOLE = (
    "whole",
    f"One document, in pieces of up to {PIECE_BYTES:,} letters, cut at paragraphs",
)

_SENTENCE_END = re.compile(r"""[.!?…]+["'”’»)\]]*\s+|[。！？]+[”’」』）]*\s*""")
_WORD_END = re.compile(r"\s+")


@record
class Paragraph:
    """A paragraph, a line or a page, and where it stands."""

    text: str
    first: int
    """Number of its first line, paragraph or page, from 1."""
    last: int


def choose_pieces(
    choices: Lookup[str, str], ways: tuple[tuple[str, str], ...], found: str, why: str
) -> ReadChoice:
    """The choice about what one example is; a way that this kind of file has not counts as none."""
    asked = choices.get("pieces", found)
    value = asked if any(asked == way for way, _ in ways) else found
    return ReadChoice(id="pieces", title="What is one example?", value=value, options=ways, why=why)


def cut_pieces(
    paragraphs: Iterable[Paragraph], tally: Tally, *, is_whole: bool, joint: str = "\n\n"
) -> Iterator[ReadRow]:
    """A row for each paragraph, or long pieces of one document with `joint` between paragraphs."""
    for piece in _long_pieces(paragraphs, joint) if is_whole else paragraphs:
        if len(piece.text) > ROW_LIMIT_CHARACTERS:
            raise too_long(f"The text at {piece.first:,}")
        row = ReadRow(cells=(piece.text,), first_line=piece.first, last_line=piece.last)
        tally.count(row)
        yield row


def note_on_learning() -> Finding:
    """What running text can teach and what it cannot; said before an evening is spent on it."""
    return Finding(
        level="note",
        title="Running text teaches words and style",
        detail="A model that reads your text learns how it is written. It does not learn to look "
        "single facts up in it reliably.",
        fix="If people will ask for facts, a search over these documents works better; or write "
        "questions and answers about them.",
    )


def _long_pieces(paragraphs: Iterable[Paragraph], joint: str) -> Iterator[Paragraph]:
    pending: list[Paragraph] = []
    size = 0
    for paragraph in paragraphs:
        for part in _parts(paragraph):
            part_bytes = len(part.text.encode())
            if pending and size + part_bytes > PIECE_BYTES:
                yield _joined(pending, joint)
                pending, size = [], 0
            pending.append(part)
            size += part_bytes
    if pending:
        yield _joined(pending, joint)


def _joined(parts: list[Paragraph], joint: str) -> Paragraph:
    return Paragraph(
        text=joint.join(part.text for part in parts), first=parts[0].first, last=parts[-1].last
    )


def _parts(paragraph: Paragraph) -> Iterator[Paragraph]:
    """The paragraph, cut at its sentences when it is longer than a piece.

    Two parts that follow each other are together longer than a piece, so `_long_pieces` never puts
    a paragraph's end between them.
    """
    if len(paragraph.text.encode()) <= PIECE_BYTES:
        yield paragraph
        return
    filled = ""
    for sentence in _short_enough(paragraph.text):
        if filled and len((filled + sentence).rstrip().encode()) > PIECE_BYTES:
            yield Paragraph(text=filled.rstrip(), first=paragraph.first, last=paragraph.last)
            filled = ""
        filled += sentence
    if filled.strip():
        yield Paragraph(text=filled.rstrip(), first=paragraph.first, last=paragraph.last)


def _short_enough(text: str) -> Iterator[str]:
    """Sentences with the space behind them; words, then letters, where a sentence is too long."""
    for sentence in _cut_after(_SENTENCE_END, text):
        if len(sentence.encode()) <= PIECE_BYTES:
            yield sentence
            continue
        for word in _cut_after(_WORD_END, sentence):
            # A letter has at most four bytes.
            for start in range(0, len(word), PIECE_BYTES // 4):
                yield word[start : start + PIECE_BYTES // 4]


def _cut_after(mark: re.Pattern[str], text: str) -> Iterator[str]:
    start = 0
    for found in mark.finditer(text):
        yield text[start : found.end()]
        start = found.end()
    if start < len(text):
        yield text[start:]
