"""Which tasks have waited so long that they move up?"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlalchemy import BigInteger, bindparam, select, text, update

from queue_core.backends.counting import count
from queue_core.backends.dialect import FREE, Spot, Sql, Transaction, as_json
from queue_core.backends.schema import tasks
from queue_core.backends.statements import Prepared, Values, prepared, state_is
from queue_core.states import WAITING, Event, sources


def _aged_in(state: int) -> Callable[[], Any]:
    def build() -> Any:
        place = (tasks.c.lane == bindparam("lane"), tasks.c.effective_priority == bindparam("level"))
        return (
            select(tasks.c.id)
            .where(text(FREE[state]), *place, tasks.c.due_at <= bindparam("before"))
            .order_by(tasks.c.due_at)
            .limit(bindparam("most", type_=BigInteger))
            .with_for_update(skip_locked=True)
        )

    return build


_AGED: dict[int, Prepared] = {state: prepared(_aged_in(state)) for state in FREE}


@prepared
def _lift(sql: Sql) -> Any:
    """Only the effective priority moves: a retry starts from the task's own again."""
    lifted: Values = {"effective_priority": bindparam("target"), "updated_at": bindparam("now")}
    waiting = state_is(tasks.c.state, *sources(Event.PROMOTE))
    return update(tasks).where(tasks.c.id.in_(sql.listed("ids")), waiting).values(lifted).returning(tasks.c.id)


def promote(tx: Transaction, source: int, target: int, after_seconds: float) -> int:
    """Lift at most one batch of tasks that stand between the two levels and were due long ago."""
    before = tx.now - round(after_seconds * 1000)
    spots = [spot for spot in tx.sql.spots(tx, tuple(sorted(WAITING))) if target < spot.level <= source]
    lifted = 0
    for spot in sorted(spots):
        if lifted < tx.config.batch_size:
            lifted += _lift_from(tx, spot, target, before, tx.config.batch_size - lifted)
    count(tx, "promoted", lifted)
    return lifted


def _lift_from(tx: Transaction, spot: Spot, target: int, before: int, most: int) -> int:
    aged = tx.run(_AGED[spot.state], lane=spot.lane, level=spot.level, before=before, most=most)
    if not aged:
        return 0
    return len(tx.run(_lift, ids=as_json(row[0] for row in aged), target=target, now=tx.now))
