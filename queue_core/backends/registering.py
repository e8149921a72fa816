"""Which workers are there, and whose turn is it?"""

from __future__ import annotations

import json
from typing import Any

from sqlalchemy import bindparam, case, delete, or_, select, update

from queue_core.backends.dialect import Sql, Transaction, as_json
from queue_core.backends.schema import turns, workers
from queue_core.backends.statements import Values, prepared
from queue_core.reports import WorkerRecord, WorkerStatus


@prepared
def _record(sql: Sql) -> Any:
    insert = sql.insert(workers).values({column.name: bindparam(column.name) for column in workers.c})
    # All of it: the id may be that of a process that ended, and what was asked of that one is not asked of this.
    news = {column.name: insert.excluded[column.name] for column in workers.c if not column.primary_key}
    is_same = workers.c.started_at == insert.excluded.started_at
    news["stop_requested_at"] = case((is_same, workers.c.stop_requested_at))
    return insert.on_conflict_do_update(index_elements=["id"], set_=news).returning(workers.c.stop_requested_at)


@prepared
def _all() -> Any:
    return select(workers).order_by(workers.c.id)


@prepared
def _forget() -> Any:
    return delete(workers).where(workers.c.id == bindparam("worker_id"))


@prepared
def _ask_to_stop() -> Any:
    alive = (workers.c.id == bindparam("worker_id"), workers.c.status != WorkerStatus.DEAD.value)
    return update(workers).where(*alive).values(stop_requested_at=bindparam("now")).returning(workers.c.id)


@prepared
def _take_turn(sql: Sql) -> Any:
    """Take a turn that is over, or keep one's own."""
    row: Values = {column.name: bindparam(column.name) for column in turns.c}
    insert = sql.insert(turns).values(row)
    mine = {"holder": insert.excluded.holder, "until": insert.excluded.until}
    is_free = or_(turns.c.until <= bindparam("now"), turns.c.holder == insert.excluded.holder)
    return insert.on_conflict_do_update(index_elements=["name"], set_=mine, where=is_free).returning(turns.c.name)


def take_turn(tx: Transaction, name: str, holder: str, seconds: float) -> bool:
    """Return whether it is this holder's turn, which it then has for so long."""
    return bool(tx.run(_take_turn, name=name, holder=holder, until=tx.now + round(seconds * 1000), now=tx.now))


def forget_worker(tx: Transaction, worker_id: str) -> None:
    """Delete a worker that ended."""
    tx.run(_forget, worker_id=worker_id)


def stop_worker(tx: Transaction, worker_id: str) -> bool:
    """Ask a worker to stop, which it reads with its next sign of life."""
    return bool(tx.run(_ask_to_stop, worker_id=worker_id, now=tx.now))


def record_worker(tx: Transaction, worker: WorkerRecord) -> bool:
    """Write a worker's sign of life, with its load and status; return whether it was asked to stop."""
    values = {**worker.model_dump(), "heartbeat_at": tx.now, "status": worker.status.value}
    rows = tx.run(_record, **{**values, "capabilities": as_json(sorted(worker.capabilities))})
    return rows[0][0] is not None


def workers_known(tx: Transaction) -> list[WorkerRecord]:
    """Return every worker that ever gave a sign of life and was not forgotten."""
    names = [column.name for column in workers.c]
    rows = (dict(zip(names, row, strict=True)) for row in tx.run(_all))
    return [WorkerRecord(**{**row, "capabilities": json.loads(row["capabilities"])}) for row in rows]
