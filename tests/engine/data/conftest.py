"""Files as people export them, read in this process or by the real child of a real library."""

import hashlib
import shutil
import time
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from tailor.engine.data.library import DataLibrary
from tailor.engine.data.owner import open_owner
from tailor.engine.data.read import read_originals
from tailor.engine.data.report import ReadReport, Source
from tailor.engine.data.request import Original
from tailor.engine.data.rows_file import StoredRow, open_rows
from tailor.engine.data.set_folder import new_set
from tailor.engine.data_types import DatasetRecord

OWNER = "ada"


@dataclass
class ReadFile:
    """What reading a file gave."""

    report: ReadReport
    rows: list[StoredRow]
    path: Path

    @property
    def cells(self) -> list[list[str]]:
        return [list(row.cells) for row in self.rows]


@pytest.fixture
def read(tmp_path: Path) -> Callable[..., ReadFile]:
    """Read bytes or text as a file, in this process."""

    def read_it(
        content: bytes | str, name: str = "rows.csv", choices: dict[str, str] | None = None
    ) -> ReadFile:
        path = tmp_path / uuid.uuid4().hex
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        rows_path = path.with_suffix(".arrow")
        sha256 = hashlib.sha256(path.read_bytes()).hexdigest()
        originals = (Original(path=str(path), name=name, sha256=sha256),)
        report = read_originals(originals, choices or {}, rows_path, lambda share, words: None)
        with open_rows(rows_path) as rows:
            return ReadFile(report=report, rows=list(rows.read()), path=rows_path)

    return read_it


@dataclass
class Shelf:
    """A library in a folder of its own, with what the wizard does around it."""

    home: Path
    library: DataLibrary

    def put(self, content: bytes | str, owner: str = OWNER) -> str:
        """Put a file into the inbox; its uuid."""
        inbox_id = uuid.uuid4().hex
        path = open_owner(self.home, owner).inbox_file(inbox_id)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return inbox_id

    def add(self, content: bytes | str, name: str = "rows.csv") -> DatasetRecord:
        """Upload a file and wait until it is read."""
        file = self.library.add_file(OWNER, self.put(content), name)
        return self.wait(self.library.add_dataset(OWNER, [file.id]).id)

    def place(self, content: str, name: str = "rows.csv") -> DatasetRecord:
        """The same without a child: for tests that are about what comes after the reading."""
        owner = open_owner(self.home, OWNER)
        file = self.library.add_file(OWNER, self.put(content), name)
        folder = new_set(owner, time.time())
        source = Source(
            id=folder.path.name,
            owner=OWNER,
            title=name,
            file_ids=(file.id,),
            sha256s=(file.sha256,),
            created_at=time.time(),
        )
        original = Original(path=str(owner.file(file.id)), name=name, sha256=file.sha256)
        read = read_originals((original,), {}, folder.rows(source), lambda share, words: None)
        folder.save(replace(source, read=read))
        return self.library.dataset(OWNER, source.id)

    def wait(self, dataset_id: str) -> DatasetRecord:
        """Wait until a dataset is no longer being read."""
        deadline = time.monotonic() + 120
        while (dataset := self.library.dataset(OWNER, dataset_id)).status == "reading":
            assert time.monotonic() < deadline, dataset.progress
            time.sleep(0.02)
        return dataset


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Shelf]:
    """A fresh library; its children are ended afterwards."""
    made = Shelf(tmp_path, DataLibrary(tmp_path))
    yield made
    made.library.close()
    # Some of these files are large, and pytest keeps the folders of three runs.
    shutil.rmtree(tmp_path / "data", ignore_errors=True)
