"""Which tasks may be deleted, and what goes with them?"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlalchemy import BigInteger, bindparam, delete, exists, func, or_, select, update

from queue_core.backends.counting import COMPLETED, count
from queue_core.backends.dependents import cancel_dependents, forget
from queue_core.backends.dialect import Sql, Transaction, as_json
from queue_core.backends.schema import dependencies, lease_floor, tasks
from queue_core.backends.statements import Prepared, literal, prepared, state_is
from queue_core.states import FINAL, TaskState


def _is_waited_for() -> Any:
    waiting = tasks.alias("waiting")
    edge = (dependencies.c.dependency_id == tasks.c.id, waiting.c.id == dependencies.c.task_id)
    blocked = (state_is(waiting.c.state, TaskState.PENDING), waiting.c.blockers > literal(0))
    return exists(select(literal(1)).select_from(dependencies, waiting).where(*edge, *blocked).correlate(tasks))


def _old_in(state: TaskState) -> Callable[[], Any]:
    def build() -> Any:
        key_expired = or_(tasks.c.idempotency_key.is_(None), tasks.c.created_at <= bindparam("window_start"))
        unwanted = or_(tasks.c.dependents == literal(0), ~_is_waited_for())
        return (
            select(tasks.c.id)
            .where(state_is(tasks.c.state, state), tasks.c.finalized_at <= bindparam("before"), key_expired, unwanted)
            .order_by(tasks.c.finalized_at)
            .limit(bindparam("most", type_=BigInteger))
            .with_for_update(skip_locked=True)
        )

    return build


def _any_in(state: TaskState) -> Callable[[], Any]:
    def build() -> Any:
        return (
            select(tasks.c.id)
            .where(state_is(tasks.c.state, state))
            .limit(bindparam("most", type_=BigInteger))
            .with_for_update()
        )

    return build


_OLD: dict[TaskState, Prepared] = {state: prepared(_old_in(state)) for state in FINAL}
_ANY: dict[TaskState, Prepared] = {state: prepared(_any_in(state)) for state in TaskState}


@prepared
def _waited_for(sql: Sql) -> Any:
    return select(tasks.c.id).where(tasks.c.id.in_(sql.listed("ids")), _is_waited_for())


@prepared
def _highest_lease(sql: Sql) -> Any:
    return select(func.max(tasks.c.lease)).where(tasks.c.id.in_(sql.listed("ids")))


@prepared
def _raise_floor() -> Any:
    return update(lease_floor).where(lease_floor.c.lease < bindparam("highest")).values(lease=bindparam("highest"))


@prepared
def _delete(sql: Sql) -> Any:
    return delete(tasks).where(tasks.c.id.in_(sql.listed("ids"))).returning(tasks.c.id)


def cleanup(tx: Transaction, state: TaskState, older_than: float) -> int:
    """Delete one batch of the tasks that ended in this state long ago, but nothing that is still needed."""
    before = tx.now - round(older_than * 1000)
    window_start = tx.now - round(tx.config.idempotency_window * 1000)
    rows = tx.run(_OLD[state], before=before, window_start=window_start, most=tx.config.batch_size)
    # Asked once more now that they are locked: somebody may have begun to wait for them just before.
    waited_for = {row[0] for row in tx.run(_waited_for, ids=as_json(row[0] for row in rows))}
    return _remove(tx, state, [row for row in rows if row[0] not in waited_for])


def purge(tx: Transaction, state: TaskState) -> int:
    """Delete one batch of the tasks in this state; what waits for them is cancelled."""
    rows = tx.run(_ANY[state], most=tx.config.batch_size)
    if state is not TaskState.COMPLETED:
        cancel_dependents(tx, [row[0] for row in rows])
    return _remove(tx, state, rows)


def _remove(tx: Transaction, state: TaskState, rows: list[Any]) -> int:
    if not rows:
        return 0
    ids = [row[0] for row in rows]
    # An id may come again, and its late worker must not be taken for the new one.
    tx.run(_raise_floor, highest=tx.run(_highest_lease, ids=as_json(ids))[0][0])
    forget(tx, ids)
    if state is TaskState.COMPLETED:
        count(tx, COMPLETED, len(ids))
    return len(tx.run(_delete, ids=as_json(ids)))
