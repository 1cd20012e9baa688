"""An archive of files as one table: what is ticked, what is joined, what stays aside and is told."""

import pytest

from tailor.engine.errors import UserError

TRAIN = "question,answer\nWhat is up?,the sky\nWhat is down?,the ground\n"
TEST = "answer,question\nthe sea,What is wide?\n"


def choice(found, name="members"):
    return next(one for one in found.report.choices if one.id == name)


def titles(found) -> list[str]:
    return [finding.title for finding in found.report.findings]


def test_the_one_table_in_an_archive_is_read(read, pack):
    found = read(pack({"data/rows.csv": TRAIN}), "rows.zip")
    assert found.cells == [["What is up?", "the sky"], ["What is down?", "the ground"]]
    assert (found.rows[0].part, found.rows[0].first_line) == ("data/rows.csv", 2)
    assert choice(found).value == "data/rows.csv"
    assert choice(found).takes_many


def test_tables_with_the_same_columns_are_one_in_the_order_of_the_first(read, pack):
    found = read(pack({"train.csv": TRAIN, "test.csv": TEST}), "rows.zip")
    assert found.cells[-1] == ["What is wide?", "the sea"]
    assert [row.part for row in found.rows] == ["train.csv", "train.csv", "test.csv"]
    assert choice(found).value == "train.csv\ntest.csv"
    assert found.report.rows == 3
    assert found.report.physical_lines == 5


def test_of_different_tables_the_largest_is_read_and_the_choice_says_so(read, pack):
    files = {"small.csv": "name,age\nAda,36\n", "large.csv": TRAIN, "notes.txt": "Hello there."}
    found = read(pack(files), "rows.zip")
    assert {row.part for row in found.rows} == {"large.csv"}
    assert "different columns" in choice(found).why
    assert {value for value, _ in choice(found).options} == set(files)
    assert "2 more files can be read" in titles(found)


def test_the_person_ticks_other_files(read, pack):
    content = pack({"small.csv": "name,age\nAda,36\n", "large.csv": TRAIN})
    assert read(content, "rows.zip", {"members": "small.csv"}).cells == [["Ada", "36"]]
    with pytest.raises(UserError, match="same columns"):
        read(content, "rows.zip", {"members": "small.csv\nlarge.csv"})


def test_names_that_are_not_there_tick_nothing(read, pack):
    assert len(read(pack({"rows.csv": TRAIN}), "rows.zip", {"members": "gone.csv"}).rows) == 2


def test_what_nobody_means_is_not_ticked(read, pack):
    files = {
        "__MACOSX/._rows.csv": b"\x00\x05\x16\x07junk",
        ".DS_Store": b"\x00\x01",
        ".hidden/rows.csv": TRAIN,
        "README.md": "# About\n\n" + "These rows were collected long ago. " * 40,
        "dataset_info.json": '[{"question": "a", "answer": "b"}]',
        "empty.csv": "",
        "rows.csv": TRAIN,
    }
    found = read(pack(files), "rows.zip")
    assert {row.part for row in found.rows} == {"rows.csv"}
    told = next(one for one in found.report.findings if "not opened" in one.title)
    assert "3 hidden files" in told.detail
    assert "1 empty file" in told.detail
    assert "README.md" in [value for value, _ in choice(found).options]


def test_a_readme_alone_is_text_like_any_other(read, pack):
    assert read(pack({"README.md": "# A\n\nText.\n\nMore.\n"})).cells == [
        ["# A\n\nText."],
        ["More."],
    ]


def test_many_documents_are_one_set_and_each_stays_on_one_side_of_the_split(read, pack):
    letters = {
        f"letters/{n}.txt": f"Letter {n} tells of the sea.\n\nIt was calm.\n\nYours, {n}.\n"
        for n in range(30)
    }
    found = read(pack(letters), "letters.zip")
    assert len(found.rows) == 90
    assert found.report.columns == ("text", "document id")
    assert found.cells[1] == ["It was calm.", "letters/0.txt"]
    assert (found.rows[1].part, found.rows[1].first_line) == ("letters/0.txt", 3)
    best = found.report.guesses[0].mapping
    assert (best.shape, best.text, best.group) == ("text", "text", "document id")
    # One remark for all files, not thirty.
    assert len(found.report.findings) <= 3


def test_documents_of_different_kinds_are_joined(read, pack):
    word = pack(
        {
            "word/document.xml": '<w:document xmlns:w="http://schemas.openxmlformats.org/'
            'wordprocessingml/2006/main"><w:body><w:p><w:r><w:t>From Word.</w:t></w:r></w:p>'
            "</w:body></w:document>",
        }
    )
    found = read(pack({"a.txt": "One.\n\nTwo.\n", "b.docx": word}), "both.zip")
    assert [cells[0] for cells in found.cells] == ["One.", "Two.", "From Word."]
    assert found.report.entry_word == "piece"
    assert [(row.part, row.first_line) for row in found.rows] == [
        ("a.txt", 1), ("a.txt", 2), ("b.docx", 1),
    ]  # fmt: skip


def test_how_text_is_cut_is_found_for_each_file_and_chosen_for_all(read, pack):
    content = pack({"a.txt": "One.\n\nTwo.\n", "b.txt": "It rains.\nIt pours.\nIt stops.\n"})
    found = read(content, "both.zip")
    assert len(found.rows) == 5
    assert choice(found, "pieces").value == "each"
    assert {value for value, _ in choice(found, "pieces").options} >= {
        "lines",
        "paragraphs",
        "whole",
    }
    assert len(read(content, "both.zip", {"pieces": "each"}).rows) == 5
    assert len(read(content, "both.zip", {"pieces": "whole"}).rows) == 2


def test_damaged_rows_of_a_member_are_counted_once(read, pack):
    found = read(pack({"a.csv": TRAIN + "only one\n", "b.csv": TRAIN}), "rows.zip")
    assert found.report.damaged == 1
    assert found.report.rows == 5


def test_an_archive_in_an_archive_is_not_opened(read, pack):
    inner = pack({"rows.csv": TRAIN})
    with pytest.raises(UserError, match="1 packed file"):
        read(pack({"inner.zip": inner}), "outer.zip")
    with pytest.raises(UserError, match="1 packed file"):
        read(pack({"rows.csv": inner}), "outer.zip")
    found = read(pack({"inner.zip": inner, "rows.csv": TRAIN}), "outer.zip")
    assert {row.part for row in found.rows} == {"rows.csv"}


def test_links_are_never_followed(read, pack):
    with pytest.raises(UserError, match="1 link"):
        read(pack({}, {"rows.csv": "/etc/passwd"}), "links.zip")
    found = read(pack({"rows.csv": TRAIN}, {"more.csv": "../../rows.csv"}), "links.zip")
    assert {row.part for row in found.rows} == {"rows.csv"}


def test_an_empty_archive_and_one_of_programs_are_refused_in_words(read, pack):
    with pytest.raises(UserError, match="nothing to read"):
        read(pack({"folder/": ""}), "empty.zip")
    with pytest.raises(UserError, match="program"):
        read(pack({"setup.exe": b"MZ\x90\x00" + bytes(100)}), "program.zip")
    with pytest.raises(UserError, match="2 files that cannot be read"):
        read(pack({"a.bin": bytes(50), "b.bin": bytes(50)}), "bins.zip")


def test_an_archive_is_read_by_the_child_and_a_trap_is_told_in_words(shelf, pack):
    assert shelf.add(pack({"rows.csv": TRAIN * 20}), "rows.zip").status == "ready"
    failed = shelf.add(pack({"rows.csv": bytes(20_000_000)}), "trap.zip")
    assert failed.status == "failed"
    assert "unpacks to something far larger" in failed.problem.title
