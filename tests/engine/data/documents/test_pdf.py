"""PDF files: text by pages without their furniture; scans, locks and traps refused in words."""

import io

import pytest
from pypdf import PdfReader, PdfWriter

from tailor.engine.errors import UserError

BODY = [
    "The manual of pumps explains how a pump is chosen and how it is main-",
    "tained over the years. It was written by the people who repair them",
    "every day.",
    "A second paragraph follows here and goes on until the line is full of",
    "words.",
]


def book(pages: int) -> list[list[str]]:
    return [
        [
            "Pump manual",
            f"Chapter {number} tells of pump {number}.",
            *BODY,
            f"- a bolt for pump {'abcdefgh'[number]}",
            f"- a nut for pump {'abcdefgh'[number]}",
            f"Page {number} of {pages}",
        ]
        for number in range(1, pages + 1)
    ]


def texts(found) -> list[str]:
    return [cell for (cell,) in found.cells]


def test_a_pdf_is_read_page_by_page(read, pdf):
    found = read(pdf([["First page, with some words."], ["Second page, with others."]]), "a.pdf")
    assert texts(found) == ["First page, with some words.", "Second page, with others."]
    assert [row.first_line for row in found.rows] == [1, 2]
    assert found.report.entry_word == "page"
    assert found.report.kind == "PDF"


def test_headers_and_footers_are_cut_and_lines_put_together(read, pdf):
    found = read(pdf(book(5)), "manual.pdf")
    assert texts(found)[2] == (
        "Chapter 3 tells of pump 3.\n\n"
        "The manual of pumps explains how a pump is chosen and how it is maintained over the "
        "years. It was written by the people who repair them every day.\n\n"
        "A second paragraph follows here and goes on until the line is full of words.\n\n"
        "- a bolt for pump d\n- a nut for pump d"
    )
    titles = [finding.title for finding in found.report.findings]
    assert "10 header or footer lines cut away" in titles
    assert "5 words put together again" in titles


def test_left_and_right_pages_may_have_headers_of_their_own(read, pdf):
    pages = [
        [("The book" if number % 2 else f"Chapter {number}"), f"Text {'abcdefghij'[number]}. " * 9]
        for number in range(10)
    ]
    assert not any("The book" in text for text in texts(read(pdf(pages), "book.pdf")))


def test_a_form_that_repeats_its_text_keeps_it(read, pdf):
    found = read(pdf([["I agree to everything."]] * 4), "form.pdf")
    assert texts(found) == ["I agree to everything."] * 4


def test_a_sentence_over_two_pages_is_one_paragraph(read, pdf):
    pages = [["It was late when the old keeper of the harbour"], ["went up to light the lamp."]]
    found = read(pdf(pages), "tale.pdf", {"pieces": "paragraphs"})
    assert texts(found) == [
        "It was late when the old keeper of the harbour went up to light the lamp."
    ]
    assert (found.rows[0].first_line, found.rows[0].last_line) == (1, 2)


def test_the_text_is_shown_before_anybody_trusts_it(read, pdf):
    finding = next(one for one in read(pdf(book(4)), "a.pdf").report.findings if one.examples)
    assert "Pump manual" in finding.examples[0]


def test_a_long_document_is_read_whole(read, pdf):
    pages = [
        ["Header", f"Page {'x' * (number % 7)}{number} says something.", "Text."]
        for number in range(200)
    ]
    found = read(pdf(pages), "long.pdf")
    assert len(found.rows) == 200
    assert "Page 0 says" in texts(found)[0]


@pytest.mark.parametrize("lines", [[], ["Scanned by machine"]])
def test_a_scan_is_refused_with_the_way_out(read, pdf, lines):
    with pytest.raises(UserError, match=r"looks scanned.*\(OCR\)"):
        read(pdf([lines] * 3, has_pictures=True), "scan.pdf")


def test_a_few_scanned_pages_are_told(read, pdf):
    pages = [[f"Page {n} " + "has words. " * 30] for n in range(9)] + [["Stamp"]]
    found = read(pdf(pages, has_pictures=True), "mixed.pdf")
    assert "Some pages look scanned" in [one.title for one in found.report.findings]


def test_short_pages_without_pictures_are_no_scan(read, pdf):
    assert len(read(pdf([["A slide."], ["Another."], ["The end."]]), "slides.pdf").rows) == 3


@pytest.mark.parametrize("password", ["", "secret"])
def test_a_locked_pdf_is_refused(read, pdf, password):
    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(pdf([["Locked text."]]))))
    writer.encrypt(user_password=password, owner_password="owner", algorithm="RC4-128")
    locked = io.BytesIO()
    writer.write(locked)
    with pytest.raises(UserError, match="locked"):
        read(locked.getvalue(), "locked.pdf")


def test_a_page_that_unpacks_without_end_is_left_aside_and_told(read, pdf):
    bomb = b"BT /F1 12 Tf (x) Tj ET " + b" " * 60_000_000
    found = read(pdf([["A good page of text."], bomb]), "bomb.pdf")
    assert texts(found) == ["A good page of text."]
    assert "1 page could not be read" in [one.title for one in found.report.findings]


def test_a_file_of_such_pages_is_refused(read, pdf):
    with pytest.raises(UserError, match="cannot be read"):
        read(pdf([b" " * 60_000_000]), "bomb.pdf")
    with pytest.raises(UserError, match="cannot be read"):
        read(pdf([b"BT /F1 12 Tf (x) Tj ET\n" * 60_000]), "steps.pdf")


def test_garbled_letters_are_refused(read, pdf):
    garbled = "".join(map(chr, range(0x7F, 0x80))) * 300
    with pytest.raises(UserError, match="letters of this PDF"):
        read(pdf([[garbled]]), "odd.pdf")


def test_a_damaged_pdf_is_told_in_words(read, pdf):
    whole = pdf(book(3))
    broken = [b"%PDF-1.7\n", b"%PDF-1.7\n" + bytes(1_000), whole[:200], whole[: len(whole) // 2]]
    loop = whole.replace(b"/Kids [5 0 R", b"/Kids [2 0 R")
    for content in (*broken, loop):
        with pytest.raises(UserError):
            read(content, "damaged.pdf")
