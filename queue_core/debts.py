"""What did dead children hold, and has the store taken it back?"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from queue_core.errors import BackendUnavailable
from queue_core.journal import tell_recovered
from queue_core.logs import log
from queue_core.queue import Queue
from queue_core.states import TaskState

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Debt:
    """What one dead child held, and who of it pays for what."""

    worker_id: str
    error: Exception
    running: frozenset[str]
    """What pays an attempt; the rest is released."""
    delay: float | None
    """Until that is tried again; None: the usual backoff."""


class Debts:
    """All that is owed; as long as the store is away, it stays so."""

    def __init__(self) -> None:
        self._owed: list[Debt] = []
        self._is_away = False

    def __len__(self) -> int:
        return len(self._owed)

    def add(self, worker_id: str, error: Exception, running: Iterable[str], delay: float | None = None) -> None:
        """Note what a child held when it died."""
        self._owed.append(Debt(worker_id, error, frozenset(running), delay))

    def pay(self, queue: Queue) -> Counter[TaskState]:
        """Give back to the queue what is owed, as far as the store is there; return where tasks went."""
        counts: Counter[TaskState] = Counter()
        for debt in list(self._owed):
            try:
                counts.update(_paid(queue, debt).values())
            except BackendUnavailable as error:
                self._note_outage(error)
                break
            self._is_away = False
            self._owed.remove(debt)
        return counts

    def write_off(self) -> None:
        """Leave what is still owed to those who find these workers dead."""
        for debt in self._owed:
            log(logger, logging.ERROR, "left without giving back what it held", worker_id=debt.worker_id)

    def _note_outage(self, error: BackendUnavailable) -> None:
        if not self._is_away:
            log(logger, logging.WARNING, "the store is away", reason=str(error))
        self._is_away = True


def _paid(queue: Queue, debt: Debt) -> dict[str, TaskState]:
    states = queue.recover(debt.worker_id, debt.error, running=debt.running, delay=debt.delay)
    queue.forget_worker(debt.worker_id)
    for task_id, state in states.items():
        reason = str(debt.error) if task_id in debt.running else "its worker ended before it began"
        tell_recovered(debt.worker_id, task_id, state, reason)
    return states
