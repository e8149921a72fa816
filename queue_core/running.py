"""What can a handler say and learn while its task runs?"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass, field
from threading import Lock
from typing import Any, Protocol

from queue_core.handle import check_place, check_positive
from queue_core.outcomes import Outcome
from queue_core.queue import Queue
from queue_core.task import Task


class Stopped(Outcome):
    """The task is not this worker's any more, or somebody asked to cancel it: what is done now is for nothing."""


class Slot(Protocol):
    """Where a running task is shown to those who watch over it."""

    def begin_step(self, step: int, timeout: float | None) -> None:
        """Show which part of the task is worked on; with a timeout, its deadline starts anew."""

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
    step: int | None = None
    timeout: float | None = None
    """How long it may take, in seconds, or its step where that has a time of its own."""
    on_deadline: Callable[[float], object] | None = None
    """Gives a handler that can be ended from outside so many seconds from now."""
    _showing: Lock = field(default_factory=Lock)

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

    def begin_step(self, step: int, timeout: float | None) -> None:
        """Show which part is worked on; with a timeout, it may take so long from now."""
        self.check()
        self.step = step
        if timeout is not None:
            self.timeout = timeout
            restart = self.on_deadline  # the handler may end in this instant, and take it back
            if restart:
                restart(timeout)
        with self._showing:
            if self.slot:
                self.slot.begin_step(step, timeout)

    def own_group(self, pid: int | None) -> None:
        """Say which group of processes runs for this task: it is killed when this process dies."""
        with self._showing:
            if self.slot:
                self.slot.show_group(pid or 0)

    def leave(self) -> None:
        """Give the slot up: a thread that the handler left behind must not speak for the next task."""
        with self._showing:
            self.slot = None


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


def begin_step(step: int, *, timeout_seconds: float | None = None) -> None:
    """Say which part of the running task is worked on from now: where its process dies or hangs, the error tells.

    With a timeout, the process is killed when this step takes longer, whatever time the task was given;
    without, the deadline stays as it is. Raises Stopped where the task was lost or cancelled. A few microseconds;
    outside of a worker it does nothing.
    """
    running = current.get()
    if running is None:
        return
    check_place("step", step)
    if timeout_seconds is not None:
        check_positive("timeout_seconds", timeout_seconds)
    running.begin_step(step, timeout_seconds)


def current_queue() -> Queue | None:
    """Return the queue that the running task came from; None outside of a handler."""
    running = current.get()
    return running.queue if running is not None else None


def own_group(pid: int | None) -> None:
    """Say which group of processes runs for the running task: it is killed when this process dies; None: none any more.

    Outside of a worker it does nothing.
    """
    running = current.get()
    if running is not None:
        running.own_group(pid)


def is_draining() -> bool:
    """Return whether the worker wants to stop: a long handler can end with Snooze(0) where it stands."""
    running = current.get()
    return running is not None and running.is_draining
