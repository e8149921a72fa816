"""Which of the tasks that a worker holds has it started?"""

from __future__ import annotations

from typing import Any

from sqlalchemy import bindparam, update

from queue_core.backends.base import Held
from queue_core.backends.dialect import Sql, Transaction, as_json
from queue_core.backends.schema import tasks
from queue_core.backends.statements import Values, prepared, state_is, unindexed
from queue_core.states import Event, sources


@prepared
def _start(sql: Sql) -> Any:
    held = sql.held()
    begun: Values = {"attempted_at": bindparam("now"), "schedule_at": bindparam("now"), "updated_at": bindparam("now")}
    fence = (tasks.c.id == held.c.id, tasks.c.lease == held.c.lease)
    running = state_is(unindexed(tasks.c.state), *sources(Event.HEARTBEAT))
    wanted = tasks.c.cancel_requested_at.is_(None)
    return update(tasks).where(*fence, running, wanted).values(begun).returning(tasks.c.id)


def start(tx: Transaction, held: Held) -> list[str]:
    """Mark what is still held, and not asked to stop, as started; return which."""
    return [row[0] for row in tx.run(_start, held=as_json(held), now=tx.now)] if held else []
