"""What happens to the tasks that wait for another one?"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sqlalchemy import bindparam, delete, func, select, update

from queue_core.backends.counting import count
from queue_core.backends.dialect import Sql, Transaction, as_json
from queue_core.backends.schema import dependencies, tasks
from queue_core.backends.statements import literal, prepared, state_is
from queue_core.states import Event, TaskState, sources, target


@prepared
def _unblock(sql: Sql) -> Any:
    """Count down once for each of the finished: a later statement, so that it sees what waits for them."""
    finished = dependencies.c.dependency_id.in_(sql.listed("ids"))
    met = select(func.count()).select_from(dependencies).where(dependencies.c.task_id == tasks.c.id, finished)
    waiting = select(dependencies.c.task_id).where(finished)
    left = {"blockers": tasks.c.blockers - met.scalar_subquery(), "updated_at": bindparam("now")}
    still = (tasks.c.blockers > literal(0), state_is(tasks.c.state, TaskState.PENDING))
    return update(tasks).where(tasks.c.id.in_(waiting), *still).values(left).returning(tasks.c.id)


@prepared
def _waiting_for(sql: Sql) -> Any:
    return (
        select(dependencies.c.task_id)
        .distinct()
        .join(tasks, tasks.c.id == dependencies.c.task_id)
        .where(dependencies.c.dependency_id.in_(sql.listed("ids")), state_is(tasks.c.state, TaskState.PENDING))
    )


@prepared
def _cancel(sql: Sql) -> Any:
    off = {
        "state": literal(target(Event.CANCEL)),
        "finalized_at": bindparam("now"),
        "cancel_requested_at": bindparam("now"),
        "updated_at": bindparam("now"),
    }
    waiting = state_is(tasks.c.state, *sources(Event.CANCEL) - {TaskState.PROCESSING})
    return update(tasks).where(tasks.c.id.in_(sql.listed("ids")), waiting).values(off).returning(tasks.c.id)


@prepared
def _forget(sql: Sql) -> Any:
    listed = sql.listed("ids")
    return delete(dependencies).where(dependencies.c.dependency_id.in_(listed) | dependencies.c.task_id.in_(listed))


def unblock(tx: Transaction, finished: Iterable[str]) -> None:
    """Let go on what waited for these tasks and nothing else."""
    if tx.run(_unblock, ids=as_json(finished), now=tx.now):
        tx.wakes = True


def cancel_waiting(tx: Transaction, ids: Iterable[str]) -> list[str]:
    """Cancel the waiting ones of these tasks, and all that wait for them; return what was cancelled."""
    cancelled: list[str] = []
    front = list(ids)
    while front:
        gone = [row[0] for row in tx.run(_cancel, ids=as_json(front), now=tx.now)]
        cancelled += gone
        front = _waiting(tx, gone)
    count(tx, "cancelled", len(cancelled))
    return cancelled


def cancel_dependents(tx: Transaction, ids: Iterable[str]) -> list[str]:
    """Cancel what waits for these tasks, and what waits for that."""
    return cancel_waiting(tx, _waiting(tx, ids))


def forget(tx: Transaction, ids: Iterable[str]) -> None:
    """Drop the edges of tasks that are being deleted."""
    tx.run(_forget, ids=as_json(ids))


def _waiting(tx: Transaction, ids: Iterable[str]) -> list[str]:
    return [row[0] for row in tx.run(_waiting_for, ids=as_json(ids))]
