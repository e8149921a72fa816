"""What does a worker claim next?"""

from __future__ import annotations

from collections.abc import Mapping

from queue_core.handlers import Handlers, names_by_size
from queue_core.queue import Queue
from queue_core.settings import WorkerSettings
from queue_core.task import Task


class Claims:
    """Claims as many tasks at a time as their names allow."""

    def __init__(self, queue: Queue, worker_id: str, handlers: Handlers, settings: WorkerSettings) -> None:
        self._queue, self._worker_id = queue, worker_id
        self.names = frozenset(handlers)
        self.capabilities = settings.capabilities
        by_size = names_by_size(handlers, settings.size)
        self._alike: Mapping[str, tuple[int, frozenset[str]]] = {
            name: (size, names) for size, names in by_size.items() for name in names
        }
        self._first = next(iter(by_size)) if len(by_size) == 1 else 1

    def next(self, wait: float, most: int | None = None) -> list[Task]:
        """Return the most urgent task, marked as started, and those that are claimed together with it.

        Where names differ in how many are claimed at a time, the first decides: two steps, so that no
        task is held by a worker that another could run.
        """
        first = self._claim(self._first, self.names, wait, start=1, most=most)
        if not first or self._first > 1:
            return first
        size, names = self._alike[first[0].name]
        left = most if most is None else most - 1
        return first + (self._claim(size - 1, names, 0, start=0, most=left) if size > 1 else [])

    def _claim(self, size: int, names: frozenset[str], wait: float, *, start: int, most: int | None) -> list[Task]:
        bounded = size if most is None else min(size, most)
        if not bounded:
            return []
        return self._queue.claim(
            bounded,
            worker_id=self._worker_id,
            names=names,
            capabilities=self.capabilities,
            wait=wait,
            start=start,
        )
