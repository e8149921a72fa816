"""How is it said in PostgreSQL?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, Dialect, Text, text
from sqlalchemy.dialects import postgresql
from sqlalchemy.dialects.postgresql.psycopg import PGDialect_psycopg

from queue_core.backends.dialect import FREE, Due, Shape, Spot, Sql, Transaction
from queue_core.backends.schema import tasks
from queue_core.encoding import INSERTED, Row, is_plain

CHANNEL = "queue_core"
CAPACITY_LOCK = 0x71756575_65000001
"""Of pg_advisory_xact_lock: who holds it counts the waiting tasks and adds to them."""

# The rows are locked one by one as the index yields them, so another claimer's are skipped, not waited for.
_LINES = """
    SELECT task.due_at, task.id, task.name
    FROM unnest({lanes}::text[]) AS spot (lane) CROSS JOIN LATERAL (
        SELECT due_at, id, name FROM tasks
        WHERE {free} AND lane = spot.lane AND effective_priority = {level} AND due_at <= {now}
        ORDER BY due_at, id LIMIT {most}
        FOR UPDATE SKIP LOCKED
    ) AS task"""
_NAMES = ("lanes", "level", "now", "most")
_DUE = {state: _LINES.format(free=FREE[state], **{name: f"%({name})s" for name in _NAMES}) for state in FREE}
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
# %b: psycopg writes arrays of text in Python, and binary ones in C.
_ARRAYS = ", ".join(f"%b::{tasks.c[column].type.compile(dialect=_DIALECT)}[]" for column in INSERTED)
_INSERT = f"""
    INSERT INTO tasks ({", ".join(INSERTED)}, lease) SELECT *, {{lease}} FROM unnest({_ARRAYS})
    ON CONFLICT DO NOTHING RETURNING id"""
_INSERT_PLAIN = """
    INSERT INTO tasks (id, state, schedule_at, items, created_at, updated_at, name, due_at, priority,
                       effective_priority, lane, lease)
    SELECT id, 0, due_at, items, due_at, due_at, name, due_at, level, level, lane, {lease}
    FROM unnest(%b::text[], %b::bigint[], %b::text[], %b::text[], %b::integer[], %b::text[])
        AS plain (id, due_at, items, name, level, lane)
    ON CONFLICT DO NOTHING RETURNING id"""


class PostgresSql(Sql):
    """PostgreSQL: many writers, so what must not move under a decision is locked first."""

    name = "postgresql"
    dialect = _DIALECT
    insert = staticmethod(postgresql.insert)
    shards = 32
    held_rows = """
        SELECT value ->> 0 AS id, CAST(value ->> 1 AS BIGINT) AS lease, value ->> 2 AS result
        FROM json_array_elements(CAST(:held AS json))"""
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

    def version(self, tx: Transaction) -> str:
        (number,) = tx.driver.execute("SHOW server_version").fetchone()
        return f"PostgreSQL {number}"

    def rows(self, cursor: Any) -> list[Sequence[Any]]:
        # Not cursor.description, which makes an object of each column.
        found: list[Sequence[Any]] = cursor.fetchall() if cursor.pgresult.nfields else []
        return found

    def shape(self, spots: Sequence[Spot]) -> Shape:
        return tuple(_by_state(spots))

    def first_due(self, shape: Shape) -> ColumnElement[bool]:
        names = {"level": "CAST(:level AS integer)", "now": "CAST(:now AS bigint)", "most": "CAST(:most AS bigint)"}
        lines = (_LINES.format(free=FREE[s], lanes=f"CAST(:lanes_{int(s)} AS text[])", **names) for s in shape)
        merged = " UNION ALL ".join(f"SELECT * FROM ({line}) AS line_{n}" for n, line in enumerate(lines))
        chosen = text(f"SELECT id FROM ({merged}) AS lines ORDER BY due_at, id LIMIT {names['most']}").columns(id=Text)
        # Materialized: joined as it is, the choice could be made again for another row.
        picked = chosen.cte("picked").prefix_with("MATERIALIZED")
        return tasks.c.id == picked.c.id

    def first_due_parameters(self, spots: Sequence[Spot]) -> dict[str, Any]:
        lanes = {f"lanes_{int(state)}": [spot.lane for spot in found] for state, found in _by_state(spots).items()}
        return {"level": spots[0].level, **lanes}

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

    def insert_rows(self, tx: Transaction, rows: Sequence[Row], lease: int) -> set[str]:
        columns = [list(column) for column in zip(*rows, strict=True)]
        statement = (_INSERT_PLAIN if is_plain(rows[0]) else _INSERT).format(lease=int(lease))
        inserted = tx.driver.execute(statement, columns).fetchall()
        return set() if len(inserted) == len(rows) else set(columns[0]) - {row[0] for row in inserted}

    def lock_groups(self, tx: Transaction) -> None:
        tx.driver.execute("LOCK TABLE pauses IN SHARE MODE")

    def lock_capacity(self, tx: Transaction) -> None:
        tx.driver.execute(f"SELECT pg_advisory_xact_lock({CAPACITY_LOCK})")

    def announce(self, tx: Transaction) -> None:
        tx.driver.execute(f"NOTIFY {CHANNEL}")


def _by_state(spots: Sequence[Spot]) -> dict[int, list[Spot]]:
    found: dict[int, list[Spot]] = {}
    for spot in spots:
        found.setdefault(spot.state, []).append(spot)
    return found
