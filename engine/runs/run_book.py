"""The one door through which a run changes: journal and store together, or neither.

A decision that is in the journal but not in the store, or the other way round, would be told
differently after a restart. Supervisor, follower and reconcile all write through `commit`.
"""

import time
from collections.abc import Callable, Iterable
from pathlib import Path

from tailor.engine.errors import UserError
from tailor.engine.lifecycle import Fact, FolderLost, advance
from tailor.engine.run_dir import RunDir
from tailor.engine.runs.change import Change, Request
from tailor.engine.runs.diary import describe_fact
from tailor.engine.runs.journal import JournalLine, append_lines, take_back
from tailor.engine.runs.reading import Reading
from tailor.engine.store import Store
from tailor.engine.types import DiaryLine, RunRecord

QUEUEING = frozenset({"submitted", "resume_asked", "retry_due"})
"""Facts with which a run goes to the end of the queue."""


class RunBook:
    """Runs, their journals and their diaries."""

    def __init__(self, store: Store, clock: Callable[[], float] = time.time) -> None:
        """`clock` gives wall-clock seconds, for display only."""
        self.store = store
        self.clock = clock

    def require(self, run_id: str, owner: str | None) -> RunRecord:
        """A run; somebody else's is as unknown as none at all. Owner None is the engine itself."""
        run = self.store.run(run_id)
        if run is None or owner not in (None, run.owner):
            raise UserError(
                title="There is no such run",
                detail=f"{run_id} is not one of your runs.",
                fix="Choose a run on the Home page.",
                status=404,
            )
        return run

    def create(
        self,
        run: RunRecord,
        line: JournalLine,
        request: Request,
        publish: Callable[[], Callable[[], None]],
    ) -> None:
        """Enter a run whose folder holds its journal; `publish` makes the folder visible."""
        change = Change(
            record=run,
            is_new=True,
            joins_queue=True,
            reading=Reading(),
            lines=(line,),
            diary=_describe([(line.fact, run)]),
            request=request,
        )
        self.store.save(change, publish)

    def commit(
        self,
        run: RunRecord,
        facts: Iterable[Fact],
        *,
        reading: Reading | None = None,
        diary: tuple[DiaryLine, ...] = (),
    ) -> RunRecord:
        """Advance a run by facts, with what was read of its events; answers the new record."""
        number = self.store.count_transitions(run.id)
        after_seq = (reading or self.store.reading(run.id)).seq
        lines: list[JournalLine] = []
        told: list[tuple[Fact, RunRecord]] = []
        for fact in facts:
            run = advance(run, fact)
            number += 1
            told.append((fact, run))
            lines.append(
                JournalLine(
                    number=number,
                    after_seq=after_seq,
                    fact=fact,
                    status=run.status,
                    reason=run.reason,
                )
            )
        change = Change(
            record=run,
            joins_queue=any(fact.kind in QUEUEING for fact, _ in told),
            reading=reading,
            lines=tuple(lines),
            diary=(*diary, *_describe(told)),
        )
        self.store.save(change, lambda: _append(run, tuple(lines)))
        return run

    def replay(self, run: RunRecord, lines: tuple[JournalLine, ...]) -> RunRecord:
        """Take over journal lines that the store has missed."""
        told: list[tuple[Fact, RunRecord]] = []
        for line in lines:
            run = advance(run, line.fact)
            told.append((line.fact, run))
        change = Change(
            record=run,
            joins_queue=any(fact.kind in QUEUEING for fact, _ in told),
            lines=lines,
            diary=_describe(told),
        )
        self.store.save(change)
        return run


def _append(run: RunRecord, lines: tuple[JournalLine, ...]) -> Callable[[], None]:
    """Write the journal; answers how to take the lines back."""
    journal = RunDir(Path(run.folder)).journal
    if not lines or any(isinstance(line.fact, FolderLost) for line in lines):
        return _nothing
    length = append_lines(journal, lines)
    return lambda: take_back(journal, length)


def _nothing() -> None:
    """There is nothing to take back."""


def _describe(told: list[tuple[Fact, RunRecord]]) -> tuple[DiaryLine, ...]:
    described = (describe_fact(fact, run) for fact, run in told)
    return tuple(line for line in described if line is not None)
