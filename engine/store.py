"""The engine's index of runs, drafts and answered requests: the only SQL besides the migrations.

Queue, status and event offsets must survive a kill at any moment and change together, so they live
in one database. Run folders are the truth; what is lost here is rebuilt from them. The supervisor
writes runs, the API writes drafts and requests, the trackers their places.
"""

import json
import sqlite3
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from tailor.engine.database import Database
from tailor.engine.errors import UserError
from tailor.engine.machine.full_disk import full_disk_in_words
from tailor.engine.runs.change import Change, Request, TrackerRun
from tailor.engine.runs.journal import LINE, JournalLine
from tailor.engine.runs.reading import Reading
from tailor.engine.types import DiaryLine, Draft, RunRecord, Status

REQUESTS_KEPT_SECONDS = 30 * 24 * 3600.0
"""Longer than any client tries again."""

ANSWER_UNSAVED = "What you asked for was done, but could not be noted as done."
DRAFT_UNSAVED = "Your last change of the project was not saved."

_RECORD = TypeAdapter(RunRecord)
_READING = TypeAdapter(Reading)
_DRAFT = TypeAdapter(Draft)
_DIARY = TypeAdapter(DiaryLine)
_FROZEN = {"spec", "plan", "estimate"}
"""Fields that never change after submit: written once, and large."""

_SELECT_RUNS = """SELECT id, frozen, state,
    CASE status WHEN 'queued' THEN
        (SELECT COUNT(*) FROM runs AS other
         WHERE other.status = 'queued' AND other.ticket <= runs.ticket)
    END FROM runs """


class Store:
    """The database of one engine; safe to share between threads."""

    def __init__(self, path: Path, *, clock: Callable[[], float] = time.time) -> None:
        """Open or make it. Raises `UserError` for a newer schema; damage is moved aside."""
        self._clock = clock
        self._database = Database(path)
        self.damaged_copy = self._database.damaged_copy
        """Where a damaged database was put; None when it was sound."""
        with self._database.transaction() as connection:
            oldest = clock() - REQUESTS_KEPT_SECONDS
            connection.execute("DELETE FROM requests WHERE at < ?", (oldest,))

    def close(self) -> None:
        """Let go of the database."""
        self._database.close()

    # Runs

    def save(
        self, change: Change, before_commit: Callable[[], Callable[[], None]] | None = None
    ) -> None:
        """Write a change in one transaction.

        `before_commit` puts on disk what must be there first, and answers how to take it back; that
        is called when the transaction fails after all. Left out, everything is on disk already.
        """
        undo: Callable[[], None] | None = None
        try:
            with self._database.transaction() as connection:
                self._put(connection, change)
                undo = before_commit() if before_commit is not None else None
        except BaseException:
            if undo is not None:
                undo()
            raise

    def run(self, run_id: str) -> RunRecord | None:
        """One run, None when it is not known."""
        found = self._runs(_SELECT_RUNS + "WHERE id = ?", run_id)
        return found[0] if found else None

    def runs(self, *, owner: str | None = None, limit: int = -1) -> tuple[RunRecord, ...]:
        """Runs, newest first; of every owner when `owner` is None."""
        return self._runs(
            _SELECT_RUNS + "WHERE ?1 IS NULL OR owner = ?1 ORDER BY created_at DESC, id LIMIT ?2",
            owner,
            limit,
        )

    def runs_in(self, statuses: frozenset[Status]) -> tuple[RunRecord, ...]:
        """Runs in one of these statuses, in the order of the queue."""
        return self._runs(
            _SELECT_RUNS + "WHERE status IN (SELECT value FROM json_each(?)) ORDER BY ticket",
            json.dumps(sorted(statuses)),
        )

    def reading(self, run_id: str) -> Reading:
        """What was read from a run's events so far."""
        found = self._database.query("SELECT reading FROM runs WHERE id = ?", (run_id,))
        return _READING.validate_json(found[0][0])

    def count_transitions(self, run_id: str) -> int:
        """How many lines of the run's journal the store has."""
        found = self._database.query("SELECT COUNT(*) FROM transitions WHERE run = ?", (run_id,))
        count: int = found[0][0]
        return count

    def transitions(self, run_id: str) -> tuple[JournalLine, ...]:
        """The run's journal, as far as the store has it."""
        found = self._database.query(
            "SELECT line FROM transitions WHERE run = ? ORDER BY number", (run_id,)
        )
        return tuple(LINE.validate_json(line) for (line,) in found)

    def diary(self, run_id: str) -> tuple[DiaryLine, ...]:
        """The run's story, oldest first."""
        found = self._database.query(
            "SELECT line FROM diary WHERE run = ? ORDER BY number", (run_id,)
        )
        return tuple(_DIARY.validate_json(line) for (line,) in found)

    def delete_run(self, run_id: str) -> None:
        """Forget a run with everything that hangs on it."""
        with self._database.transaction() as connection:
            connection.execute("DELETE FROM runs WHERE id = ?", (run_id,))

    # Trackers

    def tracker_run(self, run_id: str, tracker: str) -> TrackerRun | None:
        """Where `tracker` keeps a run, None before it took anything."""
        found = self._database.query(
            "SELECT name, seq FROM tracker_runs WHERE run = ? AND tracker = ?", (run_id, tracker)
        )
        return TrackerRun(name=found[0][0], seq=found[0][1]) if found else None

    def save_tracker_run(self, run_id: str, tracker: str, place: TrackerRun) -> None:
        """Remember a tracker's place; for a run that was deleted meanwhile there is none."""
        with self._database.transaction() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO tracker_runs SELECT id, ?, ?, ? FROM runs WHERE id = ?",
                (tracker, place.name, place.seq, run_id),
            )

    def tracker_runs(self) -> tuple[tuple[str, str, TrackerRun], ...]:
        """Run, tracker and place of all of them."""
        found = self._database.query("SELECT run, tracker, name, seq FROM tracker_runs")
        return tuple(
            (run, tracker, TrackerRun(name=name, seq=seq)) for run, tracker, name, seq in found
        )

    # Requests

    def lookup_answer(self, owner: str, request_id: str, verb: str, body_hash: str) -> str | None:
        """The answer that this request got before; `UserError` when it was another request."""
        found = self._database.query(
            "SELECT verb, body_hash, answer FROM requests WHERE owner = ? AND id = ?",
            (owner, request_id),
        )
        if not found:
            return None
        if found[0][:2] != (verb, body_hash):
            raise UserError(
                title="This request was sent before with other contents",
                detail="Nothing was changed, so that nothing happens twice by mistake.",
                fix="Reload the page and try again.",
            )
        answer: str = found[0][2]
        return answer

    def remember_answer(self, request: Request) -> None:
        """Keep an answer for a month; the first answer to an id stays."""
        with self._in_words(ANSWER_UNSAVED), self._database.transaction() as connection:
            self._put_request(connection, request)

    # Drafts

    def save_draft(self, draft: Draft) -> Draft:
        """Store the next revision; `UserError` 409 when another tab was faster."""
        with self._in_words(DRAFT_UNSAVED), self._database.transaction() as connection:
            row = connection.execute(
                "SELECT owner, draft FROM drafts WHERE id = ?", (draft.id,)
            ).fetchone()
            if row is not None and row[0] != draft.owner:
                raise _unknown_draft()
            stored = _DRAFT.validate_json(row[1]).revision if row is not None else 0
            if stored != draft.revision:
                raise _changed_elsewhere()
            saved = replace(draft, revision=stored + 1, updated_at=self._clock())
            connection.execute(
                "INSERT OR REPLACE INTO drafts VALUES (?, ?, ?, ?)",
                (saved.id, saved.owner, saved.updated_at, _json(_DRAFT, saved)),
            )
        return saved

    def get_draft(self, owner: str, draft_id: str) -> Draft:
        """One draft of this owner."""
        found = self._database.query(
            "SELECT draft FROM drafts WHERE id = ? AND owner = ?", (draft_id, owner)
        )
        if not found:
            raise _unknown_draft()
        return _DRAFT.validate_json(found[0][0])

    def list_drafts(self, owner: str) -> tuple[Draft, ...]:
        """The owner's drafts, last touched first."""
        found = self._database.query(
            "SELECT draft FROM drafts WHERE owner = ? ORDER BY updated_at DESC, id", (owner,)
        )
        return tuple(_DRAFT.validate_json(draft) for (draft,) in found)

    def delete_draft(self, owner: str, draft_id: str) -> None:
        """Forget a draft; one that is gone already is no error."""
        with self._in_words(DRAFT_UNSAVED), self._database.transaction() as connection:
            connection.execute("DELETE FROM drafts WHERE id = ? AND owner = ?", (draft_id, owner))

    # Inside

    def _in_words(self, unchanged: str) -> AbstractContextManager[None]:
        return full_disk_in_words(self._database.path.parent, unchanged)

    def _runs(self, statement: str, *values: Any) -> tuple[RunRecord, ...]:
        return tuple(
            _RECORD.validate_python(
                {**json.loads(frozen), **json.loads(state), "position": position}
            )
            for _, frozen, state, position in self._database.query(statement, values)
        )

    def _put(self, connection: sqlite3.Connection, change: Change) -> None:
        run = change.record
        state = _RECORD.dump_json(run, exclude={*_FROZEN, "position"}).decode()
        if change.is_new:
            frozen = _RECORD.dump_json(run, include=_FROZEN).decode()
            connection.execute(
                "INSERT INTO runs VALUES (?, ?, ?, ?, NULL, ?, ?, '{}')",
                (run.id, run.owner, run.status, run.created_at, frozen, state),
            )
        connection.execute(
            "UPDATE runs SET status = ?, state = ? WHERE id = ?", (run.status, state, run.id)
        )
        if change.joins_queue:
            connection.execute(
                "UPDATE runs SET ticket = (SELECT COALESCE(MAX(ticket), 0) + 1 FROM runs) "
                "WHERE id = ?",
                (run.id,),
            )
        if change.reading is not None:
            reading = _json(_READING, change.reading)
            connection.execute("UPDATE runs SET reading = ? WHERE id = ?", (reading, run.id))
        connection.executemany(
            "INSERT INTO transitions VALUES (?, ?, ?)",
            [(run.id, line.number, _json(LINE, line)) for line in change.lines],
        )
        connection.executemany(
            "INSERT INTO diary (run, line) VALUES (?, ?)",
            [(run.id, _json(_DIARY, line)) for line in change.diary],
        )
        if change.request is not None:
            self._put_request(connection, change.request)

    def _put_request(self, connection: sqlite3.Connection, request: Request) -> None:
        connection.execute(
            "INSERT OR IGNORE INTO requests VALUES (?, ?, ?, ?, ?, ?)",
            (
                request.owner, request.id, request.verb, request.body_hash, request.answer,
                self._clock(),
            ),
        )  # fmt: skip


def _json(adapter: TypeAdapter[Any], noun: Any) -> str:
    return adapter.dump_json(noun).decode()


def _unknown_draft() -> UserError:
    return UserError(
        title="This project is not here",
        detail="It was deleted, or it belongs to somebody else.",
        fix="Choose another one on the Home page.",
        status=404,
    )


def _changed_elsewhere() -> UserError:
    return UserError(
        title="This project was changed in another tab",
        detail="That tab saved it after this one had read it, so nothing was overwritten here.",
        fix="Reload this page to go on from the newest state.",
        status=409,
    )
