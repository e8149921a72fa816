"""Which workers are there?"""

from __future__ import annotations

import json
from typing import Any

from sqlalchemy import bindparam, select

from queue_core.backends.dialect import Sql, Transaction, as_json
from queue_core.backends.schema import workers
from queue_core.backends.statements import prepared
from queue_core.reports import WorkerRecord


@prepared
def _record(sql: Sql) -> Any:
    insert = sql.insert(workers).values({column.name: bindparam(column.name) for column in workers.c})
    changing = ("heartbeat_at", "capabilities", "capacity", "load", "status")
    news = {column: insert.excluded[column] for column in changing}
    return insert.on_conflict_do_update(index_elements=["id"], set_=news)


@prepared
def _all() -> Any:
    return select(workers).order_by(workers.c.id)


def record_worker(tx: Transaction, worker: WorkerRecord) -> None:
    """Write a worker's sign of life, with its load and status."""
    values = {**worker.model_dump(), "heartbeat_at": tx.now, "status": worker.status.value}
    tx.run(_record, **{**values, "capabilities": as_json(sorted(worker.capabilities))})


def workers_known(tx: Transaction) -> list[WorkerRecord]:
    """Return every worker that ever gave a sign of life and was not forgotten."""
    names = [column.name for column in workers.c]
    rows = (dict(zip(names, row, strict=True)) for row in tx.run(_all))
    return [WorkerRecord(**{**row, "capabilities": json.loads(row["capabilities"])}) for row in rows]
