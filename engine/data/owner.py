"""An owner's corner of the data folder, and the only place where an id becomes a path.

Ids come from outside, so each is matched against its form before it may be part of a path; what
does not match does not exist. Everything below is readable by the engine's own user alone.
"""

import re
from dataclasses import dataclass
from pathlib import Path

from tailor.engine.data_types import FileRecord
from tailor.engine.errors import UserError
from tailor.engine.json_file import read_json

OWNER = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.@+-]{0,63}")
"""A folder of the home bears this name, so no separators and no leading dot."""
_UUID = re.compile(r"[0-9a-f]{32}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_SET = re.compile(r"ds_[0-9]{8}-[a-z]{4}")


def not_found(what: str) -> UserError:
    """The one answer for what is not there, is misspelt, or belongs to somebody else."""
    return UserError(
        title=f"This {what} is not here",
        detail="It does not exist, was removed, or belongs to somebody else.",
        fix="Open your project again from Home.",
        status=404,
    )


@dataclass(frozen=True)
class OwnerFolder:
    """Paths of one owner's data. Made by `open_owner`."""

    path: Path

    @property
    def inbox(self) -> Path:
        """Where the wizard puts uploads, each under a fresh uuid."""
        return self.path / "inbox"

    @property
    def files(self) -> Path:
        """Originals, read-only, with their records beside them."""
        return self.path / "files"

    @property
    def sets(self) -> Path:
        """One folder for each dataset."""
        return self.path / "sets"

    def inbox_file(self, inbox_id: str) -> Path:
        """An upload that was not taken over yet."""
        return self.inbox / _checked(_UUID, inbox_id, "file")

    def file(self, file_id: str) -> Path:
        """An original."""
        return self.files / _checked(_UUID, file_id, "file")

    def file_record(self, file_id: str) -> Path:
        """What is known of an original (`FileRecord`)."""
        return self.files / f"{_checked(_UUID, file_id, 'file')}.json"

    def set(self, dataset_id: str) -> Path:
        """A dataset's folder."""
        return self.sets / _checked(_SET, dataset_id, "dataset")


def open_owner(home: Path, owner: str) -> OwnerFolder:
    """The owner's folder, made when it is not there yet."""
    if not OWNER.fullmatch(owner):
        raise not_found("owner")
    folder = OwnerFolder(home / "data" / owner)
    for path in (home / "data", folder.path, folder.inbox, folder.files, folder.sets):
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder


def read_file_record(folder: OwnerFolder, file_id: str) -> FileRecord:
    """What is known of an original."""
    path = folder.file_record(file_id)
    if not path.exists():
        raise not_found("file")
    return read_json(path, FileRecord)


def _checked(form: re.Pattern[str], name: str, what: str) -> str:
    if not form.fullmatch(name):
        raise not_found(what)
    return name
