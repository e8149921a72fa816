"""What does a task wait for?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from queue_core.errors import TaskNotFound
from queue_core.states import WAITING, TaskState

if TYPE_CHECKING:
    from queue_core.queue import Queue
    from queue_core.task import Task

_MOST = 20
"""Of the tasks that one waits for."""


def waits_for(queue: Queue, task: Task) -> Iterator[str]:
    """Yield what has to happen before a waiting task can be claimed; its time is not among it."""
    if task.state not in WAITING:
        return
    if task.blockers:
        yield ", ".join(_unfinished(queue, task))
    if task.paused:
        yield f"group {task.group_id}, which is paused"
    if not task.blockers and not task.paused and _is_name_paused(queue, task):
        yield f"name {task.name}, which is paused"
    if not _has_worker(queue, task):
        needs = f" with {', '.join(sorted(task.needs))}" if task.needs else ""
        yield f"a worker{needs}: none is there"


def _unfinished(queue: Queue, task: Task) -> Iterator[str]:
    for task_id in task.depends_on[:_MOST]:
        try:
            state = queue.get(task_id).state
        except TaskNotFound:
            yield f"{task_id} (deleted)"
            continue
        if state is not TaskState.COMPLETED:
            yield f"{task_id} ({state.name})"
    if len(task.depends_on) > _MOST:
        yield f"or others of its {len(task.depends_on)}"


def _is_name_paused(queue: Queue, task: Task) -> bool:
    """It is held back by nothing of its own, and yet no worker can claim anything of its kind, ever."""
    outlook = queue.outlook(names=[task.name], capabilities=task.needs)
    return outlook.next_due_at is None and any(stuck.reason == "paused" for stuck in outlook.stuck)


def _has_worker(queue: Queue, task: Task) -> bool:
    from queue_core.reports import WorkerStatus

    alive = (worker for worker in queue.workers() if worker.status is not WorkerStatus.DEAD)
    return any(task.needs <= worker.capabilities for worker in alive)
