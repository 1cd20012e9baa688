"""What happens to a dataset between two answers: read, read again, each new version made.

Reading goes on while nobody asks and is begun anew when an engine died over it. Only one thing
happens to a dataset at a time, or two clicks would each undo the other's work. The library calls
it; results are stored in the dataset's folder.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from tailor.engine.data.owner import OwnerFolder, read_file_record
from tailor.engine.data.reading import ReadingRoom, Work
from tailor.engine.data.report import ReadReport, Source
from tailor.engine.data.request import ROWS_FILE, Original, Request, limits_for
from tailor.engine.data.set_folder import SetFolder, put
from tailor.engine.data.versions import Change, Versions, told
from tailor.engine.data_types import Mapping
from tailor.engine.errors import UserError
from tailor.engine.findings import Problem

ATTEMPTS = 3
"""How often a file is read again after the engine died over it."""


class DatasetWork:
    """The work on all datasets of one library."""

    def __init__(self) -> None:
        self._room = ReadingRoom()
        self._lock = threading.RLock()
        self._versions = Versions(self._room, self._lock)
        self._taken: set[Path] = set()

    def close(self) -> None:
        """End what is going on."""
        self._room.close()

    def find(self, folder: SetFolder) -> Work | None:
        """What is going on for a dataset."""
        return self._room.find(str(folder.path))

    def go_on(self, owner: OwnerFolder, folder: SetFolder) -> tuple[Source, Work | None]:
        """The dataset's record and what is going on; work that a dead engine left is begun anew."""
        with self._lock:
            # Asked in this order: work that has ended has stored its result before.
            work, source = self.find(folder), folder.load()
            if work is not None:
                return source, work
            if source.is_being_read:
                return self._begin_reading(owner, folder, source), self.find(folder)
            if source.then_map is not None and source.problem is None:
                self._map_at_last(owner, folder, source, source.then_map)
            return folder.load(), None

    @contextmanager
    def alone(self, folder: SetFolder) -> Iterator[None]:
        """Keep everybody else from changing a dataset; raises when somebody is about to."""
        with self._lock:
            if folder.path in self._taken or self.find(folder) is not None:
                raise still_busy()
            self._taken.add(folder.path)
        try:
            yield
        finally:
            self._taken.discard(folder.path)

    def make(self, folder: SetFolder, change: Change) -> None:
        """Make the next version (`Versions.make`). The caller is `alone`."""
        folder.clear_work()
        self._versions.make(folder, change)

    def _begin_reading(self, owner: OwnerFolder, folder: SetFolder, source: Source) -> Source:
        source = replace(source, attempts=source.attempts + 1)
        if source.attempts > ATTEMPTS:
            source = replace(source, problem=_INTERRUPTED, rereading=None)
            folder.save(source)
            return source
        folder.save(source)
        folder.clear_work()
        records = [read_file_record(owner, file_id) for file_id in source.file_ids]
        originals = tuple(
            Original(path=str(owner.file(record.id)), name=record.name, sha256=sha256)
            for record, sha256 in zip(records, source.sha256s, strict=True)
        )
        choices = source.choices if source.rereading is None else source.rereading
        request = Request(work="read", originals=originals, choices=choices)

        def done(work: Path, answer: Any, problem: UserError | None) -> None:
            self._finish_reading(owner, folder, work, answer, problem)

        limits = limits_for(sum(record.bytes for record in records))
        self._room.start(str(folder.path), folder.new_work(), request, limits, done)
        return source

    def _finish_reading(
        self,
        owner: OwnerFolder,
        folder: SetFolder,
        work: Path,
        answer: Any,
        problem: UserError | None,
    ) -> None:
        """Put the rows in place, or the reason why there are none. In the work's thread."""
        with self._lock:
            source = folder.load()
            if problem is not None:
                # What was read before stays as it is.
                folder.save(replace(source, problem=told(problem), rereading=None))
            else:
                source = _read_anew(source, TypeAdapter(ReadReport).validate_python(answer))
                put(work / ROWS_FILE, folder.rows(source))
                folder.save(source)
                folder.clear_rows(source)
                if source.then_map is not None:
                    self._map_at_last(owner, folder, source, source.then_map)
            folder.clear_work()

    def _map_at_last(
        self, owner: OwnerFolder, folder: SetFolder, source: Source, mapping: Mapping
    ) -> None:
        """Map with what was asked for when reading began; a problem is kept to be told."""
        change = Change(wanted=source, mapping=mapping, files=file_names(owner, source))
        try:
            self._versions.make_now(folder, change)
        except UserError as problem:
            folder.save(replace(folder.load(), problem=told(problem)))


def still_busy() -> UserError:
    """What is told while something else is happening to a dataset."""
    return UserError(
        title="This file is still being read",
        detail="Its rows are not all there yet.",
        fix="Wait until it is done, then try again.",
        status=409,
    )


def _read_anew(source: Source, read: ReadReport) -> Source:
    """The record after a reading; a second one begins anew, with files of its own."""
    if source.read is None:
        return replace(source, read=read)
    return replace(
        source,
        read=read,
        reading=source.reading + 1,
        choices=source.rereading or (),
        rereading=None,
        mapped=None,
        then_map=None,
        operations=(),
        skipped=(),
    )


def file_names(owner: OwnerFolder, source: Source) -> tuple[str, ...]:
    """The person's names of a dataset's originals."""
    return tuple(read_file_record(owner, file_id).name for file_id in source.file_ids)


_INTERRUPTED = Problem(
    title="Reading was interrupted",
    detail=f"Tailor was stopped {ATTEMPTS} times while it read this file.",
    fix="Drop the file again. If it happens again, try with a part of it.",
)
