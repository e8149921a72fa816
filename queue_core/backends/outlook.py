"""Is there anything left to do, now or later, and what is stuck?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from sqlalchemy import func, select, text

from queue_core.backends.base import ClaimRequest
from queue_core.backends.claiming import fits, next_due_at
from queue_core.backends.dialect import Spot, Transaction
from queue_core.backends.registering import workers_known
from queue_core.backends.schema import HELD_BACK, PENDING_FREE, PROCESSING, RETRYABLE_FREE, tasks
from queue_core.backends.statements import literal, prepared
from queue_core.encoding import lane_parts
from queue_core.reports import Outlook, Stuck, WorkerStatus
from queue_core.states import TaskState


@prepared
def _running() -> Any:
    return select(tasks.c.lane, func.count()).where(text(PROCESSING)).group_by(tasks.c.lane)


@prepared
def _held_back() -> Any:
    is_blocked = (tasks.c.blockers > literal(0)).label("is_blocked")
    columns = (tasks.c.lane, is_blocked, func.count())
    return select(*columns).where(text(HELD_BACK)).group_by(tasks.c.lane, is_blocked)


def outlook(tx: Transaction, request: ClaimRequest) -> Outlook:
    """Return what is left for a worker, and what no worker can take."""
    held_back = [row for row in tx.run(_held_back) if _is_named(row[0], request)]
    stuck = _gathered([*_held(held_back), *_unwanted(tx, request)])
    running = tx.run(_running)
    # What runs elsewhere concerns this worker only where its own tasks wait for it.
    counted = running if any(row[1] for row in held_back) else [row for row in running if fits(row[0], request)]
    running_count = sum(number for _, number in counted)
    return Outlook(next_due_at=next_due_at(tx, request), running=running_count, stuck=stuck)


def _is_named(lane: str, request: ClaimRequest) -> bool:
    try:
        name, _ = lane_parts(lane)
    except (ValueError, TypeError):
        return False  # written by hand
    return request.names is None or name in request.names


def _gathered(found: Iterable[Stuck]) -> tuple[Stuck, ...]:
    """Make one of what differs only in its level or its state."""
    counts: Counter[Stuck] = Counter()
    for stuck in found:
        counts[stuck.model_copy(update={"count": 0})] += stuck.count
    return tuple(stuck.model_copy(update={"count": number}) for stuck, number in counts.items())


def _held(rows: Iterable[Any]) -> Iterator[Stuck]:
    for lane, is_blocked, number in rows:
        name, needs = lane_parts(lane)
        yield Stuck(name=name, reason="blocked" if is_blocked else "paused", count=number, needs=needs)


def _unwanted(tx: Transaction, request: ClaimRequest) -> Iterator[Stuck]:
    """Yield what stands in line and can't be claimed: its name is paused, or nobody alive has what it needs."""
    able = [request.capabilities]
    able += [worker.capabilities for worker in workers_known(tx) if worker.status is not WorkerStatus.DEAD]
    for spot in tx.sql.spots(tx, request.states):
        if not _is_named(spot.lane, request):
            continue
        name, needs = lane_parts(spot.lane)
        if spot.is_paused:
            yield Stuck(name=name, reason="paused", count=_count(tx, spot), needs=needs)
        elif not any(needs <= capabilities for capabilities in able):
            yield Stuck(name=name, reason="lacking", count=_count(tx, spot), needs=needs)


def _count(tx: Transaction, spot: Spot) -> int:
    free = PENDING_FREE if spot.state == TaskState.PENDING else RETRYABLE_FREE
    here = (text(free), tasks.c.lane == spot.lane, tasks.c.effective_priority == spot.level)
    return int(tx.run(select(func.count()).where(*here))[0][0])
