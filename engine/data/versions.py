"""Each new version of a dataset: a fix or another mapping, computed whole before it counts.

New rows and new examples are made in a folder of their own, get names that nothing refers to yet,
and become the dataset in one step when its record is written; a kill at any moment leaves the old
state or the new one. Small tables are done at once, large ones by a child. Used by `dataset_work`.
"""

import shutil
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from tailor.engine.data.mapped import make_version
from tailor.engine.data.reading import ReadingRoom
from tailor.engine.data.report import MapReport, Source
from tailor.engine.data.request import (
    MAPPED_FILE,
    ROWS_FILE,
    MapOrder,
    MixedSet,
    Request,
    limits_for,
)
from tailor.engine.data.set_folder import SetFolder, put
from tailor.engine.data_types import Mapping, Operation
from tailor.engine.errors import UserError
from tailor.engine.findings import Problem
from tailor.estimator.record import record

SMALL_ROWS, SMALL_BYTES = 1_000, 1_000_000
"""Up to here rows are mapped at once: well under a second. Larger tables go to a child."""
ANSWER_WITHIN_SECONDS = 20.0
"""How long a caller is kept waiting for work that usually takes less."""


@record
class Change:
    """What a dataset is to become."""

    wanted: Source
    """Its record as it should be then, but for what the work itself finds out."""
    mapping: Mapping
    files: tuple[str, ...]
    """The person's names of the originals."""
    mixed: tuple[MixedSet, ...] = ()
    operation: Operation | None = None
    """A fix to apply first."""

    @property
    def order(self) -> MapOrder:
        """The same as the work is told of it."""
        return MapOrder(
            mapping=self.mapping,
            title=self.wanted.title,
            files=self.files,
            operation=self.operation,
            extra_checks=self.wanted.extra_checks,
            mixed=self.mixed,
            general_share=self.wanted.mixing.general_share,
        )


class Versions:
    """Makes versions of all datasets of one library."""

    def __init__(self, room: ReadingRoom, lock: threading.RLock) -> None:
        """`lock` is held while a record is changed."""
        self._room = room
        self._lock = lock

    def make(self, folder: SetFolder, change: Change) -> None:
        """Make the next version; that of a large table may go on after this has returned."""
        assert change.wanted.read is not None
        rows = folder.rows(change.wanted)
        is_small = change.wanted.read.rows <= SMALL_ROWS and rows.stat().st_size <= SMALL_BYTES
        if is_small and not change.wanted.extra_checks:
            self.make_now(folder, change)
        else:
            self._make_in_child(folder, change)

    def make_now(self, folder: SetFolder, change: Change) -> None:
        """Make the next version in this process, before this returns."""
        assert change.wanted.read is not None
        rows, read = folder.rows(change.wanted), change.wanted.read
        work = folder.new_work()
        work.mkdir(mode=0o700)
        try:
            made = make_version(rows, read, change.order, work, lambda share, words: None)
            self._store(folder, change, work, made)
        finally:
            shutil.rmtree(work)

    def _make_in_child(self, folder: SetFolder, change: Change) -> None:
        rows = folder.rows(change.wanted)
        request = Request(work="map", rows=str(rows), read=change.wanted.read, order=change.order)
        problems: list[UserError] = []

        def done(work: Path, answer: Any, problem: UserError | None) -> None:
            with self._lock:
                if problem is not None:
                    problems.append(problem)
                    folder.save(replace(folder.load(), problem=told(problem)))
                else:
                    made = TypeAdapter(MapReport).validate_python(answer)
                    self._store(folder, change, work, made)
                shutil.rmtree(work)

        work = self._room.start(
            str(folder.path), folder.new_work(), request, limits_for(rows.stat().st_size), done
        )
        work.thread.join(ANSWER_WITHIN_SECONDS)
        if problems:
            # The caller is told now, so the dataset has nothing left to tell.
            folder.save(replace(folder.load(), problem=None))
            raise problems[0]

    def _store(self, folder: SetFolder, change: Change, work: Path, made: MapReport) -> None:
        """Give the files their names, then write the record that refers to them."""
        with self._lock:
            before = folder.load()
            operations = change.wanted.operations
            if made.operation is not None:
                operations = (*operations, made.operation)
            after = replace(
                change.wanted,
                version=before.version + 1,
                mapped=made,
                then_map=None,
                problem=None,
                operations=operations,
                skipped=_still_skipped(before, made),
            )
            if made.operation is not None:
                put(work / ROWS_FILE, folder.rows(after))
            put(work / MAPPED_FILE, folder.mapped(after.version))
            folder.save(after)
            folder.clear_rows(after)


def told(problem: UserError) -> Problem:
    """A problem as it is stored."""
    return Problem(title=problem.title, detail=problem.detail, fix=problem.fix)


def _still_skipped(before: Source, made: MapReport) -> tuple[str, ...]:
    """The checks that stay skipped: what they find is what the person has seen already."""
    if before.mapped is None or before.read is None:
        return before.skipped
    kept = set(before.read.findings)
    if before.mapped.mapping == made.mapping:
        kept |= set(before.mapped.findings) & set(made.findings)
    checks = {finding.check for finding in kept}
    return tuple(check for check in before.skipped if check in checks)
