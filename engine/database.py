"""One SQLite file with one writer: opening, migrating, transactions that survive a kill.

`Store` says what is kept; this says how it stays whole: write-ahead log with every commit flushed,
a backup before each migration, damage moved aside instead of overwritten.
"""

import shutil
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from tailor.engine.errors import UserError
from tailor.engine.machine.full_disk import disk_full, full_disk_in_words
from tailor.engine.migrations import MIGRATIONS, Migration

BUSY_SECONDS = 5.0
LEAST_FREE_BYTES = 1 << 20
"""With less than this an I/O error of SQLite means a full disk, not a broken one."""


class Database:
    """An open database, safe to share between threads: one connection writes, one reads."""

    def __init__(self, path: Path, migrations: tuple[Migration, ...] = MIGRATIONS) -> None:
        """Open or make `path`. Raises `UserError` when a newer Tailor has written it."""
        self.path = path
        self._write_lock = threading.RLock()
        self._read_lock = threading.Lock()
        unchanged = "Tailor did not start; your runs and projects are as they were."
        with full_disk_in_words(path.parent, unchanged), _full_disk_as_such(path):
            self.damaged_copy = _set_damage_aside(path)
            """Where a damaged file was put; None when it was sound."""
            self._writer = _connect(path)
            try:
                _migrate(self._writer, path, migrations)
                self._reader = _connect(path)
            except BaseException:
                self._writer.close()
                raise

    def close(self) -> None:
        """Let go of the file."""
        with self._write_lock, self._read_lock:
            self._writer.close()
            self._reader.close()

    def query(self, statement: str, values: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
        """Rows as of the last commit."""
        with self._read_lock:
            return self._reader.execute(statement, values).fetchall()

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """All or nothing; a full disk comes out as `OSError` ENOSPC."""
        with self._write_lock, _full_disk_as_such(self.path):
            try:
                self._writer.execute("BEGIN IMMEDIATE")
                yield self._writer
                self._writer.execute("COMMIT")
            except BaseException:
                self._roll_back()
                raise

    def _roll_back(self) -> None:
        # After some failures, such as a full disk, SQLite has rolled back by itself.
        if self._writer.in_transaction:
            self._writer.execute("ROLLBACK")


@contextmanager
def _full_disk_as_such(path: Path) -> Iterator[None]:
    """A full disk comes out as `OSError` ENOSPC, however SQLite names it.

    It says FULL where the database finds no room, and an I/O error where the index of its
    write-ahead log finds none (measured, 3.40.1).
    """
    try:
        yield
    except sqlite3.OperationalError as error:
        is_io_error = error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_IOERR
        has_no_room = shutil.disk_usage(path.parent).free < LEAST_FREE_BYTES
        if error.sqlite_errorcode == sqlite3.SQLITE_FULL or (is_io_error and has_no_room):
            raise disk_full(path) from error
        raise


def _connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(
        path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False
    )
    for pragma in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"):
        connection.execute(f"PRAGMA {pragma}")
    return connection


def _migrate(connection: sqlite3.Connection, path: Path, migrations: tuple[Migration, ...]) -> None:
    connection.execute(
        "CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT"
    )
    row = connection.execute("SELECT value FROM meta WHERE name = 'schema'").fetchone()
    schema: int = row[0] if row else 0
    if schema > len(migrations):
        raise UserError(
            title="A newer Tailor has used this folder",
            detail=f"{path} has schema {schema}; this version knows up to {len(migrations)}. "
            "Nothing was changed.",
            fix="Install the newer version again, or set TAILOR_HOME to another folder.",
            status=409,
        )
    if 0 < schema < len(migrations):
        with closing(sqlite3.connect(path.with_name(f"{path.name}.schema-{schema}"))) as backup:
            connection.backup(backup)
    for number, migrate in enumerate(migrations[schema:], start=schema + 1):
        connection.execute("BEGIN IMMEDIATE")
        try:
            migrate(connection)
            connection.execute("INSERT OR REPLACE INTO meta VALUES ('schema', ?)", (number,))
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise


def _set_damage_aside(path: Path) -> Path | None:
    """Rename a file that SQLite cannot trust, with its log files, and say where it went."""
    if not path.exists() or _is_sound(path):
        return None
    aside = path.with_name(f"{path.name}.damaged-{time.strftime('%Y%m%d-%H%M%S')}")
    for suffix in ("-wal", "-shm", ""):
        part = path.with_name(path.name + suffix)
        if part.exists():
            part.replace(aside.with_name(aside.name + suffix))
    return aside


def _is_sound(path: Path) -> bool:
    try:
        with closing(sqlite3.connect(path, timeout=BUSY_SECONDS)) as connection:
            answer: str = connection.execute("PRAGMA quick_check").fetchone()[0]
            return answer == "ok"
    except sqlite3.OperationalError:
        # Locked, unreadable or on a full disk: a trouble of the moment, not damage.
        raise
    except sqlite3.DatabaseError:
        return False
