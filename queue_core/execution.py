"""How does one task run, and what does its end mean?"""

from __future__ import annotations

import asyncio
import inspect
import threading
from collections import deque
from collections.abc import Callable, Coroutine
from concurrent.futures import CancelledError, Future
from typing import Any

from queue_core.bounds import LONGEST
from queue_core.endings import Ending
from queue_core.errors import InvalidRequest, TaskTimeoutError
from queue_core.failure import describe
from queue_core.handle import check_not_negative
from queue_core.handlers import Handler, is_async
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
    running.check()  # it may have been cancelled while it waited for its turn
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
    return Ending.failed(task, error) if _can_retry(error) else Ending.discarded(task, error)


def _can_retry(error: Exception) -> bool:
    try:
        return bool(getattr(error, "can_retry", True))
    except Exception:  # noqa: BLE001 (an error that can't even say this ends its task like any other)
        return True


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
        work = _handed_over(_within(coroutine, timeout, running))
        future = asyncio.run_coroutine_threadsafe(work, self._started())
        value, exit_asked = _result(future, running) if running else future.result()
        if exit_asked is not None:
            raise exit_asked
        return value

    def _started(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                threading.Thread(target=_serve, args=(self._loop,), name="async handlers", daemon=True).start()
            return self._loop

    def close(self) -> None:
        """Stop the loop, if it ever ran; what still runs there is cancelled."""
        with self._lock:
            if self._loop is not None:
                self._loop.call_soon_threadsafe(self._loop.stop)
            self._loop = None


def _result(future: Future[Any], running: Running) -> Any:
    """Wait for the end of a coroutine, which is cancelled when its task is."""
    running.on_stop = future.cancel
    try:
        return future.result()
    except CancelledError:
        running.check()
        raise
    finally:
        running.on_stop = None


def _serve(loop: asyncio.AbstractEventLoop) -> None:
    with asyncio.Runner(loop_factory=lambda: loop) as runner:
        runner.get_loop().run_forever()


async def _handed_over(work: Coroutine[Any, Any, Any]) -> tuple[Any, BaseException | None]:
    """Return what would end the loop's thread instead of raising it: nobody would tell who waits."""
    try:
        return await work, None
    except (SystemExit, KeyboardInterrupt) as error:
        return None, error


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


__all__ = ["LAST_EXCEPTIONS", "Loop", "is_async", "run", "timeout_of"]
