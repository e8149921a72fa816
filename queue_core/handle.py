"""What does every side of a queue stand on: an open store and the leases it handed out?"""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Iterable

from queue_core.backends.base import Backend, Held
from queue_core.config import QueueConfig
from queue_core.errors import InvalidRequest, QueueClosed, TaskNotFound
from queue_core.task import Task
from queue_core.text import clean, flaw

_REMEMBERED_LEASES = 100_000


class Handle:
    """An open queue, before it can do anything."""

    def __init__(self, backend: Backend, config: QueueConfig) -> None:
        self._store, self.config = backend, config
        self._is_closed = self._is_shut_down = False
        self._leases: OrderedDict[str, int] = OrderedDict()

    def _backend(self, operation: str) -> Backend:
        if self._is_closed:
            raise QueueClosed(operation)
        return self._store

    def _remember(self, tasks: Iterable[Task]) -> None:
        for task in tasks:
            self._leases[task.id] = task.lease
        while len(self._leases) > _REMEMBERED_LEASES:
            self._leases.popitem(last=False)

    def _forget(self, ids: Iterable[str]) -> None:
        for task_id in ids:
            self._leases.pop(task_id, None)

    def _lease_of(self, task: Task | str, lease: int | None) -> int | None:
        """Find under which lease a report is made: the given one, the task's own, or the last handed out."""
        if lease is not None:
            return lease
        if isinstance(task, Task) and task.lease:
            return task.lease
        return self._leases.get(id_of(task))

    def _held(self, tasks: Iterable[Task | str]) -> Held:
        return [(id_of(task), self._own_lease(task)) for task in tasks]

    def _own_lease(self, task: Task | str) -> int:
        lease = self._lease_of(task, None)
        if lease is None:
            raise InvalidRequest("tasks", f"task {id_of(task)} was not handed out by this queue")
        return lease


def id_of(task: Task | str) -> str:
    """Return the id of a task that is given as itself or by its id."""
    if isinstance(task, Task):
        return task.id
    if not isinstance(task, str):
        raise InvalidRequest("task", f"{task!r:.200} is neither a Task nor an id")
    if flaw(task):
        raise TaskNotFound(clean(task, 600))
    return task


def check_positive(argument: str, value: float) -> None:
    """Refuse sizes and times of zero or less, and what is no number."""
    if not (isinstance(value, int | float) and math.isfinite(value) and value > 0):
        raise InvalidRequest(argument, f"{value!r} is not a positive number")


def check_not_negative(argument: str, value: float) -> None:
    """Refuse negative delays, and what is no number."""
    if not (isinstance(value, int | float) and math.isfinite(value) and value >= 0):
        raise InvalidRequest(argument, f"{value!r} is not zero or a positive number")


def check_size(argument: str, value: int) -> None:
    """Refuse counts that are not whole and positive."""
    if isinstance(value, bool) or not isinstance(value, int) or value <= 0:
        raise InvalidRequest(argument, f"{value!r} is not a positive whole number")


def check_text(argument: str, value: str) -> None:
    """Refuse what can't be a name or an id."""
    if not isinstance(value, str) or not value:
        raise InvalidRequest(argument, f"{value!r:.200} is not a text")
    if reason := flaw(value):
        raise InvalidRequest(argument, reason)
