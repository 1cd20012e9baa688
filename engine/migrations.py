"""The store's shape, as numbered steps: each brings a database from one schema to the next.

An update must never lose a queue. `Store` runs what is missing in order, each step in a transaction
of its own and after a backup copy; steps are never edited once released, only added.
"""

import sqlite3
from collections.abc import Callable

Migration = Callable[[sqlite3.Connection], None]


def m001_initial(connection: sqlite3.Connection) -> None:
    """Runs with their journal and diary, answered requests, drafts, tracker places."""
    for statement in _INITIAL:
        connection.execute(statement)


MIGRATIONS: tuple[Migration, ...] = (m001_initial,)
"""In order; the schema number of a database is how many of them it has seen."""

_INITIAL = (
    """CREATE TABLE runs (
        id TEXT PRIMARY KEY,
        owner TEXT NOT NULL,
        status TEXT NOT NULL,
        created_at REAL NOT NULL,
        ticket INTEGER,  -- place in the queue: a number drawn when the run joins it, low goes first
        frozen TEXT NOT NULL,  -- spec, plan and estimate: written once
        state TEXT NOT NULL,  -- the rest of the record
        reading TEXT NOT NULL  -- what was read from the events, with the byte offset
    ) STRICT""",
    "CREATE INDEX runs_by_owner ON runs (owner, created_at)",
    "CREATE INDEX runs_by_status ON runs (status, ticket)",
    """CREATE TABLE transitions (
        run TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
        number INTEGER NOT NULL,
        line TEXT NOT NULL,
        PRIMARY KEY (run, number)
    ) STRICT""",
    """CREATE TABLE diary (
        number INTEGER PRIMARY KEY,
        run TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
        line TEXT NOT NULL
    ) STRICT""",
    "CREATE INDEX diary_by_run ON diary (run, number)",
    """CREATE TABLE tracker_runs (
        run TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
        tracker TEXT NOT NULL,
        name TEXT NOT NULL,  -- the tracker's own id of the run
        seq INTEGER NOT NULL,  -- last event that it has taken
        PRIMARY KEY (run, tracker)
    ) STRICT""",
    """CREATE TABLE requests (
        owner TEXT NOT NULL,
        id TEXT NOT NULL,
        verb TEXT NOT NULL,
        body_hash TEXT NOT NULL,
        answer TEXT NOT NULL,
        at REAL NOT NULL,
        PRIMARY KEY (owner, id)
    ) STRICT""",
    """CREATE TABLE drafts (
        id TEXT PRIMARY KEY,
        owner TEXT NOT NULL,
        updated_at REAL NOT NULL,
        draft TEXT NOT NULL
    ) STRICT""",
    "CREATE INDEX drafts_by_owner ON drafts (owner, updated_at)",
)
