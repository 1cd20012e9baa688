"""Pictures and the table that names them: found inside the archive alone, every miss told by row."""

import json

import pytest

from tailor.engine.errors import UserError

PNG = b"\x89PNG\r\n\x1a\n" + bytes(24)
JPEG = b"\xff\xd8\xff\xe0" + bytes(24)
PICTURES = {"photos/cat.png": PNG, "photos/dog.jpg": JPEG}


def table(*cells: str, heading: str = "photo") -> str:
    rows = [f'"{cell.replace(chr(34), chr(34) * 2)}",What is it?,An animal' for cell in cells]
    return "\n".join([f"{heading},question,answer", *rows]) + "\n"


def titles(found) -> list[str]:
    return [finding.title for finding in found.report.findings]


@pytest.mark.parametrize(
    "cell",
    [
        "cat.png", "photos/cat.png", "Photos\\CAT.PNG", "./photos/cat.png", "cat", "PHOTOS/Cat.png",
        "/home/ada/data/photos/cat.png", "C:\\data\\cat.png", '["cat.png", "photos/dog.jpg"]',
        "cat.png; dog.jpg", "cat.png|dog.jpg", "", '{"bytes": null, "path": "cat.png"}',
        '[{"image": "photos/cat.png"}]', "![a cat](photos/cat.png) What is it?",
        "What is <img alt='a' src='cat.png'>?",
    ],
)  # fmt: skip
def test_a_cell_names_its_pictures_in_many_ways(read, pack, cell):
    found = read(pack({"rows.csv": table("dog.jpg", "cat.png", cell), **PICTURES}), "pets.zip")
    assert [row.damage for row in found.rows] == ["", "", ""]
    # What the person wrote is kept to the letter.
    assert found.cells[2][0] == cell
    assert found.report.kind == "Zip of CSV and pictures"


@pytest.mark.parametrize(
    ("cell", "problem"),
    [
        ("cow.png", "“cow.png” is not in the archive"),
        ('["cat.png", "cow.png"]', "“cow.png” is not in the archive"),
        ("https://example.org/cat.png", "is an address"),
        ("file:///etc/passwd.png", "is an address"),
        ("../../etc/cow.png", "is not in the archive"),
        ("fake.png", "is no picture by its content"),
    ],
)
def test_a_row_whose_picture_cannot_be_used_says_so(read, pack, cell, problem):
    files = {"rows.csv": table("cat.png", cell, "dog.jpg"), "fake.png": "no picture", **PICTURES}
    found = read(pack(files), "pets.zip")
    assert [bool(row.damage) for row in found.rows] == [False, True, False]
    assert problem in found.rows[1].damage
    assert found.report.damaged == 1
    told = next(one for one in found.report.findings if "without their pictures" in one.title)
    assert "line 3" in told.where
    assert problem in told.where


def test_a_bare_name_that_two_folders_have_is_told(read, pack):
    files = {"rows.csv": table("cat.png", "dog.jpg"), "more/cat.png": PNG, **PICTURES}
    found = read(pack(files), "pets.zip")
    assert "can be any of 2 pictures" in found.rows[0].damage
    assert read(pack(files | {"rows.csv": table("more/cat.png", "dog.jpg")})).report.damaged == 0


def test_a_picture_that_no_row_names_is_told(read, pack):
    found = read(pack({"rows.csv": table("cat.png"), **PICTURES}), "pets.zip")
    told = next(one for one in found.report.findings if "not named by any row" in one.title)
    assert told.where == "photos/dog.jpg"


def test_pictures_that_no_column_names_are_told(read, pack):
    found = read(pack({"rows.csv": "question,answer\nWhat is up?,the sky\n", **PICTURES}))
    assert "No column names the pictures" in titles(found)
    assert found.report.damaged == 0


def test_conversations_with_lists_of_pictures_are_read(read, pack):
    rows = [
        {
            "messages": [
                {"role": "user", "content": "<image>Who is it?"},
                {"role": "assistant", "content": "A cat."},
            ],
            "images": images,
        }
        for images in (["photos/cat.png"], ["photos/dog.jpg", "photos/cat.png"], ["cow.png"])
    ]
    found = read(pack({"set/rows.json": json.dumps(rows), **PICTURES}), "pets.zip")
    assert found.report.columns == ("messages", "images")
    assert json.loads(found.cells[1][1]) == ["photos/dog.jpg", "photos/cat.png"]
    assert [bool(row.damage) for row in found.rows] == [False, False, True]


def test_of_several_tables_the_one_that_names_the_pictures_is_read(read, pack):
    large = "title,body\n" + "What is up?,the sky is up there\n" * 200
    found = read(pack({"large.csv": large, "rows.csv": table("cat.png"), **PICTURES}), "pets.zip")
    assert {row.part for row in found.rows} == {"rows.csv"}


def test_a_label_that_reads_like_a_bare_name_is_no_picture(read, pack):
    text = "photo,label\ncat.png,cat\ndog.jpg,dog\ncat.png,cow\n"
    assert read(pack({"rows.csv": text, **PICTURES}), "pets.zip").report.damaged == 0
    bare = "photo,answer\ncat,It is a cat.\ndog,It is a dog.\ncow,It is a cow.\n"
    assert read(pack({"rows.csv": bare, **PICTURES}), "pets.zip").report.damaged == 1


def test_pictures_beside_documents_are_left_aside(read, pack):
    text = "Look.\n\n![a cat](cat.png)\n\n![a cow](cow.png)\n"
    found = read(pack({"tale.md": text, **PICTURES}), "tale.zip")
    assert found.report.damaged == 0
    assert len(found.rows) == 3


def test_pictures_without_a_table_are_refused_with_the_way_out(read, pack):
    with pytest.raises(UserError, match="no table that speaks of them"):
        read(pack(PICTURES), "pets.zip")


def test_a_note_in_a_text_column_is_no_picture(read, pack):
    cells = ["cat.png", "dog.jpg"]
    text = table(*cells).replace("What is it?", "Is cat. the best or dog?")
    found = read(pack({"rows.csv": text, **PICTURES}), "pets.zip")
    assert found.report.damaged == 0
