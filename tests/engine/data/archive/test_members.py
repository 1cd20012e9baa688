"""Names and sizes of what is packed: nothing outside, nothing twice, nothing without a measure."""

import io
import os
import struct
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tailor.engine.data.archive.members import label_path, list_members
from tailor.engine.errors import UserError

ROOT = Path(__file__).resolve().parents[4]
ROWS = "question,answer\nWhat is up?,the sky\n"


def members(content: bytes, tmp_path: Path):
    path = tmp_path / "packed"
    path.write_bytes(content)
    with path.open("rb") as file:
        return list_members(file).members


@pytest.mark.parametrize(
    "name", ["../evil.csv", "a/../../evil.csv", "/etc/evil.csv", "..\\evil.csv", "C:\\evil.csv"]
)
def test_a_name_outside_the_archive_is_refused(read, pack, name):
    with pytest.raises(UserError, match="outside itself"):
        read(pack({name: ROWS}), "evil.zip")


def test_names_become_labels(pack, tmp_path):
    names = [
        "./folder\\rows.csv", "a\u202evsc.exe", "con.csv", "x" * 300 + ".csv", "=cmd|' /C calc'!A0",
        "line\nbreak.csv", "<img src=x onerror=alert(1)>.csv",
    ]  # fmt: skip
    found = [member.path for member in members(pack(dict.fromkeys(names, ROWS)), tmp_path)]
    assert len(set(found)) == len(names)
    assert "folder/rows.csv" in found
    assert all("\n" not in path and "\u202e" not in path for path in found)
    assert max(map(len, found)) <= 120


def test_two_files_of_one_name_are_told_apart(tmp_path):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("a.csv", ROWS)
        with pytest.warns(UserWarning, match="Duplicate"):
            archive.writestr("a.csv", ROWS)
    found = [member.path for member in members(packed.getvalue(), tmp_path)]
    assert found == ["a.csv", "a.csv (2)"]


def test_names_in_utf8_that_do_not_say_so_are_read_right(pack, tmp_path):
    content = pack({"K\u00f6ln.csv": ROWS})
    # The mark for UTF-8 in both lists is cleared, as some programs leave it.
    for start, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = content.index(start) + place
        (flags,) = struct.unpack_from("<H", content, at)
        content = content[:at] + struct.pack("<H", flags & ~0x800) + content[at + 2 :]
    assert [member.path for member in members(content, tmp_path)] == ["K\u00f6ln.csv"]
    assert label_path("Ko\u0308ln.csv") == "K\u00f6ln.csv"


def test_a_locked_archive_is_refused(read, pack):
    content = pack({"rows.csv": ROWS})
    for start, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = content.index(start) + place
        content = content[:at] + b"\x01" + content[at + 1 :]
    with pytest.raises(UserError, match="password"):
        read(content, "locked.zip")


def test_an_unusual_packing_is_refused(read):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("rows.csv", ROWS)
    with pytest.raises(UserError, match="unusual way"):
        read(packed.getvalue(), "odd.zip")


def is_told(read, content: bytes) -> bool:
    """Whether reading ends in words; any other error is raised."""
    try:
        read(content, "damaged.zip")
    except UserError as told:
        return bool(told.title and told.detail and told.fix)
    return False


def test_damage_anywhere_is_told_in_words(read, pack):
    whole = pack({"a.csv": ROWS * 400, "b.csv": ROWS * 300})
    places = range(4, len(whole), max(1, len(whole) // 25))
    assert all(is_told(read, whole[:place]) for place in places)
    # A wrong byte may stand where nobody looks, such as in a date; it must only never be a crash.
    wrong = [whole[:place] + b"\xff" + whole[place + 1 :] for place in places]
    assert sum(is_told(read, content) for content in wrong) > len(wrong) // 3


def traps(folder: Path) -> dict[str, Path]:
    """Archives that are far larger inside than outside."""
    made = {name: folder / f"{name}.zip" for name in ("zeros", "many", "lies", "word")}
    with zipfile.ZipFile(made["zeros"], "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("rows.csv", bytes(200_000_000))
    with zipfile.ZipFile(made["many"], "w") as archive:
        for number in range(10_000):
            archive.writestr(f"{number}.csv", "")
    content = made["zeros"].read_bytes()
    at = content.index(b"PK\x01\x02") + 24
    made["lies"].write_bytes(content[:at] + struct.pack("<I", 1_000) + content[at + 4 :])
    with zipfile.ZipFile(made["word"], "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/document.xml", b"<w>" + bytes(100_000_000))
    return made


READER = """
import sys
from tailor.engine.data.detect import find_format
from tailor.engine.data.readers import find_reader
from tailor.engine.errors import UserError
with open(sys.argv[1], "rb") as file:
    try:
        table = find_reader(find_format(file))(file, "trap.zip", {})
        print(sum(1 for _ in table.rows), "rows")
    except UserError as told:
        print(told.title)
# Not getrusage: that starts from the memory of the process that started this one.
peak = next(line for line in open("/proc/self/status") if line.startswith("VmHWM"))
print(int(peak.split()[1]) // 1024)
"""


def test_traps_are_refused_in_words_and_in_little_memory(tmp_path):
    expected = {
        "zeros": "unpacks to something far larger",
        "many": "too many parts",
        "lies": "damaged",
        "word": "unpacks to something far larger",
    }
    for name, path in traps(tmp_path).items():
        told = subprocess.run(
            [sys.executable, "-P", "-c", READER, str(path)],
            capture_output=True, text=True, cwd=tmp_path, env=dict(os.environ), timeout=120,
        )  # fmt: skip
        assert told.returncode == 0, told.stderr
        title, megabytes = told.stdout.strip().rsplit("\n", 1)
        assert expected[name] in title
        assert int(megabytes) < 300
        path.unlink()
