"""How is the queue used from asyncio?"""

from __future__ import annotations

import asyncio
import functools
import threading
from collections.abc import Callable, Coroutine
from types import TracebackType
from typing import Any, Concatenate, Generic, ParamSpec, Self, TypeVar

from queue_core.queue import Queue
from queue_core.task import Task

P = ParamSpec("P")
Result = TypeVar("Result")


def _awaitable(
    method: Callable[Concatenate[Queue, P], Result],
) -> Callable[Concatenate[AsyncQueue, P], Coroutine[Any, Any, Result]]:
    async def call(self: AsyncQueue, /, *args: P.args, **kwargs: P.kwargs) -> Result:
        return await asyncio.to_thread(method, self.queue, *args, **kwargs)

    functools.update_wrapper(call, method)
    return call


def _claiming(
    method: Callable[Concatenate[Queue, P], Result], tasks_of: Callable[[Result], list[Task]]
) -> Callable[Concatenate[AsyncQueue, P], Coroutine[Any, Any, Result]]:
    """A claim whose caller was cancelled meanwhile gives back what it got."""

    async def call(self: AsyncQueue, /, *args: P.args, **kwargs: P.kwargs) -> Result:
        claim = _Claim(self.queue, tasks_of)
        try:
            return await asyncio.to_thread(claim.run, functools.partial(method, self.queue, *args, **kwargs))
        except asyncio.CancelledError:
            claim.abandon()
            raise

    functools.update_wrapper(call, method)
    return call


def _itself(tasks: list[Task]) -> list[Task]:
    return tasks


class _Claim(Generic[Result]):
    """One claim in a thread, which may end after its caller has gone, and even after the event loop has."""

    def __init__(self, queue: Queue, tasks_of: Callable[[Result], list[Task]]) -> None:
        self._queue, self._tasks_of, self._lock = queue, tasks_of, threading.Lock()
        self._is_abandoned = False
        self._tasks: list[Task] = []

    def run(self, claim: Callable[[], Result]) -> Result:
        answer = claim()
        with self._lock:
            self._tasks = self._tasks_of(answer)
            if self._is_abandoned:
                self._queue.release(self._tasks)
        return answer

    def abandon(self) -> None:
        with self._lock:
            self._is_abandoned = True
            self._queue.release(self._tasks)


class AsyncQueue:
    """The same methods, awaitable: each runs in a thread, on the queue that it wraps."""

    def __init__(self, queue: Queue) -> None:
        self.queue = queue

    async def transact(self, work: Callable[[Any], Result]) -> Result:
        """Run `work(connection)` in one transaction, in a thread; the twin of Queue.transaction."""
        return await asyncio.to_thread(self._transact, work)

    def _transact(self, work: Callable[[Any], Result]) -> Result:
        with self.queue.transaction() as connection:
            return work(connection)

    async def read(self, work: Callable[[Any], Result]) -> Result:
        """Run `work(connection)` on one state of the store, in a thread; the twin of Queue.reading."""
        return await asyncio.to_thread(self._read, work)

    def _read(self, work: Callable[[Any], Result]) -> Result:
        with self.queue.reading() as connection:
            return work(connection)

    enqueue = _awaitable(Queue.enqueue)
    claim = _claiming(Queue.claim, _itself)
    dequeue = _claiming(Queue.dequeue, _itself)
    retry = _claiming(Queue.retry, _itself)
    mark_as_complete = _awaitable(Queue.mark_as_complete)
    mark_as_retry = _awaitable(Queue.mark_as_retry)
    mark_as_discarded = _awaitable(Queue.mark_as_discarded)
    mark_as_cancelled = _awaitable(Queue.mark_as_cancelled)
    mark_as_resume = _awaitable(Queue.mark_as_resume)
    complete = _awaitable(Queue.complete)
    heartbeat = _awaitable(Queue.heartbeat)
    release = _awaitable(Queue.release)
    cancel = _awaitable(Queue.cancel)
    resume = _awaitable(Queue.resume)
    reprioritize = _awaitable(Queue.reprioritize)
    pause = _awaitable(Queue.pause)
    unpause = _awaitable(Queue.unpause)
    limit = _awaitable(Queue.limit)
    get = _awaitable(Queue.get)
    list = _awaitable(Queue.list)
    counts = _awaitable(Queue.counts)
    is_at_rest = _awaitable(Queue.is_at_rest)
    groups = _awaitable(Queue.groups)
    snapshot = _awaitable(Queue.snapshot)
    position = _awaitable(Queue.position)
    workers = _awaitable(Queue.workers)
    record_worker = _awaitable(Queue.record_worker)
    forget_worker = _awaitable(Queue.forget_worker)
    stop_worker = _awaitable(Queue.stop_worker)
    bury = _awaitable(Queue.bury)
    take_turn = _awaitable(Queue.take_turn)
    outlook = _awaitable(Queue.outlook)
    settle = _awaitable(Queue.settle)
    exchange = _claiming(Queue.exchange, lambda answer: answer[1])
    lost = _awaitable(Queue.lost)
    recover = _awaitable(Queue.recover)
    health = _awaitable(Queue.health)
    rescue = _awaitable(Queue.rescue)
    promote = _awaitable(Queue.promote)
    cleanup = _awaitable(Queue.cleanup)
    purge = _awaitable(Queue.purge)
    close = _awaitable(Queue.close)

    def interrupt(self) -> None:
        """Let who waits in a claim come back with nothing."""
        self.queue.interrupt()

    def shutdown(self) -> None:
        """Take in nothing more, and wake who waits."""
        self.queue.shutdown()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()
