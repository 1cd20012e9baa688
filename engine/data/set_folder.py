"""A dataset's folder: its files, and its record read and written whole.

The folder is the only truth about a dataset; there is no database beside it, so an engine that was
killed finds everything here again. The library alone writes; a child works in a folder of its own
inside and its results are renamed into place.
"""

import json
import os
import secrets
import shutil
import string
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from tailor.engine.data.owner import OwnerFolder, not_found
from tailor.engine.data.report import Source
from tailor.engine.json_file import write_json

_WORK_PREFIX = "work-"


@dataclass(frozen=True)
class SetFolder:
    """Paths of one dataset."""

    path: Path

    @property
    def source(self) -> Path:
        """`source.json` (`Source`): library."""
        return self.path / "source.json"

    def rows(self, source: Source) -> Path:
        """The rows as they stand: as read, or after the newest fix. No such file ever changes."""
        return self.path / _rows_name(source.reading, len(source.operations))

    def mapped(self, version: int) -> Path:
        """Finished examples of one version, never changed: library or child, by rename."""
        return self.path / f"mapped-{version}.arrow"

    def new_work(self) -> Path:
        """A fresh folder for a child; what an earlier engine left behind is removed."""
        return self.path / f"{_WORK_PREFIX}{secrets.token_hex(4)}"

    def clear_work(self) -> None:
        """Remove the folders of children that are done or were left behind."""
        for folder in self.path.glob(f"{_WORK_PREFIX}*"):
            shutil.rmtree(folder, ignore_errors=True)

    def clear_rows(self, source: Source) -> None:
        """Remove rows that no undo can come back to: of an earlier reading, of an undone fix."""
        kept = {_rows_name(source.reading, number) for number in range(len(source.operations) + 1)}
        for path in self.path.glob("rows*.arrow"):
            if path.name not in kept:
                path.unlink()

    def load(self) -> Source:
        """The dataset's record."""
        if not self.source.exists():
            raise not_found("dataset")
        stored = json.loads(self.source.read_bytes())
        return TypeAdapter(Source).validate_python(_to_newest(stored))

    def save(self, source: Source) -> None:
        """Store the record, durably and in one step."""
        write_json(self.source, source)


def put(made: Path, final: Path) -> None:
    """Give a finished file its name for good: on the disk, never to be written again."""
    with made.open("rb") as file:
        os.fsync(file.fileno())
    made.chmod(0o400)
    made.rename(final)


def new_set(owner: OwnerFolder, now: float) -> SetFolder:
    """Make a folder under a fresh id, such as ds_20261130-kfpa."""
    day = time.strftime("%Y%m%d", time.gmtime(now))
    while True:
        letters = "".join(secrets.choice(string.ascii_lowercase) for _ in range(4))
        path = owner.set(f"ds_{day}-{letters}")
        try:
            path.mkdir(mode=0o700)
        except FileExistsError:
            continue
        return SetFolder(path)


def _rows_name(reading: int, operations: int) -> str:
    """rows.arrow, after two fixes rows-2.arrow; of the third reading rows_3-2.arrow."""
    again = f"_{reading + 1}" if reading else ""
    return f"rows{again}-{operations}.arrow" if operations else f"rows{again}.arrow"


def _to_newest(stored: dict[str, Any]) -> dict[str, Any]:
    """The record in today's form. In schema 1 a dataset came from a single file."""
    if stored["schema"] > 1:
        return stored
    one = {"schema": 2, "file_ids": [stored.pop("file_id")], "sha256s": [stored.pop("sha256")]}
    return stored | one
