"""What the engine does with the runs it finds when it starts.

The engine may have been killed between any two instructions while workers went on. Each difference
between folders, store and living processes has one answer here; the supervisor calls `reconcile`
once, before it takes orders. Restarting a healthy system changes nothing.
"""

import logging
from dataclasses import replace
from pathlib import Path

from tailor.engine.json_file import read_json
from tailor.engine.lifecycle import ALIVE, FolderLost, Noted
from tailor.engine.run_dir import Attempt, RunDir
from tailor.engine.runs.checkpoint import remove_leftovers
from tailor.engine.runs.journal import read_journal
from tailor.engine.runs.rebuild import read_run_folder
from tailor.engine.runs.run_book import RunBook
from tailor.engine.runs.run_folder import (
    empty_deleted,
    remove_deleted,
    remove_unfinished_new,
    unfinished_deletions,
)
from tailor.engine.schedulers.local import LocalScheduler
from tailor.engine.types import RunRecord

log = logging.getLogger(__name__)

ADOPTED = "Tailor was restarted meanwhile; the training went on without a break."


def reconcile(book: RunBook, runs: Path, scheduler: LocalScheduler) -> None:
    """Bring folders, store and living processes together."""
    finish_deletions(book, runs)
    remove_unfinished_new(runs)
    _enter_unknown_folders(book, runs)
    for run in book.store.runs():
        try:
            _reconcile_run(book, runs, run, scheduler)
        except Exception:
            # One folder that cannot be read must not keep all other runs from being watched.
            log.exception("%s could not be brought in order; it stays as it is", run.id)


def finish_deletions(book: RunBook, runs: Path) -> None:
    """Complete what a kill or a full disk interrupted."""
    for run_id, hidden in unfinished_deletions(runs).items():
        empty_deleted(hidden)
        book.store.delete_run(run_id)
        remove_deleted(hidden)


def _enter_unknown_folders(book: RunBook, runs: Path) -> None:
    """A submit that was killed before its commit, or an index that was lost."""
    for folder in sorted(runs.glob("run_*")):
        if book.store.run(folder.name) is None:
            change = read_run_folder(folder)
            if change is not None:
                log.info("%s was entered from its folder", folder.name)
                book.store.save(change)


def _reconcile_run(book: RunBook, runs: Path, run: RunRecord, scheduler: LocalScheduler) -> None:
    """One row of the table: what is there decides what the run is."""
    run_dir = RunDir(runs / run.id)
    if not run_dir.path.is_dir():
        if run.status != "lost":
            book.commit(run, [FolderLost(at=book.clock())])
        return
    if run.status == "lost":
        # Its folder is back: whatever it was before stands in its journal.
        book.store.delete_run(run.id)
        _enter_unknown_folders(book, runs)
        return
    if run.folder != str(run_dir.path):
        run = book.commit(replace(run, folder=str(run_dir.path)), [])
    missed = read_journal(run_dir.journal)[book.store.count_transitions(run.id) :]
    if missed:
        log.info("%s: %d journal lines were not in the store yet", run.id, len(missed))
        run = book.replay(run, missed)
    state = scheduler.state(run_dir, run.attempt)
    if run.status == "starting" and state.is_untouched:
        # Its shim died before its first act, or comes only now: the locks let one of the two in.
        scheduler.launch(run_dir, read_json(run_dir.attempt(run.attempt).plan, Attempt))
    elif state.is_over or not state.is_working:
        remove_leftovers(run_dir)
    elif run.status in ALIVE:
        log.info("%s is adopted (shim alive: %s)", run.id, state.is_shim_alive)
        book.commit(run, [Noted(at=book.clock(), words=ADOPTED)])
