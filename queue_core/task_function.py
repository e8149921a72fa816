"""What is known of one function that runs as a task?"""

from __future__ import annotations

import inspect
import pickle
import sys
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any, Self

from queue_core.arguments import Arguments, Value
from queue_core.config import QueueConfig
from queue_core.errors import InvalidRequest
from queue_core.handle import check_size, check_text
from queue_core.handlers import Handler, is_async
from queue_core.options import Options
from queue_core.task import Task

_KINDS = {
    inspect.Parameter.POSITIONAL_ONLY: "is positional-only: arguments of tasks have names",
    inspect.Parameter.VAR_POSITIONAL: "takes any number of arguments: name each of them",
    inspect.Parameter.VAR_KEYWORD: "takes any keyword: name each of them",
}
_SUBMISSION = frozenset(field.name for field in fields(Options)) - {"needs"}
_LAMBDA = "<lambda>"


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
        own = _name_of(function) if name is None else name
        check_text("name", own)
        if size is not None:
            check_size("size", size)
        _check_kind(own, function)
        arguments = Arguments(own, function)
        arguments.check()
        return cls(own, function, arguments, Value(function), defaults.as_defaults(), size)

    def __reduce__(self) -> tuple[Any, ...]:
        # Only the way to the function is sent, and its hints are looked at anew there.
        _check_sendable(self.where, self.function)
        return TaskFunction.of, (self.function, self.name, self.defaults, self.size)

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
        value = self.function(**self.arguments.read(task))
        return self._awaited(value) if inspect.iscoroutine(value) else self.value.written(value)

    async def _run_async(self, task: Task) -> Any:
        return await self._awaited(self.function(**self.arguments.read(task)))

    async def _awaited(self, coroutine: Awaitable[Any]) -> Any:
        return self.value.written(await coroutine)


def _name_of(function: Callable[..., Any]) -> str:
    if function.__name__ == _LAMBDA:
        raise InvalidRequest("fn", "a lambda has no name of its own: pass name=")
    return function.__name__


def _check_kind(name: str, function: Callable[..., Any]) -> None:
    if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
        raise InvalidRequest("fn", f"{name}: a generator has no value to keep: return a list")
    for parameter in inspect.signature(function).parameters.values():
        if parameter.kind in _KINDS:
            raise InvalidRequest("fn", f"{name}: parameter {parameter.name} {_KINDS[parameter.kind]}")
        if parameter.name in _SUBMISSION:
            raise InvalidRequest("fn", f"{name}: parameter {parameter.name} is submit_task's own: choose another name")


def _check_sendable(where: str, function: Callable[..., Any]) -> None:
    """Raise InvalidRequest where a worker process would not find the function under its name."""
    lost = f"{where} can't be found by its name in another process"
    if function.__module__ == "__main__" and not hasattr(sys.modules["__main__"], "__file__"):
        raise InvalidRequest("handlers", f"{lost}: put it into a file")
    try:
        pickle.dumps(function)
    except Exception as error:
        raise InvalidRequest("handlers", f"{lost}: define it at the top of a module, @task outermost") from error


def _places(function: Callable[..., Any]) -> set[tuple[str, str]]:
    """Return the module and the file that define a function.

    One file may be there as two modules, such as one that is run by `python -m` and imported as well; a
    notebook's module is one, and each of its cells a file.
    """
    module, code = str(function.__module__), inspect.unwrap(function).__code__
    line = f":{code.co_firstlineno}" if function.__name__ == _LAMBDA else ""  # these share one name
    return {(place, function.__qualname__ + line) for place in (module, code.co_filename)}
