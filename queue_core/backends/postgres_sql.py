"""How is it said in PostgreSQL?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Dialect
from sqlalchemy.dialects import postgresql
from sqlalchemy.dialects.postgresql.psycopg import PGDialect_psycopg

from queue_core.backends.dialect import FREE, Due, Spot, Sql, Transaction
from queue_core.backends.schema import tasks
from queue_core.rows import INSERTED
from queue_core.states import TaskState

CHANNEL = "queue_core"
CAPACITY_LOCK = 0x71756575_65000001
"""Of pg_advisory_xact_lock: who holds it counts the waiting tasks and adds to them."""

# The rows are locked one by one as the index yields them, so another claimer's are skipped, not waited for.
_DUE = {
    state: f"""
    SELECT task.due_at, task.id, task.name
    FROM unnest(%(lanes)s::text[]) AS spot (lane) CROSS JOIN LATERAL (
        SELECT due_at, id, name FROM tasks
        WHERE {FREE[state]} AND lane = spot.lane AND effective_priority = %(level)s AND due_at <= %(now)s
        ORDER BY due_at, id LIMIT %(most)s
        FOR UPDATE SKIP LOCKED
    ) AS task"""
    for state in FREE
}
_HEAD = {
    state: f"""
    SELECT min(task.due_at)
    FROM unnest(%(lanes)s::text[], %(levels)s::integer[]) AS spot (lane, level) CROSS JOIN LATERAL (
        SELECT due_at FROM tasks
        WHERE {FREE[state]} AND lane = spot.lane AND effective_priority = spot.level
        ORDER BY due_at LIMIT 1
    ) AS task"""
    for state in FREE
}
_DIALECT: Dialect = PGDialect_psycopg()  # type: ignore[no-untyped-call]
_ARRAYS = ", ".join(f"%s::{tasks.c[column].type.compile(dialect=_DIALECT)}[]" for column in INSERTED)
_INSERT = f"""
    INSERT INTO tasks ({", ".join(INSERTED)}) SELECT * FROM unnest({_ARRAYS})
    ON CONFLICT DO NOTHING RETURNING id"""


class PostgresSql(Sql):
    """PostgreSQL: many writers, so what must not move under a decision is locked first."""

    name = "postgresql"
    dialect = _DIALECT
    insert = staticmethod(postgresql.insert)
    shards = 32
    held_rows = (
        "SELECT value ->> 0 AS id, CAST(value ->> 1 AS BIGINT) AS lease FROM json_array_elements(CAST(:held AS json))"
    )
    listed_values = "SELECT value FROM json_array_elements_text(CAST(:{name} AS json))"
    spots_of = """
        {state}_spots (lane, level, name) AS (
            (SELECT lane, effective_priority, name FROM tasks WHERE {free}
             ORDER BY lane, effective_priority LIMIT 1)
            UNION ALL
            SELECT next.lane, next.effective_priority, next.name
            FROM {state}_spots CROSS JOIN LATERAL (
                SELECT lane, effective_priority, name FROM tasks
                WHERE {free} AND (lane, effective_priority) > ({state}_spots.lane, {state}_spots.level)
                ORDER BY lane, effective_priority LIMIT 1
            ) AS next
        )"""

    def due(self, tx: Transaction, spots: Sequence[Spot], most: int) -> list[Due]:
        found: list[Due] = []
        for state, lanes in _by_state(spots).items():
            parameters = {"lanes": [spot.lane for spot in lanes], "level": lanes[0].level, "now": tx.now, "most": most}
            found += [Due(*row) for row in tx.driver.execute(_DUE[state], parameters).fetchall()]
        return found

    def next_due_at(self, tx: Transaction, spots: Sequence[Spot]) -> int | None:
        heads = []
        for state, lanes in _by_state(spots).items():
            parameters = {"lanes": [spot.lane for spot in lanes], "levels": [spot.level for spot in lanes]}
            heads.append(tx.driver.execute(_HEAD[state], parameters).fetchone()[0])
        return min((head for head in heads if head is not None), default=None)

    def insert_rows(self, tx: Transaction, rows: Sequence[tuple[Any, ...]]) -> set[str]:
        columns = [list(column) for column in zip(*rows, strict=True)]
        return {row[0] for row in tx.driver.execute(_INSERT, columns).fetchall()}

    def lock_groups(self, tx: Transaction) -> None:
        tx.driver.execute("LOCK TABLE pauses IN SHARE MODE")

    def lock_capacity(self, tx: Transaction) -> None:
        tx.driver.execute(f"SELECT pg_advisory_xact_lock({CAPACITY_LOCK})")

    def announce(self, tx: Transaction) -> None:
        tx.driver.execute(f"NOTIFY {CHANNEL}")


def _by_state(spots: Sequence[Spot]) -> dict[TaskState, list[Spot]]:
    found: dict[TaskState, list[Spot]] = {}
    for spot in spots:
        found.setdefault(spot.state, []).append(spot)
    return found
