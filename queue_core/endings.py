"""How did a task end in its worker, and what did the queue say to it?"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, Self

from queue_core.encoding import Written, encode_result
from queue_core.states import Event, TaskState
from queue_core.task import Task

ENDINGS = frozenset({Event.COMPLETE, Event.FAIL, Event.DISCARD, Event.CANCEL, Event.RELEASE})
"""What can become of a task that a worker holds."""


@dataclass(frozen=True, slots=True)
class Ending:
    """What a worker reports of one task that it holds."""

    task_id: str
    lease: int
    event: Event
    result: Any = None
    error: BaseException | str = ""
    delay: float | None = None

    @classmethod
    def completed(cls, task: Task, result: Any = None) -> Self:
        """The work is done."""
        return cls(task.id, task.lease, Event.COMPLETE, result=result)

    @classmethod
    def failed(cls, task: Task, error: BaseException | str, delay: float | None = None) -> Self:
        """The attempt failed; without a delay the usual backoff applies."""
        return cls(task.id, task.lease, Event.FAIL, error=error, delay=delay)

    @classmethod
    def discarded(cls, task: Task, error: BaseException | str) -> Self:
        """Trying again can't help."""
        return cls(task.id, task.lease, Event.DISCARD, error=error)

    @classmethod
    def cancelled(cls, task: Task, reason: BaseException | str) -> Self:
        """Nobody needs it any more."""
        return cls(task.id, task.lease, Event.CANCEL, error=reason)

    @classmethod
    def released(cls, task: Task, delay: float | None = None) -> Self:
        """Given back untried, for now or for later."""
        return cls(task.id, task.lease, Event.RELEASE, delay=delay)

    def written(self, most_bytes: int) -> Self:
        """Write the result down as it is now: before the report is made, its handler may change it."""
        stored = encode_result(self.result, most_bytes)
        return self if stored is None else replace(self, result=Written(stored))


@dataclass(frozen=True)
class Settled:
    """What became of a report."""

    states: dict[str, TaskState] = field(default_factory=dict)
    """Where each task went."""
    refused: tuple[str, ...] = ()
    """Whose lease was lost: what was reported of them does not count."""
    started: tuple[str, ...] = ()
    """Which of those to be started still are this worker's, and wanted."""
