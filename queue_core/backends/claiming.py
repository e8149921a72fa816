"""Which tasks does a worker get, and how do they become its own?

The claim first finds the places where claimable tasks stand in line (a lane at a level), keeps
those that this worker may take from, and takes the due tasks there, the most urgent level
first. What is not due, not wanted or not possible for this worker is never looked at.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any

from sqlalchemy import Update, bindparam, null, update

from queue_core.backends.base import ClaimRequest
from queue_core.backends.counting import count
from queue_core.backends.dialect import Due, Shape, Spot, Sql, Transaction, as_json
from queue_core.backends.limiting import Rates, budgets, freed_at, rates_of, spend_rates, within
from queue_core.backends.schema import tasks
from queue_core.backends.starting import start
from queue_core.backends.statements import Prepared, literal, prepared, state_is
from queue_core.decoding import CLAIMED, UnreadableRow, decode_claimed, written_by_claim
from queue_core.encoding import append_error, lane_parts
from queue_core.failure import describe
from queue_core.states import Event, sources, target
from queue_core.task import Task


def _taking() -> Update:
    """Make tasks this worker's own; the state is checked again, so that none is taken twice."""
    mine = {
        "state": literal(target(Event.CLAIM)),
        "schedule_at": bindparam("now"),
        "attempted_at": bindparam("started_at"),
        "updated_at": bindparam("now"),
        "attempt_count": tasks.c.attempt_count + literal(1),
        "lease": tasks.c.lease + literal(1),
        "worker_id": bindparam("worker_id"),
        "progress": null(),  # of an attempt before this one
    }
    return update(tasks).where(state_is(tasks.c.state, *sources(Event.CLAIM))).values(mine)


_RETURNED = [tasks.c[column] for column in CLAIMED]


@prepared
def _take_chosen(sql: Sql) -> Any:
    return _taking().where(tasks.c.id.in_(sql.listed("ids"))).returning(*_RETURNED)


_MOST_SPOTS = 100
_TAKE_FIRST: dict[tuple[str, Shape], Prepared] = {}


def _take_first(sql: Sql, spots: Sequence[Spot]) -> Prepared:
    """Return the statement that takes the first due tasks of spots like these."""
    shape = sql.shape(spots)
    known = _TAKE_FIRST.get((sql.name, shape))
    if known is None:
        known = prepared(lambda: _taking().where(sql.first_due(shape)).returning(*_RETURNED))
        _TAKE_FIRST[sql.name, shape] = known
    return known


@prepared
def _set_aside() -> Any:
    """Discard what was just taken; the attempt was none."""
    aside = {
        "state": literal(target(Event.DISCARD)),
        "attempt_count": tasks.c.attempt_count - literal(1),
        "attempted_error": bindparam("errors"),
        "finalized_at": bindparam("now"),
    }
    held = (tasks.c.id == bindparam("task_id"), tasks.c.lease == bindparam("lease"))
    return update(tasks).where(*held, state_is(tasks.c.state, *sources(Event.DISCARD))).values(aside)


def claim(tx: Transaction, request: ClaimRequest) -> list[Task]:
    """Take the first tasks that are due and that this worker may run, in the order of the queue."""
    spots = _eligible(tx.sql.spots(tx, request.states), request)
    rates = rates_of(tx, spots, lock=True)
    is_plain = not rates and len(spots) <= _MOST_SPOTS
    claimed = _claim_freely(tx, spots, request) if is_plain else _claim_within(tx, spots, request, rates)
    claimed = sorted(claimed, key=_claim_order)
    return claimed if request.start is None else _started(tx, claimed, request.start)


def _started(tx: Transaction, claimed: list[Task], most: int) -> list[Task]:
    """Mark the first as started: after a crash it is known which task was running."""
    first = claimed[:most]
    start(tx, [(task.id, task.lease) for task in first])
    return [*(task.model_copy(update={"attempted_at": tx.now}) for task in first), *claimed[most:]]


def _whose(tx: Transaction, request: ClaimRequest) -> dict[str, Any]:
    """Return what a claim writes: who takes the task, and when it starts."""
    started_at = tx.now if request.start is None else None
    return {"worker_id": request.worker_id, "now": tx.now, "started_at": started_at}


def next_due_at(tx: Transaction, request: ClaimRequest) -> int | None:
    """Return when this worker can claim something, as far as the tables tell now; the past means now."""
    spots = _eligible(tx.sql.spots(tx, request.states), request)
    rates = rates_of(tx, spots, lock=False)
    spent = {name for name, left in budgets(tx, rates, ()).items() if not left}
    due = tx.sql.next_due_at(tx, [spot for spot in spots if spot.name not in spent])
    freed = [freed_at(rates[name][1], tx.now) for name in spent]
    return min((instant for instant in [due, *freed] if instant is not None), default=None)


def _eligible(spots: Iterable[Spot], request: ClaimRequest) -> list[Spot]:
    return sorted(spot for spot in spots if not spot.is_paused and fits(spot.lane, request))


def fits(lane: str, request: ClaimRequest) -> bool:
    """Return whether the worker wants tasks of a lane and can run them."""
    try:
        name, needs = lane_parts(lane)
    except (ValueError, TypeError):
        return False  # a lane that somebody wrote by hand; its tasks stay visible as PENDING
    return (request.names is None or name in request.names) and needs <= request.capabilities


def _by_level(spots: Iterable[Spot]) -> Iterator[list[Spot]]:
    for _, same_level in groupby(spots, key=lambda spot: spot.level):
        yield list(same_level)


def _claim_freely(tx: Transaction, spots: Iterable[Spot], request: ClaimRequest) -> list[Task]:
    claimed: list[Task] = []
    for same_level in _by_level(spots):
        claimed += _take_from(tx, same_level, request, request.size - len(claimed))
        if len(claimed) == request.size:
            break
    return claimed


def _take_from(tx: Transaction, spots: Sequence[Spot], request: ClaimRequest, wanted: int) -> list[Task]:
    statement, parameters = _take_first(tx.sql, spots), tx.sql.first_due_parameters(spots)
    taken: list[Task] = []
    while left := wanted - len(taken):
        rows = tx.run(statement, most=left, **_whose(tx, request), **parameters)
        usable = _usable(tx, rows, request)
        taken += usable
        if len(usable) == len(rows):
            break  # otherwise some were set aside, and others may stand behind them
    return taken


def _claim_within(tx: Transaction, spots: Sequence[Spot], request: ClaimRequest, rates: Rates) -> list[Task]:
    """Look at what is there before it is taken: under rate limits, and over more spots than one statement holds."""
    claimed: list[Task] = []
    while wanted := request.size - len(claimed):
        chosen = _choose(tx, spots, wanted, budgets(tx, rates, claimed))
        ids = as_json(due.id for due in chosen)
        usable = _usable(tx, tx.run(_take_chosen, ids=ids, **_whose(tx, request)), request)
        claimed += usable
        if len(usable) == len(chosen):
            break
    spend_rates(tx, rates, claimed)
    return claimed


def _choose(tx: Transaction, spots: Sequence[Spot], wanted: int, left: dict[str, int]) -> list[Due]:
    chosen: list[Due] = []
    for same_level in _by_level(spots):
        due = sorted(tx.sql.due(tx, same_level, wanted - len(chosen)))
        chosen += within(due, left, wanted - len(chosen))
        if len(chosen) == wanted:
            break
    return chosen


def _usable(tx: Transaction, rows: Iterable[Sequence[Any]], request: ClaimRequest) -> list[Task]:
    """Decode what was taken; discard what can't be read or has no attempt left."""
    written = written_by_claim(request.worker_id, tx.now, is_started=request.start is None)
    decoded = [_readable(tx, row, written) for row in rows]
    return [task for task in decoded if task and not _is_exhausted(tx, task, request)]


def _readable(tx: Transaction, row: Sequence[Any], written: dict[str, Any]) -> Task | None:
    try:
        return decode_claimed(row, written)
    except UnreadableRow as unreadable:
        _discard(tx, unreadable.task, unreadable.reason, "UnreadableRow")
        return None


def _is_exhausted(tx: Transaction, task: Task, request: ClaimRequest) -> bool:
    most = request.max_attempts or task.max_attempts or tx.config.default_max_attempts
    if task.attempt_count <= most:
        return False
    _discard(tx, task, f"no attempt left: {task.attempt_count - 1} made, {most} allowed", "Exhausted")
    return True


def _discard(tx: Transaction, task: Task, reason: str, kind: str) -> None:
    error = describe(reason, task.attempt_count - 1, tx.now, tx.config.max_error_chars, kind)
    errors = append_error(task.errors, error, tx.config.max_errors)
    tx.run(_set_aside, task_id=task.id, lease=task.lease, errors=errors, now=tx.now)
    count(tx, "discarded", 1)


def _claim_order(task: Task) -> tuple[int | None, int | None, str]:
    return (task.effective_priority, task.due_at, task.id)
