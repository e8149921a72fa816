"""How does one task run, and what does its end mean?"""

from __future__ import annotations

import asyncio
import inspect
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import CancelledError, Future
from contextlib import suppress
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

LAST_EXCEPTIONS: list[dict[str, Any]] = []
"""The last errors of handlers in this process, the newest last, for tests to look at."""
_REMEMBERED = 100
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
    """Run a task to its end, whatever that is; only an interrupt from outside gets out."""
    try:
        return _meaning(running.task, _call(running, handler, loop))
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001 (every end of a handler is its task's, a panic of a Rust extension too)
        return _meaning(running.task, error)


def _call(running: Running, handler: Handler, loop: Loop) -> Any:
    running.check()  # it may have been cancelled while it waited for its turn
    running.timeout = timeout_of(running.task, handler)
    token = current.set(running)
    try:
        value = handler.function(running.task)
        if inspect.isgenerator(value) or inspect.isasyncgen(value):
            raise TypeError("it ended with a generator, of which nothing ran: return a value instead")
        if inspect.iscoroutine(value):
            return loop.run(value, running.timeout)
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
        return _raised(task, error)
    return Ending.released(task, snooze.seconds)


def _raised(task: Task, error: BaseException) -> Ending:
    known = describe(error, task.attempt_count, 0, 1000)
    LAST_EXCEPTIONS.append({"task_id": task.id, "name": task.name, "error": known.message, "type": known.type})
    del LAST_EXCEPTIONS[:-_REMEMBERED]
    return Ending.failed(task, error) if _can_retry(error) else Ending.discarded(task, error)


def _can_retry(error: BaseException) -> bool:
    try:
        return bool(getattr(error, "can_retry", True))
    except Exception:  # noqa: BLE001 (an error that can't even say this ends its task like any other)
        return True


_MEANINGS: tuple[tuple[type[BaseException], Callable[[Task, Any], Ending]], ...] = (
    (Snooze, _snoozed),
    (Cancel, Ending.cancelled),
    (Stopped, Ending.cancelled),
    (Discard, Ending.discarded),
    (BaseException, _raised),
)


class Loop:
    """One event loop for the async handlers of a worker, in a thread that starts with the first of them."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None

    def run(self, coroutine: Coroutine[Any, Any, Any], timeout: float | None) -> Any:
        """Run a coroutine to its end; raises TaskTimeoutError where it takes too long."""
        # It runs in a copy of this context: the handler finds its task there.
        future = asyncio.run_coroutine_threadsafe(_handed_over(_within(coroutine, timeout)), self._started())
        value, error = _result(future, current.get())
        if error is not None:
            raise error
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


def _result(future: Future[Any], running: Running | None) -> Any:
    """Wait for the end of a coroutine, its tidying up included."""
    try:
        return future.result()
    except CancelledError:
        if running:
            running.check()
        raise


def _serve(loop: asyncio.AbstractEventLoop) -> None:
    with asyncio.Runner(loop_factory=lambda: loop) as runner:
        runner.get_loop().run_forever()


async def _handed_over(work: Coroutine[Any, Any, Any]) -> tuple[Any, BaseException | None]:
    """Return an error instead of raising it: some would end the loop's thread, others be exchanged by asyncio."""
    try:
        return await work, None
    except asyncio.CancelledError:
        raise
    except BaseException as error:  # noqa: BLE001 (raised by who waits for it)
        return None, error


async def _within(coroutine: Coroutine[Any, Any, Any], seconds: float | None) -> Any:
    running = current.get()
    try:
        async with asyncio.timeout(seconds) as limit:
            return await (coroutine if running is None else _steered(coroutine, running, limit))
    except TimeoutError as error:
        if running is None or running.timeout is None or not limit.expired():
            raise  # the handler's own
        raise TaskTimeoutError(running.timeout, running.step) from error


async def _steered(coroutine: Coroutine[Any, Any, Any], running: Running, limit: asyncio.Timeout) -> Any:
    """Await a coroutine that is cancelled when its task is, and may set the time of its steps."""
    work, loop = asyncio.current_task(), asyncio.get_running_loop()
    assert work is not None
    running.on_stop = lambda: loop.call_soon_threadsafe(work.cancel)
    running.on_deadline = lambda seconds: loop.call_soon_threadsafe(_move, limit, loop.time() + seconds)
    try:
        if running.is_stopped:  # in the instant before it could be cancelled
            work.cancel()
        return await coroutine
    finally:
        running.on_stop = running.on_deadline = None


def _move(limit: asyncio.Timeout, deadline: float) -> None:
    with suppress(RuntimeError):  # it is over by now
        limit.reschedule(deadline)
