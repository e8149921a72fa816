"""How do tests bring a task into a state, and what did the store keep of it?"""

from collections.abc import Callable

from queue_core import Queue, Task, TaskState
from queue_core.states import Event


def enqueued(queue: Queue, **fields: object) -> Task:
    """A new task, as the store has it."""
    (task_id,) = queue.enqueue([Task(**fields)])
    return queue.get(task_id)


def claimed(queue: Queue, **fields: object) -> Task:
    """A new task that this queue holds."""
    task = enqueued(queue, **fields)
    (mine,) = [found for found in queue.claim(100, capabilities=task.needs) if found.id == task.id]
    return mine


def _completed(queue: Queue) -> Task:
    task = claimed(queue)
    queue.mark_as_complete(task)
    return task


def _retryable(queue: Queue) -> Task:
    task = claimed(queue)
    queue.mark_as_retry(task, "failed once", delay=0)
    return task


def _cancelled(queue: Queue) -> Task:
    task = enqueued(queue)
    queue.mark_as_cancelled(task)
    return task


def _discarded(queue: Queue) -> Task:
    task = claimed(queue)
    queue.mark_as_discarded(task)
    return task


IN_STATE: dict[TaskState, Callable[[Queue], Task]] = {
    TaskState.PENDING: enqueued,
    TaskState.PROCESSING: claimed,
    TaskState.COMPLETED: _completed,
    TaskState.RETRYABLE: _retryable,
    TaskState.CANCELLED: _cancelled,
    TaskState.DISCARDED: _discarded,
}


def in_state(queue: Queue, state: TaskState) -> Task:
    """A task that got into a state the way that tasks do."""
    task = IN_STATE[state](queue)
    assert queue.get(task).state is state
    return task


def _claim(queue: Queue, task: Task) -> None:
    queue.claim(100)


def _request_and_stop(queue: Queue, task: Task) -> None:
    if queue.mark_as_cancelled(task) is TaskState.PROCESSING:
        queue.mark_as_retry(task, "stopped", force=True)


def _exhaust(queue: Queue, task: Task) -> None:
    queue.retry(100, visibility_timeout=60, max_attempts=1)


HAPPEN: dict[Event, Callable[[Queue, Task], object]] = {
    Event.CLAIM: _claim,
    Event.HEARTBEAT: lambda queue, task: queue.heartbeat([task]),
    Event.COMPLETE: lambda queue, task: queue.mark_as_complete(task, force=True),
    Event.FAIL: lambda queue, task: queue.mark_as_retry(task, "failed", force=True),
    Event.EXHAUST: _exhaust,
    Event.DISCARD: lambda queue, task: queue.mark_as_discarded(task, force=True),
    Event.RELEASE: lambda queue, task: queue.release([task]),
    Event.RESCUE: lambda queue, task: queue.rescue(visibility_timeout=60),
    Event.REQUEST_CANCEL: lambda queue, task: queue.mark_as_cancelled(task),
    Event.CANCEL: _request_and_stop,
    Event.PROMOTE: lambda queue, task: queue.promote(),
    Event.RESUME: lambda queue, task: queue.mark_as_resume(task),
}
"""For each event, the public call that makes it happen to a task."""
