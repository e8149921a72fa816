"""What becomes of tasks whose worker fell silent?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import BigInteger, Float, Text, bindparam, func, null, or_, select, text, update

from queue_core.backends.base import ClaimRequest
from queue_core.backends.claiming import fits
from queue_core.backends.counting import count
from queue_core.backends.dependents import cancel_dependents
from queue_core.backends.dialect import Sql, Transaction, as_json
from queue_core.backends.schema import PROCESSING, tasks
from queue_core.backends.statements import literal, prepared, state_is
from queue_core.decoding import decode_errors
from queue_core.encoding import append_error
from queue_core.failure import describe
from queue_core.states import Event, TaskState, sources, target

STALE = "Stale"
"""The type of the error that a rescue leaves, and the reason that it is counted under."""


@prepared
def _running_lanes() -> Any:
    return select(tasks.c.lane).distinct().where(text(PROCESSING))


@prepared
def _stale(sql: Sql) -> Any:
    """Lock what fell silent, but not what its worker is just reporting on."""
    patience = func.coalesce(
        bindparam("patience", type_=Float), tasks.c.visibility_timeout, bindparam("default_patience", type_=Float)
    )
    is_silent = tasks.c.schedule_at + patience * literal(1000) < bindparam("now", type_=BigInteger)
    is_wanted = tasks.c.lane.in_(sql.listed("lanes"))
    chosen = ("id", "lease", "schedule_at", "worker_id", "attempt_count", "max_attempts", "attempted_error")
    return (
        select(*(tasks.c[column] for column in chosen), tasks.c.cancel_requested_at)
        .where(text(PROCESSING), is_silent, or_(bindparam("lanes", type_=Text).is_(None), is_wanted))
        .order_by(tasks.c.schedule_at)
        .limit(bindparam("most", type_=BigInteger))
        .with_for_update(skip_locked=True)
    )


@prepared
def _move() -> Any:
    """The guard holds state, lease and last sign of life: whatever happened since keeps the task where it is."""
    moved = {
        "state": bindparam("next_state"),
        "schedule_at": bindparam("now"),
        "effective_priority": tasks.c.priority,
        "worker_id": null(),
        "attempted_error": bindparam("errors"),
        "finalized_at": bindparam("ended_at"),
        "updated_at": bindparam("now"),
    }
    guard = (
        tasks.c.id == bindparam("task_id"),
        state_is(tasks.c.state, *sources(Event.RESCUE)),
        tasks.c.lease == bindparam("seen_lease"),
        tasks.c.schedule_at == bindparam("seen_at"),
    )
    return update(tasks).where(*guard).values(moved).returning(tasks.c.id)


def rescue(tx: Transaction, patience: float | None, request: ClaimRequest | None = None) -> list[str]:
    """Free one batch of stale tasks for another attempt, or end them; return their ids.

    With a request only of those that it could claim: its impatience is not for others.
    """
    lanes = None if request is None else as_json(row[0] for row in tx.run(_running_lanes) if fits(row[0], request))
    default, most = tx.config.default_visibility_timeout, tx.config.batch_size
    rows = tx.run(_stale, patience=patience, default_patience=default, now=tx.now, most=most, lanes=lanes)
    max_attempts = None if request is None else request.max_attempts
    return [row[0] for row in rows if _rescue_one(tx, row, max_attempts)]


def _rescue_one(tx: Transaction, row: Sequence[Any], max_attempts: int | None) -> bool:
    task_id, lease, seen_at, worker_id, attempt, own_most, errors, cancelled_at = row
    most = max_attempts or own_most or tx.config.default_max_attempts
    state = _next_state(attempt, most, cancelled_at)
    silence = (tx.now - seen_at) / 1000
    reason = f"worker {worker_id or 'unknown'} gave no sign of life for {silence:.0f} s"
    error = describe(reason, attempt, tx.now, tx.config.max_error_chars, STALE)
    moved = tx.run(
        _move,
        task_id=task_id,
        seen_lease=lease,
        seen_at=seen_at,
        next_state=state,
        errors=append_error(decode_errors(errors), error, tx.config.max_errors),
        ended_at=tx.now if state.is_final else None,
        now=tx.now,
    )
    if moved:
        _after_move(tx, task_id, state)
    return bool(moved)


def _next_state(attempt: int, most: int, cancelled_at: int | None) -> TaskState:
    if cancelled_at is not None:
        return target(Event.CANCEL)
    return target(Event.EXHAUST if attempt >= most else Event.RESCUE)


def _after_move(tx: Transaction, task_id: str, state: TaskState) -> None:
    if state is TaskState.CANCELLED:
        cancel_dependents(tx, [task_id])
    count(tx, state.name.lower() if state.is_final else f"retried:{STALE}", 1)
    tx.wakes = tx.wakes or not state.is_final
