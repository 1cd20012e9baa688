"""A dataset's folder: its files, and its record read and written whole.

The folder is the only truth about a dataset; there is no database beside it, so an engine that was
killed finds everything here again. The library alone writes; a child works in a folder of its own
inside and its results are renamed into place.
"""

import secrets
import shutil
import string
import time
from dataclasses import dataclass
from pathlib import Path

from tailor.engine.data.owner import OwnerFolder, not_found
from tailor.engine.data.report import Source
from tailor.engine.json_file import read_json, write_json

_WORK_PREFIX = "work-"


@dataclass(frozen=True)
class SetFolder:
    """Paths of one dataset."""

    path: Path

    @property
    def source(self) -> Path:
        """`source.json` (`Source`): library."""
        return self.path / "source.json"

    @property
    def rows(self) -> Path:
        """`rows.arrow`: reading child, renamed into place by the library."""
        return self.path / "rows.arrow"

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

    def load(self) -> Source:
        """The dataset's record."""
        if not self.source.exists():
            raise not_found("dataset")
        return read_json(self.source, Source)

    def save(self, source: Source) -> None:
        """Store the record, durably and in one step."""
        write_json(self.source, source)


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
