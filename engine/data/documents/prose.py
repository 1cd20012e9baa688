"""Running text, plain or Markdown: paragraphs at blank lines, or lines where there are none.

Many people have books, letters or notes rather than tables. What one example is depends on how the
text is parted, so the whole file is counted first and every other way is offered. `read` opens
here what is text but no table.
"""

from collections.abc import Generator, Iterator
from collections.abc import Mapping as Lookup
from pathlib import PurePath
from typing import BinaryIO

from tailor.engine.data.counted import count_words
from tailor.engine.data.documents.paragraphs import (
    Seen,
    read_lines,
    read_paragraphs,
    survey_lines,
)
from tailor.engine.data.documents.pieces import (
    COLUMNS,
    WHOLE,
    choose_pieces,
    cut_pieces,
    note_on_learning,
)
from tailor.engine.data.read_row import ReadRow, Tally
from tailor.engine.data.table import Table
from tailor.engine.data.text.encoding import TextEncoding, choose_encoding, open_text, survey_bytes
from tailor.engine.data.text.lines import bounded_lines
from tailor.engine.data_types import ReadChoice
from tailor.engine.errors import UserError
from tailor.engine.findings import Finding

LONGEST_PARAGRAPH = 100_000
"""Letters without a blank line from which blank lines do not part a text into paragraphs."""
WRAPPED_SHARE = 0.8
"""Share of lines that look cut by an editor, from which lines are no examples of their own."""
MARKDOWN_NAMES = frozenset({".md", ".markdown", ".mdown", ".mkd"})

_WORDS = {"paragraphs": "Text by paragraphs", "lines": "Text by lines", "whole": "One document"}


def open_prose(file: BinaryIO, name: str, choices: Lookup[str, str]) -> Table:
    """Open a text file or a Markdown file as a document."""
    encoding = choose_encoding(file, survey_bytes(file), choices.get("encoding", ""))
    with open_text(file, encoding) as text:
        seen = survey_lines(bounded_lines(text))
    if seen.written_lines == 0:
        raise UserError(
            title="This file is empty",
            detail="It holds nothing but spaces and line ends.",
            fix="Check that it was saved, then drop it again.",
        )
    choice = _choose(seen, choices)
    tally = Tally()

    def findings() -> Iterator[Finding]:
        yield from encoding.findings
        yield from _line_count(choice.value, tally)
        yield note_on_learning()

    return Table(
        # Only a name tells the two apart: signs such as # stand in plain text as well.
        kind="Markdown" if PurePath(name).suffix.lower() in MARKDOWN_NAMES else "Text",
        words=f"{_WORDS[choice.value]}, {encoding.words}",
        columns=COLUMNS,
        rows=_rows(file, encoding, seen, choice.value, tally),
        tally=tally,
        entry_word="line",
        findings=findings,
        choices=(choice, *encoding.choices),
        left_aside=(("line of properties", seen.properties),) if seen.properties else (),
    )


def _rows(
    file: BinaryIO, encoding: TextEncoding, seen: Seen, way: str, tally: Tally
) -> Generator[ReadRow, None, None]:
    is_by_line = way == "lines" or not seen.has_paragraphs
    with open_text(file, encoding) as text:
        lines = bounded_lines(text)
        parts = (read_lines if is_by_line else read_paragraphs)(lines, seen.properties, tally)
        joint = "\n" if is_by_line else "\n\n"
        yield from cut_pieces(parts, tally, is_whole=way == "whole", joint=joint)


def _choose(seen: Seen, choices: Lookup[str, str]) -> ReadChoice:
    by_line = ("lines", f"Each line ({seen.written_lines:,})")
    by_paragraph = ("paragraphs", f"Each paragraph ({seen.paragraphs:,})")
    if not seen.has_paragraphs:
        is_wrapped = seen.wrapped_lines >= WRAPPED_SHARE * seen.written_lines > 2
        why = (
            "There are no blank lines, and most lines break off in the middle of a sentence."
            if is_wrapped
            else "There are no blank lines, so each line is taken for an example."
        )
        return choose_pieces(choices, (by_line, WHOLE), "whole" if is_wrapped else "lines", why)
    ways = (by_paragraph, by_line, WHOLE)
    if seen.longest_paragraph > LONGEST_PARAGRAPH:
        why = f"Blank lines are rare: {seen.longest_paragraph:,} letters stand without one."
        return choose_pieces(choices, ways, "lines", why)
    why = f"Blank lines part the text into {count_words(seen.paragraphs, 'paragraph')}."
    return choose_pieces(choices, ways, "paragraphs", why)


def _line_count(way: str, tally: Tally) -> Iterator[Finding]:
    """What became of the lines, unless each is an example."""
    if tally.rows == tally.physical_lines:
        return
    made = {"paragraphs": "paragraph", "lines": "example", "whole": "piece"}[way]
    lines = count_words(tally.physical_lines, "line")
    yield Finding(
        level="note",
        title=f"{lines} make {count_words(tally.rows, made)}",
        detail=f"The file has {lines}, {tally.blank_lines:,} of them blank. No text is left out.",
        fix="Nothing to do.",
    )
