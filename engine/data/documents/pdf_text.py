"""From the lines of a PDF's pages to text: without page furniture, cut words and cut lines.

A PDF knows where letters stand and nothing of paragraphs. What repeats on most pages is a header or
a footer; a word with a hyphen at the end of a full line goes on in the next one, and so does a
sentence. Pure; `pdf` cleans every page with it.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from tailor.engine.data.documents.pieces import Paragraph

EDGE_LINES = 3
"""Lines at the top and at the bottom of a page among which headers and footers are looked for."""
REPEATED_SHARE = 0.5
PAGES_LEAST = 3
OPEN_CHARACTERS = 40
"""Letters from which a last line without an end is no heading but a sentence that goes on."""
FURNITURE_CHARACTERS = 100
NUMBERED_CHARACTERS = 30
"""Letters beside its numbers up to which a line that differs only in numbers is furniture: "Page 3"
is, a sentence with numbers is not."""
FURNITURE_SHARE_MOST = 0.3
"""Share of all letters from which repeated lines are the text itself, as in forms and drills."""
FULL_LINE_SHARE = 0.75
"""Share of the page's usual width from which a line goes on in the next one."""

_NUMBER = re.compile(r"\d+")
_CUT_WORD = re.compile(r"[^\W\d_]{2}[-‐\xad]$")
_SENTENCE_END = re.compile(r"[.!?:…。！？][\"'”’»)\]]*$")
_ITEM = re.compile(r"([•◦▪‣·*–—-]|\(?[0-9a-zA-Z]{1,3}[.)])\s")
_EAST_ASIAN = re.compile(r"[\u3000-\u30ff\u3400-\u9fff\uff00-\uffef]")
_SURROGATES = re.compile("[\ud800-\udfff]")
_PLAIN_LETTERS = str.maketrans(
    {chr(code): "" for code in range(32) if chr(code) not in "\t\n\r"}
    # One drawn letter for two; a model reads them as a strange sign.
    | {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "\xad": "-"}
)


@dataclass(frozen=True)
class Furniture:
    """What repeats at the edges of pages."""

    shapes: frozenset[str] = frozenset()
    depth: int = 0
    """How many lines from either edge may belong to it."""


@dataclass
class Mended:
    """What was done to the text so far."""

    cut_lines: Counter[str] = field(default_factory=Counter)
    """Headers and footers, as they stood."""
    joined_words: int = 0


def split_lines(text: str) -> list[str]:
    """The lines of a page with letters in them, as plain text."""
    whole = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    plain = _SURROGATES.sub("\ufffd", whole).translate(_PLAIN_LETTERS)
    return [line for part in re.split(r"\r\n?|\n", plain) if (line := part.strip())]


def find_furniture(pages: Sequence[tuple[int, Sequence[str]]]) -> Furniture:
    """Headers and footers by their shape: lines at the edges of most pages, numbers aside.

    `pages` are numbers and lines. Books have other headers on the left than on the right, so pages
    of either side are counted apart as well.
    """
    found: set[str] = set()
    for side in (pages, _side(pages, 0), _side(pages, 1)):
        if len(side) < PAGES_LEAST:
            continue
        seen = Counter(shape for _, lines in side for shape in set(map(_shape, _edges(lines))))
        found.update(shape for shape, times in seen.items() if times > REPEATED_SHARE * len(side))
    for depth in range(EDGE_LINES, 0, -1):
        furniture = Furniture(shapes=frozenset(found), depth=depth)
        if _leaves_text(pages, furniture):
            return furniture
    return Furniture()


def _leaves_text(pages: Sequence[tuple[int, Sequence[str]]], furniture: Furniture) -> bool:
    """Whether pages keep their text: a form or a drill repeats what is no furniture."""
    letters = cut_letters = 0
    for _, lines in pages:
        top, bottom = _measure(lines, furniture)
        if lines and top + bottom == len(lines):
            return False
        letters += sum(map(len, lines))
        cut_letters += sum(map(len, (*lines[:top], *lines[len(lines) - bottom :])))
    # One line at either edge may well be most of a short page.
    return furniture.depth == 1 or cut_letters <= FURNITURE_SHARE_MOST * letters


def mend_page(lines: Sequence[str], furniture: Furniture, mended: Mended) -> list[str]:
    """Paragraphs of a page."""
    top, bottom = _measure(lines, furniture)
    kept = lines[top : len(lines) - bottom]
    mended.cut_lines.update((*lines[:top], *lines[len(lines) - bottom :]))
    widths = sorted(map(len, kept))
    full = FULL_LINE_SHARE * widths[int(0.9 * (len(widths) - 1))] if widths else 0
    paragraphs: list[str] = []
    goes_on = False
    for line in kept:
        if goes_on and not _ITEM.match(line):
            paragraphs[-1] = _join(paragraphs[-1], line, mended)
        elif paragraphs and not _SENTENCE_END.search(paragraphs[-1]):
            paragraphs[-1] += "\n" + line
        else:
            paragraphs.append(line)
        goes_on = len(line) >= full or bool(_CUT_WORD.search(line))
    return paragraphs


def run_on(pages: Iterable[tuple[int, list[str]]], mended: Mended) -> Iterator[Paragraph]:
    """Paragraphs over all pages; one that a page's end has cut is put together again."""
    pending: Paragraph | None = None
    for number, paragraphs in pages:
        for place, text in enumerate(paragraphs):
            if pending is None:
                pending = Paragraph(text=text, first=number, last=number)
                continue
            if place == 0 and _is_cut(pending.text) and not _ITEM.match(text):
                joined = _join(pending.text, text, mended)
                pending = Paragraph(text=joined, first=pending.first, last=number)
                continue
            yield pending
            pending = Paragraph(text=text, first=number, last=number)
    if pending is not None:
        yield pending


def _is_cut(text: str) -> bool:
    """Whether a page ends in the middle of a sentence, and not with a heading or an item."""
    last_line = text.rpartition("\n")[2]
    is_open = not _SENTENCE_END.search(last_line) and not _ITEM.match(last_line)
    return is_open and len(last_line) >= OPEN_CHARACTERS


def _side(pages: Sequence[tuple[int, Sequence[str]]], rest: int) -> list[tuple[int, Sequence[str]]]:
    return [page for page in pages if page[0] % 2 == rest]


def _measure(lines: Sequence[str], furniture: Furniture) -> tuple[int, int]:
    """How many lines at the top and at the bottom are furniture, without a gap."""
    top = _count(lines[: furniture.depth], furniture)
    rest = lines[top:]
    return top, _count(rest[::-1][: furniture.depth], furniture)


def _count(edge: Sequence[str], furniture: Furniture) -> int:
    outer = (n for n, line in enumerate(edge) if _shape(line) not in furniture.shapes)
    return next(outer, len(edge))


def _edges(lines: Sequence[str]) -> Iterator[str]:
    """Lines that stand where headers and footers stand and are not too long for one."""
    for line in (*lines[:EDGE_LINES], *lines[-EDGE_LINES:]):
        if len(line) <= FURNITURE_CHARACTERS:
            yield line


def _shape(line: str) -> str:
    plain = " ".join(line.split()).casefold()
    shape = _NUMBER.sub("#", plain)
    is_sentence = len(shape.split()) > 3 and bool(_SENTENCE_END.search(shape))
    return plain if is_sentence or len(shape) > NUMBERED_CHARACTERS else shape


def _join(text: str, line: str, mended: Mended) -> str:
    if _CUT_WORD.search(text) and line[0].islower():
        mended.joined_words += 1
        return text[:-1] + line
    is_spaced = not (_EAST_ASIAN.match(text[-1]) or _EAST_ASIAN.match(line[0]))
    # A hyphen in front of a capital or a number belongs to the word.
    is_spaced = is_spaced and not _CUT_WORD.search(text)
    return f"{text} {line}" if is_spaced else text + line
