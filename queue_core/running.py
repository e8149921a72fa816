"""What can a handler say and learn while its task runs?"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, Protocol

from queue_core.outcomes import Outcome
from queue_core.queue import Queue
from queue_core.task import Task


class Stopped(Outcome):
    """The task is not this worker's any more, or somebody asked to cancel it: what is done now is for nothing."""


class Slot(Protocol):
    """Where a running task is shown to those who watch over it."""

    def show_group(self, group: int) -> None:
        """Show which group of processes runs for the task; 0 for none."""


@dataclass(eq=False)
class Running:
    """A task in the hands of its handler."""

    task: Task
    slot: Slot | None = None
    queue: Queue | None = None
    """Where the task came from, and where those go that it submits."""
    is_stopped: bool = False
    is_draining: bool = False
    progress: Any = None
    is_told: bool = True
    """Whether the queue knows the progress."""
    on_stop: Callable[[], object] | None = None
    """Ends a handler that can be ended from outside."""

    def stop(self) -> None:
        """Let the handler know, as soon as it asks, that its work is for nothing."""
        self.is_stopped = True
        end = self.on_stop  # the handler may end in this instant, and take it back
        if end:
            end()

    def check(self) -> None:
        """Raise Stopped where the task was lost or cancelled."""
        if self.is_stopped:
            raise Stopped(f"task {self.task.id} was cancelled, or is another worker's by now")

    def own_group(self, pid: int | None) -> None:
        """Say which group of processes runs for this task: it is killed when this process dies."""
        if self.slot:
            self.slot.show_group(pid or 0)


current: ContextVar[Running | None] = ContextVar("current", default=None)


def report_progress(done: float, total: float | None = None, note: str | None = None) -> None:
    """Say how far the running task is; shown with it at its next heartbeat, a second later or so.

    Raises Stopped where the task was lost or cancelled: let it pass, and the handler ends. Outside of a
    worker it does nothing.
    """
    running = current.get()
    if running is None:
        return
    running.check()
    said = {"done": done, "total": total, "note": note}
    running.progress = {key: value for key, value in said.items() if value is not None}
    running.is_told = False


def is_draining() -> bool:
    """Return whether the worker wants to stop: a long handler can end with Snooze(0) where it stands."""
    running = current.get()
    return running is not None and running.is_draining
