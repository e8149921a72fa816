"""What does a worker do with a queue: claim tasks, keep them, end them?"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from queue_core.backends.base import Backend, Blame, ClaimRequest, Recovery
from queue_core.endings import ENDINGS, Ending, Settled
from queue_core.errors import InvalidRequest
from queue_core.handle import (
    Handle,
    check_lease,
    check_not_negative,
    check_positive,
    check_size,
    check_text,
    id_of,
    iterated,
    texts,
)
from queue_core.states import TaskState
from queue_core.task import Task

_SPREAD = 0.01
"""Over how many seconds waiters that were woken together spread, and how long one pauses whom another forestalled."""


class WorkerSide(Handle):
    """The operations that a worker needs. What it reports counts only under the newest lease."""

    def claim(  # noqa: PLR0913 (dequeue's, and where to start)
        self,
        size: int = 5,
        *,
        worker_id: str | None = None,
        names: Iterable[str] | None = None,
        capabilities: Iterable[str] = (),
        wait: float = 0,
        start: int | None = None,
    ) -> list[Task]:
        """Take up to `size` due tasks, new ones and retries alike, in the order of the queue.

        With `start`, only so many of them start now; the others are held until `settle` starts them.
        """
        request = _request(size, worker_id, names, capabilities, start=start)
        return self._claim("claim", request, wait, lambda backend: backend.claim(request))

    def dequeue(
        self,
        size: int = 5,
        *,
        worker_id: str | None = None,
        names: Iterable[str] | None = None,
        capabilities: Iterable[str] = (),
        wait: float = 0,
    ) -> list[Task]:
        """Take up to `size` due tasks that were never tried; with `wait`, block that many seconds for the first."""
        request = _request(size, worker_id, names, capabilities, states=(TaskState.PENDING,))
        return self._claim("dequeue", request, wait, lambda backend: backend.claim(request))

    def retry(  # noqa: PLR0913 (the contract's signature)
        self,
        size: int = 5,
        visibility_timeout: float | None = None,
        max_attempts: int | None = None,
        *,
        worker_id: str | None = None,
        names: Iterable[str] | None = None,
        capabilities: Iterable[str] = (),
        wait: float = 0,
    ) -> list[Task]:
        """Take up to `size` tasks that failed and are due again, or whose worker fell silent.

        None stands for each task's own timeout and attempts, else the configured. Tasks with no
        attempt left are discarded in the same step.
        """
        if visibility_timeout is not None:
            check_positive("visibility_timeout", visibility_timeout)
        if max_attempts is not None:
            check_size("max_attempts", max_attempts)
        request = _request(size, worker_id, names, capabilities, (TaskState.RETRYABLE,), max_attempts)
        return self._claim("retry", request, wait, lambda backend: backend.retry(request, visibility_timeout))

    def _claim(
        self, operation: str, request: ClaimRequest, wait: float, attempt: Callable[[Backend], list[Task]]
    ) -> list[Task]:
        check_not_negative("wait", wait)
        deadline, interrupt_count = time.monotonic() + wait, self._interrupt_count
        tasks = attempt(self._backend(operation))
        while not tasks and self._may_wait(interrupt_count) and time.monotonic() < deadline:
            self._await_due(self._backend(operation), request, deadline, interrupt_count)
            tasks = attempt(self._backend(operation))
        self._remember(tasks)
        return tasks

    def _await_due(self, backend: Backend, request: ClaimRequest, deadline: float, interrupt_count: int) -> None:
        """Return when something may be claimable, at the latest after one poll interval."""
        patience = min(deadline - time.monotonic(), self.config.poll_interval * random.uniform(0.75, 1))
        until = time.monotonic() + patience
        while (left := until - time.monotonic()) > 0:
            seen = backend.signal.seen()
            if not self._may_wait(interrupt_count):  # asked after the mark: an interrupt from here on is heard
                return
            # A look costs no write lock, unlike a claim that finds nothing.
            due_at = backend.next_due_at(request)
            if due_at is None:
                backend.signal.wait(seen, left)
                continue
            delay = (due_at - backend.clock.now_ms()) / 1000
            if delay <= 0:
                time.sleep(min(_SPREAD, left) * random.random())
                return
            backend.signal.wait(seen, min(left, delay))

    def interrupt(self) -> None:
        """Let who waits in a claim of this queue come back with nothing."""
        self._interrupt_count += 1
        self._store.signal.notify()

    def _may_wait(self, interrupt_count: int) -> bool:
        return not self._is_shut_down and self._interrupt_count == interrupt_count

    def mark_as_complete(
        self, task: Task | str, *, lease: int | None = None, result: Any = None, force: bool = False
    ) -> None:
        """Complete a task and let go on what waits for it; again under the same lease is a success."""
        task_id, lease = self._report(task, lease, force)
        self._backend("mark_as_complete").complete_one(task_id, lease, result)
        self._forget([(task_id, lease)])

    def mark_as_retry(
        self,
        task: Task | str,
        error: BaseException | str,
        *,
        lease: int | None = None,
        delay: float | None = None,
        force: bool = False,
    ) -> TaskState:
        """Record a failed attempt; return RETRYABLE, or DISCARDED with no attempt left, or CANCELLED if asked for."""
        if delay is not None:
            check_not_negative("delay", delay)
        task_id, lease = self._report(task, lease, force)
        state = self._backend("mark_as_retry").fail(task_id, lease, error, delay)
        self._forget([(task_id, lease)])
        return state

    def mark_as_discarded(
        self,
        task: Task | str,
        *,
        lease: int | None = None,
        error: BaseException | str | None = None,
        force: bool = False,
    ) -> None:
        """Give a task up: trying again can't help. It can be resumed."""
        task_id, lease = self._report(task, lease, force)
        self._backend("mark_as_discarded").discard(task_id, lease, error)
        self._forget([(task_id, lease)])

    def complete(self, tasks: Iterable[Task | str]) -> list[str]:
        """Complete many tasks in one transaction, each under its lease; return the ids that were refused."""
        held = self._held(tasks)
        refused = self._backend("complete").complete_many(held) if held else []
        self._forget(held)
        return refused

    def fence(self, task: Task | str, *, connection: Any, lease: int | None = None) -> None:
        """Keep a task its worker's until a transaction of `transaction()` ends: what is written there counts once.

        Raises LeaseLost where it is another's by now: let it pass, and nothing of the transaction happens.
        """
        task_id, held = self._report(task, lease, False)
        assert held is not None  # without force there is a lease
        self._backend("fence").fence(task_id, held, connection)

    def settle(self, endings: Iterable[Ending], *, starting: Iterable[Task] = ()) -> Settled:
        """End tasks of every kind and mark others as started, all in one transaction.

        A report whose lease was lost is refused, and keeps no other from counting.
        """
        ended, begun = _checked(endings), self._held(starting)
        settled = self._backend("settle").settle(ended, begun) if ended or begun else Settled()
        self._forget((ending.task_id, ending.lease) for ending in ended)
        return settled

    def exchange(  # noqa: PLR0913 (settle's and claim's)
        self,
        endings: Iterable[Ending],
        *,
        starting: Iterable[Task] = (),
        size: int = 5,
        worker_id: str | None = None,
        names: Iterable[str] | None = None,
        capabilities: Iterable[str] = (),
        start: int | None = None,
    ) -> tuple[Settled, list[Task]]:
        """Settle and claim in one transaction; a claim that finds nothing comes back at once."""
        request = _request(size, worker_id, names, capabilities, start=start)
        ended, begun = _checked(endings), self._held(starting)
        settled, tasks = self._backend("exchange").exchange(ended, begun, request)
        self._forget((ending.task_id, ending.lease) for ending in ended)
        self._remember(tasks)
        return settled, tasks

    def lost(self, tasks: Iterable[Task | str]) -> list[str]:
        """Return the ids that this worker lost, or should stop working on; a look that writes nothing."""
        held = self._held(tasks)
        return self._backend("lost").lost(held) if held else []

    def heartbeat(self, tasks: Iterable[Task | str], *, progress: Mapping[str, Any] | None = None) -> list[str]:
        """Show that this worker is alive; return the ids that it lost, or that it should stop working on.

        `progress` tells, by id, how far some of them are.
        """
        if not isinstance(progress, Mapping | None):
            raise InvalidRequest("progress", f"{progress!r:.50} is no mapping of ids")
        held = self._held(tasks)
        return self._backend("heartbeat").heartbeat(held, progress or {}) if held else []

    def recover(
        self,
        worker_id: str,
        error: Blame,
        *,
        keep: Iterable[str] = (),
        delay: float | None = None,
    ) -> dict[str, TaskState]:
        """Take back what a worker holds, but for `keep`; return where each task went.

        What was started pays an attempt for the error; or what errors are given for by its id, each for its
        own. The rest is released with its attempt refunded.
        """
        check_text("worker_id", worker_id)
        if delay is not None:
            check_not_negative("delay", delay)
        if isinstance(error, Mapping):
            texts("error", error)
        return self._backend("recover").recover(Recovery(worker_id, error, texts("keep", keep), delay))

    def release(self, tasks: Iterable[Task | str], *, delay: float = 0) -> list[str]:
        """Give tasks back untried, the attempt refunded and their place kept; return the ids that were refused."""
        check_not_negative("delay", delay)
        held = self._held(tasks)
        refused = self._backend("release").release(held, delay) if held else []
        self._forget(held)
        return refused

    def _report(self, task: Task | str, lease: int | None, force: bool) -> tuple[str, int | None]:
        task_id = id_of(task)
        if force and lease is None:
            return task_id, None
        found = self._lease_of(task, lease)
        if found is None:
            reason = f"this queue did not hand out task {task_id}: pass its lease, or force=True as an operator"
            raise InvalidRequest("lease", reason)
        return task_id, found


def _checked(endings: Iterable[Ending]) -> list[Ending]:
    listed = list(iterated("endings", endings))
    for ending in listed:
        if not isinstance(ending, Ending) or ending.event not in ENDINGS:
            raise InvalidRequest("endings", f"{ending!r:.50} is no Ending")
        id_of(ending.task_id)
        check_lease(ending.lease)
        if ending.delay is not None:
            check_not_negative("delay", ending.delay)
    return listed


def _request(  # noqa: PLR0913, PLR0917
    size: int,
    worker_id: str | None,
    names: Iterable[str] | None,
    capabilities: Iterable[str],
    states: tuple[TaskState, ...] = (TaskState.PENDING, TaskState.RETRYABLE),
    max_attempts: int | None = None,
    start: int | None = None,
) -> ClaimRequest:
    check_size("size", size)
    if start is not None:
        check_not_negative("start", start)
        start = int(start) if start < size else None
    if worker_id is not None:
        check_text("worker_id", worker_id)
    wanted = None if names is None else texts("names", names)
    return ClaimRequest(size, worker_id, wanted, texts("capabilities", capabilities), states, max_attempts, start)
