"""How is our own queue driven by the benchmark?"""

import time
from collections.abc import Iterator, Sequence
from typing import Any

from benchmarks.payloads import Payload
from benchmarks.stores import Place
from queue_core import Queue, QueueConfig, Task, TaskItem

_DAY_MS = 86_400_000


class Ours:
    """The queue by its public API; starts from payloads, as the raw baselines do."""

    def __init__(self, place: Place) -> None:
        synchronous = place.setting.synchronous
        config = QueueConfig(sqlite_synchronous=synchronous) if synchronous else QueueConfig()
        self._queue = Queue.open(place.url, config=config)

    def enqueue(self, payloads: Sequence[Payload]) -> None:
        """Build the tasks and insert all in one transaction."""
        self._queue.enqueue(tasks_of(payloads))

    def claim(self, size: int) -> list[Task]:
        """Take the first `size` that are due."""
        return self._queue.claim(size)

    def complete(self, tasks: Sequence[Task]) -> int:
        """Complete what is still held, and count it."""
        return len(tasks) - len(self._queue.complete(tasks))

    def enqueue_future(self, payloads: Sequence[Payload]) -> None:
        """Insert tasks of high priority that are due tomorrow."""
        due_at = time.time_ns() // 1_000_000 + _DAY_MS
        self._queue.enqueue(tasks_of(payloads, priority=0, schedule_at=due_at))

    def enqueue_incapable(self, payloads: Sequence[Payload]) -> None:
        """Insert tasks of high priority that need what this worker has not."""
        self._queue.enqueue(tasks_of(payloads, priority=0, needs={"gpu"}))

    def close(self) -> None:
        """Close the queue."""
        self._queue.close()


class OursFromList(Ours):
    """The same, with all tasks built before the first one is handed over."""

    def enqueue(self, payloads: Sequence[Payload]) -> None:
        """Build a list of the tasks and insert all in one transaction."""
        self._queue.enqueue(list(tasks_of(payloads)))


def tasks_of(payloads: Sequence[Payload], **fields: Any) -> Iterator[Task]:
    """Build one task of one item per payload, one by one, as the queue's documentation says."""
    return (Task(name="noop", items=[TaskItem(**payload)], **fields) for payload in payloads)
