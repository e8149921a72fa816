"""How do Python functions become tasks?

`TaskFunctions` is a registry of them. The functions of this module are those of one that is there for
all who need no second.
"""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Callable, Coroutine, Iterable, Mapping
from typing import Any, ParamSpec, TypeVar, overload

from queue_core.errors import InvalidRequest, InvalidTask, NotConfigured, TaskExecutionError, UnknownTask
from queue_core.handlers import Handler
from queue_core.options import Options
from queue_core.queue import Queue
from queue_core.running import current_queue
from queue_core.states import TaskState
from queue_core.task import Task
from queue_core.task_function import TaskFunction

P = ParamSpec("P")
Result = TypeVar("Result")
F = TypeVar("F", bound=Callable[..., Any])

_STATES = {state.name.lower(): state for state in TaskState} | {
    "running": TaskState.PROCESSING,
    "failed": TaskState.DISCARDED,
}


def _in_a_thread(method: Callable[P, Result]) -> Callable[P, Coroutine[Any, Any, Result]]:
    @functools.wraps(method)
    async def call(*args: P.args, **kwargs: P.kwargs) -> Result:
        return await asyncio.to_thread(method, *args, **kwargs)

    return call


class TaskFunctions:
    """Functions that run as tasks of one queue. A worker runs those that are registered, and no others."""

    def __init__(self) -> None:
        self._queue: Queue | None = None
        self._known: dict[str, TaskFunction] = {}
        self._names: dict[Callable[..., Any], str] = {}

    def __getstate__(self) -> dict[str, Any]:
        # Sent to another process (as `functions.handlers`, not called), it goes without the queue, which is this one's.
        return {**self.__dict__, "_queue": None}

    def configure(self, queue: Queue) -> None:
        """Say which queue the tasks go to."""
        if not isinstance(queue, Queue):
            raise InvalidRequest("queue", f"{queue!r:.50} is no Queue: pass Queue.open(...)")
        self._queue = queue

    @overload
    def task(self, fn: F, /) -> F: ...

    @overload
    def task(
        self,
        /,
        *,
        name: str | None = None,
        max_retries: int | None = None,
        timeout_seconds: float | None = None,
        priority: int | str | None = None,
        tags: Mapping[str, str] | None = None,
        needs: Iterable[str] | None = None,
        size: int | None = None,
    ) -> Callable[[F], F]: ...

    def task(  # noqa: PLR0913 (one keyword per option)
        self,
        fn: F | None = None,
        /,
        *,
        name: str | None = None,
        max_retries: int | None = None,
        timeout_seconds: float | None = None,
        priority: int | str | None = None,
        tags: Mapping[str, str] | None = None,
        needs: Iterable[str] | None = None,
        size: int | None = None,
    ) -> F | Callable[[F], F]:
        """Register a function, which stays what it was, under its own name or another.

        Raises InvalidRequest where it can't run as a task, or where another has its name.
        """
        defaults = Options(
            max_retries=max_retries, timeout_seconds=timeout_seconds, priority=priority, tags=tags, needs=needs
        )

        def register(function: F) -> F:
            self._register(TaskFunction.of(function, name, defaults, size))
            return function

        return register if fn is None else register(fn)

    def _register(self, new: TaskFunction) -> None:
        known = self._known.get(new.name)
        if known is not None and not new.is_again(known):
            raise InvalidRequest("name", f"{new.name!r} is {known.where} already: it can't be {new.where} too")
        self._known[new.name] = new
        self._names[new.function] = new.name

    def submit_task(  # noqa: PLR0913 (one keyword per option)
        self,
        fn: Callable[..., Any] | str,
        /,
        *,
        delay_seconds: float = 0,
        max_retries: int | None = None,
        timeout_seconds: float | None = None,
        priority: int | str | None = None,
        tags: Mapping[str, str] | None = None,
        idempotency_key: str | None = None,
        group_id: str | None = None,
        trace_id: str | None = None,
        depends_on: Iterable[str] = (),
        **kwargs: Any,
    ) -> str:
        """Queue a call of a registered function, by itself or by its name; return the task's id.

        Raises UnknownTask, TaskExecutionError where arguments don't fit, InvalidRequest where options
        make no sense, and what `Queue.enqueue` raises.
        """
        queue, known = self._configured("submit_task"), self._find(fn)
        asked = Options(
            delay_seconds=delay_seconds, max_retries=max_retries, timeout_seconds=timeout_seconds, priority=priority,
            tags=tags, idempotency_key=idempotency_key, group_id=group_id, trace_id=trace_id, depends_on=depends_on,
        )  # fmt: skip
        call = known.call(kwargs, asked, queue.config, queue.clock.now_ms())
        try:
            return queue.enqueue([call])[0]
        except InvalidTask as error:
            if error.field != "items":
                raise
            raise TaskExecutionError(known.name, {"arguments": error.reason}) from error

    submit_task_async = _in_a_thread(submit_task)

    def get_task(self, task_id: str) -> Task:
        """Return a task as it is now, with its result; raises TaskNotFound."""
        return self._configured("get_task").get(task_id)

    def list_tasks(
        self,
        state: TaskState | str | None = None,
        *,
        name: str | None = None,
        tag: Mapping[str, str] | None = None,
        limit: int = 100,
        after: str | None = None,
    ) -> list[Task]:
        """Return a page of tasks in the order of ids; `after` is the last id of the page before."""
        chosen = _state(state) if isinstance(state, str) else state
        return self._configured("list_tasks").list(state=chosen, name=name, tag=tag, limit=limit, after=after)

    def handlers(self) -> dict[str, Handler]:
        """Return what a worker needs to run these functions; it can be sent to other processes."""
        return {name: known.handler() for name, known in self._known.items()}

    def _configured(self, operation: str) -> Queue:
        if self._queue is not None:
            return self._queue
        queue = current_queue()  # a task may submit others where nothing is configured: in a worker's process
        if queue is None:
            raise NotConfigured(operation)
        return queue

    def _find(self, fn: Callable[..., Any] | str) -> TaskFunction:
        name = self._names.get(fn) if callable(fn) else fn
        known = self._known.get(name) if isinstance(name, str) else None
        if known is None:
            raise UnknownTask(getattr(fn, "__qualname__", str(fn)), self._known)
        return known


def _state(name: str) -> TaskState:
    state = _STATES.get(name.lower())
    if state is None:
        raise InvalidRequest("state", f"{name!r:.50} is not one of {', '.join(_STATES)}")
    return state


default = TaskFunctions()

configure = default.configure
task = default.task
submit_task = default.submit_task
submit_task_async = default.submit_task_async
get_task = default.get_task
list_tasks = default.list_tasks
handlers = default.handlers
