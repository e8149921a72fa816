"""How is it said in SQLite?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, Integer, literal_column, text
from sqlalchemy.dialects import sqlite

from queue_core.backends.dialect import FREE, INDEX, Due, Shape, Spot, Sql, Transaction
from queue_core.encoding import INSERTED, Row, is_plain

# INDEXED BY makes a claim that lost its index an error instead of a slow walk over the backlog.
_DUE = {
    state: f"""
    SELECT due_at, id, name FROM tasks INDEXED BY {INDEX[state]}
    WHERE {FREE[state]} AND lane = ? AND effective_priority = ? AND due_at <= ?
    ORDER BY due_at, id LIMIT ?"""
    for state in FREE
}
_LINE = """
    SELECT * FROM (
        SELECT rowid AS row, due_at, id FROM tasks INDEXED BY {index}
        WHERE {free} AND lane = :lane_{number} AND effective_priority = :level AND due_at <= :now
        ORDER BY due_at, id LIMIT :most)"""
_HEAD = {
    state: f"""
    SELECT due_at FROM tasks INDEXED BY {INDEX[state]}
    WHERE {FREE[state]} AND lane = ? AND effective_priority = ? ORDER BY due_at LIMIT 1"""
    for state in FREE
}
_INSERT = f"""
    INSERT INTO tasks ({", ".join(INSERTED)}, lease) VALUES ({", ".join("?" * len(INSERTED))}, {{lease}})
    ON CONFLICT DO NOTHING"""
# Numbered in the order of PLAIN; half as many values to bind take two thirds of the time.
_INSERT_PLAIN = """
    INSERT INTO tasks (id, state, schedule_at, items, created_at, updated_at, name, due_at, priority,
                       effective_priority, lane, lease)
    VALUES (?1, 0, ?2, ?3, ?2, ?2, ?4, ?2, ?5, ?5, ?6, {lease})
    ON CONFLICT DO NOTHING"""


class SqliteSql(Sql):
    """SQLite: one writer at a time, so nothing needs a lock of its own."""

    name = "sqlite"
    dialect = sqlite.dialect(paramstyle="named")
    insert = staticmethod(sqlite.insert)
    shards = 1
    held_rows = """
        SELECT json_extract(value, '$[0]') AS id, json_extract(value, '$[1]') AS lease,
               json_extract(value, '$[2]') AS result FROM json_each(:held)"""
    listed_values = "SELECT value FROM json_each(:{name})"
    # SQLite has no LATERAL: the next row is found by its rowid. Nor does it seek by (a, b) > (x, y) as a whole:
    # it would walk all rows of the lane.
    spots_of = """
        {state}_spots (lane, level, name) AS (
            SELECT * FROM (
                SELECT lane, effective_priority, name FROM tasks INDEXED BY {index}
                WHERE {free} ORDER BY lane, effective_priority LIMIT 1)
            UNION ALL
            SELECT next.lane, next.effective_priority, next.name
            FROM {state}_spots JOIN tasks AS next ON next.rowid = coalesce(
                (SELECT rowid FROM tasks INDEXED BY {index}
                 WHERE {free} AND lane = {state}_spots.lane AND effective_priority > {state}_spots.level
                 ORDER BY effective_priority LIMIT 1),
                (SELECT rowid FROM tasks INDEXED BY {index}
                 WHERE {free} AND lane > {state}_spots.lane ORDER BY lane, effective_priority LIMIT 1))
        )"""

    def version(self, tx: Transaction) -> str:
        (number,) = tx.driver.execute("SELECT sqlite_version()").fetchone()
        return f"SQLite {number}"

    def rows(self, cursor: Any) -> list[Sequence[Any]]:
        found: list[Sequence[Any]] = cursor.fetchall()
        return found

    def shape(self, spots: Sequence[Spot]) -> Shape:
        return tuple(spot.state for spot in spots)

    def first_due(self, shape: Shape) -> ColumnElement[bool]:
        lines = " UNION ALL ".join(_LINE.format(number=n, free=FREE[s], index=INDEX[s]) for n, s in enumerate(shape))
        chosen = text(f"SELECT row FROM ({lines}) ORDER BY due_at, id LIMIT :most").columns(row=Integer)
        return literal_column("tasks.rowid").in_(chosen.scalar_subquery())

    def first_due_parameters(self, spots: Sequence[Spot]) -> dict[str, Any]:
        return {"level": spots[0].level, **{f"lane_{number}": spot.lane for number, spot in enumerate(spots)}}

    def due(self, tx: Transaction, spots: Sequence[Spot], most: int) -> list[Due]:
        found: list[Due] = []
        for spot in spots:
            rows = tx.driver.execute(_DUE[spot.state], (spot.lane, spot.level, tx.now, most)).fetchall()
            found += [Due(*row) for row in rows]
        return found

    def next_due_at(self, tx: Transaction, spots: Sequence[Spot]) -> int | None:
        heads = (tx.driver.execute(_HEAD[spot.state], (spot.lane, spot.level)).fetchone() for spot in spots)
        return min((head[0] for head in heads if head), default=None)

    def insert_rows(self, tx: Transaction, rows: Sequence[Row], lease: int) -> set[str]:
        statement = (_INSERT_PLAIN if is_plain(rows[0]) else _INSERT).format(lease=int(lease))
        tx.driver.execute("SAVEPOINT bulk")
        if tx.driver.cursor().executemany(statement, rows).rowcount == len(rows):
            tx.driver.execute("RELEASE bulk")
            return set()
        # executemany can't say which rows were known already: undo it, and ask one by one.
        tx.driver.execute("ROLLBACK TO bulk")
        tx.driver.execute("RELEASE bulk")
        inserted = {row[0] for row in rows if tx.driver.execute(f"{statement} RETURNING id", row).fetchall()}
        return {row[0] for row in rows} - inserted
