"""What happens to a dataset between two answers: read, mapped, each new version put in place.

Reading goes on while nobody asks and is begun anew when an engine died over it; mapping is done at
once for small tables and by a child for large ones. The library calls it; results are stored in the
dataset's folder in an order in which a kill at any moment leaves the old state or the new one.
"""

import shutil
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from tailor.engine.data.mapped import write_mapped
from tailor.engine.data.owner import OwnerFolder, read_file_record
from tailor.engine.data.reading import ReadingRoom, Work
from tailor.engine.data.report import MapReport, ReadReport, Source
from tailor.engine.data.request import MAPPED_FILE, ROWS_FILE, Original, Request, limits_for
from tailor.engine.data.set_folder import SetFolder
from tailor.engine.data_types import Mapping
from tailor.engine.errors import UserError
from tailor.engine.findings import Problem

ATTEMPTS = 3
"""How often a file is read again after the engine died over it."""
SMALL_ROWS, SMALL_BYTES = 5_000, 20_000_000
"""Up to here rows are mapped at once; larger tables go to a child."""
ANSWER_WITHIN_SECONDS = 20.0
"""How long a caller is kept waiting for work that usually takes less."""


class DatasetWork:
    """The work on all datasets of one library."""

    def __init__(self) -> None:
        self._room = ReadingRoom()
        self._lock = threading.RLock()

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
            if work is not None or source.problem is not None:
                return source, work
            if source.read is None:
                return self._begin_reading(owner, folder, source), self.find(folder)
            if source.then_map is not None and source.mapped is None:
                self._map_at_last(folder, source.read, source.then_map)
            return folder.load(), None

    def map(self, folder: SetFolder, read: ReadReport, mapping: Mapping) -> None:
        """Map all rows into a new version; a large table may go on after this has returned."""
        if read.rows <= SMALL_ROWS and folder.rows.stat().st_size <= SMALL_BYTES:
            self._map_now(folder, read, mapping)
        else:
            self._map_in_child(folder, read, mapping)

    def _begin_reading(self, owner: OwnerFolder, folder: SetFolder, source: Source) -> Source:
        source = replace(source, attempts=source.attempts + 1)
        if source.attempts > ATTEMPTS:
            source = replace(source, problem=_INTERRUPTED)
            folder.save(source)
            return source
        folder.save(source)
        folder.clear_work()
        original = read_file_record(owner, source.file_id)
        request = Request(
            work="read",
            originals=(
                Original(
                    path=str(owner.file(source.file_id)), name=original.name, sha256=source.sha256
                ),
            ),
        )

        def done(work: Path, answer: Any, problem: UserError | None) -> None:
            self._finish_reading(folder, work, answer, problem)

        limits = limits_for(original.bytes)
        self._room.start(str(folder.path), folder.new_work(), request, limits, done)
        return source

    def _finish_reading(
        self, folder: SetFolder, work: Path, answer: Any, problem: UserError | None
    ) -> None:
        """Put the rows in place, or the reason why there are none. In the work's thread."""
        with self._lock:
            source = folder.load()
            if problem is not None:
                folder.save(replace(source, problem=_told(problem)))
            else:
                (work / ROWS_FILE).rename(folder.rows)
                read = TypeAdapter(ReadReport).validate_python(answer)
                folder.save(replace(source, read=read))
                if source.then_map is not None:
                    self._map_at_last(folder, read, source.then_map)
            folder.clear_work()

    def _map_at_last(self, folder: SetFolder, read: ReadReport, mapping: Mapping) -> None:
        """Map with what was asked for when reading began; a problem is kept to be told."""
        try:
            self._map_now(folder, read, mapping)
        except UserError as problem:
            folder.save(replace(folder.load(), problem=_told(problem)))

    def _map_now(self, folder: SetFolder, read: ReadReport, mapping: Mapping) -> None:
        work = folder.new_work()
        work.mkdir(mode=0o700)
        try:
            made = write_mapped(
                folder.rows, read, mapping, work / MAPPED_FILE, lambda share, words: None
            )
            self._store(folder, work, made)
        finally:
            shutil.rmtree(work)

    def _map_in_child(self, folder: SetFolder, read: ReadReport, mapping: Mapping) -> None:
        request = Request(work="map", rows=str(folder.rows), read=read, mapping=mapping)
        problems: list[UserError] = []

        def done(work: Path, answer: Any, problem: UserError | None) -> None:
            with self._lock:
                if problem is not None:
                    problems.append(problem)
                    folder.save(replace(folder.load(), problem=_told(problem)))
                else:
                    self._store(folder, work, TypeAdapter(MapReport).validate_python(answer))
                shutil.rmtree(work)

        limits = limits_for(folder.rows.stat().st_size)
        work = self._room.start(str(folder.path), folder.new_work(), request, limits, done)
        work.thread.join(ANSWER_WITHIN_SECONDS)
        if problems:
            # The caller is told now, so the dataset has nothing left to tell.
            folder.save(replace(folder.load(), problem=None))
            raise problems[0]

    def _store(self, folder: SetFolder, work: Path, made: MapReport) -> None:
        """Give the finished examples the next version's name; earlier versions stay."""
        with self._lock:
            source = folder.load()
            version = source.version + 1
            (work / MAPPED_FILE).chmod(0o400)
            (work / MAPPED_FILE).rename(folder.mapped(version))
            folder.save(replace(source, version=version, mapped=made, problem=None))


_INTERRUPTED = Problem(
    title="Reading was interrupted",
    detail=f"Tailor was stopped {ATTEMPTS} times while it read this file.",
    fix="Drop the file again. If it happens again, try with a part of it.",
)


def _told(problem: UserError) -> Problem:
    return Problem(title=problem.title, detail=problem.detail, fix=problem.fix)
