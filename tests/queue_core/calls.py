"""Calls that run here and now, as a worker would run them."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from queue_core import Queue, Task, TaskFunctions
from queue_core.endings import Ending
from queue_core.execution import Loop, run
from queue_core.handlers import Function, Handler
from queue_core.running import Running


@contextmanager
def loop() -> Iterator[Loop]:
    opened = Loop()
    try:
        yield opened
    finally:
        opened.close()


def worked(queue: Queue, handlers: dict[str, Handler]) -> Task:
    """Run the next task as a worker would, and return it as it is then."""
    (task,) = queue.claim(1)
    with loop() as opened:
        queue.settle([run(Running(task, queue=queue), handlers[task.name], opened)])
    return queue.get(task.id)


def called(queue: Queue, function: Callable[..., Any], **arguments: Any) -> Task:
    """Run a call of a function, and return its task."""
    functions = TaskFunctions()
    functions.configure(queue)
    functions.task(name="called")(function)
    functions.submit_task(function, **arguments)
    return worked(queue, functions.handlers())


def running(**fields: Any) -> Running:
    """A task that a worker holds."""
    return Running(Task(id="1", lease=3, attempt_count=1, **fields))


def ended(function: Function, opened: Loop, **fields: Any) -> Ending:
    """Run a handler, and return how its task ends."""
    return run(running(**fields), Handler(function), opened)


def raising(error: BaseException, *, is_async: bool) -> Function:
    def plain(task: Task) -> None:
        raise error

    async def coroutine(task: Task) -> None:
        raise error

    return coroutine if is_async else plain
