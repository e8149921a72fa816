"""What has happened in this store since it was made?"""

from __future__ import annotations

from typing import Any

from sqlalchemy import bindparam, func, select

from queue_core.backends.dialect import Sql, Transaction
from queue_core.backends.schema import counters
from queue_core.backends.statements import Values, prepared


@prepared
def _add(sql: Sql) -> Any:
    row: Values = {column: bindparam(column) for column in ("name", "shard", "value")}
    insert = sql.insert(counters).values(row)
    total = counters.c.value + insert.excluded.value
    return insert.on_conflict_do_update(index_elements=["name", "shard"], set_={"value": total})


@prepared
def _totals() -> Any:
    return select(counters.c.name, func.sum(counters.c.value)).group_by(counters.c.name)


COMPLETED = "completed"
"""Counted when such a task is deleted: until then its row counts, and completing needs no write of its own."""


def count(tx: Transaction, name: str, value: int) -> None:
    """Add to a counter, in the transaction of what is counted."""
    if value:
        tx.run(_add, name=name, shard=tx.shard, value=value)


def totals(tx: Transaction, completed_rows: int) -> dict[str, int]:
    """Return all counters, given how many rows are COMPLETED now."""
    found = {name: int(value) for name, value in tx.run(_totals)}
    completed = found.get(COMPLETED, 0) + completed_rows
    return {**found, COMPLETED: completed} if completed else found
