"""How do a function's arguments and its value become JSON, and its arguments typed values again?"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from types import SimpleNamespace
from typing import Any, NotRequired, Required, get_type_hints

from pydantic import ConfigDict, JsonValue, TypeAdapter, ValidationError, with_config
from pydantic.errors import PydanticUserError
from pydantic_core import from_json, to_json
from typing_extensions import TypedDict

from queue_core.errors import InvalidRequest, TaskExecutionError
from queue_core.task import Task, TaskItem

_typed_dict: Any = TypedDict
_required: Any = Required
_not_required: Any = NotRequired
_JSON = ConfigDict(
    ser_json_inf_nan="constants",  # so that NaN is found and refused: null would be another value
    ser_json_bytes="base64",  # bytes need not be text
    val_json_bytes="base64",
)
_FIELDS = ConfigDict(**_JSON, extra="forbid")
_Calls = TypeAdapter[list[dict[str, Any]]]
"""Of one call each time. A list, since pydantic writes by the settings of the outermost type, if it is no TypedDict."""


class Arguments:
    """The parameters of one function, checked by its type hints. Those without a hint take any JSON."""

    def __init__(self, name: str, function: Callable[..., Any]) -> None:
        self._name, self._function = name, function
        self._parameters = inspect.signature(function).parameters

    def check(self) -> None:
        """Raise InvalidRequest for hints that can't be kept, unless they name what is defined further down."""
        try:
            self._built()
        except NameError:
            return

    def written(self, given: Mapping[str, Any]) -> TaskItem:
        """Return the item that keeps these arguments; raises TaskExecutionError naming each that does not fit."""
        calls = self._calls
        try:
            raw = self._written(calls.validate_python([given])[0])
            # What the hints refuse to read again would fail in the worker, where nobody can mend it.
            calls.validate_json(raw)
        except ValidationError as error:
            raise TaskExecutionError(self._name, dict(_reasons(error))) from error
        return TaskItem.model_validate(from_json(raw)[0])

    def read(self, task: Task) -> dict[str, Any]:
        """Return the arguments that a task keeps, typed; raises TaskExecutionError where they no longer fit."""
        if len(task.items) > 1:
            raise TaskExecutionError(self._name, {"items": f"{len(task.items)} where one holds all arguments"})
        try:
            return self._calls.validate_json(to_json(task.items) if task.items else b"[{}]")[0]
        except ValidationError as error:
            raise TaskExecutionError(self._name, dict(_reasons(error))) from error

    def _written(self, values: dict[str, Any]) -> bytes:
        try:
            return self._json(values)
        except ValueError as error:
            raise TaskExecutionError(self._name, dict(self._unwritable(values))) from error

    def _unwritable(self, values: dict[str, Any]) -> Iterator[tuple[str, str]]:
        for name, value in values.items():
            try:
                self._json({name: value})
            except ValueError as error:
                yield name, str(error)

    def _json(self, values: dict[str, Any]) -> bytes:
        """Return values as JSON; raises ValueError where they have none, or none that can be read."""
        # By alias, and without what is computed: this is what models take.
        dumped = self._calls.dump_python([values], mode="json", by_alias=True, round_trip=True, warnings=False)
        return _checked(to_json(dumped))

    @cached_property
    def _calls(self) -> _Calls:
        try:
            calls = self._built()
            _ = calls.validator.validate_json  # raises where a model that it holds waits for another
        except NameError as error:
            raise InvalidRequest("fn", f"{self._name}: a type hint names what is not defined: {error}") from error
        except PydanticUserError as error:
            raise InvalidRequest("fn", f"{self._name}: a model that it takes names what is not defined") from error
        return calls

    def _built(self) -> _Calls:
        try:
            hints = _hints(self._function, self._parameters)
            fields = {name: _field(each, hints) for name, each in self._parameters.items()}
            # A TypedDict, not a model: the fields of a model can't be named "copy", "schema" or "_x".
            named = with_config(_FIELDS)(_typed_dict(self._name, fields))
            return TypeAdapter(list[named], config=_JSON)  # type: ignore[valid-type]
        except (PydanticUserError, TypeError, SyntaxError, AttributeError) as error:
            why = str(error).partition(". ")[0]
            raise InvalidRequest("fn", f"{self._name}: a type hint can't be kept as JSON: {why}") from error


class Value:
    """What one function returns, written by its return hint."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function

    def written(self, value: Any) -> Any:
        """Return a value as JSON; an outcome, or another error that is returned, as it is."""
        if isinstance(value, Exception):
            return value
        try:
            return self._values.dump_python([value], mode="json", warnings=False)[0]
        except Exception:  # noqa: BLE001 (the work is done and must not be done again: the queue keeps what it can)
            return value

    @cached_property
    def _values(self) -> TypeAdapter[list[Any]]:
        hint = _hints(self._function, ["return"]).get("return", Any)
        return TypeAdapter(list[hint], config=_JSON)  # type: ignore[valid-type]


def _checked(raw: bytes) -> bytes:
    try:
        from_json(raw, allow_inf_nan=False)
    except ValueError as error:
        from_json(raw)
        raise ValueError("NaN and infinity are not JSON") from error
    return raw


def _hints(function: Callable[..., Any], names: Iterable[str]) -> dict[str, Any]:
    """Return the hints of these names only: what the others name need not exist while a program runs."""
    written = getattr(function, "__annotations__", {})
    wanted = SimpleNamespace(__annotations__={name: written[name] for name in names if name in written})
    return get_type_hints(wanted, inspect.unwrap(function).__globals__, include_extras=True)


def _field(parameter: inspect.Parameter, hints: Mapping[str, Any]) -> Any:
    """Return what a parameter takes. Defaults stay the function's, which has them anew each time it runs."""
    kind = _required if parameter.default is parameter.empty else _not_required
    return kind[hints.get(parameter.name, JsonValue)]


def _reasons(error: ValidationError) -> Iterator[tuple[str, str]]:
    for each in error.errors(include_url=False, include_context=False, include_input=False):
        # The first part is the number of the call, which is the only one.
        yield ".".join(map(str, each["loc"][1:])) or "arguments", each["msg"]
