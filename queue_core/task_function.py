"""What is known of one function that runs as a task?"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any, Self

from queue_core.arguments import Arguments, Value
from queue_core.config import QueueConfig
from queue_core.errors import InvalidRequest
from queue_core.execution import is_async
from queue_core.handle import check_size, check_text
from queue_core.handlers import Handler
from queue_core.options import Options
from queue_core.task import Task, TaskItem

_KINDS = {
    inspect.Parameter.POSITIONAL_ONLY: "is positional-only: arguments of tasks have names",
    inspect.Parameter.VAR_POSITIONAL: "takes any number of arguments: name each of them",
    inspect.Parameter.VAR_KEYWORD: "takes any keyword: name each of them",
}
_SUBMISSION = frozenset(field.name for field in fields(Options)) - {"needs"}
_MAIN = {"__mp_main__": "__main__"}


@dataclass(frozen=True)
class TaskFunction:
    """A function with its name, its defaults, and what its arguments and its value look like."""

    name: str
    function: Callable[..., Any]
    arguments: Arguments
    value: Value
    defaults: Options
    size: int | None

    @classmethod
    def of(cls, function: Callable[..., Any], name: str | None, defaults: Options, size: int | None) -> Self:
        """Look at a function closely; raises InvalidRequest where it can't run as a task."""
        if not (inspect.isfunction(function) or inspect.ismethod(function)):
            raise InvalidRequest("fn", f"{function!r:.100} is no function")
        own = function.__name__ if name is None else name
        check_text("name", own)
        if size is not None:
            check_size("size", size)
        _check_kind(own, function)
        found = cls(own, function, Arguments(own, function), Value(function), defaults, size)
        found.arguments.check()
        defaults.task(own, TaskItem(), QueueConfig(), now_ms=0)
        return found

    @property
    def where(self) -> str:
        """Where the function is defined."""
        return f"{self.function.__module__}.{self.function.__qualname__}"

    def is_again(self, other: TaskFunction) -> bool:
        """Return whether both were defined in the same place, by code that ran again."""
        return bool(_places(self.function) & _places(other.function))

    def call(self, arguments: Mapping[str, Any], asked: Options, config: QueueConfig, now_ms: int) -> Task:
        """Return the task that calls the function."""
        return asked.over(self.defaults).task(self.name, self.arguments.written(arguments), config, now_ms)

    def handler(self) -> Handler:
        """Return what a worker runs."""
        run = self._run_async if is_async(self.function) else self._run
        return Handler(run, self.size, self.defaults.timeout_seconds)

    def _run(self, task: Task) -> Any:
        return self.value.written(self.function(**self.arguments.read(task)))

    async def _run_async(self, task: Task) -> Any:
        return self.value.written(await self.function(**self.arguments.read(task)))


def _check_kind(name: str, function: Callable[..., Any]) -> None:
    if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
        raise InvalidRequest("fn", f"{name}: a generator has no value to keep: return a list")
    for parameter in inspect.signature(function).parameters.values():
        if parameter.kind in _KINDS:
            raise InvalidRequest("fn", f"{name}: parameter {parameter.name} {_KINDS[parameter.kind]}")
        if parameter.name in _SUBMISSION:
            raise InvalidRequest("fn", f"{name}: parameter {parameter.name} is submit_task's own: choose another name")


def _places(function: Callable[..., Any]) -> set[tuple[str, str]]:
    """Return the module and the file that define a function.

    A script is `__main__`, and `__mp_main__` in its child processes; a module that is run by `python -m`
    and imported as well is there under two names, from one file.
    """
    module, code = str(function.__module__), getattr(inspect.unwrap(function), "__code__", None)
    places = {_MAIN.get(module, module), code.co_filename if code else module}
    return {(place, function.__qualname__) for place in places}
