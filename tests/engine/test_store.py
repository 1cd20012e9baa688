import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from small_runs import OWNER, make_spec, plan_small

from tailor.engine.database import Database
from tailor.engine.errors import UserError
from tailor.engine.lifecycle import Submitted, first_record
from tailor.engine.migrations import MIGRATIONS
from tailor.engine.runs.change import Change, Request, TrackerRun
from tailor.engine.runs.journal import JournalLine
from tailor.engine.runs.reading import Reading
from tailor.engine.store import REQUESTS_KEPT_SECONDS, Store
from tailor.engine.types import DiaryLine, Draft, FrozenRun, RunRecord


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with closing(Store(tmp_path / "engine.db")) as opened:
        yield opened


def make_record(run_id: str, created_at: float = 1.0, owner: str = OWNER) -> RunRecord:
    spec = make_spec(steps=3)
    planned = plan_small(spec, None, None)  # type: ignore[arg-type]
    frozen = FrozenRun(
        id=run_id, spec=spec, plan=planned.plan, estimate=planned.estimate, owner=owner,
        created_at=created_at, versions=(),
    )  # fmt: skip
    return first_record(frozen, f"/runs/{run_id}")


def save(store: Store, record: RunRecord, **parts: object) -> None:
    change = Change(record=record, is_new=True, joins_queue=True, **parts)  # type: ignore[arg-type]
    store.save(change, lambda: lambda: None)


def test_a_record_comes_back_as_it_was_saved(store: Store) -> None:
    record = make_record("run_1")
    line = JournalLine(
        number=1, after_seq=0, fact=Submitted(at=1.0), status="queued", reason=record.reason
    )
    told = DiaryLine(at=1.0, words="It was handed in.", level="note")
    reading = Reading(offset=12, seq=3, loss_train=float("nan"))
    save(store, record, lines=(line,), diary=(told,), reading=reading)
    assert store.run("run_1") == replace(record, position=1)
    assert store.transitions("run_1") == (line,)
    assert store.count_transitions("run_1") == 1
    assert store.diary("run_1") == (told,)
    assert store.reading("run_1").offset == 12
    assert store.run("run_2") is None


def test_positions_follow_the_queue_and_close_up(store: Store) -> None:
    for number in (1, 2, 3):
        save(store, make_record(f"run_{number}", created_at=float(number)))
    store.save(Change(record=replace(make_record("run_1"), status="running")), lambda: lambda: None)
    queue = store.runs_in(frozenset({"queued"}))
    assert [(run.id, run.position) for run in queue] == [("run_2", 1), ("run_3", 2)]
    assert [run.id for run in store.runs(owner=OWNER)] == ["run_3", "run_2", "run_1"]
    assert store.runs(owner="otto") == ()


def test_a_change_whose_companion_fails_leaves_nothing(store: Store) -> None:
    def fail() -> None:
        raise OSError("no")

    with pytest.raises(OSError, match="no"):
        store.save(Change(record=make_record("run_1"), is_new=True), fail)  # type: ignore[arg-type]
    assert store.runs() == ()


def test_a_deleted_run_takes_its_rows_along_and_stays_gone(store: Store) -> None:
    save(store, make_record("run_1"), diary=(DiaryLine(at=0, words="x", level="note"),))
    store.save_tracker_run("run_1", "aim", TrackerRun(name="abc", seq=4))
    assert store.tracker_run("run_1", "aim") == TrackerRun(name="abc", seq=4)
    store.delete_run("run_1")
    store.save_tracker_run("run_1", "aim", TrackerRun(name="abc", seq=5))
    assert store.tracker_run("run_1", "aim") is None
    assert store.diary("run_1") == ()


def test_the_same_request_gets_the_same_answer_and_another_body_is_refused(store: Store) -> None:
    request = Request(owner="anna", id="r", verb="PUT /x", body_hash="h", answer="1")
    assert store.lookup_answer("anna", "r", "PUT /x", "h") is None
    store.remember_answer(request)
    store.remember_answer(replace(request, answer="2"))
    assert store.lookup_answer("anna", "r", "PUT /x", "h") == "1"
    assert store.lookup_answer("otto", "r", "PUT /x", "h") is None
    for verb, body in (("PUT /x", "other"), ("PUT /y", "h")):
        with pytest.raises(UserError) as refused:
            store.lookup_answer("anna", "r", verb, body)
        assert refused.value.status == 422


def test_answers_are_forgotten_after_a_month(tmp_path: Path) -> None:
    request = Request(owner="anna", id="r", verb="v", body_hash="h", answer="1")
    with closing(Store(tmp_path / "engine.db", clock=lambda: 0.0)) as store:
        store.remember_answer(request)
    with closing(Store(tmp_path / "engine.db", clock=lambda: REQUESTS_KEPT_SECONDS + 1)) as store:
        assert store.lookup_answer("anna", "r", "v", "h") is None


def test_a_second_tab_cannot_overwrite_the_first(store: Store) -> None:
    first = store.save_draft(Draft(id="d", owner="anna", title="one"))
    assert first.revision == 1
    second = store.save_draft(replace(first, title="two"))
    with pytest.raises(UserError, match="changed in another tab") as refused:
        store.save_draft(replace(first, title="three"))
    assert refused.value.status == 409
    assert store.get_draft("anna", "d") == second


def test_drafts_of_somebody_else_are_unknown(store: Store) -> None:
    draft = store.save_draft(Draft(id="d", owner="anna"))
    for act in (
        lambda: store.get_draft("otto", "d"),
        lambda: store.save_draft(replace(draft, owner="otto")),
    ):
        with pytest.raises(UserError) as refused:
            act()
        assert refused.value.status == 404
    store.delete_draft("otto", "d")
    assert store.list_drafts("anna") == (draft,)
    store.delete_draft("anna", "d")
    assert store.list_drafts("anna") == ()


def test_many_threads_read_and_write_at_once(store: Store) -> None:
    failures: list[BaseException] = []

    def work(number: int) -> None:
        try:
            draft = Draft(id=f"d{number}", owner="anna")
            for _ in range(10):
                draft = store.save_draft(draft)
                store.list_drafts("anna")
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert {draft.revision for draft in store.list_drafts("anna")} == {10}


def test_a_commit_is_flushed_and_logged_ahead(tmp_path: Path) -> None:
    with closing(Database(tmp_path / "engine.db")) as database:
        with database.transaction() as connection:
            assert connection.execute("PRAGMA synchronous").fetchone() == (2,)
            assert connection.execute("PRAGMA foreign_keys").fetchone() == (1,)
        assert database.query("PRAGMA journal_mode") == [("wal",)]


def test_a_newer_schema_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "engine.db"
    Database(path, (*MIGRATIONS, lambda connection: None)).close()
    before = path.read_bytes()
    with pytest.raises(UserError, match="A newer Tailor has used this folder"):
        Database(path)
    assert path.read_bytes() == before


def test_a_migration_keeps_a_copy_from_before_and_the_rows(tmp_path: Path) -> None:
    path = tmp_path / "engine.db"
    with closing(Store(path)) as store:
        store.save_draft(Draft(id="d", owner="anna"))

    def add_column(connection: sqlite3.Connection) -> None:
        connection.execute("ALTER TABLE drafts ADD COLUMN colour TEXT")

    with closing(Database(path, (*MIGRATIONS, add_column))) as database:
        assert database.query("SELECT id, colour FROM drafts") == [("d", None)]
    with closing(sqlite3.connect(tmp_path / f"engine.db.schema-{len(MIGRATIONS)}")) as copy:
        assert len(copy.execute("SELECT * FROM drafts").fetchone()) == 4


def test_a_failing_migration_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "engine.db"
    Database(path).close()

    def break_off(connection: sqlite3.Connection) -> None:
        connection.execute("DROP TABLE drafts")
        raise RuntimeError("half way")

    with pytest.raises(RuntimeError, match="half way"):
        Database(path, (*MIGRATIONS, break_off))
    with closing(Store(path)) as store:
        assert store.list_drafts("anna") == ()


@pytest.mark.parametrize("damage", [b"", b"not a database at all, but long enough" * 20])
def test_a_damaged_file_is_moved_aside(tmp_path: Path, damage: bytes) -> None:
    path = tmp_path / "engine.db"
    path.write_bytes(damage)
    with closing(Store(path)) as store:
        assert store.runs() == ()
        # An empty file is a database without tables, and fine.
        assert (store.damaged_copy is not None) == bool(damage)
    if damage:
        (copy,) = tmp_path.glob("engine.db.damaged-*")
        assert copy.read_bytes() == damage


def test_a_full_database_is_told_in_words_and_changes_nothing(store: Store) -> None:
    pages = store._database.query("PRAGMA page_count")[0][0]
    store._database._writer.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(UserError, match="The disk is full") as refused:
        store.save_draft(Draft(id="d", owner="anna", wish="x" * 100_000))
    assert refused.value.status == 507
    assert store.list_drafts("anna") == ()
