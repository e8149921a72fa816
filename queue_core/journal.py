"""What is said of each task that a worker ended?"""

from __future__ import annotations

import logging

from queue_core.failure import words_of
from queue_core.ledger import Report
from queue_core.logs import log
from queue_core.states import TaskState
from queue_core.task import Task

logger = logging.getLogger(__name__)
_EVENTS = {
    TaskState.COMPLETED: (logging.INFO, "task completed"),
    TaskState.RETRYABLE: (logging.WARNING, "task failed and will be tried again"),
    TaskState.DISCARDED: (logging.ERROR, "task discarded"),
    TaskState.CANCELLED: (logging.INFO, "task cancelled"),
    TaskState.PENDING: (logging.INFO, "task given back"),
    None: (logging.WARNING, "report refused: the lease was lost"),
}
_MOST_CHARS = 60
"""Of a command: its id leads to the rest."""


def tell(worker_id: str, report: Report, state: TaskState | None) -> None:
    """Log where a task went, with the facts that lead to it."""
    level, event = _EVENTS[state]
    if logger.isEnabledFor(level):
        task = report.task
        log(
            logger, level, event,
            task_id=task.id, name=task.name, what=_what(task), trace_id=task.trace_id, worker_id=worker_id,
            attempt=task.attempt_count, seconds=round(report.seconds, 3), reason=words_of(report.ending.error) or None,
        )  # fmt: skip


def tell_recovered(worker_id: str, task_id: str, state: TaskState, reason: str) -> None:
    """Log where a task went whose worker can't say it any more."""
    level, event = _EVENTS[state]
    log(logger, level, event, task_id=task_id, worker_id=worker_id, reason=reason)


def _what(task: Task) -> str | None:
    """Return the first line of a task's command; None where it has none."""
    command = (task.items[0].model_extra or {}).get("command") if task.items else None
    if not isinstance(command, str):
        return None
    first = next((line.strip() for line in command.splitlines() if line.strip()), "")
    return first if len(first) <= _MOST_CHARS else f"{first[: _MOST_CHARS - 1]}…"
