"""Reads a run back from its folder: the same record, diary and place that the store had.

The folder is the truth and the store an index, so an index that is lost, damaged or a step behind
costs nothing. Reconcile enters unknown folders with it; `doctor --rebuild-index` does so for all of
them.
"""

import json
import logging
from dataclasses import replace
from pathlib import Path

from pydantic import ValidationError

from tailor.engine.events import Event
from tailor.engine.json_file import read_json
from tailor.engine.lifecycle import (
    Fact,
    IllegalTransitionError,
    Submitted,
    advance,
    first_record,
)
from tailor.engine.run_dir import RunDir
from tailor.engine.runs.change import Change, Request
from tailor.engine.runs.diary import describe_events, describe_fact
from tailor.engine.runs.event_log import read_events
from tailor.engine.runs.journal import read_journal
from tailor.engine.runs.progress import compute_progress
from tailor.engine.runs.reading import Reading, fold_event
from tailor.engine.store import Store
from tailor.engine.types import FINAL, DiaryLine, FrozenRun, RunRecord

log = logging.getLogger(__name__)

SUBMIT = "submit"
"""Verb under which a submit's answer is kept."""


def rebuild_index(home: Path, store: Store) -> tuple[str, ...]:
    """Enter every run folder of `home` anew; answers those that could not be read.

    The caller holds the engine's lock. Drafts, answered requests and the trackers' places stay.
    """
    places = store.tracker_runs()
    for run in store.runs():
        store.delete_run(run.id)
    changes, unreadable = [], []
    for folder in sorted((home / "runs").glob("run_*")):
        change = read_run_folder(folder)
        if change is None:
            unreadable.append(folder.name)
        else:
            changes.append(change)
    for change in sorted(changes, key=_queue_order):
        store.save(change)
    for run_id, tracker, place in places:
        store.save_tracker_run(run_id, tracker, place)
    return tuple(unreadable)


def read_run_folder(folder: Path) -> Change | None:
    """Everything the store keeps of a run, from its folder; None when it cannot be read."""
    run_dir = RunDir(folder)
    try:
        frozen = read_json(run_dir.frozen, FrozenRun)
        lines = read_journal(run_dir.journal)
        if not lines:
            return None
        record = first_record(frozen, str(folder))
        records = []
        for line in lines:
            record = advance(record, line.fact)
            records.append(record)
    except (FileNotFoundError, ValidationError, IllegalTransitionError):
        log.exception("%s cannot be read as a run", folder)
        return None
    # Later events are read by whoever follows the run; their meaning is not in the journal yet.
    events = _read_until(run_dir.events, lines[-1].after_seq)
    reading = Reading()
    for event in events:
        reading = fold_event(reading, event)
    diary: list[DiaryLine] = []
    told = 0
    for line, after in zip(lines, records, strict=True):
        before = [event for event in events[told:] if event.stamp.seq <= line.after_seq]
        told += len(before)
        diary.extend(describe_events(before))
        described = describe_fact(line.fact, after)
        if described is not None:
            diary.append(described)
    return Change(
        record=_with_progress(record, reading, frozen),
        is_new=True,
        joins_queue=record.status == "queued",
        reading=reading,
        lines=lines,
        diary=tuple(diary),
        request=_request(frozen, lines[0].fact),
    )


def _with_progress(record: RunRecord, reading: Reading, frozen: FrozenRun) -> RunRecord:
    if reading.seq == 0:
        return record
    return replace(
        record,
        progress=compute_progress(reading, frozen.plan, frozen.estimate),
        is_resumable=record.is_resumable
        or (record.status not in FINAL and reading.checkpoint_step is not None),
    )


def _read_until(path: Path, last_seq: int) -> list[Event]:
    found: list[Event] = []
    offset = 0
    while True:
        events, next_offset = read_events(path, offset)
        found.extend(event for event in events if event.stamp.seq <= last_seq)
        if next_offset == offset or any(event.stamp.seq > last_seq for event in events):
            return found
        offset = next_offset


def _request(frozen: FrozenRun, fact: Fact) -> Request | None:
    """The submit that made the run: sent again, it must not make another one."""
    if not isinstance(fact, Submitted) or not fact.request:
        return None
    return Request(
        owner=frozen.owner,
        id=fact.request,
        verb=SUBMIT,
        body_hash=fact.request_hash,
        answer=json.dumps(frozen.id),
    )


def _queue_order(change: Change) -> float:
    """When the run last joined the queue."""
    return max(line.fact.at for line in change.lines if line.status == "queued")
