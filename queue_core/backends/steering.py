"""What can an operator do to tasks: cancel, resume, reprioritize, pause, limit?"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sqlalchemy import bindparam, delete, null, or_, select, update

from queue_core.backends.dependents import cancel_waiting
from queue_core.backends.dialect import Sql, Transaction, as_json
from queue_core.backends.finishing import refusal
from queue_core.backends.schema import limits, pauses, tasks
from queue_core.backends.statements import Values, literal, prepared, state_is
from queue_core.decoding import decode_errors
from queue_core.encoding import append_error
from queue_core.errors import IllegalTransition, TaskNotFound
from queue_core.failure import describe
from queue_core.states import FINAL, WAITING, Event, TaskState, sources, target

_id, _state, _group = tasks.c.id, tasks.c.state, tasks.c.group_id
_OPEN = frozenset(TaskState) - FINAL


@prepared
def _open_of_group() -> Any:
    return select(_id).where(_group == bindparam("group_id"), state_is(_state, *_OPEN)).order_by(_id).with_for_update()


@prepared
def _look() -> Any:
    chosen = (_state, tasks.c.attempt_count, tasks.c.attempted_error)
    return select(*chosen).where(_id == bindparam("task_id")).with_for_update()


@prepared
def _note() -> Any:
    return update(tasks).where(_id == bindparam("task_id")).values(attempted_error=bindparam("errors"))


@prepared
def _request(sql: Sql) -> Any:
    running = state_is(_state, *sources(Event.REQUEST_CANCEL))
    asked: Values = {"cancel_requested_at": bindparam("now"), "updated_at": bindparam("now")}
    return update(tasks).where(_id.in_(sql.listed("ids")), running).values(asked).returning(_id)


def _resumed() -> dict[str, Any]:
    return {
        "state": literal(target(Event.RESUME)),
        "attempt_count": literal(0),
        "due_at": bindparam("now"),
        "schedule_at": bindparam("now"),
        "effective_priority": tasks.c.priority,
        "finalized_at": null(),
        "worker_id": null(),
        "cancel_requested_at": null(),
        "updated_at": bindparam("now"),
    }


@prepared
def _resume_one() -> Any:
    discarded = state_is(_state, *sources(Event.RESUME))
    return update(tasks).where(_id == bindparam("task_id"), discarded).values(_resumed()).returning(_id)


@prepared
def _resume_group() -> Any:
    discarded = state_is(_state, *sources(Event.RESUME))
    return update(tasks).where(_group == bindparam("chosen"), discarded).values(_resumed()).returning(_id)


@prepared
def _reprioritize() -> Any:
    """Both are set: a promotion counts from the new priority on."""
    chosen = or_(_id == bindparam("task_id", type_=_id.type), _group == bindparam("chosen", type_=_group.type))
    level: Values = {
        "priority": bindparam("level"),
        "effective_priority": bindparam("level"),
        "updated_at": bindparam("now"),
    }
    return update(tasks).where(chosen, state_is(_state, *WAITING)).values(level).returning(_id)


@prepared
def _pause(sql: Sql) -> Any:
    row: Values = {column.name: bindparam(column.name) for column in pauses.c}
    insert = sql.insert(pauses).values(row)
    # An update also locks the row that is there: an unpause at the same time comes before or after, not between.
    return insert.on_conflict_do_update(index_elements=["kind", "key"], set_={"paused_at": insert.excluded.paused_at})


@prepared
def _unpause() -> Any:
    return delete(pauses).where(pauses.c.kind == bindparam("kind"), pauses.c.key == bindparam("key"))


@prepared
def _mark_group() -> Any:
    """Running and discarded tasks are marked too: they may wait again before the pause ends."""
    open_or_discarded = state_is(_state, *_OPEN, TaskState.DISCARDED)
    return update(tasks).where(_group == bindparam("chosen"), open_or_discarded).values(paused=bindparam("mark"))


@prepared
def _set_limit(sql: Sql) -> Any:
    row: Values = {"name": bindparam("name"), "per_minute": bindparam("per_minute"), "recent": bindparam("recent")}
    insert = sql.insert(limits).values(row)
    return insert.on_conflict_do_update(index_elements=["name"], set_={"per_minute": insert.excluded.per_minute})


@prepared
def _drop_limit() -> Any:
    return delete(limits).where(limits.c.name == bindparam("limited"))


def cancel_one(tx: Transaction, task_id: str, reason: str | None) -> TaskState:
    """Cancel a waiting task and what waits for it, or ask the worker of a running one to stop."""
    rows = tx.run(_look, task_id=task_id)
    if not rows:
        raise TaskNotFound(task_id)
    state, attempt, errors = TaskState(rows[0][0]), rows[0][1], rows[0][2]
    if state in FINAL:
        raise IllegalTransition(task_id, state, Event.CANCEL)
    if reason is not None:
        note = describe(reason, attempt, tx.now, tx.config.max_error_chars, "Cancelled")
        tx.run(_note, task_id=task_id, errors=append_error(decode_errors(errors), note, tx.config.max_errors))
    cancel(tx, [task_id])
    return TaskState.PROCESSING if state is TaskState.PROCESSING else TaskState.CANCELLED


def cancel_group(tx: Transaction, group_id: str) -> list[str]:
    """Cancel every open task of a group; return those that were cancelled or asked to stop."""
    return cancel(tx, [row[0] for row in tx.run(_open_of_group, group_id=group_id)])


def cancel(tx: Transaction, ids: Iterable[str]) -> list[str]:
    """Cancel what waits, with its dependents, and ask what runs; return both."""
    listed = list(ids)
    asked = [row[0] for row in tx.run(_request, ids=as_json(listed), now=tx.now)]
    return asked + cancel_waiting(tx, listed)


def resume_one(tx: Transaction, task_id: str) -> None:
    """Bring a discarded task back: attempts renewed, errors and lease kept."""
    if not tx.run(_resume_one, task_id=task_id, now=tx.now):
        raise refusal(tx, task_id, None, Event.RESUME)
    tx.wakes = True


def resume_group(tx: Transaction, group_id: str) -> list[str]:
    """Bring all discarded tasks of a group back."""
    resumed = [row[0] for row in tx.run(_resume_group, chosen=group_id, now=tx.now)]
    tx.wakes = bool(resumed)
    return resumed


def reprioritize(tx: Transaction, level: int, task_id: str | None, group_id: str | None) -> list[str]:
    """Give waiting tasks another priority; return them."""
    changed = [row[0] for row in tx.run(_reprioritize, level=level, task_id=task_id, chosen=group_id, now=tx.now)]
    tx.wakes = bool(changed)
    return changed


def set_pause(tx: Transaction, kind: str, key: str, paused: bool) -> None:
    """Pause or unpause a name or a group; either twice is the same as once."""
    if paused:
        tx.run(_pause, kind=kind, key=key, paused_at=tx.now)
    else:
        tx.run(_unpause, kind=kind, key=key)
    if kind == "group":
        tx.run(_mark_group, chosen=key, mark=int(paused))
    tx.wakes = not paused


def set_limit(tx: Transaction, name: str, per_minute: int | None) -> None:
    """Bound the claims of a name per minute; None takes the bound away."""
    if per_minute is None:
        tx.run(_drop_limit, limited=name)
    else:
        tx.run(_set_limit, name=name, per_minute=per_minute, recent="[]")
    tx.wakes = True
