"""Lines of text put together into paragraphs, with what Markdown wants kept together.

A heading says nothing without its text and a program stays whole over its blank lines, so neither
is parted. `prose` counts a text with `survey_lines` before it reads it.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain

from tailor.engine.data.documents.pieces import Paragraph
from tailor.engine.data.read_row import Tally

PROPERTY_LINES_MOST = 100
"""How far down the block of properties at the start of a Markdown file is looked for."""
PROGRAM_CHARACTERS = 100_000
"""A listing that never ends is none: whoever wrote ``` once must not lose all paragraphs."""
WRAPPED_CHARACTERS = range(50, 101)

_HEADING = re.compile(r"#{1,6}\s+\S.*")
_UNDERLINE = re.compile(r"=+|-+")
_PROGRAM_MARK = "```"
_PROPERTIES_MARK = "---"
_SENTENCE_ENDS = tuple('.!?…:"”’»)。！？')


@dataclass
class Seen:
    """What one pass over all lines has counted."""

    written_lines: int = 0
    paragraphs: int = 0
    longest_paragraph: int = 0
    wrapped_lines: int = 0
    """Lines as wide as editors make them that do not end a sentence."""
    properties: int = 0
    """Lines of properties in front of the text."""

    @property
    def has_paragraphs(self) -> bool:
        """Whether any blank line parts the text."""
        return self.paragraphs > 1


def survey_lines(lines: Iterator[str]) -> Seen:
    """Count everything once."""
    seen = Seen()
    first: list[str] = []
    for line in lines:
        first.append(line.rstrip())
        if first[0] != _PROPERTIES_MARK or len(first) > PROPERTY_LINES_MOST:
            break
        if len(first) > 1 and first[-1] == _PROPERTIES_MARK:
            seen.properties = len(first)
            break
    for paragraph in read_paragraphs(_watched(first, lines, seen), seen.properties, Tally()):
        seen.paragraphs += 1
        seen.longest_paragraph = max(seen.longest_paragraph, len(paragraph.text))
    return seen


def read_lines(lines: Iterable[str], properties: int, tally: Tally) -> Iterator[Paragraph]:
    """Each line with text in it."""
    for number, line in enumerate(lines, start=1):
        tally.physical_lines += 1
        text = line.strip()
        if not text:
            tally.blank_lines += 1
        elif number > properties:
            yield Paragraph(text=text, first=number, last=number)


def read_paragraphs(lines: Iterable[str], properties: int, tally: Tally) -> Iterator[Paragraph]:
    """What stands between blank lines; a heading goes with the paragraph under it."""
    taken: list[str] = []
    first = last = length = 0
    is_program = False
    for number, line in enumerate(lines, start=1):
        tally.physical_lines += 1
        text = line.rstrip()
        tally.blank_lines += not text
        if number <= properties:
            continue
        if not text and not (taken and is_program):
            if taken and not _is_heading(taken):
                yield Paragraph(text="\n".join(taken), first=first, last=last)
                taken, length = [], 0
            elif taken and taken[-1]:
                taken.append("")
            continue
        if not taken:
            first = number
        taken.append(text)
        last, length = number, length + len(text)
        if text.lstrip().startswith(_PROGRAM_MARK):
            is_program = not is_program
        is_program = is_program and length <= PROGRAM_CHARACTERS
    if taken:
        yield Paragraph(text="\n".join(taken).rstrip(), first=first, last=last)


def _watched(first: list[str], lines: Iterator[str], seen: Seen) -> Iterator[str]:
    yield from first[: seen.properties]
    for line in chain(first[seen.properties :], lines):
        yield _seen(line, seen)


def _seen(line: str, seen: Seen) -> str:
    text = line.strip()
    if text:
        seen.written_lines += 1
        is_wide = len(text) in WRAPPED_CHARACTERS
        seen.wrapped_lines += is_wide and not text.endswith(_SENTENCE_ENDS)
    return line


def _is_heading(taken: list[str]) -> bool:
    """Whether only headings were taken so far."""
    written = [line for line in taken if line]
    if len(written) == 2 and _UNDERLINE.fullmatch(written[1]):
        return True
    return all(_HEADING.fullmatch(line) for line in written)
