"""What would the queue's work cost with nothing but psycopg and hand-written SQL?"""

import json
from collections.abc import Sequence

import psycopg

from benchmarks.payloads import Payload
from benchmarks.raw_sqlite import SCHEMA, RawTask, now_ms, raw_rows
from benchmarks.stores import Place

_COLUMNS = "id, schedule_at, items, created_at, updated_at, state"
_INSERT = f"""
INSERT INTO tasks ({_COLUMNS}) VALUES (%s, %s, %s, %s, %s, 0) ON CONFLICT DO NOTHING
"""
_CLAIM = """
UPDATE tasks SET state = 1, schedule_at = %(now)s, attempted_at = %(now)s, updated_at = %(now)s,
    attempt_count = attempt_count + 1
WHERE id IN (
    SELECT id FROM tasks WHERE state = 0 AND schedule_at <= %(now)s
    ORDER BY schedule_at, id LIMIT %(size)s FOR UPDATE SKIP LOCKED
)
RETURNING id, items
"""
_COMPLETE = """
UPDATE tasks SET state = 2, finalized_at = %(now)s, updated_at = %(now)s
WHERE id = ANY(%(ids)s) AND state = 1
"""


class RawPostgres:
    """The baseline on PostgreSQL: autocommit, statements prepared by psycopg itself."""

    def __init__(self, place: Place) -> None:
        self._connection = psycopg.connect(place.url, autocommit=True)
        with self._connection.transaction():
            # Two openers at once would both try to create the table.
            self._connection.execute("SELECT pg_advisory_xact_lock(1)")
            self._connection.execute(SCHEMA)

    def enqueue(self, payloads: Sequence[Payload]) -> None:
        """Insert all in one transaction."""
        rows = raw_rows(payloads)
        with self._connection.transaction(), self._connection.cursor() as cursor:
            cursor.executemany(_INSERT, rows)

    def claim(self, size: int) -> list[RawTask]:
        """Take the first `size` that are due and that nobody else is taking."""
        rows = self._connection.execute(_CLAIM, {"now": now_ms(), "size": size}).fetchall()
        return [(task_id, json.loads(items)) for task_id, items in rows]

    def complete(self, tasks: Sequence[RawTask]) -> int:
        """Complete what is still claimed, and count it."""
        ids = [task_id for task_id, _ in tasks]
        return self._connection.execute(_COMPLETE, {"now": now_ms(), "ids": ids}).rowcount

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()


class RawPostgresCopy(RawPostgres):
    """The same, with the fastest way in that PostgreSQL has; it can't skip a known id."""

    def enqueue(self, payloads: Sequence[Payload]) -> None:
        """Copy all in one transaction."""
        rows = raw_rows(payloads)
        with self._connection.cursor().copy(f"COPY tasks ({_COLUMNS}) FROM STDIN") as copy:
            for row in rows:
                copy.write_row((*row, 0))
