"""Word files: what a reader of the document sees, in its order, and nothing that was taken out."""

import io
import zipfile

import pytest

from tailor.engine.errors import UserError

STYLES = (
    '<w:style w:styleId="berschrift1"><w:name w:val="heading 1"/></w:style>'
    '<w:style w:styleId="Liste"><w:name w:val="List Bullet"/><w:pPr><w:numPr/></w:pPr></w:style>'
)
HEADING = '<w:pStyle w:val="berschrift1"/>'


def texts(found) -> list[str]:
    return [cell for (cell,) in found.cells]


def test_paragraphs_and_tables_come_in_their_order(read, word, say, table):
    body = say("Before.") + table([["bolt", "3"], ["nut", "4"]]) + say("After.")
    found = read(word(body), "parts.docx")
    assert texts(found) == ["Before.", "bolt | 3\nnut | 4", "After."]
    assert [row.first_line for row in found.rows] == [1, 2, 3]
    assert found.report.entry_word == "paragraph"
    assert found.report.kind == "Word"


def test_a_heading_in_any_language_stays_with_its_text(read, word, say):
    body = say("Pumpen", HEADING) + say("Eine Pumpe bewegt Wasser.") + say("Ende.")
    found = read(word(body, STYLES), "handbuch.docx")
    assert texts(found) == ["Pumpen\n\nEine Pumpe bewegt Wasser.", "Ende."]


def test_the_items_of_a_list_are_one_paragraph(read, word, say):
    item = '<w:pStyle w:val="Liste"/>'
    body = say("You need:") + say("a bolt", item) + say("a nut", "<w:numPr/>") + say("Done.")
    assert texts(read(word(body, STYLES))) == ["You need:", "- a bolt\n- a nut", "Done."]


def test_inserted_text_is_read_and_deleted_text_is_not(read, word):
    body = (
        "<w:p><w:r><w:t>The pump </w:t></w:r>"
        "<w:ins><w:r><w:t>really </w:t></w:r></w:ins>"
        "<w:del><w:r><w:delText>never </w:delText></w:r></w:del>"
        "<w:moveFrom><w:r><w:t>yesterday </w:t></w:r></w:moveFrom>"
        "<w:r><w:t>works.</w:t></w:r><w:r><w:commentReference/></w:r></w:p>"
    )
    assert texts(read(word(body))) == ["The pump really works."]


def test_forms_boxes_links_breaks_and_formulas_are_read_once(read, word, say):
    box = say("In a box.")
    body = (
        f"<w:sdt><w:sdtContent>{say('In a form.')}</w:sdtContent></w:sdt>"
        "<w:p><w:r><mc:AlternateContent><mc:Choice><w:txbxContent>"
        f"{box}</w:txbxContent></mc:Choice><mc:Fallback>{box}</mc:Fallback>"
        "</mc:AlternateContent></w:r></w:p>"
        "<w:p><w:hyperlink><w:r><w:t>A link</w:t></w:r></w:hyperlink><w:r><w:br/></w:r>"
        "<w:r><w:t>a</w:t><w:tab/><w:noBreakHyphen/><w:t>b</w:t></w:r>"
        "<m:oMath><m:r><m:t>x=1</m:t></m:r></m:oMath>"
        "<w:r><w:instrText>PAGE 1</w:instrText></w:r></w:p>"
    )
    assert texts(read(word(body))) == ["In a form.", "In a box.", "A link\na\t-bx=1"]


def test_a_strict_document_is_read_as_well(read, word, say):
    space = "http://purl.oclc.org/ooxml/wordprocessingml/main"
    assert texts(read(word(say("Strict."), space=space))) == ["Strict."]


def test_a_table_of_questions_and_answers_is_read_as_rows(read, word, say, table):
    rows = [["Question", "Answer"], *([f"Why {n}?", f"Because of {n}."] for n in range(5))]
    found = read(word(say("Our answers") + table(rows)), "faq.docx")
    assert found.report.columns == ("Question", "Answer")
    assert found.cells[0] == ["Why 0?", "Because of 0."]
    assert len(found.rows) == 5
    assert (found.rows[0].part, found.rows[0].first_line) == ("table 1", 2)
    assert found.report.entry_word == "row"
    titles = [finding.title for finding in found.report.findings]
    assert "Text outside the table is not read" in titles


def test_a_table_that_pages_cut_into_several_is_one(read, word, table):
    parts = [[["Question", "Answer"], [f"q{n}", f"a{n}"], [f"r{n}", f"b{n}"]] for n in range(3)]
    found = read(word("".join(map(table, parts))), "faq.docx")
    assert [cells[0] for cells in found.cells] == ["q0", "r0", "q1", "r1", "q2", "r2"]


def test_a_small_table_in_a_long_text_is_offered_and_not_taken(read, word, say, table):
    rows = [["Part", "Price"], ["bolt", "3"], ["nut", "4"], ["pin", "5"]]
    body = say("A long tale of pumps. " * 20) + table(rows)
    found = read(word(body), "tale.docx")
    assert len(found.rows) == 2
    (choice,) = found.report.choices
    assert [value for value, _ in choice.options] == ["table", "paragraphs", "whole"]
    as_table = read(word(body), "tale.docx", {"pieces": "table"})
    assert as_table.cells == rows[1:]


def test_merged_cells_and_ragged_rows_are_seen(read, word, say):
    def cell(text: str, properties: str = "") -> str:
        return f"<w:tc><w:tcPr>{properties}</w:tcPr>{say(text)}</w:tc>"

    rows = [
        cell("Part") + cell("Price") + cell("Note"),
        cell("bolt", '<w:vMerge w:val="restart"/>') + cell("3") + cell("small"),
        cell("", "<w:vMerge/>") + cell("4") + cell("large"),
        cell("both", '<w:gridSpan w:val="2"/>') + cell("same"),
        cell("lost") + cell("cell"),
    ]
    body = "<w:tbl>" + "".join(f"<w:tr>{row}</w:tr>" for row in rows) + "</w:tbl>"
    found = read(word(body), "merged.docx")
    assert found.cells == [
        ["bolt", "3", "small"], ["bolt", "4", "large"], ["both", "", "same"], ["lost", "cell", ""],
    ]  # fmt: skip
    assert [bool(row.damage) for row in found.rows] == [False, False, False, True]


def test_a_document_without_letters_is_refused(read, word, say):
    with pytest.raises(UserError, match="no text"):
        read(word(say("  ") + "<w:p/>"), "empty.docx")


def test_entities_are_refused_before_any_of_them_grows(read, word, say):
    lines = ['<!ENTITY a0 "ha">'] + [f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 12)]
    head = f"<!DOCTYPE w [{''.join(lines)}]>"
    with pytest.raises(UserError, match="declares entities"):
        read(word(say("&a11;"), head=head), "bomb.docx")


def test_entities_in_the_styles_are_refused_too(read, word, say):
    packed = io.BytesIO(word(say("Hello.")))
    with zipfile.ZipFile(packed, "a") as archive:
        archive.writestr("word/styles.xml", '<!DOCTYPE w [<!ENTITY a "ha">]><w/>')
    with pytest.raises(UserError, match="declares entities"):
        read(packed.getvalue(), "bomb.docx")


@pytest.mark.parametrize("body", ["<w:p>", "</w:p>", "<w:p w:x=></w:p>", "\x00", "&nbsp;"])
def test_garbled_xml_is_told_in_words(read, word, body):
    with pytest.raises(UserError, match="damaged"):
        read(word(body), "garbled.docx")


def test_a_cut_off_file_is_told_in_words(read, word, say):
    whole = word("".join(say(f"Paragraph {n}.") for n in range(500)))
    for share in (0.1, 0.5, 0.9, 0.99):
        with pytest.raises(UserError):
            read(whole[: int(len(whole) * share)], "cut.docx")


def test_tags_without_end_and_rows_without_end_are_refused(read, word):
    with pytest.raises(UserError):
        read(word("<!--" + "pump " * 8_000_000 + "-->"), "comment.docx")
    with pytest.raises(UserError):
        read(word("<w:tbl><w:tr>" + "<w:tc></w:tc>" * 200_000 + "</w:tr></w:tbl>"), "wide.docx")
