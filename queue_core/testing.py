"""How are handlers tested without processes, threads or waiting?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from queue_core.clock import ManualClock
from queue_core.execution import Loop, run
from queue_core.handlers import Function, Handler, Handlers, handlers_of
from queue_core.queue import Queue
from queue_core.reports import WorkSummary
from queue_core.running import Running
from queue_core.states import TaskState
from queue_core.task import Task


def drain(
    queue: Queue,
    handlers: Mapping[str, Handler | Function],
    *,
    capabilities: frozenset[str] = frozenset(),
    most: int = 10_000,
) -> WorkSummary:
    """Run what is due, here and now, one task after another, until nothing is.

    On a queue with a ManualClock time passes where nothing is due: retries, delays and snoozes are run too.
    Raises AssertionError after `most` runs: something comes back for ever.
    """
    known, loop, counts = handlers_of(handlers), Loop(), Counter[TaskState]()
    try:
        for _ in range(most):
            task = _next(queue, known, capabilities)
            if task is None:
                left = queue.outlook(names=known, capabilities=capabilities)
                return WorkSummary(counts=dict(counts), stuck=left.stuck)
            counts[_run_one(queue, task, known[task.name], loop)] += 1
    finally:
        loop.close()
    raise AssertionError(f"still not empty after {most} runs: {queue.snapshot()}")


def _next(queue: Queue, known: Handlers, capabilities: frozenset[str]) -> Task | None:
    while not (claimed := queue.claim(1, worker_id="drain", names=known, capabilities=capabilities)):
        due_at = queue.outlook(names=known, capabilities=capabilities).next_due_at
        if due_at is None or not isinstance(queue.clock, ManualClock):
            return None
        queue.clock.advance(max(1, due_at - queue.clock.now_ms()) / 1000)
    return claimed[0]


def _run_one(queue: Queue, task: Task, handler: Handler, loop: Loop) -> TaskState:
    ending = run(Running(task, queue=queue), handler, loop)
    return queue.settle([ending]).states.get(task.id) or queue.get(task).state
