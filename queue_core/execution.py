"""How does one task run, and what does its end mean?"""

from __future__ import annotations

import asyncio
import inspect
import threading
from collections import deque
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any

from queue_core.bounds import LONGEST
from queue_core.endings import Ending
from queue_core.errors import InvalidRequest, TaskTimeoutError
from queue_core.failure import describe
from queue_core.handle import check_not_negative
from queue_core.handlers import Handler
from queue_core.outcomes import Cancel, Discard, Snooze
from queue_core.running import Running, Stopped, current
from queue_core.task import Task

LAST_EXCEPTIONS: deque[dict[str, Any]] = deque(maxlen=100)
"""The last errors of handlers in this process, for tests to look at."""
_GROWTH = 1.5
"""How much longer each retry may take than the attempt before."""


def timeout_of(task: Task, handler: Handler) -> float | None:
    """Return how long this attempt may take, in seconds."""
    base = task.timeout_seconds or handler.timeout_seconds
    if base is None:
        return None
    # The exponent is clamped: a task that is tried for ever must not overflow.
    return float(min(base * _GROWTH ** min(max(task.attempt_count - 1, 0), 100), LONGEST))


def run(running: Running, handler: Handler, loop: Loop) -> Ending:
    """Run a task to its end, whatever that is; only what ends the process itself gets out."""
    try:
        return _meaning(running.task, _call(running, handler, loop))
    except Exception as error:  # noqa: BLE001 (every end of a handler is an end of its task)
        return _meaning(running.task, error)


def _call(running: Running, handler: Handler, loop: Loop) -> Any:
    token = current.set(running)
    try:
        value = handler.function(running.task)
        if inspect.iscoroutine(value):
            return loop.run(value, timeout_of(running.task, handler))
        return value
    finally:
        current.reset(token)


def _meaning(task: Task, end: Any) -> Ending:
    """Say what a value or an error of a handler does to its task."""
    for kind, ending in _MEANINGS:
        if isinstance(end, kind):
            return ending(task, end)
    return Ending.completed(task, end)


def _snoozed(task: Task, snooze: Snooze) -> Ending:
    try:
        check_not_negative("seconds", snooze.seconds)
    except InvalidRequest as error:
        return Ending.discarded(task, error)
    return Ending.released(task, snooze.seconds)


def _raised(task: Task, error: Exception) -> Ending:
    known = describe(error, task.attempt_count, 0, 1000)
    LAST_EXCEPTIONS.append({"task_id": task.id, "name": task.name, "error": known.message, "type": known.type})
    can_retry = getattr(error, "can_retry", True)
    return Ending.failed(task, error) if can_retry else Ending.discarded(task, error)


_MEANINGS: tuple[tuple[type[Exception], Callable[[Task, Any], Ending]], ...] = (
    (Snooze, _snoozed),
    (Cancel, Ending.cancelled),
    (Stopped, Ending.cancelled),
    (Discard, Ending.discarded),
    (Exception, _raised),
)


class Loop:
    """One event loop for the async handlers of a worker, in a thread that starts with the first of them."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None

    def run(self, coroutine: Coroutine[Any, Any, Any], timeout: float | None) -> Any:
        """Run a coroutine to its end; raises TaskTimeoutError where it takes too long."""
        running = current.get()
        future = asyncio.run_coroutine_threadsafe(_within(coroutine, timeout, running), self._started())
        return future.result()

    def _started(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                threading.Thread(target=self._loop.run_forever, name="async handlers", daemon=True).start()
            return self._loop

    def close(self) -> None:
        """Stop the loop, if it ever ran."""
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._loop.stop)


async def _within(coroutine: Coroutine[Any, Any, Any], seconds: float | None, running: Running | None) -> Any:
    token = current.set(running)
    try:
        async with asyncio.timeout(seconds) as limit:
            return await coroutine
    except TimeoutError as error:
        if seconds is None or not limit.expired():
            raise  # the handler's own
        raise TaskTimeoutError(seconds) from error
    finally:
        current.reset(token)


is_async: Callable[[Any], bool] = inspect.iscoroutinefunction
"""Whether a handler can be ended by its event loop, without killing its process."""
__all__ = ["LAST_EXCEPTIONS", "Loop", "is_async", "partial", "run", "timeout_of"]
