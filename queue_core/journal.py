"""What is said of each task that a worker ended?"""

from __future__ import annotations

import logging

from queue_core.failure import words_of
from queue_core.ledger import Report
from queue_core.logs import log
from queue_core.states import TaskState

logger = logging.getLogger(__name__)
_EVENTS = {
    TaskState.COMPLETED: (logging.INFO, "task completed"),
    TaskState.RETRYABLE: (logging.WARNING, "task failed and will be tried again"),
    TaskState.DISCARDED: (logging.ERROR, "task discarded"),
    TaskState.CANCELLED: (logging.INFO, "task cancelled"),
    TaskState.PENDING: (logging.INFO, "task given back"),
    None: (logging.WARNING, "report refused: the lease was lost"),
}


def tell(worker_id: str, report: Report, state: TaskState | None) -> None:
    """Log where a task went, with the facts that lead to it."""
    level, event = _EVENTS[state]
    if logger.isEnabledFor(level):
        task = report.task
        log(
            logger, level, event,
            task_id=task.id, name=task.name, trace_id=task.trace_id, worker_id=worker_id, attempt=task.attempt_count,
            seconds=round(report.seconds, 3), reason=words_of(report.ending.error) or None,
        )  # fmt: skip
