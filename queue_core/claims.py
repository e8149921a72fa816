"""What does a worker claim next?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypedDict

from queue_core.endings import Ending, Settled
from queue_core.errors import BackendUnavailable
from queue_core.handlers import Handlers, names_by_size
from queue_core.queue import Queue
from queue_core.settings import WorkerSettings
from queue_core.task import Task


class _Who(TypedDict):
    worker_id: str
    names: frozenset[str]
    capabilities: frozenset[str]


class Claims:
    """Claims as many tasks at a time as their names allow."""

    def __init__(
        self, queue: Queue, worker_id: str, handlers: Handlers, settings: WorkerSettings, *, starts: bool = True
    ) -> None:
        """`starts`: the claim itself marks the first task as started; else its worker does, when it reports."""
        self._queue, self._worker_id, self._start = queue, worker_id, int(starts)
        self.names = frozenset(handlers)
        self.is_unsure = False
        """Whether a claim may have got something whose answer was lost."""
        self.capabilities = settings.capabilities
        by_size = names_by_size(handlers, settings.size)
        self._alike: Mapping[str, tuple[int, frozenset[str]]] = {
            name: (size, names) for size, names in by_size.items() for name in names
        }
        self._first = next(iter(by_size)) if len(by_size) == 1 else 1

    def next(self, wait: float, most: int | None = None) -> list[Task]:
        """Return the most urgent task, and those that are claimed together with it."""
        size = _bounded(self._first, most)
        if not size:
            return []
        return self._together(self._queue.claim(size, wait=wait, start=self._start, **self._who(self.names)), most)

    def exchange(
        self, endings: Sequence[Ending], starting: Sequence[Task], most: int | None = None
    ) -> tuple[Settled, list[Task]]:
        """Report, and claim in the same step."""
        size = _bounded(self._first, most)
        if not size:
            return self._queue.settle(endings, starting=starting), []
        who = self._who(self.names)
        settled, first = self._queue.exchange(endings, starting=starting, size=size, start=self._start, **who)
        return settled, self._together(first, most)

    def _together(self, first: list[Task], most: int | None) -> list[Task]:
        """Add companions.

        Where names differ in how many are claimed at a time, the first decides: two steps, so that no
        task is held by a worker that another could run.
        """
        if not first or self._first > 1:
            return first
        size, names = self._alike[first[0].name]
        more = _bounded(size - 1, None if most is None else most - 1)
        if not more:
            return first
        try:
            return first + self._queue.claim(more, start=0, **self._who(names))
        except BackendUnavailable:
            self.is_unsure = True
            return first

    def _who(self, names: frozenset[str]) -> _Who:
        return {"worker_id": self._worker_id, "names": names, "capabilities": self.capabilities}


def _bounded(size: int, most: int | None) -> int:
    return size if most is None else min(size, most)
