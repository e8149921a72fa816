"""What becomes of the tasks of a worker that is known to be dead, or that forgot them?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import bindparam, select, text, update

from queue_core.backends import finishing
from queue_core.backends.base import Recovery
from queue_core.backends.dialect import Transaction
from queue_core.backends.schema import PROCESSING, tasks, workers
from queue_core.backends.statements import prepared
from queue_core.decoding import decode_errors
from queue_core.failure import kind_of
from queue_core.reports import WorkerRecord, WorkerStatus
from queue_core.states import TaskState

_MOST_DEATHS = 3
"""A task whose worker died this often is discarded, whatever attempts it has left."""
WORKER_DIED = "WorkerDied"
"""The type of the error that such a death leaves."""


@prepared
def _held_by() -> Any:
    columns = (tasks.c.id, tasks.c.lease, tasks.c.attempted_at, tasks.c.attempt_count, tasks.c.attempted_error)
    of_worker = (text(PROCESSING), tasks.c.worker_id == bindparam("worker_id"))
    return select(*columns).where(*of_worker).order_by(tasks.c.id).with_for_update()


@prepared
def _mark_dead() -> Any:
    """Only one of those who notice marks it, and none if it gave another sign of life meanwhile."""
    seen = (workers.c.id == bindparam("worker_id"), workers.c.heartbeat_at == bindparam("seen_at"))
    dead = WorkerStatus.DEAD.value
    return update(workers).where(*seen, workers.c.status != dead).values(status=dead).returning(workers.c.id)


def recover(tx: Transaction, recovery: Recovery) -> dict[str, TaskState]:
    """Take back what a worker holds: what was running pays an attempt, the rest is released."""
    rows = tx.run(_held_by, worker_id=recovery.worker_id)
    states = {row[0]: _recover_one(tx, row, recovery) for row in rows if row[0] not in recovery.keep}
    tx.wakes = tx.wakes or bool(states)
    return states


def bury(tx: Transaction, worker: WorkerRecord, error: BaseException | str) -> dict[str, TaskState] | None:
    """Mark a worker as dead and recover its tasks; None where somebody did, or it lives."""
    if not tx.run(_mark_dead, worker_id=worker.id, seen_at=worker.heartbeat_at):
        return None
    return recover(tx, Recovery(worker.id, error, delay=0))


def _recover_one(tx: Transaction, row: Sequence[Any], recovery: Recovery) -> TaskState:
    task_id, lease, started_at, attempt, errors = row
    error = recovery.error_of(task_id, is_started=started_at is not None)
    if error is None:
        state = finishing.give_back(tx, task_id, lease, None)
        assert state is not None  # the row is locked
        return state
    if kind_of(error) == WORKER_DIED and _deaths(errors, attempt) + 1 >= _MOST_DEATHS:
        return finishing.discard(tx, task_id, lease, error)
    return finishing.fail(tx, task_id, lease, error, recovery.delay)


def _deaths(errors: str | None, attempt: int) -> int:
    """Count the deaths before this attempt, back to where attempts began anew: at a resume."""
    deaths = 0
    for error in reversed(decode_errors(errors)):
        if error.attempt >= attempt:
            break
        attempt = error.attempt
        deaths += error.type == WORKER_DIED
    return deaths
