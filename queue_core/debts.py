"""What did dead children hold, and has the store taken it back?"""

from __future__ import annotations

import logging
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace

from queue_core.errors import BackendUnavailable
from queue_core.journal import tell_recovered
from queue_core.logs import log
from queue_core.queue import Queue
from queue_core.states import TaskState

logger = logging.getLogger(__name__)
_LATE_SECONDS = 2.0
"""How long after a child's death its last commit may still land."""


@dataclass(frozen=True)
class Debt:
    """What one dead child held, and who of it pays for what."""

    worker_id: str
    errors: Mapping[str, Exception]
    """What each task that ran pays an attempt for; the rest is released."""
    delay: float | None
    """Until that is tried again; None: the usual backoff."""


class Debts:
    """All that is owed; as long as the store is away, it stays so."""

    def __init__(self) -> None:
        self._owed: list[Debt] = []
        self._paid: list[tuple[float, Debt]] = []
        """With the time of payment: what is looked at once more."""
        self._is_away = False

    def __len__(self) -> int:
        return len(self._owed)

    def add(self, worker_id: str, errors: Mapping[str, Exception], delay: float | None = None) -> None:
        """Note that a child died, and with what error each of the tasks that it ran."""
        self._owed.append(Debt(worker_id, errors, delay))

    def pay(self, queue: Queue, *, is_last: bool = False) -> Counter[TaskState]:
        """Give back to the queue what is owed, as far as the store is there; return where tasks went."""
        counts: Counter[TaskState] = Counter()
        try:
            for debt in list(self._owed):
                counts.update(_given_back(queue, debt))
                self._owed.remove(debt)
                self._paid.append((time.monotonic(), debt))
            self._look_again(queue, 0.0 if is_last else _LATE_SECONDS, counts)
        except BackendUnavailable as error:
            self._note_outage(error)
        else:
            self._is_away = False
        return counts

    def _look_again(self, queue: Queue, after: float, counts: Counter[TaskState]) -> None:
        """Find what a child claimed in the instant of its death, and a server committed only then; then forget it."""
        for paid_at, debt in list(self._paid):
            if time.monotonic() - paid_at >= after:
                counts.update(_given_back(queue, replace(debt, errors={})))
                queue.forget_worker(debt.worker_id)
                self._paid.remove((paid_at, debt))

    def write_off(self) -> None:
        """Leave what is still owed to those who find these workers dead."""
        for debt in self._owed:
            log(logger, logging.ERROR, "left without giving back what it held", worker_id=debt.worker_id)

    def _note_outage(self, error: BackendUnavailable) -> None:
        if not self._is_away:
            log(logger, logging.WARNING, "the store is away", reason=str(error))
        self._is_away = True


def _given_back(queue: Queue, debt: Debt) -> list[TaskState]:
    states = queue.recover(debt.worker_id, debt.errors, delay=debt.delay)
    for task_id, state in states.items():
        reason = str(debt.errors.get(task_id, "its worker ended before it began"))
        tell_recovered(debt.worker_id, task_id, state, reason)
    return list(states.values())
