"""How does a row become a task again?"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, TypeVar

from pydantic_core import from_json

from queue_core.states import TaskState
from queue_core.task import Task, TaskError, TaskItem

Model = TypeVar("Model", Task, TaskItem)

_put = object.__setattr__
_STATES = {int(state): state for state in TaskState}
_NO_NEEDS: frozenset[str] = frozenset()
CLAIMED = (
    "items", "needs", "tags", "depends_on", "attempted_error", "id", "attempt_count", "created_at", "name",
    "group_id", "due_at", "priority", "effective_priority", "max_attempts", "timeout_seconds", "visibility_timeout",
    "lease", "idempotency_key", "trace_id",
)  # fmt: skip
"""The columns that a claim has to read: first those that hold JSON. It knows the others, having just written them."""
SELECTED = (
    *CLAIMED, "state", "paused", "result", "schedule_at", "attempted_at", "finalized_at", "updated_at", "worker_id",
    "blockers", "cancel_requested_at", "progress",
)  # fmt: skip
"""The columns that a whole task is read from."""
_CLAIMED_FIELDS = tuple("errors" if column == "attempted_error" else column for column in CLAIMED)
_FIELDS = (*_CLAIMED_FIELDS, *SELECTED[len(CLAIMED) :])
_ALL_FIELDS = set(Task.model_fields)


class UnreadableRow(Exception):
    """A row's JSON can't be read; it carries what could."""

    def __init__(self, task: Task, reason: str) -> None:
        super().__init__(reason)
        self.task, self.reason = task, reason


def written_by_claim(worker_id: str | None, now: int, *, is_started: bool = True) -> dict[str, Any]:
    """Return the fields that are the same for all tasks of one claim, which has just written them."""
    return {
        "state": TaskState.PROCESSING,
        "paused": False,
        "result": None,
        "schedule_at": now,
        "attempted_at": now if is_started else None,
        "finalized_at": None,
        "updated_at": now,
        "worker_id": worker_id,
        "blockers": 0,
        "cancel_requested_at": None,
        "progress": None,
    }


def decode_claimed(row: Sequence[Any], written: dict[str, Any]) -> Task:
    """Return the task of a row in the order of CLAIMED; raises UnreadableRow.

    We wrote these rows, so they are parsed but not validated again: that would cost more than the claim.
    """
    values = dict(zip(_CLAIMED_FIELDS, row, strict=True))
    values.update(written)
    return _parsed(values)


def decode(row: Sequence[Any]) -> Task:
    """Return the task of a row in the order of SELECTED; raises UnreadableRow."""
    values = dict(zip(_FIELDS, row, strict=True))
    values["state"] = _STATES[values["state"]]
    values["paused"] = bool(values["paused"])
    return _parsed(values)


def decode_leniently(row: Sequence[Any]) -> Task:
    """Return the task of a row, without the parts that can't be read."""
    try:
        return decode(row)
    except UnreadableRow as unreadable:
        return unreadable.task


def _parsed(values: dict[str, Any]) -> Task:
    try:
        values["items"] = tuple([_item(fields) for fields in _array(values["items"])])
        values["needs"] = frozenset(_array(found)) if (found := values["needs"]) else _NO_NEEDS
        values["tags"] = dict(from_json(found)) if (found := values["tags"]) else {}
        values["depends_on"] = tuple(_array(found)) if (found := values["depends_on"]) else ()
        values["errors"] = decode_errors(found) if (found := values["errors"]) else ()
        values["result"] = from_json(found) if (found := values["result"]) else None
        values["progress"] = from_json(found) if (found := values["progress"]) else None
    except (ValueError, TypeError, AttributeError) as error:
        raise UnreadableRow(_legible(values), f"unreadable row: {error}") from error
    return _build(Task, values, None, _ALL_FIELDS)


def _legible(values: dict[str, Any]) -> Task:
    """Return what can be known of a task whose JSON can't be read."""
    errors = values["errors"]
    lost: dict[str, Any] = {
        "items": (),
        "needs": _NO_NEEDS,
        "tags": {},
        "depends_on": (),
        "result": None,
        "progress": None,
    }
    known = errors if isinstance(errors, tuple) else decode_errors(errors)
    return _build(Task, {**values, **lost, "errors": known}, None, _ALL_FIELDS)


def _array(text: str) -> list[Any]:
    value = from_json(text)
    if not isinstance(value, list):
        raise TypeError(f"{text:.50} is not an array")
    return value


def _item(fields: dict[str, Any]) -> TaskItem:
    return _build(TaskItem, {}, fields, set(fields.keys()))


def _build(model: type[Model], values: dict[str, Any], extra: dict[str, Any] | None, fields_set: set[str]) -> Model:
    """Do what pydantic's own model_construct does, without looking at each field."""
    instance = object.__new__(model)
    _put(instance, "__dict__", values)
    _put(instance, "__pydantic_fields_set__", fields_set)
    _put(instance, "__pydantic_extra__", extra)
    _put(instance, "__pydantic_private__", None)
    return instance


def decode_errors(text: str | None) -> tuple[TaskError, ...]:
    """Return the errors of a row; what can't be read becomes an error itself."""
    if not text:
        return ()
    try:
        return tuple(TaskError.model_validate(entry) for entry in json.loads(text))
    except (ValueError, TypeError):
        return (TaskError(attempt=0, at=0, type="UnreadableErrors", message=text[:200]),)
