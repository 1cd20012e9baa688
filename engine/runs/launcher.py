"""Lets the next run start when there is room for it.

First in, first out, as many at once as the scheduler has room for. Each step is on disk before the
next, so a launch that a kill interrupted is taken up where it was. The supervisor calls
`launch_next`.
"""

from pathlib import Path

from tailor.engine.json_file import read_json
from tailor.engine.lifecycle import ALIVE, FolderLost, ResumeAsked, ShimStarted, TurnCame
from tailor.engine.run_dir import Attempt, RunDir
from tailor.engine.runs.checkpoint import remove_leftovers
from tailor.engine.runs.run_book import RunBook
from tailor.engine.schedulers.local import LocalScheduler
from tailor.engine.types import RunRecord, Status

LEASING: frozenset[Status] = frozenset({"leasing"})
QUEUED: frozenset[Status] = frozenset({"queued"})


class Launcher:
    """Starts attempts through a scheduler."""

    def __init__(self, book: RunBook, scheduler: LocalScheduler) -> None:
        """Takes runs from the queue in `book`."""
        self._book = book
        self._scheduler = scheduler

    def launch_next(self) -> None:
        """Start the run that waits longest, if there is room; finish an interrupted start."""
        store = self._book.store
        for run in store.runs_in(LEASING):
            self._launch(run)
        room = self._scheduler.capacity() - len(store.runs_in(ALIVE | LEASING))
        for run in store.runs_in(QUEUED)[: max(0, room)]:
            if not Path(run.folder).is_dir():
                self._book.commit(run, [FolderLost(at=self._book.clock())])
                continue
            if self._scheduler.state(RunDir(Path(run.folder)), run.attempt).is_working:
                # A helper process of the last attempt is still ending.
                continue
            fact = TurnCame(
                at=self._book.clock(), attempt=run.attempt + 1, resume_from=self._resume_from(run)
            )
            self._launch(self._book.commit(run, [fact]))

    def _launch(self, run: RunRecord) -> None:
        """From "leasing" to "starting", whatever of it was done already."""
        run_dir = RunDir(Path(run.folder))
        folder = run_dir.attempt(run.attempt)
        if self._scheduler.state(run_dir, run.attempt).is_untouched:
            if not folder.plan.exists():
                # The stop request of the attempt before would end this one.
                run_dir.stop.unlink(missing_ok=True)
                remove_leftovers(run_dir)
            self._scheduler.launch(run_dir, self._read_attempt(run, run_dir))
        self._book.commit(run, [ShimStarted(at=self._book.clock())])

    def _read_attempt(self, run: RunRecord, run_dir: RunDir) -> Attempt:
        """What the attempt shall do: as written before an interruption, else as decided."""
        written = run_dir.attempt(run.attempt).plan
        if written.exists():
            return read_json(written, Attempt)
        return Attempt(number=run.attempt, resume_from=self._resume_from(run))

    def _resume_from(self, run: RunRecord) -> str:
        """The checkpoint of the newest resume order; empty for a run that never had one."""
        for line in reversed(self._book.store.transitions(run.id)):
            if isinstance(line.fact, ResumeAsked):
                return line.fact.checkpoint
        return ""
