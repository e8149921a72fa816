"""What can go wrong, and what does each error know about it?

QueueError
├── InvalidTask            bad data in a task; nothing was written
├── InvalidRequest         a bad argument; nothing was done
├── TaskNotFound           no task has that id
├── UnknownTask            no function is registered under that name
├── TaskExecutionError     arguments don't fit the function of a task
├── NotConfigured          functions were submitted before they had a queue
├── IllegalTransition      the task's state does not allow the event
├── LeaseLost              the worker no longer holds the task
├── QueueFull              the capacity guard refused an enqueue
├── QueueClosed            the queue was shut down or closed
├── TaskTimeoutError       an attempt took longer than it may
├── WorkerDied             the process that ran the task is gone
├── WorkerStartFailed      child processes die before they come up
└── BackendUnavailable     the store can't be reached, read or written
    └── SchemaTooNew       the store was written by a newer version
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import ClassVar

from queue_core.states import Event, TaskState


class QueueError(Exception):
    """The root of everything that the queue raises on purpose."""

    can_retry: ClassVar[bool] = False
    """Whether the same call may succeed later, with nothing changed."""


class InvalidTask(QueueError, ValueError):
    """A task holds data that can't be queued."""

    def __init__(self, task_id: str, field: str, reason: str) -> None:
        super().__init__(f"task {task_id}: {field}: {reason}")
        self.task_id, self.field, self.reason = task_id, field, reason


class InvalidRequest(QueueError, ValueError):
    """A call has an argument that makes no sense."""

    def __init__(self, argument: str, reason: str) -> None:
        super().__init__(f"{argument}: {reason}")
        self.argument, self.reason = argument, reason


class TaskNotFound(QueueError, LookupError):
    """No task has that id."""

    def __init__(self, task_id: str) -> None:
        super().__init__(f"task {task_id} does not exist")
        self.task_id = task_id


class UnknownTask(QueueError, LookupError):
    """No function is registered under that name."""

    def __init__(self, name: str, known: Iterable[str]) -> None:
        self.name, self.known = name, tuple(sorted(known))
        super().__init__(f"no task is named {name!r:.100}: known are {', '.join(self.known) or 'none so far'}")


class TaskExecutionError(QueueError, ValueError):
    """Arguments don't fit the function that they are meant for."""

    def __init__(self, name: str, reasons: Mapping[str, str]) -> None:
        self.name, self.reasons = name, dict(reasons)
        super().__init__(f"task {name}: {'; '.join(f'{argument}: {why}' for argument, why in self.reasons.items())}")


class NotConfigured(QueueError, RuntimeError):
    """Functions were submitted, or asked for, before they had a queue."""

    def __init__(self, operation: str) -> None:
        super().__init__(f"{operation} needs a queue: call configure(Queue.open(...)) first")
        self.operation = operation


class IllegalTransition(QueueError):
    """The task's state does not allow what was asked."""

    def __init__(self, task_id: str, state: TaskState, event: Event) -> None:
        super().__init__(f"task {task_id} is {state.name}: {event.value} is not possible")
        self.task_id, self.state, self.event = task_id, state, event


class LeaseLost(QueueError):
    """The worker no longer holds the task, so what it reports does not count."""

    def __init__(self, task_id: str, lease: int, state: TaskState, current_lease: int) -> None:
        super().__init__(f"task {task_id}: lease {lease} is lost (now {state.name} under lease {current_lease})")
        self.task_id, self.lease, self.state, self.current_lease = task_id, lease, state, current_lease


class QueueFull(QueueError):
    """The capacity guard refused an enqueue as a whole."""

    can_retry = True

    def __init__(self, depth: int, asked: int, max_pending: int) -> None:
        super().__init__(f"{depth} tasks wait already: {asked} more would pass max_pending={max_pending}")
        self.depth, self.asked, self.max_pending = depth, asked, max_pending


class QueueClosed(QueueError):
    """The queue was shut down or closed."""

    def __init__(self, operation: str) -> None:
        super().__init__(f"the queue is closed: {operation} refused")
        self.operation = operation


class TaskTimeoutError(QueueError):
    """An attempt took longer than it may."""

    can_retry = True

    def __init__(self, seconds: float, step: int | None = None) -> None:
        """Of the attempt, or of its step where that has a time of its own."""
        super().__init__(f"timed out after {seconds:g} s{_at(step)}")
        self.seconds, self.step = seconds, step


class WorkerDied(QueueError):
    """The process that ran the task is gone."""

    can_retry = True

    def __init__(self, worker_id: str, how: str, step: int | None = None) -> None:
        super().__init__(f"worker {worker_id} {how}{_at(step)}")
        self.worker_id, self.how, self.step = worker_id, how, step


def _at(step: int | None) -> str:
    return "" if step is None else f" at step {step}"


class WorkerStartFailed(QueueError):
    """Child processes die before they come up."""

    def __init__(self, tries: int, how: str) -> None:
        super().__init__(f"{tries} worker processes in a row died while starting: the last {how}")
        self.tries, self.how = tries, how


class BackendUnavailable(QueueError):
    """The store can't be reached, read or written."""

    can_retry = True

    def __init__(self, url: str, reason: str) -> None:
        super().__init__(f"{url}: {reason}")
        self.url, self.reason = url, reason


class SchemaTooNew(BackendUnavailable):
    """The store was written by a newer version of this code."""

    can_retry = False

    def __init__(self, url: str, found: int, known: int) -> None:
        super().__init__(url, f"its schema has version {found}, this code knows {known}: upgrade tts-pipeline")
        self.found, self.known = found, known
