"""What would the queue's work cost with nothing but the sqlite3 module and hand-written SQL?"""

import itertools
import json
import os
import sqlite3
import time
from collections.abc import Sequence

from benchmarks.payloads import Payload
from benchmarks.stores import Place

RawTask = tuple[str, list[Payload]]

SCHEMA = """
CREATE TABLE IF NOT EXISTS tasks (
    id TEXT PRIMARY KEY,
    state INTEGER NOT NULL,
    schedule_at BIGINT NOT NULL,
    attempt_count INTEGER DEFAULT 0,
    attempted_at BIGINT,
    attempted_error TEXT,
    finalized_at BIGINT,
    items TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);
CREATE INDEX IF NOT EXISTS tasks_in_claim_order ON tasks (schedule_at, id) WHERE state = 0;
"""
_INSERT = """
INSERT INTO tasks (id, state, schedule_at, items, created_at, updated_at)
VALUES (?, 0, ?, ?, ?, ?) ON CONFLICT DO NOTHING
"""
_CLAIM = """
UPDATE tasks SET state = 1, schedule_at = ?1, attempted_at = ?1, updated_at = ?1,
    attempt_count = attempt_count + 1
WHERE id IN (
    SELECT id FROM tasks WHERE state = 0 AND schedule_at <= ?1 ORDER BY schedule_at, id LIMIT ?2
)
RETURNING id, items
"""
_COMPLETE = """
UPDATE tasks SET state = 2, finalized_at = ?, updated_at = ? WHERE id IN ({}) AND state = 1
"""

_numbers = itertools.count(int.from_bytes(os.urandom(5), "big"))


def now_ms() -> int:
    """Read the wall clock in milliseconds."""
    return time.time_ns() // 1_000_000


def raw_rows(payloads: Sequence[Payload]) -> list[tuple[str, int, str, int, int]]:
    """Make the rows to insert: sortable 26-character ids, items as JSON, three instants."""
    now = now_ms()
    return [(f"{now:012x}{next(_numbers):014x}", now, json.dumps([payload]), now, now) for payload in payloads]


class RawSqlite:
    """The baseline on SQLite: WAL, autocommit, one statement or one transaction per verb."""

    def __init__(self, place: Place) -> None:
        self._connection = sqlite3.connect(place.file, timeout=60, isolation_level=None)
        self._connection.execute("PRAGMA journal_mode = WAL")
        self._connection.execute(f"PRAGMA synchronous = {place.setting.synchronous}")
        self._connection.executescript(SCHEMA)

    def enqueue(self, payloads: Sequence[Payload]) -> None:
        """Insert all in one transaction."""
        rows = raw_rows(payloads)
        self._connection.execute("BEGIN IMMEDIATE")
        self._connection.executemany(_INSERT, rows)
        self._connection.execute("COMMIT")

    def claim(self, size: int) -> list[RawTask]:
        """Take the first `size` that are due."""
        rows = self._connection.execute(_CLAIM, (now_ms(), size)).fetchall()
        return [(task_id, json.loads(items)) for task_id, items in rows]

    def complete(self, tasks: Sequence[RawTask]) -> int:
        """Complete what is still claimed, and count it."""
        now = now_ms()
        marks = ", ".join("?" * len(tasks))
        ids = (task_id for task_id, _ in tasks)
        return self._connection.execute(_COMPLETE.format(marks), (now, now, *ids)).rowcount

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()
