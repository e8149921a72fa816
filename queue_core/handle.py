"""What does every side of a queue stand on: an open store and the leases it handed out?"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator
from typing import TypeVar

from queue_core.backends.base import Backend, Held
from queue_core.bounds import LONGEST, LONGEST_TEXT, MOST
from queue_core.clock import Clock
from queue_core.config import QueueConfig
from queue_core.errors import InvalidRequest, QueueClosed, TaskNotFound
from queue_core.task import Task
from queue_core.text import clean, flaw

Value = TypeVar("Value")
_REMEMBERED_LEASES = 100_000
_LARGEST_LEASE = 2**63 - 1


class Handle:
    """An open queue, before it can do anything."""

    def __init__(self, backend: Backend, config: QueueConfig) -> None:
        self._store, self.config = backend, config
        self._is_closed = self._is_shut_down = False
        self._interrupt_count = 0
        self._leases: OrderedDict[str, int] = OrderedDict()

    @property
    def clock(self) -> Clock:
        """The clock by which tasks become due: the store's, not this machine's."""
        return self._store.clock

    def _backend(self, operation: str) -> Backend:
        if self._is_closed:
            raise QueueClosed(operation)
        return self._store

    def _remember(self, tasks: Iterable[Task]) -> None:
        for task in tasks:
            self._leases[task.id] = task.lease
        while len(self._leases) > _REMEMBERED_LEASES:
            self._leases.popitem(last=False)

    def _forget(self, reported: Iterable[tuple[str, int | None]]) -> None:
        """Forget the leases that were reported under; a newer one, of another thread perhaps, stays known."""
        for task_id, lease in reported:
            if lease is None or self._leases.get(task_id) == lease:
                self._leases.pop(task_id, None)

    def _lease_of(self, task: Task | str, lease: int | None) -> int | None:
        """Find under which lease a report is made: the given one, the task's own, or the last handed out."""
        if lease is not None:
            check_lease(lease)
            return lease
        if isinstance(task, Task) and task.lease:
            return task.lease
        return self._leases.get(id_of(task))

    def _held(self, tasks: Iterable[Task | str]) -> Held:
        return [(id_of(task), self._own_lease(task)) for task in iterated("tasks", tasks)]

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
    if flaw(task) or len(task) > LONGEST_TEXT:
        raise TaskNotFound(clean(task, LONGEST_TEXT))
    return task


def check_positive(argument: str, value: float) -> None:
    """Refuse times of zero or less, those that never end, and what is no number."""
    if not _is_number(value) or not 0 < value <= LONGEST:
        raise InvalidRequest(argument, f"{value!r:.50} is not a positive number up to {LONGEST:g}")


def check_not_negative(argument: str, value: float) -> None:
    """Refuse negative delays, those that never end, and what is no number."""
    if not _is_number(value) or not 0 <= value <= LONGEST:
        raise InvalidRequest(argument, f"{value!r:.50} is not zero or a positive number up to {LONGEST:g}")


def check_size(argument: str, value: int) -> None:
    """Refuse counts that are not whole and positive."""
    if not _is_number(value) or not isinstance(value, int) or not 0 < value <= MOST:
        raise InvalidRequest(argument, f"{value!r:.50} is not a positive whole number up to {MOST}")


def check_place(argument: str, value: int) -> None:
    """Refuse what does not count from zero on."""
    if not _is_number(value) or not isinstance(value, int) or not 0 <= value <= MOST:
        raise InvalidRequest(argument, f"{value!r:.50} is not zero or a positive whole number up to {MOST}")


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def check_lease(lease: int) -> None:
    """Refuse what no claim hands out; None would stand for an operator who forces it."""
    if not _is_number(lease) or not isinstance(lease, int) or not 0 <= lease <= _LARGEST_LEASE:
        raise InvalidRequest("lease", f"{lease!r:.50} is no lease")


def check_text(argument: str, value: str) -> None:
    """Refuse what can't be a name or an id."""
    if not isinstance(value, str) or not 0 < len(value) <= LONGEST_TEXT:
        raise InvalidRequest(argument, f"{value!r:.50} is not a text of 1 to {LONGEST_TEXT} characters")
    if reason := flaw(value):
        raise InvalidRequest(argument, reason)


def iterated(argument: str, values: Iterable[Value]) -> Iterator[Value]:
    """Iterate over what must be several values; one text is none."""
    if isinstance(values, str):
        raise InvalidRequest(argument, f"{values!r:.50} is one text: pass a list")
    try:
        return iter(values)
    except TypeError as error:
        raise InvalidRequest(argument, f"{values!r:.50} is no list") from error


def texts(argument: str, values: Iterable[str]) -> frozenset[str]:
    """Return a set of texts."""
    listed = list(iterated(argument, values))
    if not all(isinstance(value, str) for value in listed):
        raise InvalidRequest(argument, f"{values!r:.50} holds something that is no text")
    return frozenset(listed)
