"""Which function runs which tasks, and how are they claimed?"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from queue_core.errors import InvalidRequest
from queue_core.handle import check_not_negative, check_positive, check_size, check_text
from queue_core.task import Task

Function = Callable[[Task], Any]
"""Plain or async; of one task."""
_ASYNC_GRACE = 5.0


@dataclass(frozen=True)
class Handler:
    """A function with what a worker has to know about its tasks."""

    function: Function
    size: int | None = None
    """How many are claimed at a time; None: as many as the worker claims, 1: singly."""
    timeout_seconds: float | None = None
    """For tasks that don't say it themselves."""
    grace_seconds: float | None = None
    """How long after the timeout its process is killed: some seconds where it keeps the timeout itself, as async
    functions do; None: 5 for those, else 0."""

    @cached_property
    def grace(self) -> float:
        """How long after the timeout its process is killed."""
        if self.grace_seconds is not None:
            return self.grace_seconds
        return _ASYNC_GRACE if is_async(self.function) else 0.0


Handlers = Mapping[str, Handler]


def handlers_of(given: Mapping[str, Handler | Function]) -> dict[str, Handler]:
    """Check what a worker was given, and return it in full."""
    if not isinstance(given, Mapping) or not given:
        raise InvalidRequest("handlers", "a worker needs at least one: {name: function}")
    return {name: _checked(name, handler) for name, handler in given.items()}


def _checked(name: str, given: Handler | Function) -> Handler:
    check_text("handlers", name)
    handler = given if isinstance(given, Handler) else Handler(given)
    if not callable(handler.function):
        raise InvalidRequest("handlers", f"{name}: {handler.function!r:.50} is no function")
    if handler.size is not None:
        check_size(f"handlers: {name}: size", handler.size)
    if handler.timeout_seconds is not None:
        check_positive(f"handlers: {name}: timeout_seconds", handler.timeout_seconds)
    check_not_negative(f"handlers: {name}: grace_seconds", handler.grace)
    return handler


def is_async(function: Callable[..., Any]) -> bool:
    """Return whether a handler can be ended by its event loop, without killing its process."""
    return inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(type(function).__call__)


def names_by_size(handlers: Handlers, size: int) -> dict[int, frozenset[str]]:
    """Return which names are claimed how many at a time."""
    sizes = {name: size if handler.size is None else min(size, handler.size) for name, handler in handlers.items()}
    return {each: frozenset(_of(sizes, each)) for each in set(sizes.values())}


def _of(sizes: Mapping[str, int], size: int) -> Iterable[str]:
    return (name for name, own in sizes.items() if own == size)
