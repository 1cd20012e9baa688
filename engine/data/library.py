"""The data library: every verb on files and datasets, in the name of an owner.

It keeps originals untouched, has them read by a killable child, and turns rows into frozen training
examples once a person has said yes to a finished one. The API calls one method for each verb; what
is remembered lies in the dataset's folder, so an engine that is killed loses nothing.
"""

import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from tailor.engine.data.dataset_work import ANSWER_WITHIN_SECONDS, DatasetWork
from tailor.engine.data.disk import check_room
from tailor.engine.data.inbox import clear_leftovers, put_into_inbox
from tailor.engine.data.mapping import check_mapping
from tailor.engine.data.original import take_over
from tailor.engine.data.owner import OwnerFolder, open_owner, read_file_record
from tailor.engine.data.preview import make_preview
from tailor.engine.data.report import ReadReport, Source
from tailor.engine.data.rows_file import open_rows
from tailor.engine.data.set_folder import SetFolder, new_set
from tailor.engine.data.shown import cell_limit, read_sides, to_data_row, to_record
from tailor.engine.data_types import Conversation, DataRow, DatasetRecord, FileRecord, Mapping
from tailor.engine.errors import UserError
from tailor.engine.machine.full_disk import full_disk_in_words
from tailor.recipes.examples.catalog import get_example
from tailor.recipes.examples.example import Example
from tailor.recipes.knobs import UnknownChoiceError

ROWS_A_PAGE = 200
_SHAPES = {"chat": "chat", "question_answer": "prompt_completion", "text": "text"}
_UNCHANGED = "Nothing was changed."


class DataLibrary:
    """Files and datasets of all owners under one home folder."""

    def __init__(self, home: Path, *, clock: Callable[[], float] = time.time) -> None:
        """`clock` gives seconds since 1970."""
        self._home = home
        self._clock = clock
        self._work = DatasetWork()
        self._arrivals = threading.Lock()
        clear_leftovers(home, clock())

    def close(self) -> None:
        """End what is being read; it is begun anew when it is asked for again."""
        self._work.close()

    def add_file(self, owner: str, inbox_id: str, name: str) -> FileRecord:
        """Take over an upload."""
        with self._arrivals, full_disk_in_words(self._home, _UNCHANGED):
            return take_over(open_owner(self._home, owner), inbox_id, name)

    def add_dataset(self, owner: str, file_ids: Sequence[str]) -> DatasetRecord:
        """Begin to read files as one table."""
        folder = open_owner(self._home, owner)
        return self._add(folder, owner, read_file_record(folder, file_ids[0]))

    def add_example(self, owner: str, example: str) -> DatasetRecord:
        """The built-in example: read and mapped like any file, with nothing left to ask."""
        try:
            chosen = get_example(example)
        except UnknownChoiceError as wrong:
            raise UserError.of(wrong) from wrong
        folder = open_owner(self._home, owner)
        inbox_id = put_into_inbox(folder, chosen.path)
        file = self.add_file(owner, inbox_id, chosen.path.name)
        added = self._add(folder, owner, file, title=chosen.title, then_map=_mapping(chosen))
        work = self._work.find(SetFolder(folder.set(added.id)))
        if work is not None:
            work.thread.join(ANSWER_WITHIN_SECONDS)
        return self.dataset(owner, added.id)

    def dataset(self, owner: str, dataset_id: str) -> DatasetRecord:
        """A dataset as it stands; reading that died with an earlier engine begins anew."""
        owner_folder = open_owner(self._home, owner)
        source, work = self._work.go_on(owner_folder, SetFolder(owner_folder.set(dataset_id)))
        progress = work.progress()[1] if work else ""
        return to_record(source, progress=progress, is_at_work=work is not None)

    def rows(
        self, owner: str, dataset_id: str, offset: int = 0, limit: int = 20
    ) -> tuple[DataRow, ...]:
        """A page of rows as they were read."""
        folder, source, read = self._ready(owner, dataset_id)
        first, count = max(0, offset), max(0, min(limit, ROWS_A_PAGE))
        sides: dict[int, str] = {}
        if source.mapped is not None:
            sides = read_sides(folder.mapped(source.version), first + 1, first + count)
        shown = cell_limit(min(count, read.rows), len(read.columns))
        with open_rows(folder.rows) as rows:
            return tuple(
                to_data_row(row, read.entry_word, sides.get(row.id, ""), shown)
                for row in rows.read(first, count)
            )

    def preview(self, owner: str, dataset_id: str, mapping: Mapping) -> tuple[Conversation, ...]:
        """Three finished conversations; nothing is stored."""
        folder, _, read = self._ready(owner, dataset_id)
        with open_rows(folder.rows) as rows:
            return make_preview(rows, read.columns, mapping)

    def map(self, owner: str, dataset_id: str, mapping: Mapping) -> DatasetRecord:
        """Store the mapping as a new version; a large table may still be "reading" afterwards."""
        folder, _, read = self._ready(owner, dataset_id)
        check_mapping(mapping, read.columns)
        if self._work.find(folder) is not None:
            raise _busy()
        with full_disk_in_words(self._home, _UNCHANGED):
            self._work.map(folder, read, mapping)
        return self.dataset(owner, dataset_id)

    def render_request(self, owner: str, dataset_id: str) -> dict[str, Any]:
        """What the render child needs to know of a mapped dataset."""
        folder, source, _ = self._ready(owner, dataset_id)
        if self._work.find(folder) is not None:
            raise _busy()
        if source.mapped is None:
            raise UserError(
                title="The columns are not chosen yet",
                detail="Nobody has said yes to a finished example.",
                fix="Open the Data page and confirm the example.",
                status=409,
            )
        return {
            "id": source.id,
            "version": source.version,
            "path": str(folder.mapped(source.version)),
            "content_hash": source.mapped.content_hash,
            "shape": _SHAPES[source.mapped.mapping.shape],
            "train_rows": source.mapped.train_rows,
            "held_out_rows": source.mapped.held_out_rows,
        }

    def _add(
        self,
        owner_folder: OwnerFolder,
        owner: str,
        file: FileRecord,
        *,
        title: str = "",
        then_map: Mapping | None = None,
    ) -> DatasetRecord:
        check_room(owner_folder.path, file.bytes)
        with full_disk_in_words(self._home, _UNCHANGED):
            folder = new_set(owner_folder, self._clock())
            source = Source(
                id=folder.path.name,
                owner=owner,
                title=title or file.name,
                file_id=file.id,
                sha256=file.sha256,
                created_at=self._clock(),
                then_map=then_map,
            )
            folder.save(source)
        return self.dataset(owner, source.id)

    def _ready(self, owner: str, dataset_id: str) -> tuple[SetFolder, Source, ReadReport]:
        """A dataset whose rows are there; raises with what is in the way."""
        folder = SetFolder(open_owner(self._home, owner).set(dataset_id))
        source = folder.load()
        if source.read is not None:
            return folder, source, source.read
        if source.problem is not None:
            raise UserError.of(source.problem, status=409)
        raise _busy()


def _mapping(example: Example) -> Mapping:
    return Mapping(
        shape="question_answer",
        question=example.question,
        answer=example.answer,
        instruction=example.instruction,
    )


def _busy() -> UserError:
    return UserError(
        title="This file is still being read",
        detail="Its rows are not all there yet.",
        fix="Wait until it is done, then try again.",
        status=409,
    )
