"""What can a handler say and learn while its task runs?"""

from __future__ import annotations

from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

from queue_core.outcomes import Outcome
from queue_core.task import Task


class Stopped(Outcome):
    """The task is not this worker's any more, or somebody asked to cancel it: what is done now is for nothing."""


@dataclass
class Running:
    """A task in the hands of its handler."""

    task: Task
    is_stopped: bool = False
    progress: Any = field(default=None)
    is_told: bool = True
    """Whether the queue knows the progress."""


current: ContextVar[Running | None] = ContextVar("current", default=None)


def report_progress(done: float, total: float | None = None, note: str | None = None) -> None:
    """Say how far the running task is; shown with it at its next heartbeat, a second later or so.

    Raises Stopped where the task was lost or cancelled: let it pass, and the handler ends. Outside of a
    worker it does nothing.
    """
    running = current.get()
    if running is None:
        return
    if running.is_stopped:
        raise Stopped(f"task {running.task.id} was cancelled, or is another worker's by now")
    said = {"done": done, "total": total, "note": note}
    running.progress = {key: value for key, value in said.items() if value is not None}
    running.is_told = False
