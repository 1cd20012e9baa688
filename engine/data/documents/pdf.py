"""PDF files with text in them: page by page, as text that a person can check before it is used.

Letters of a PDF can be pictures, locked, or signs without meaning; each of these would train a
model on nothing, so each is refused with the way out. `read` opens a file here that is a PDF by its
content.
"""

from collections.abc import Generator, Iterable, Iterator
from collections.abc import Mapping as Lookup
from dataclasses import dataclass
from typing import BinaryIO

from tailor.engine.data.counted import LISTED, count_words, list_places
from tailor.engine.data.documents.pdf_pages import PdfPages, open_pages
from tailor.engine.data.documents.pdf_text import Mended, find_furniture, mend_page, run_on
from tailor.engine.data.documents.pieces import (
    COLUMNS,
    WHOLE,
    Paragraph,
    choose_pieces,
    cut_pieces,
    note_on_learning,
)
from tailor.engine.data.read_row import ReadRow, Tally
from tailor.engine.data.table import Table
from tailor.engine.data_types import ReadChoice
from tailor.engine.errors import UserError
from tailor.engine.findings import Finding

SAMPLE_PAGES = 60
UNREADABLE_PAGES = 3
"""When so many pages cannot be read and none before them could, the others are not tried."""
SCANNED_CHARACTERS = 200
"""A page with a picture and fewer letters than this is taken for a scan."""
SCANNED_SHARE = 0.3
GARBLED_SHARE = 0.2
SHOWN_CHARACTERS = 300


@dataclass(frozen=True)
class _Sample:
    """Pages that were looked at first: all of a short document, pairs spread over a long one."""

    pages: tuple[tuple[int, list[str]], ...]
    scanned: tuple[int, ...]

    @property
    def text(self) -> str:
        """All letters of these pages."""
        return "\n".join(line for _, lines in self.pages for line in lines)


def open_pdf(file: BinaryIO, name: str, choices: Lookup[str, str]) -> Table:
    """Open a PDF that has a text layer; `name` is only told when it has none."""
    pages = open_pages(file)
    sample = _look(pages)
    _check_text(sample, pages, name)
    furniture = find_furniture(sample.pages)
    choice = _choose(len(pages), choices)
    tally, mended, done = Tally(), Mended(), [0]

    def texts() -> Iterator[tuple[int, list[str]]]:
        known = dict(sample.pages)
        for number in range(1, len(pages) + 1):
            lines = known[number] if number in known else pages.lines(number)
            done[0] = number
            tally.physical_lines += 1
            tally.blank_lines += not lines
            yield number, mend_page(lines, furniture, mended)

    def rows() -> Generator[ReadRow, None, None]:
        parts = _whole_pages(texts()) if choice.value == "pages" else run_on(texts(), mended)
        yield from cut_pieces(parts, tally, is_whole=choice.value == WHOLE[0])

    def findings() -> Iterator[Finding]:
        yield _about_text(sample)
        yield from _about_mending(mended)
        yield from _about_pages(pages, sample, tally)
        yield note_on_learning()

    return Table(
        kind="PDF",
        words=f"Text of a PDF, {count_words(len(pages), 'page')}",
        columns=COLUMNS,
        rows=rows(),
        tally=tally,
        entry_word="page",
        findings=findings,
        choices=(choice,),
        done=lambda: done[0] / len(pages),
    )


def _whole_pages(pages: Iterable[tuple[int, list[str]]]) -> Iterator[Paragraph]:
    for number, paragraphs in pages:
        if paragraphs:
            yield Paragraph(text="\n\n".join(paragraphs), first=number, last=number)


def _look(pages: PdfPages) -> _Sample:
    looked_at: list[tuple[int, list[str]]] = []
    for number in _choose_sample(len(pages)):
        looked_at.append((number, pages.lines(number)))
        if len(looked_at) == len(pages.unreadable) == UNREADABLE_PAGES:
            break
    scanned = tuple(
        number
        for number, lines in looked_at
        if sum(map(len, lines)) < SCANNED_CHARACTERS and pages.has_picture(number)
    )
    return _Sample(pages=tuple(looked_at), scanned=scanned)


def _choose_sample(pages: int) -> Iterable[int]:
    """All pages of a short document; pairs over a long one, so that both sides are seen."""
    if pages <= SAMPLE_PAGES:
        return range(1, pages + 1)
    pairs = SAMPLE_PAGES // 2
    starts = [1 + place * (pages - 2) // (pairs - 1) for place in range(pairs)]
    return sorted({page for start in starts for page in (start, start + 1)})


def _check_text(sample: _Sample, pages: PdfPages, name: str) -> None:
    looked_at = len(sample.pages)
    if pages.unreadable and len(pages.unreadable) == looked_at:
        raise UserError(
            title="This PDF cannot be read",
            detail=f"Pages tried: {looked_at:,}. Pages read: none. They are damaged, or unpack to "
            "far more than a page of text.",
            fix="Open it and save it as a new PDF (Print, Save as PDF), then drop that file.",
        )
    text = sample.text
    if not text or len(sample.scanned) > SCANNED_SHARE * looked_at:
        number = len(sample.scanned) if text else looked_at
        raise UserError(
            title="This looks scanned",
            detail=f"{number:,} of {looked_at:,} pages of “{name[:80]}” are pictures of text, or "
            "have no letters at all.",
            fix="Have the text recognised (OCR) in your scanning program, check it, and drop the "
            "new PDF.",
        )
    odd = sum(not letter.isprintable() or letter == "\ufffd" for letter in text if letter != "\n")
    if odd > GARBLED_SHARE * len(text):
        raise UserError(
            title="The letters of this PDF cannot be told",
            detail=f"{odd / len(text):.0%} of its letters are signs without a meaning; the file "
            "draws them, but does not say what they are.",
            fix="Export the text from the program it came from, or have it recognised (OCR).",
        )


def _choose(pages: int, choices: Lookup[str, str]) -> ReadChoice:
    ways = (
        ("pages", f"Each page ({pages:,})"),
        ("paragraphs", "Each paragraph, as far as they can be told"),
        WHOLE,
    )
    why = "Where paragraphs end is a guess in a PDF; where pages end is certain."
    return choose_pieces(choices, ways, "pages", why)


def _about_text(sample: _Sample) -> Finding:
    shown = tuple(" ".join(lines)[:SHOWN_CHARACTERS] for _, lines in sample.pages if lines)[:3]
    return Finding(
        level="note",
        title="Look at the text of this PDF",
        detail="A PDF does not keep the order in which text is read. Columns, tables and formulas "
        "may come out mixed up.",
        fix="If the text below reads wrongly, drop the document in the form it was written in.",
        examples=shown,
    )


def _about_mending(mended: Mended) -> Iterator[Finding]:
    if mended.cut_lines:
        times = mended.cut_lines.total()
        yield Finding(
            level="note",
            title=f"{count_words(times, 'header or footer line')} cut away",
            detail=f"Lines at the edge of most pages, such as “{next(iter(mended.cut_lines))}”, "
            "say nothing about the text.",
            fix="Nothing to do.",
            examples=tuple(line[:SHOWN_CHARACTERS] for line in list(mended.cut_lines)[:3]),
        )
    if mended.joined_words:
        words = count_words(mended.joined_words, "word")
        yield Finding(
            level="note",
            title=f"{words} put together again",
            detail=f"{words} were cut with a hyphen at the end of a line.",
            fix="Nothing to do.",
        )


def _about_pages(pages: PdfPages, sample: _Sample, tally: Tally) -> Iterator[Finding]:
    if pages.unreadable:
        numbers = sorted(pages.unreadable)
        yield Finding(
            level="warn",
            title=f"{count_words(len(numbers), 'page')} could not be read",
            detail="They are damaged or unpack to far more than a page of text. The others were "
            "read.",
            fix="Save the document as a new PDF (Print, Save as PDF) if these pages matter.",
            where="page " + list_places(list(map(str, numbers[:LISTED])), len(numbers)),
        )
    if sample.scanned:
        yield Finding(
            level="warn",
            title="Some pages look scanned",
            detail=f"{len(sample.scanned):,} of {len(sample.pages):,} pages that were looked at "
            "have a picture and hardly any letters.",
            fix="Have the text recognised (OCR) if these pages matter.",
            where="page " + list_places(list(map(str, sample.scanned)), len(sample.scanned)),
        )
    blank = tally.blank_lines - len(pages.unreadable)
    if blank > 0:
        yield Finding(
            level="note",
            title=f"{count_words(blank, 'page')} without text",
            detail=f"Of {count_words(tally.physical_lines, 'page')}, {blank:,} have no letters.",
            fix="Nothing to do.",
        )
