"""An original is taken over whole, under a name of ours, and never changes again."""

import hashlib
import os
import stat
import threading
import time
import uuid
from pathlib import Path

import pytest

from tailor.engine.data.original import clean_label, open_original, take_over
from tailor.engine.data.owner import OwnerFolder, open_owner
from tailor.engine.errors import UserError


@pytest.fixture
def folder(tmp_path: Path) -> OwnerFolder:
    return open_owner(tmp_path, "ada")


def put(folder: OwnerFolder, content: bytes) -> str:
    inbox_id = str(uuid.uuid4())
    folder.inbox_file(inbox_id).write_bytes(content)
    return inbox_id


def test_a_file_moves_into_the_store_and_is_hashed(folder: OwnerFolder) -> None:
    inbox_id = put(folder, b"a,b\n1,2\n")
    taken = take_over(folder, inbox_id, "my rows.csv")
    assert taken.name == "my rows.csv"
    assert taken.bytes == 8
    assert taken.sha256 == hashlib.sha256(b"a,b\n1,2\n").hexdigest()
    assert not folder.inbox_file(inbox_id).exists()
    assert stat.S_IMODE(folder.file(inbox_id).stat().st_mode) == 0o400


def test_taking_over_twice_gives_the_same_record(folder: OwnerFolder) -> None:
    inbox_id = put(folder, b"x")
    assert take_over(folder, inbox_id, "one") == take_over(folder, inbox_id, "two")


def test_a_move_that_was_cut_short_is_finished(folder: OwnerFolder) -> None:
    inbox_id = put(folder, b"x")
    folder.inbox_file(inbox_id).rename(folder.file(inbox_id))
    assert take_over(folder, inbox_id, "late.csv").bytes == 1


def test_a_file_that_never_arrived_is_told(folder: OwnerFolder) -> None:
    with pytest.raises(UserError, match="has not arrived"):
        take_over(folder, uuid.uuid4().hex, "x.csv")


@pytest.mark.parametrize(
    "bad", ["", "..", "../../etc/passwd", "a/b", "x" * 32, "A" * 32, "0" * 33, "\0"]
)
def test_an_id_that_is_no_id_does_not_exist(folder: OwnerFolder, bad: str) -> None:
    with pytest.raises(UserError) as raised:
        take_over(folder, bad, "x.csv")
    assert raised.value.status == 404


@pytest.mark.parametrize("owner", ["", "..", ".", ".hidden", "a/b", "a\0b", "x" * 65, "ä"])
def test_an_owner_that_is_no_name_does_not_exist(tmp_path: Path, owner: str) -> None:
    with pytest.raises(UserError) as raised:
        open_owner(tmp_path, owner)
    assert raised.value.status == 404
    assert not (tmp_path / "data").exists()


def test_every_folder_is_private(folder: OwnerFolder) -> None:
    for path in (folder.path.parent, folder.path, folder.inbox, folder.files, folder.sets):
        assert stat.S_IMODE(path.stat().st_mode) == 0o700


@pytest.mark.parametrize("kind", ["link", "link loop", "fifo", "folder", "device"])
def test_what_is_no_plain_file_is_refused_without_waiting(
    folder: OwnerFolder, tmp_path: Path, kind: str
) -> None:
    inbox_id = uuid.uuid4().hex
    path = folder.inbox_file(inbox_id)
    if kind == "link":
        secret = tmp_path / "secret"
        secret.write_text("secret")
        path.symlink_to(secret)
    elif kind == "link loop":
        path.symlink_to(path)
    elif kind == "fifo":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    else:
        path.symlink_to("/dev/zero")
    problems: list[UserError] = []

    def try_it() -> None:
        with pytest.raises(UserError) as raised:
            take_over(folder, inbox_id, "x.csv")
        problems.append(raised.value)

    begun = time.monotonic()
    thread = threading.Thread(target=try_it, daemon=True)
    thread.start()
    thread.join(20)
    assert problems
    assert problems[0].title == "This is not a plain file"
    assert time.monotonic() - begun < 10
    assert list(folder.files.iterdir()) == []


def test_zeros_from_a_device_are_never_read() -> None:
    with pytest.raises(UserError, match="not a plain file"):
        open_original(Path("/dev/zero"))


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("rows.csv", "rows.csv"),
        ("../../../../x/evil.csv", "evil.csv"),
        ("C:\\Users\\ada\\rows.csv", "rows.csv"),
        ("con.csv", "con.csv"),
        ("a\nb\x00c.csv", "abc.csv"),
        ("\u202egnp.csv", "gnp.csv"),
        ("=cmd.csv", "=cmd.csv"),
        ("..", ".."),
        ("", "unnamed file"),
        ("\u200b\ufeff", "unnamed file"),
        ("données.csv", "données.csv"),
        ("می\u200cخواهم.csv", "می\u200cخواهم.csv"),
    ],
)
def test_a_name_becomes_a_harmless_label(name: str, label: str) -> None:
    assert clean_label(name) == label


def test_a_long_name_keeps_its_ending() -> None:
    label = clean_label("x" * 300 + ".csv")
    assert len(label) == 120
    assert label.endswith("….csv")
