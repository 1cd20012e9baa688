"""Running text: what one example is, and that no text goes missing."""

import pytest

from tailor.engine.errors import UserError

LETTER = "Dear Ada,\nthank you.\n\nThe pump is mended.\n\n\nYours\n"


def test_blank_lines_part_a_text_into_paragraphs(read):
    found = read(LETTER, "letter.txt")
    assert found.cells == [["Dear Ada,\nthank you."], ["The pump is mended."], ["Yours"]]
    assert [(row.first_line, row.last_line) for row in found.rows] == [(1, 2), (4, 4), (7, 7)]
    assert found.report.columns == ("text",)
    assert found.report.entry_word == "line"
    assert found.report.physical_lines == 7


def test_without_blank_lines_every_line_is_an_example(read):
    found = read("The sun is up.\nThe birds sing, all of them.\nIt is early.\n", "lines.txt")
    assert len(found.rows) == 3
    (choice,) = [one for one in found.report.choices if one.id == "pieces"]
    assert choice.value == "lines"
    assert choice.why


def test_a_long_stretch_without_a_blank_line_is_read_by_lines(read):
    lines = [f"Line {number} tells of another day at the harbour." for number in range(3_000)]
    found = read("Diary of a keeper.\n\n" + "\n".join(lines), "diary.txt")
    assert len(found.rows) == 3_001


def test_lines_that_an_editor_has_wrapped_are_one_document(read):
    wrapped = "It was the best of harbours and the worst of harbours and the keeper\n" * 200
    found = read(wrapped + "went home.\n", "wrapped.txt")
    assert len(found.rows) < 10
    assert "".join(cell for (cell,) in found.cells).count("keeper") == 200


def test_the_person_decides_otherwise(read):
    by_line = read(LETTER, "letter.txt", {"pieces": "lines"})
    assert [cell for (cell,) in by_line.cells] == [
        "Dear Ada,", "thank you.", "The pump is mended.", "Yours",
    ]  # fmt: skip
    whole = read(LETTER, "letter.txt", {"pieces": "whole"})
    assert whole.cells == [["Dear Ada,\nthank you.\n\nThe pump is mended.\n\nYours"]]
    assert (whole.rows[0].first_line, whole.rows[0].last_line) == (1, 7)


def test_a_way_that_text_has_not_counts_as_none(read):
    assert len(read(LETTER, "letter.txt", {"pieces": "pages"}).rows) == 3


def test_pieces_of_one_document_end_at_paragraphs_and_lose_nothing(read):
    paragraphs = [f"Paragraph {number} " + "says a little more. " * 30 for number in range(40)]
    text = "\n\n".join(paragraph.strip() for paragraph in paragraphs)
    found = read(text, "book.txt", {"pieces": "whole"})
    pieces = [cell for (cell,) in found.cells]
    assert all(piece.startswith("Paragraph") and piece.endswith("more.") for piece in pieces)
    assert all(len(piece) <= 4_100 for piece in pieces)
    assert "\n\n".join(pieces) == text


@pytest.mark.parametrize(
    "sentence", ["The keeper lit the lamp again. ", "灯塔看守人又点亮了灯。", "withoutanyspace"]
)
def test_a_paragraph_longer_than_a_piece_is_cut_without_losing_a_letter(read, sentence):
    text = "First line.\n" + (sentence * 2_000).strip()
    found = read(text, "long.txt", {"pieces": "whole"})
    assert len(found.rows) > 5
    joined = "".join("".join(cell for (cell,) in found.cells).split())
    assert joined == "".join(text.split())


def test_a_heading_stays_with_its_text_and_a_program_in_one_piece(read):
    text = (
        "# Manual\n\n## Pumps\n\nA pump moves water.\n\n"
        "Title\n=====\n\nBelow it.\n\n```\na = 1\n\nb = 2\n```\n\nEnd.\n"
    )
    assert [cell for (cell,) in read(text, "manual.md").cells] == [
        "# Manual\n\n## Pumps\n\nA pump moves water.",
        "Title\n=====\n\nBelow it.",
        "```\na = 1\n\nb = 2\n```",
        "End.",
    ]
    assert read(text, "manual.md").report.kind == "Markdown"


def test_a_program_that_never_ends_does_not_swallow_the_text(read):
    text = "```\n" + "A line of prose here.\n\n" * 20_000
    assert len(read(text, "open.md").rows) > 10_000


def test_properties_in_front_of_markdown_are_left_aside(read):
    found = read("---\ntitle: Pumps\ntags: [a]\n---\n\nA pump moves water.\n\nEnd.\n", "a.md")
    assert [cell for (cell,) in found.cells] == ["A pump moves water.", "End."]


def test_letters_of_other_code_pages_are_asked_about(read):
    found = read("Größe und Maß.\n\nÜber alles.\n".encode("cp1252"), "brief.txt")
    assert found.cells[0] == ["Größe und Maß."]
    assert "encoding" in [choice.id for choice in found.report.choices]


def test_what_becomes_of_the_lines_is_told(read):
    titles = [finding.title for finding in read(LETTER, "letter.txt").report.findings]
    assert "7 lines make 3 paragraphs" in titles
    assert "Running text teaches words and style" in titles


def test_a_paragraph_without_end_is_refused(read):
    with pytest.raises(UserError, match="too long"):
        read("Hello.\n\n" + "x y. " * 2_000_000, "endless.txt", {"pieces": "paragraphs"})
