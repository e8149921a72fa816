"""How do a function's arguments and its value become JSON, and its arguments typed values again?"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import Any, NotRequired, Required, get_type_hints

from pydantic import ConfigDict, JsonValue, TypeAdapter, ValidationError, with_config
from pydantic.errors import PydanticUserError
from pydantic_core import PydanticSerializationError, from_json, to_json
from typing_extensions import TypedDict

from queue_core.errors import InvalidRequest, TaskExecutionError
from queue_core.task import Task, TaskItem

_typed_dict: Any = TypedDict
_required: Any = Required
_not_required: Any = NotRequired
_ARGUMENTS = ConfigDict(extra="forbid", allow_inf_nan=False, ser_json_inf_nan="constants")
_VALUE = ConfigDict(arbitrary_types_allowed=True)


class Arguments:
    """The parameters of one function, checked by its type hints. Those without a hint take any JSON."""

    def __init__(self, name: str, function: Callable[..., Any]) -> None:
        self._name, self._function = name, function
        self._parameters = inspect.signature(function).parameters.values()

    def check(self) -> None:
        """Raise InvalidRequest for hints that can't be kept, unless they name what is defined further down."""
        try:
            hints = _hints(self._function)
        except NameError:
            return
        self._adapter_of(hints)

    def written(self, given: Mapping[str, Any]) -> TaskItem:
        """Return the item that keeps these arguments; raises TaskExecutionError naming each that does not fit."""
        try:
            values = self._adapter.validate_python(given)
            item = TaskItem.model_validate(self._adapter.dump_python(values, mode="json"))
            # What can't be read again would fail in the worker, where nobody can mend it.
            self._adapter.validate_json(to_json(item))
        except ValidationError as error:
            raise TaskExecutionError(self._name, dict(_reasons(error))) from error
        except PydanticSerializationError as error:
            raise TaskExecutionError(self._name, {"arguments": str(error)}) from error
        return item

    def read(self, task: Task) -> dict[str, Any]:
        """Return the arguments that a task keeps, typed; raises TaskExecutionError where they no longer fit."""
        if len(task.items) > 1:
            raise TaskExecutionError(self._name, {"items": f"{len(task.items)} where one holds all arguments"})
        try:
            return self._adapter.validate_json(to_json(task.items[0]) if task.items else b"{}")
        except ValidationError as error:
            raise TaskExecutionError(self._name, dict(_reasons(error))) from error

    @cached_property
    def _adapter(self) -> TypeAdapter[dict[str, Any]]:
        try:
            return self._adapter_of(_hints(self._function))
        except NameError as error:
            raise InvalidRequest("fn", f"{self._name}: a type hint names what is not defined: {error}") from error

    def _adapter_of(self, hints: Mapping[str, Any]) -> TypeAdapter[dict[str, Any]]:
        try:
            return _adapter({each.name: _field(each, hints) for each in self._parameters}, _ARGUMENTS)
        except PydanticUserError as error:
            why = error.message.partition(". ")[0]
            raise InvalidRequest("fn", f"{self._name}: a type hint can't be kept as JSON: {why}") from error


class Value:
    """What one function returns, written by its return hint."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function

    def written(self, value: Any) -> Any:
        """Return a value as JSON; an outcome, or a coroutine that has no value yet, as it is."""
        if isinstance(value, Exception) or inspect.iscoroutine(value):
            return value
        try:
            return from_json(self._adapter.dump_json({"value": value}, warnings=False))["value"]
        except Exception:  # noqa: BLE001 (the work is done and must not be done again: the queue keeps what it can)
            return value

    @cached_property
    def _adapter(self) -> TypeAdapter[dict[str, Any]]:
        return _adapter({"value": _hints(self._function).get("return", Any)}, _VALUE)


def _hints(function: Callable[..., Any]) -> dict[str, Any]:
    return get_type_hints(function, include_extras=True)


def _field(parameter: inspect.Parameter, hints: Mapping[str, Any]) -> Any:
    """Return what a parameter takes. Defaults stay the function's, which has them anew each time it runs."""
    kind = _required if parameter.default is parameter.empty else _not_required
    return kind[hints.get(parameter.name, JsonValue)]


def _adapter(fields: Mapping[str, Any], config: ConfigDict) -> TypeAdapter[dict[str, Any]]:
    # A TypedDict, not a model: the fields of a model can't be named "copy", "schema" or "_x".
    return TypeAdapter(with_config(config)(_typed_dict("Fields", dict(fields))))


def _reasons(error: ValidationError) -> Iterator[tuple[str, str]]:
    for each in error.errors(include_url=False, include_context=False):
        yield ".".join(map(str, each["loc"])) or "arguments", each["msg"]
