"""Which tasks does a worker get, and how do they become its own?

The claim first finds the places where claimable tasks stand in line (a lane at a level), keeps
those that this worker may take from, and seeks the due tasks of each, the most urgent level
first. What is not due, not wanted or not possible for this worker is never looked at.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any

from sqlalchemy import bindparam, select, update

from queue_core.backends.base import ClaimRequest
from queue_core.backends.counting import count
from queue_core.backends.dialect import Due, Spot, Sql, Transaction, as_json
from queue_core.backends.schema import limits, tasks
from queue_core.backends.statements import Prepared, literal, prepared, state_is
from queue_core.failure import describe
from queue_core.rate import WINDOW_SECONDS, Recent, budget, current, spend
from queue_core.rows import SELECTED, UnreadableRow, append_error, decode, lane_parts
from queue_core.states import Event, sources, target
from queue_core.task import Task

Rates = dict[str, tuple[int, Recent]]
"""For each limited name: its limit per minute and the claims of the last minute."""


@prepared
def _take(sql: Sql) -> Any:
    """Make tasks this worker's own; the state is checked again, so that none is taken twice."""
    mine = {
        "state": literal(target(Event.CLAIM)),
        "schedule_at": bindparam("now"),
        "attempted_at": bindparam("now"),
        "updated_at": bindparam("now"),
        "attempt_count": tasks.c.attempt_count + literal(1),
        "lease": tasks.c.lease + literal(1),
        "worker_id": bindparam("worker_id"),
    }
    waiting = state_is(tasks.c.state, *sources(Event.CLAIM))
    chosen = [tasks.c[column] for column in SELECTED]
    return update(tasks).where(tasks.c.id.in_(sql.listed("ids")), waiting).values(mine).returning(*chosen)


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


@prepared
def _rates(sql: Sql) -> Any:
    return select(limits).where(limits.c.name.in_(sql.listed("names")))


@prepared
def _locked_rates(sql: Sql) -> Any:
    """Lock the limiters before anything is claimed under them, in one order for all."""
    limited = limits.c.name.in_(sql.listed("names"))
    return select(limits).where(limited).order_by(limits.c.name).with_for_update()


@prepared
def _spend() -> Any:
    return update(limits).where(limits.c.name == bindparam("limited")).values(recent=bindparam("spent"))


def claim(tx: Transaction, request: ClaimRequest) -> list[Task]:
    """Take the first tasks that are due and that this worker may run, in the order of the queue."""
    spots = _eligible(tx.sql.spots(tx, request.states), request)
    rates = _read_rates(tx, spots, _locked_rates)
    claimed: list[Task] = []
    while wanted := request.size - len(claimed):
        chosen = _choose(tx, spots, wanted, _budgets(tx, rates, claimed))
        taken = _take_all(tx, chosen, request)
        claimed += taken
        if len(taken) == len(chosen):
            break  # otherwise some were set aside, and others may stand behind them
    _spend_rates(tx, claimed, rates)
    return sorted(claimed, key=_claim_order)


def next_due_at(tx: Transaction, request: ClaimRequest) -> int | None:
    """Return when this worker can claim something, as far as the tables tell now; the past means now."""
    spots = _eligible(tx.sql.spots(tx, request.states), request)
    rates = _read_rates(tx, spots, _rates)
    spent = {name for name, rate in rates.items() if not budget(rate[1], rate[0], tx.now)}
    due = tx.sql.next_due_at(tx, [spot for spot in spots if spot.name not in spent])
    freed = [_freed_at(rates[name][1], tx.now) for name in spent]
    return min((instant for instant in [due, *freed] if instant is not None), default=None)


def _eligible(spots: Iterable[Spot], request: ClaimRequest) -> list[Spot]:
    return sorted(spot for spot in spots if not spot.is_paused and _fits(spot, request))


def _fits(spot: Spot, request: ClaimRequest) -> bool:
    if request.names is not None and spot.name not in request.names:
        return False
    try:
        return lane_parts(spot.lane)[1] <= request.capabilities
    except ValueError:
        return False  # a lane that somebody wrote by hand; its tasks stay visible as PENDING


def _budgets(tx: Transaction, rates: Rates, claimed: Sequence[Task]) -> dict[str, int]:
    """Return how many more tasks of each limited name may be taken."""
    used = Counter(task.name for task in claimed) if rates else Counter[str]()
    return {name: budget(recent, most, tx.now) - used[name] for name, (most, recent) in rates.items()}


def _choose(tx: Transaction, spots: Sequence[Spot], wanted: int, budgets: dict[str, int]) -> list[Due]:
    chosen: list[Due] = []
    for _, same_level in groupby(spots, key=lambda spot: spot.level):
        due = tx.sql.due(tx, list(same_level), wanted - len(chosen))
        chosen += _within(sorted(due), budgets, wanted - len(chosen))
        if len(chosen) == wanted:
            break
    return chosen


def _within(due: Iterable[Due], budgets: dict[str, int], most: int) -> list[Due]:
    """Keep the first that no limit holds back, and count them off the budgets."""
    kept: list[Due] = []
    for task in due:
        if len(kept) < most and budgets.get(task.name, 1) > 0:
            kept.append(task)
            if task.name in budgets:
                budgets[task.name] -= 1
    return kept


def _take_all(tx: Transaction, chosen: Sequence[Due], request: ClaimRequest) -> list[Task]:
    if not chosen:
        return []
    rows = tx.run(_take, ids=as_json(due.id for due in chosen), worker_id=request.worker_id, now=tx.now)
    decoded = (_readable(tx, row) for row in rows)
    return [task for task in decoded if task and not _is_exhausted(tx, task, request)]


def _readable(tx: Transaction, row: Sequence[Any]) -> Task | None:
    try:
        return decode(tuple(row))
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


def _read_rates(tx: Transaction, spots: Iterable[Spot], how: Prepared) -> Rates:
    limited = {spot.name for spot in spots if spot.per_minute is not None}
    if not limited:
        return {}
    return {name: (most, json.loads(recent)) for name, most, recent in tx.run(how, names=as_json(limited))}


def _spend_rates(tx: Transaction, claimed: Sequence[Task], rates: Rates) -> None:
    for name, (_, recent) in rates.items():
        used = sum(task.name == name for task in claimed)
        if used:
            tx.run(_spend, limited=name, spent=as_json(spend(recent, used, tx.now)))


def _freed_at(recent: Recent, now: int) -> int:
    """Return when the oldest claim of the last minute stops counting."""
    return (min(second for second, _ in current(recent, now)) + 1 + WINDOW_SECONDS) * 1000


def _claim_order(task: Task) -> tuple[int | None, int | None, str]:
    return (task.effective_priority, task.due_at, task.id)
