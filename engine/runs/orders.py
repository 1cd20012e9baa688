"""What people may order about runs: submit, stop, resume, delete, each all or nothing.

An order that is refused has changed nothing and says why; one that is answered is on disk. The
supervisor calls these under its lock.
"""

import hashlib
import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Literal

from pydantic import TypeAdapter

from tailor.engine.errors import UserError
from tailor.engine.findings import Finding
from tailor.engine.json_file import write_json
from tailor.engine.lifecycle import (
    ALIVE,
    Fact,
    Noted,
    ResumeAsked,
    StopAsked,
    Submitted,
    advance,
    first_record,
)
from tailor.engine.machine.full_disk import full_disk_in_words
from tailor.engine.planning import PlanRun, refuse_stops
from tailor.engine.run_dir import RunDir, StopRequest
from tailor.engine.runs.change import Request
from tailor.engine.runs.checkpoint import choose_checkpoint
from tailor.engine.runs.journal import JournalLine
from tailor.engine.runs.reading import Reading
from tailor.engine.runs.rebuild import SUBMIT
from tailor.engine.runs.run_book import RunBook
from tailor.engine.runs.run_folder import (
    build_run_folder,
    empty_deleted,
    hide_deleted,
    make_run_id,
    publish_run_folder,
    read_versions,
    remove_deleted,
    runs_folder,
)
from tailor.engine.runs.stop_deadline import read_stop
from tailor.engine.types import FINAL, FrozenRun, RunRecord
from tailor.estimator.hardware import HardwareSpec
from tailor.recipes.spec import RunSpec

STOP_SECONDS = 120.0
"""Least time that a worker gets to save and stop."""
DISCARD_SECONDS = 10.0
"""Time to end when nothing is to be saved: one look of the worker at its orders takes 2 s."""

Mode = Literal["keep", "discard"]

_SPEC = TypeAdapter(RunSpec)


class Orders:
    """Orders about the runs of one home folder."""

    def __init__(
        self,
        home: Path,
        book: RunBook,
        hardware: Callable[[], HardwareSpec],
        plan_run: PlanRun,
    ) -> None:
        """`hardware` reads this computer, `plan_run` plans and checks a run on it."""
        self._home = home
        self._runs = runs_folder(home)
        self._book = book
        self._hardware = hardware
        self._plan_run = plan_run

    def submit(self, spec: RunSpec, owner: str, request_id: str) -> RunRecord:
        """Enter a run; the same request answers the same run."""
        spec = replace(spec, owner=owner)
        digest = hashlib.sha256(_SPEC.dump_json(spec)).hexdigest()
        answer = self._book.store.lookup_answer(owner, request_id, SUBMIT, digest)
        if answer is not None:
            return self._book.require(json.loads(answer), owner)
        planned = self._plan_run(spec, self._hardware(), self._home)
        refuse_stops(planned.findings)
        at = self._book.clock()
        frozen = FrozenRun(
            id=make_run_id(self._runs, at),
            spec=spec,
            plan=planned.plan,
            estimate=planned.estimate,
            owner=owner,
            created_at=at,
            versions=read_versions(),
        )
        fact = Submitted(at=at, request=request_id, request_hash=digest)
        request = Request(
            owner=owner, id=request_id, verb=SUBMIT, body_hash=digest, answer=json.dumps(frozen.id)
        )
        with full_disk_in_words(self._home, "The run was not started, and nothing was changed."):
            self._enter(frozen, fact, request)
        return self._book.require(frozen.id, owner)

    def preflight(self, spec: RunSpec, owner: str) -> tuple[Finding, ...]:
        """The findings of the plan; nothing is written."""
        return self._plan_run(replace(spec, owner=owner), self._hardware(), self._home).findings

    def stop(self, run_id: str, owner: str | None, mode: Mode) -> RunRecord:
        """Ask the worker to stop; one that waits is stopped at once."""
        run = self._book.require(run_id, owner)
        if run.status in FINAL:
            return run
        fact: Fact = StopAsked(at=self._book.clock(), mode=mode, who=_who(owner))
        with full_disk_in_words(self._home, "The run goes on as before."):
            if run.status not in ALIVE:
                return self._book.commit(run, [fact])
            return self._ask_worker(run, mode, fact)

    def resume(self, run_id: str, owner: str | None) -> RunRecord:
        """Queue a run again, to go on from the newest checkpoint that is whole."""
        run = self._book.require(run_id, owner)
        if run.status not in ("stopped", "failed"):
            raise _not_resumable(run)
        planned = self._plan_run(run.spec, self._hardware(), self._home)
        refuse_stops(planned.findings)
        with full_disk_in_words(self._home, "The run was not resumed; what it saved is kept."):
            choice = choose_checkpoint(RunDir(Path(run.folder)))
            at = self._book.clock()
            facts: list[Fact] = [
                Noted(at=at, words=f"A damaged saved state was set aside: {damaged}.", level="care")
                for damaged in choice.damaged
            ]
            if choice.name:
                words = f"It waits for its turn, to go on from step {choice.step}."
                facts.append(ResumeAsked(at=at, checkpoint=choice.name, words=words))
                self._book.commit(run, facts)
                return self._book.require(run_id, owner)
            self._book.commit(replace(run, is_resumable=False), facts)
        raise _nothing_saved(run, is_damaged=bool(choice.damaged))

    def delete(self, run_id: str, owner: str | None) -> None:
        """Remove a run with its folder."""
        run = self._book.require(run_id, owner)
        if run.status in ALIVE or run.status == "leasing":
            raise UserError(
                title="This run is still working",
                detail=run.reason,
                fix="Stop it first, then delete it.",
                status=409,
            )
        with full_disk_in_words(self._home, "It will be removed completely at the next start."):
            hidden = hide_deleted(Path(run.folder))
            empty_deleted(hidden)
            self._book.store.delete_run(run_id)
            remove_deleted(hidden)

    def _enter(self, frozen: FrozenRun, fact: Submitted, request: Request) -> None:
        """Folder, journal, store and request, or none of them."""
        run = first_record(frozen, str(self._runs / frozen.id))
        run = advance(run, fact)
        line = JournalLine(number=1, after_seq=0, fact=fact, status=run.status, reason=run.reason)
        hidden = build_run_folder(self._runs, frozen, line)
        try:
            self._book.create(run, line, request, lambda: publish_run_folder(hidden))
        except BaseException:
            shutil.rmtree(hidden)
            raise

    def _ask_worker(self, run: RunRecord, mode: Mode, fact: Fact) -> RunRecord:
        """Leave the request where worker and shim look for it."""
        run_dir = RunDir(Path(run.folder))
        before = read_stop(run_dir)
        if before is not None and before.mode in (mode, "discard"):
            return run if run.status == "stopping" else self._book.commit(run, [fact])
        reading = self._book.store.reading(run.id)
        request = StopRequest(
            mode=mode,
            reason="Somebody pressed Stop.",
            who=_who(run.owner),
            deadline_seconds=compute_stop_seconds(reading, mode),
        )
        run_dir.stop.parent.mkdir(exist_ok=True, mode=0o700)
        write_json(run_dir.stop, request)
        try:
            return self._book.commit(run, [fact])
        except OSError:
            if before is None:
                run_dir.stop.unlink()
            raise


def compute_stop_seconds(reading: Reading, mode: Mode) -> float:
    """Its longest step and twice its slowest save, at least two minutes."""
    if mode == "discard":
        return DISCARD_SECONDS
    measured = reading.longest_step_seconds + 2 * reading.checkpoint_seconds
    return max(STOP_SECONDS, measured)


def _who(owner: str | None) -> str:
    return "The engine" if owner is None else "You"


def _not_resumable(run: RunRecord) -> UserError:
    return UserError(
        title="This run cannot be resumed now",
        detail=run.reason,
        fix="A run is resumed after it was stopped or has failed.",
        status=409,
    )


def _nothing_saved(run: RunRecord, *, is_damaged: bool) -> UserError:
    damaged = "All its saved states are damaged; they were set aside, not removed."
    return UserError(
        title="There is nothing to go on from",
        detail=damaged if is_damaged else "The run ended before anything was saved.",
        fix="Start it again from its plan; your data and settings are kept.",
        status=409,
    )
