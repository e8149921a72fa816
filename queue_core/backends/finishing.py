"""How does a worker end what it holds, so that only the holder of the lease can?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import bindparam, func, null, or_, select, update

from queue_core.backends.base import Held
from queue_core.backends.counting import count
from queue_core.backends.dependents import cancel_dependents, unblock
from queue_core.backends.dialect import Sql, Transaction, as_json
from queue_core.backends.schema import tasks
from queue_core.backends.statements import Values, literal, prepared, state_is, unindexed
from queue_core.backoff import backoff
from queue_core.decoding import decode_errors
from queue_core.encoding import append_error, encode_result
from queue_core.errors import IllegalTransition, LeaseLost, TaskNotFound
from queue_core.failure import describe, kind_of
from queue_core.states import Event, TaskState, sources, target

_id, _lease, _state = tasks.c.id, tasks.c.lease, tasks.c.state
# A quick task may have ended before its start was written.
_TRIED: Values = {
    "attempted_at": func.coalesce(tasks.c.attempted_at, bindparam("now")),
    "updated_at": bindparam("now"),
}
_ENDED: Values = {"finalized_at": bindparam("now"), **_TRIED}
_LONGEST_PROGRESS = 2_000
"""In bytes: it is written again and again while the task runs."""


def _mine(event: Event) -> tuple[Any, ...]:
    """The fence: the task is in a state that the event may happen in, under the lease of who reports."""
    lease = bindparam("lease", type_=_lease.type)
    return (_id == bindparam("task_id"), state_is(_state, *sources(event)), or_(lease.is_(None), _lease == lease))


@prepared
def _complete_many(sql: Sql) -> Any:
    held = sql.held()
    done: Values = {"state": literal(target(Event.COMPLETE)), **_ENDED}
    fence = (_id == held.c.id, _lease == held.c.lease, state_is(unindexed(_state), *sources(Event.COMPLETE)))
    return update(tasks).where(*fence).values(done).returning(_id, tasks.c.dependents)


@prepared
def _complete_results(sql: Sql) -> Any:
    held = sql.held()
    done: Values = {"state": literal(target(Event.COMPLETE)), **_ENDED}
    fence = (_id == held.c.id, _lease == held.c.lease, state_is(unindexed(_state), *sources(Event.COMPLETE)))
    return update(tasks).where(*fence).values({**done, "result": held.c.result}).returning(_id, tasks.c.dependents)


@prepared
def _complete_one() -> Any:
    done: Values = {"state": literal(target(Event.COMPLETE)), "result": bindparam("result"), **_ENDED}
    return update(tasks).where(*_mine(Event.COMPLETE)).values(done).returning(_id, tasks.c.dependents)


@prepared
def _seen() -> Any:
    return select(_state, _lease).where(_id == bindparam("task_id"))


@prepared
def _hold() -> Any:
    """Lock what is to fail, and read what decides where it goes."""
    chosen = (tasks.c.attempt_count, tasks.c.max_attempts, tasks.c.attempted_error, tasks.c.cancel_requested_at)
    return select(*chosen).where(*_mine(Event.FAIL)).with_for_update()


@prepared
def _end_failed() -> Any:
    ended: Values = {"state": bindparam("next_state"), "attempted_error": bindparam("errors"), **_ENDED}
    return update(tasks).where(*_mine(Event.DISCARD)).values(ended).returning(_id)


@prepared
def _retry_later() -> Any:
    later: Values = {
        "state": literal(target(Event.FAIL)),
        "attempted_error": bindparam("errors"),
        "due_at": bindparam("due_at"),
        "schedule_at": bindparam("due_at"),
        "effective_priority": tasks.c.priority,
        "worker_id": null(),
        **_TRIED,
    }
    return update(tasks).where(*_mine(Event.FAIL)).values(later).returning(_id)


@prepared
def _beat(sql: Sql) -> Any:
    held = sql.held()
    alive: Values = {"schedule_at": bindparam("now"), "updated_at": bindparam("now")}
    fence = (_id == held.c.id, _lease == held.c.lease, state_is(unindexed(_state), *sources(Event.HEARTBEAT)))
    return update(tasks).where(*fence).values(alive).returning(_id, tasks.c.cancel_requested_at)


@prepared
def _still_held(sql: Sql) -> Any:
    held = sql.held()
    fence = (_id == held.c.id, _lease == held.c.lease, state_is(unindexed(_state), *sources(Event.HEARTBEAT)))
    return select(_id).where(*fence, tasks.c.cancel_requested_at.is_(None))


@prepared
def _note() -> Any:
    said: Values = {"progress": bindparam("progress"), "updated_at": bindparam("now")}
    return update(tasks).where(*_mine(Event.HEARTBEAT)).values(said)


@prepared
def _release() -> Any:
    """A delay of zero leaves due_at, and with it the task's place in the order, as it was."""
    back = {
        "state": literal(target(Event.RELEASE)),
        "attempt_count": tasks.c.attempt_count - literal(1),
        "due_at": func.coalesce(bindparam("due_at", type_=tasks.c.due_at.type), tasks.c.due_at),
        "schedule_at": bindparam("now"),
        "worker_id": null(),
        "updated_at": bindparam("now"),
    }
    still_wanted = tasks.c.cancel_requested_at.is_(None)
    return update(tasks).where(*_mine(Event.RELEASE), still_wanted).values(back).returning(_id)


def complete_many(tx: Transaction, held: Held) -> list[str]:
    """Complete what is still held; return the ids that were refused."""
    rows = tx.run(_complete_many, held=as_json(held), now=tx.now)
    _after_completion(tx, rows)
    return _not_done(tx, held, rows)


def _not_done(tx: Transaction, held: Held, rows: Sequence[Sequence[Any]]) -> list[str]:
    done = {row[0] for row in rows}
    return [task_id for task_id, lease in held if task_id not in done and not _is_done(tx, task_id, lease)]


def complete_results(tx: Transaction, held: Sequence[tuple[str, int, Any]]) -> list[str]:
    """Complete what is still held, each with its result; return the ids that were refused."""
    stored = [(task_id, lease, encode_result(result, tx.config.max_result_bytes)) for task_id, lease, result in held]
    rows = tx.run(_complete_results, held=as_json(stored), now=tx.now)
    _after_completion(tx, rows)
    return _not_done(tx, [(task_id, lease) for task_id, lease, _ in held], rows)


def complete_one(tx: Transaction, task_id: str, lease: int | None, result: Any) -> None:
    """Complete one task with its result; completing again under the same lease is a success."""
    stored = encode_result(result, tx.config.max_result_bytes)
    rows = tx.run(_complete_one, task_id=task_id, lease=lease, result=stored, now=tx.now)
    _after_completion(tx, rows)
    if rows:
        return
    if lease is None or not _is_done(tx, task_id, lease):
        raise refusal(tx, task_id, lease, Event.COMPLETE)


def _after_completion(tx: Transaction, rows: Sequence[Sequence[Any]]) -> None:
    waited_for = [task_id for task_id, dependents in rows if dependents]
    if waited_for:
        unblock(tx, waited_for)


def _is_done(tx: Transaction, task_id: str, lease: int) -> bool:
    """Whether this very lease completed the task already: a commit whose answer was lost."""
    return [tuple(row) for row in tx.run(_seen, task_id=task_id)] == [(TaskState.COMPLETED, lease)]


def fail(
    tx: Transaction, task_id: str, lease: int | None, error: BaseException | str, delay: float | None
) -> TaskState:
    """Record a failed attempt: retry later, or end where no attempt is left or a cancel was asked for."""
    attempt, most, errors, cancelled_at = _held_row(tx, task_id, lease, Event.FAIL)
    errors = _with_error(tx, errors, error, attempt)
    if cancelled_at is not None:
        return _end(tx, task_id, lease, errors, TaskState.CANCELLED)
    if attempt >= (most or tx.config.default_max_attempts):
        return _end(tx, task_id, lease, errors, TaskState.DISCARDED)
    wait = backoff(attempt, tx.config, tx.randomness if tx.config.retry_jitter else None) if delay is None else delay
    due_at = tx.now + round(wait * 1000)
    tx.run(_retry_later, task_id=task_id, lease=lease, errors=errors, due_at=due_at, now=tx.now)
    count(tx, f"retried:{kind_of(error)}", 1)
    tx.wakes = True
    return TaskState.RETRYABLE


def discard(tx: Transaction, task_id: str, lease: int | None, error: BaseException | str | None) -> TaskState:
    """Give up what is held, keeping the reason; it is cancelled where that was asked for."""
    attempt, _, errors, cancelled_at = _held_row(tx, task_id, lease, Event.DISCARD)
    if error is not None:
        errors = _with_error(tx, errors, error, attempt)
    return _end(tx, task_id, lease, errors, target(Event.DISCARD if cancelled_at is None else Event.CANCEL))


def cancel(tx: Transaction, task_id: str, lease: int | None, error: BaseException | str) -> TaskState:
    """Call off what is held, keeping the reason, and what waits for it."""
    attempt, _, errors, _ = _held_row(tx, task_id, lease, Event.CANCEL)
    return _end(tx, task_id, lease, _with_error(tx, errors, error, attempt), target(Event.CANCEL))


def _held_row(tx: Transaction, task_id: str, lease: int | None, event: Event) -> Sequence[Any]:
    rows = tx.run(_hold, task_id=task_id, lease=lease)
    if not rows:
        raise refusal(tx, task_id, lease, event)
    return rows[0]


def _end(tx: Transaction, task_id: str, lease: int | None, errors: str | None, state: TaskState) -> TaskState:
    tx.run(_end_failed, task_id=task_id, lease=lease, errors=errors, next_state=state, now=tx.now)
    count(tx, state.name.lower(), 1)
    if state is TaskState.CANCELLED:
        cancel_dependents(tx, [task_id])
    return state


def _with_error(tx: Transaction, errors: str | None, error: BaseException | str, attempt: int) -> str:
    described = describe(error, attempt, tx.now, tx.config.max_error_chars)
    return append_error(decode_errors(errors), described, tx.config.max_errors)


def heartbeat(tx: Transaction, held: Held, progress: Mapping[str, Any]) -> list[str]:
    """Restart the visibility clock of what is held; return what is lost or asked to cancel."""
    for task_id, lease in held:
        if task_id in progress:
            said = encode_result(progress[task_id], _LONGEST_PROGRESS)
            tx.run(_note, task_id=task_id, lease=lease, progress=said, now=tx.now)
    alive = {row[0] for row in tx.run(_beat, held=as_json(held), now=tx.now) if row[1] is None}
    return [task_id for task_id, _ in held if task_id not in alive]


def lost(tx: Transaction, held: Held) -> list[str]:
    """Return what is not held any more, or asked to cancel."""
    wanted = {row[0] for row in tx.run(_still_held, held=as_json(held))}
    return [task_id for task_id, _ in held if task_id not in wanted]


def fence(tx: Transaction, task_id: str, lease: int) -> None:
    """Keep a task with its holder until the transaction ends; raise LeaseLost where it is not this holder's."""
    _held_row(tx, task_id, lease, Event.HEARTBEAT)


def release(tx: Transaction, held: Held, delay: float) -> list[str]:
    """Give back untried what is still held, or cancel it where that was asked for; return the ids refused."""
    due_at = tx.now + round(delay * 1000) if delay else None
    refused = [task_id for task_id, lease in held if give_back(tx, task_id, lease, due_at) is None]
    tx.wakes = len(refused) < len(held)
    return refused


def give_back(tx: Transaction, task_id: str, lease: int, due_at: int | None) -> TaskState | None:
    """Release one task, or cancel it where that was asked for; return where it went, None where it is not held."""
    if tx.run(_release, task_id=task_id, lease=lease, due_at=due_at, now=tx.now):
        return target(Event.RELEASE)
    rows = tx.run(_hold, task_id=task_id, lease=lease)
    return _end(tx, task_id, lease, rows[0][2], TaskState.CANCELLED) if rows else None


def refusal(tx: Transaction, task_id: str, lease: int | None, event: Event) -> Exception:
    """Say why the fence held."""
    rows = tx.run(_seen, task_id=task_id)
    if not rows:
        return TaskNotFound(task_id)
    state, current = TaskState(rows[0][0]), rows[0][1]
    return IllegalTransition(task_id, state, event) if lease is None else LeaseLost(task_id, lease, state, current)
