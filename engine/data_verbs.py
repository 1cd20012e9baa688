"""The client's verbs on files and datasets: from an upload to what a model will read.

A part of `EngineClient`, on a page of its own because data has as many verbs as everything else.
"""

import shutil
import uuid
from collections.abc import Sequence
from pathlib import Path

from tailor.engine.data_types import (
    Conversation,
    DataRow,
    DatasetRecord,
    FileRecord,
    Mapping,
    Mixing,
)
from tailor.engine.http.calls import Calls, plain, url_part
from tailor.engine.machine.unix_user import read_unix_user
from tailor.engine.types import Job


class DataVerbs(Calls):
    """What can be done with files and datasets."""

    def upload(self, source: Path, name: str) -> FileRecord:
        """Copy a file of this computer into the inbox and hand it over; the source stays."""
        inbox_id = uuid.uuid4().hex
        inbox = self.home / "data" / (self.owner or read_unix_user()) / "inbox"
        inbox.mkdir(parents=True, exist_ok=True, mode=0o700)
        beside = inbox / f"{inbox_id}.part"
        shutil.copyfile(source, beside)
        beside.rename(inbox / inbox_id)
        return self.add_file(inbox_id, name)

    def add_file(self, inbox_id: str, name: str) -> FileRecord:
        """Take over a file that the caller put into the inbox folder under a fresh uuid."""
        return self.write(FileRecord, "POST", "/v1/files", {"inbox_id": inbox_id, "name": name})

    def add_dataset(
        self, file_ids: Sequence[str], *, choices: Sequence[tuple[str, str]] = ()
    ) -> DatasetRecord:
        """Read files as one table in a limited child; ask `dataset` until it is ready.

        `choices` are id and value of a `ReadChoice`; what is not named is found out.
        """
        body = {"file_ids": list(file_ids), "choices": [list(choice) for choice in choices]}
        return self.write(DatasetRecord, "POST", "/v1/datasets", body)

    def reread(self, dataset_id: str, choices: Sequence[tuple[str, str]]) -> DatasetRecord:
        """Read the originals again with other choices; fixes and mapping begin anew."""
        body = {"choices": [list(choice) for choice in choices]}
        return self.write(DatasetRecord, "POST", _path(dataset_id, "reread"), body)

    def add_example(self, example: str = "maintenance") -> DatasetRecord:
        """The built-in example as a dataset, mapped already."""
        return self.write(DatasetRecord, "POST", "/v1/datasets/example", {"example": example})

    def dataset(self, dataset_id: str) -> DatasetRecord:
        """One dataset."""
        return self.read(DatasetRecord, "GET", f"/v1/datasets/{url_part(dataset_id)}")

    def rows(self, dataset_id: str, *, offset: int = 0, limit: int = 20) -> tuple[DataRow, ...]:
        """Rows as they were read; cells are cut at 2,000 characters."""
        query = f"offset={offset}&limit={limit}"
        return self.read(
            tuple[DataRow, ...], "GET", f"/v1/datasets/{url_part(dataset_id)}/rows?{query}"
        )

    def preview(self, dataset_id: str, mapping: Mapping) -> tuple[Conversation, ...]:
        """Three finished conversations under a mapping, nothing stored."""
        path = f"/v1/datasets/{url_part(dataset_id)}/preview"
        return self.read(tuple[Conversation, ...], "POST", path, {"mapping": plain(mapping)})

    def map(self, dataset_id: str, mapping: Mapping) -> DatasetRecord:
        """The person said yes: store the mapping, check the rows, split, pick the exam."""
        path = f"/v1/datasets/{url_part(dataset_id)}/mapping"
        return self.write(DatasetRecord, "POST", path, {"mapping": plain(mapping)})

    def fix(self, dataset_id: str, check: str, fix: str, *, value: str = "") -> DatasetRecord:
        """Apply a fix that a finding offers: a new version, which `undo` takes back."""
        body = {"check": check, "fix": fix, "value": value}
        return self.write(DatasetRecord, "POST", _path(dataset_id, "fixes"), body)

    def undo(self, dataset_id: str) -> DatasetRecord:
        """Take the newest fix back: the rows are byte for byte what they were before it."""
        return self.write(DatasetRecord, "POST", _path(dataset_id, "undo"), {})

    def skip(self, dataset_id: str, check: str, *, is_skipped: bool = True) -> DatasetRecord:
        """Leave what a check found as it is, or look at it again."""
        body = {"check": check, "is_skipped": is_skipped}
        return self.write(DatasetRecord, "POST", _path(dataset_id, "skips"), body)

    def request_check(self, dataset_id: str, check: str) -> DatasetRecord:
        """Run a check that only runs on request, such as "personal_data"."""
        return self.write(DatasetRecord, "POST", _path(dataset_id, "checks"), {"check": check})

    def mix(self, dataset_id: str, mixing: Mixing) -> DatasetRecord:
        """Learn from other datasets and from general questions as well."""
        body = {"mixing": plain(mixing)}
        return self.write(DatasetRecord, "POST", _path(dataset_id, "mixing"), body)

    def render(
        self,
        dataset_id: str,
        model_id: str,
        *,
        max_length_tokens: int = 0,
        added_words: Sequence[str] = (),
    ) -> Job:
        """What a model will read; the job's answer is a `RenderReport`. 0 = the model's limit."""
        body = {
            "model_id": model_id,
            "max_length_tokens": max_length_tokens,
            "added_words": list(added_words),
        }
        return self.write(Job, "POST", _path(dataset_id, "render"), body)


def _path(dataset_id: str, verb: str) -> str:
    return f"/v1/datasets/{url_part(dataset_id)}/{verb}"
