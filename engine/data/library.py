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

from tailor.engine.data import edits
from tailor.engine.data.dataset_work import DatasetWork, file_names, still_busy
from tailor.engine.data.disk import check_room
from tailor.engine.data.inbox import clear_leftovers, put_into_inbox
from tailor.engine.data.original import take_over
from tailor.engine.data.owner import OwnerFolder, open_owner, read_file_record
from tailor.engine.data.preview import make_preview
from tailor.engine.data.report import Source
from tailor.engine.data.rows_file import open_rows
from tailor.engine.data.set_folder import SetFolder, new_set
from tailor.engine.data.shown import cell_limit, read_sides, to_data_row, to_record
from tailor.engine.data.versions import ANSWER_WITHIN_SECONDS, Change
from tailor.engine.data_types import (
    Conversation,
    DataRow,
    DatasetRecord,
    FileRecord,
    Mapping,
    Mixing,
)
from tailor.engine.errors import UserError
from tailor.engine.machine.full_disk import full_disk_in_words
from tailor.recipes.examples.catalog import get_example
from tailor.recipes.examples.example import Example
from tailor.recipes.knobs import UnknownChoiceError

ROWS_A_PAGE = 200
_SHAPES = {"question_answer": "prompt_completion", "classes": "prompt_completion"}
"""What a run calls a shape, where that differs."""
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

    def add_dataset(
        self, owner: str, file_ids: Sequence[str], choices: Sequence[tuple[str, str]] = ()
    ) -> DatasetRecord:
        """Begin to read files as one table."""
        folder = open_owner(self._home, owner)
        files = [read_file_record(folder, file_id) for file_id in dict.fromkeys(file_ids)]
        return self._add(folder, owner, files, choices=choices)

    def add_example(self, owner: str, example: str) -> DatasetRecord:
        """The built-in example: read and mapped like any file, with nothing left to ask."""
        try:
            chosen = get_example(example)
        except UnknownChoiceError as wrong:
            raise UserError.of(wrong) from wrong
        folder = open_owner(self._home, owner)
        inbox_id = put_into_inbox(folder, chosen.path)
        file = self.add_file(owner, inbox_id, chosen.path.name)
        added = self._add(folder, owner, [file], title=chosen.title, then_map=_mapping(chosen))
        work = self._work.find(SetFolder(folder.set(added.id)))
        if work is not None:
            work.thread.join(ANSWER_WITHIN_SECONDS)
        return self.dataset(owner, added.id)

    def dataset(self, owner: str, dataset_id: str) -> DatasetRecord:
        """A dataset as it stands; reading that died with an earlier engine begins anew."""
        owner_folder = open_owner(self._home, owner)
        source, work = self._work.go_on(owner_folder, SetFolder(owner_folder.set(dataset_id)))
        return to_record(
            source,
            file_names(owner_folder, source),
            progress=work.progress() if work else (0.0, ""),
            is_at_work=work is not None,
        )

    def rows(
        self, owner: str, dataset_id: str, offset: int = 0, limit: int = 20
    ) -> tuple[DataRow, ...]:
        """A page of rows as they stand now."""
        dataset = self._open(owner, dataset_id)
        folder, source, read = dataset.folder, dataset.source, dataset.read
        first, count = max(0, offset), max(0, min(limit, ROWS_A_PAGE))
        sides: dict[int, str] = {}
        if source.mapped is not None:
            sides = read_sides(folder.mapped(source.version), first + 1, first + count)
        shown = cell_limit(min(count, read.rows), len(read.columns))
        with open_rows(folder.rows(source)) as rows:
            return tuple(
                to_data_row(row, read.entry_word, sides.get(row.id, ""), shown)
                for row in rows.read(first, count)
            )

    def preview(self, owner: str, dataset_id: str, mapping: Mapping) -> tuple[Conversation, ...]:
        """Three finished conversations; nothing is stored."""
        dataset = self._open(owner, dataset_id)
        with open_rows(dataset.folder.rows(dataset.source)) as rows:
            return make_preview(rows, dataset.read.columns, mapping)

    def map(self, owner: str, dataset_id: str, mapping: Mapping) -> DatasetRecord:
        """Store the mapping as a new version; a large table may still be "reading" afterwards."""
        return self._change(owner, dataset_id, lambda one: edits.map_columns(one, mapping))

    def fix(self, owner: str, dataset_id: str, check: str, fix: str, value: str) -> DatasetRecord:
        """Apply what a finding offers, as a new version."""
        return self._change(owner, dataset_id, lambda one: edits.fix(one, check, fix, value))

    def undo(self, owner: str, dataset_id: str) -> DatasetRecord:
        """Take the newest fix back."""
        return self._change(owner, dataset_id, edits.undo)

    def request_check(self, owner: str, dataset_id: str, check: str) -> DatasetRecord:
        """Run a check that only runs on request."""
        return self._change(owner, dataset_id, lambda one: edits.request_check(one, check))

    def mix(self, owner: str, dataset_id: str, mixing: Mixing) -> DatasetRecord:
        """Learn from other sources as well."""
        return self._change(owner, dataset_id, lambda one: edits.mix(one, mixing))

    def skip(self, owner: str, dataset_id: str, check: str, *, is_skipped: bool) -> DatasetRecord:
        """Leave what a check found as it is, or look at it again."""
        dataset = self._open(owner, dataset_id)
        with full_disk_in_words(self._home, _UNCHANGED), self._work.alone(dataset.folder):
            dataset = self._open(owner, dataset_id)
            dataset.folder.save(edits.skip(dataset, check, is_skipped=is_skipped))
        return self.dataset(owner, dataset_id)

    def reread(
        self, owner: str, dataset_id: str, choices: Sequence[tuple[str, str]]
    ) -> DatasetRecord:
        """Read the originals again with other choices; fixes and mapping begin anew."""
        folder = SetFolder(open_owner(self._home, owner).set(dataset_id))
        folder.load()
        with full_disk_in_words(self._home, _UNCHANGED), self._work.alone(folder):
            folder.save(edits.reread(folder.load(), choices))
        return self.dataset(owner, dataset_id)

    def render_request(self, owner: str, dataset_id: str) -> dict[str, Any]:
        """What the render child needs to know of a mapped dataset."""
        dataset = self._open(owner, dataset_id)
        if self._work.find(dataset.folder) is not None:
            raise still_busy()
        mapped, source = dataset.mapped, dataset.source
        shape = _SHAPES.get(mapped.mapping.shape, mapped.mapping.shape)
        return {
            "id": source.id,
            "version": source.version,
            "path": str(dataset.folder.mapped(source.version)),
            "content_hash": mapped.content_hash,
            "shape": "chat" if mapped.has_mixed_turns else shape,
            "train_rows": mapped.train_rows + mapped.mixed_rows,
            "held_out_rows": mapped.held_out_rows,
        }

    def _add(
        self,
        owner_folder: OwnerFolder,
        owner: str,
        files: Sequence[FileRecord],
        *,
        choices: Sequence[tuple[str, str]] = (),
        title: str = "",
        then_map: Mapping | None = None,
    ) -> DatasetRecord:
        check_room(owner_folder.path, sum(file.bytes for file in files))
        with full_disk_in_words(self._home, _UNCHANGED):
            folder = new_set(owner_folder, self._clock())
            source = Source(
                id=folder.path.name,
                owner=owner,
                title=title or _title(files),
                file_ids=tuple(file.id for file in files),
                sha256s=tuple(file.sha256 for file in files),
                choices=tuple(choices),
                created_at=self._clock(),
                then_map=then_map,
            )
            folder.save(source)
        return self.dataset(owner, source.id)

    def _open(self, owner: str, dataset_id: str) -> edits.Dataset:
        """A dataset whose rows are there; raises with what is in the way."""
        owner_folder = open_owner(self._home, owner)
        return edits.open_dataset(owner_folder, SetFolder(owner_folder.set(dataset_id)))

    def _change(
        self, owner: str, dataset_id: str, edit: Callable[[edits.Dataset], Change]
    ) -> DatasetRecord:
        """Make the next version, whole or not at all."""
        folder = self._open(owner, dataset_id).folder
        with full_disk_in_words(self._home, _UNCHANGED), self._work.alone(folder):
            dataset = self._open(owner, dataset_id)
            change = edit(dataset)
            check_room(folder.path, folder.rows(dataset.source).stat().st_size)
            self._work.make(folder, change)
        return self.dataset(owner, dataset_id)


def _title(files: Sequence[FileRecord]) -> str:
    more = len(files) - 1
    return f"{files[0].name} and {more} more" if more else files[0].name


def _mapping(example: Example) -> Mapping:
    return Mapping(
        shape="question_answer",
        question=example.question,
        answer=example.answer,
        instruction=example.instruction,
    )
