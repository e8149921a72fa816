"""How does a task become a row, and a row a task again?"""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import lru_cache
from typing import Any, TypeVar

from pydantic import SerializeAsAny, TypeAdapter
from pydantic_core import PydanticSerializationError, from_json, to_json

from queue_core.config import QueueConfig
from queue_core.errors import InvalidTask
from queue_core.states import TaskState
from queue_core.task import Task, TaskError, TaskItem
from queue_core.text import clean, flaw

Row = tuple[Any, ...]
Model = TypeVar("Model", Task, TaskItem)

_ITEMS: TypeAdapter[tuple[TaskItem, ...]] = TypeAdapter(tuple[SerializeAsAny[TaskItem], ...])
_STATES = {int(state): state for state in TaskState}
_NO_NEEDS: frozenset[str] = frozenset()
_SUSPECT = (b"NaN", b"Infinity", b"\\u0000")

INSERTED = (
    "id", "state", "schedule_at", "items", "created_at", "updated_at", "name", "group_id", "due_at", "priority",
    "effective_priority", "max_attempts", "timeout_seconds", "visibility_timeout", "needs", "lane", "tags",
    "depends_on", "idempotency_key", "trace_id", "blockers", "paused",
)  # fmt: skip
"""The columns that an enqueue writes, in the order of `encode`."""

_FIELD_OF = {"attempted_error": "errors"}
SELECTED = (
    "items", "needs", "tags", "depends_on", "attempted_error", "result", "state", "paused",
    "id", "schedule_at", "attempt_count", "attempted_at", "finalized_at", "created_at", "updated_at", "name",
    "group_id", "due_at", "priority", "effective_priority", "max_attempts", "timeout_seconds", "visibility_timeout",
    "lease", "worker_id", "idempotency_key", "trace_id", "blockers", "cancel_requested_at",
)  # fmt: skip
"""The columns that a Task is read from, in the order of `decode`: first those that need decoding."""
_FIELDS = tuple(_FIELD_OF.get(column, column) for column in SELECTED)
_ALL_FIELDS = set(Task.model_fields)

ID, STATE = SELECTED.index("id"), SELECTED.index("state")


class UnreadableRow(Exception):
    """A row's JSON can't be read; it carries what could."""

    def __init__(self, task: Task, reason: str) -> None:
        super().__init__(reason)
        self.task, self.reason = task, reason


def encode(task: Task, config: QueueConfig, now: int) -> Row:
    """Return the row of a new task; raises InvalidTask naming the field that is bad."""
    level = config.level(task.priority)
    if level is None:
        raise InvalidTask(task.id, "priority", f"{task.priority!r} is not one of {config.known_priorities()}")
    for field in ("id", "group_id", "idempotency_key", "trace_id"):
        _check_text(task, field, getattr(task, field))
    policy = config.policy(level) if config.priority_policies else None
    due_at = task.schedule_at if task.schedule_at is not None else now
    return (
        task.id, 0, due_at, _encode_items(task), now, now, task.name, task.group_id, due_at, level, level,
        task.max_attempts or (policy and policy.max_attempts),
        task.timeout_seconds or (policy and policy.timeout_seconds), task.visibility_timeout,
        _encode_needs(task), _lane_of(task), _encode_tags(task),
        _encode_dependencies(task),
        task.idempotency_key, task.trace_id, len(set(task.depends_on)), 0,
    )  # fmt: skip


def _check_text(task: Task, field: str, value: str | None) -> None:
    reason = flaw(value) if value is not None else None
    if reason:
        raise InvalidTask(clean(task.id, 600), field, reason)


def _encode_items(task: Task) -> str:
    try:
        raw = _ITEMS.dump_json(task.items)
    except PydanticSerializationError as error:
        raise InvalidTask(task.id, "items", str(error)) from error
    if any(word in raw for word in _SUSPECT):
        _check_items(task, raw)
    return raw.decode()


def _check_items(task: Task, raw: bytes) -> None:
    """Look closer: the suspect words may also be harmless text."""
    try:
        value = from_json(raw, allow_inf_nan=False)
    except ValueError as error:
        raise InvalidTask(task.id, "items", "NaN and infinity are not JSON") from error
    if _holds_nul(value):
        raise InvalidTask(task.id, "items", "a NUL character can't be stored")


def _holds_nul(value: Any) -> bool:
    if isinstance(value, str):
        return "\0" in value
    if isinstance(value, dict):
        return any(_holds_nul(part) for pair in value.items() for part in pair)
    return isinstance(value, list) and any(_holds_nul(part) for part in value)


def _encode_needs(task: Task) -> str | None:
    return json.dumps(sorted(task.needs), ensure_ascii=False) if task.needs else None


def _encode_tags(task: Task) -> str | None:
    if not task.tags:
        return None
    for key, value in task.tags.items():
        _check_text(task, "tags", key + value)
    return json.dumps(task.tags, ensure_ascii=False)


def _encode_dependencies(task: Task) -> str | None:
    for name in task.depends_on:
        _check_text(task, "depends_on", name)
    return json.dumps(task.depends_on) if task.depends_on else None


def _lane_of(task: Task) -> str:
    try:
        return lane(task.name, task.needs)
    except ValueError as error:
        raise InvalidTask(task.id, "name or needs", str(error)) from error


@lru_cache(maxsize=10_000)
def lane(name: str, needs: frozenset[str] = _NO_NEEDS) -> str:
    """Return where tasks of this name and these needs queue up: a JSON array, the name first."""
    for word in (name, *needs):
        if reason := flaw(word):
            raise ValueError(reason)
    return json.dumps([name, *sorted(needs)], ensure_ascii=False, separators=(",", ":"))


@lru_cache(maxsize=10_000)
def lane_parts(text: str) -> tuple[str, frozenset[str]]:
    """Return the name and the needs of a lane."""
    name, *needs = json.loads(text)
    return name, frozenset(needs)


def decode(row: Row) -> Task:
    """Return the task of a row in the order of SELECTED; raises UnreadableRow.

    We wrote these rows, so they are parsed but not validated again: that would cost more than the claim.
    """
    values = dict(zip(_FIELDS, row, strict=True))
    try:
        values["items"] = tuple(map(_item, _array(row[0])))
        values["needs"] = frozenset(_array(row[1])) if row[1] else _NO_NEEDS
        values["tags"] = dict(from_json(row[2])) if row[2] else {}
        values["depends_on"] = tuple(_array(row[3])) if row[3] else ()
        values["errors"] = decode_errors(row[4]) if row[4] else ()
        values["result"] = from_json(row[5]) if row[5] else None
    except (ValueError, TypeError, AttributeError) as error:
        raise UnreadableRow(_salvage(values, row), f"unreadable row: {error}") from error
    values["state"] = _STATES[row[6]]
    values["paused"] = bool(row[7])
    return _build(Task, values, None, _ALL_FIELDS)


def decode_leniently(row: Row) -> Task:
    """Return the task of a row, without the parts that can't be read."""
    try:
        return decode(row)
    except UnreadableRow as unreadable:
        return unreadable.task


def _salvage(values: dict[str, Any], row: Row) -> Task:
    lost: dict[str, Any] = {"items": (), "needs": _NO_NEEDS, "tags": {}, "depends_on": (), "result": None}
    state, paused = _STATES[row[6]], bool(row[7])
    return _build(
        Task, {**values, **lost, "errors": decode_errors(row[4]), "state": state, "paused": paused}, None, _ALL_FIELDS
    )


def _array(text: str) -> list[Any]:
    value = from_json(text)
    if not isinstance(value, list):
        raise TypeError(f"{text:.50} is not an array")
    return value


def _item(fields: dict[str, Any]) -> TaskItem:
    return _build(TaskItem, {}, fields, set(fields.keys()))


def _build(model: type[Model], values: dict[str, Any], extra: dict[str, Any] | None, fields_set: set[str]) -> Model:
    instance = object.__new__(model)
    put = object.__setattr__
    put(instance, "__dict__", values)
    put(instance, "__pydantic_fields_set__", fields_set)
    put(instance, "__pydantic_extra__", extra)
    put(instance, "__pydantic_private__", None)
    return instance


def decode_errors(text: str | None) -> tuple[TaskError, ...]:
    """Return the errors of a row; what can't be read becomes an error itself."""
    if not text:
        return ()
    try:
        return tuple(TaskError.model_validate(entry) for entry in json.loads(text))
    except (ValueError, TypeError):
        return (TaskError(attempt=0, at=0, type="UnreadableErrors", message=text[:200]),)


def append_error(errors: Iterable[TaskError], error: TaskError, keep: int) -> str:
    """Return the JSON array of the errors and one more, the newest `keep` of them."""
    kept = [*errors, error][-keep:]
    return json.dumps([entry.model_dump(exclude_none=True) for entry in kept], ensure_ascii=False)


def encode_result(result: Any, most_bytes: int) -> str | None:
    """Return a result as JSON: NUL characters replaced, and a note in the place of one that is too large."""
    if result is None:
        return None
    try:
        raw = to_json(result, inf_nan_mode="null", fallback=repr)
    except PydanticSerializationError:
        raw = to_json(clean(repr(result), most_bytes // 10))  # repr writes what has no place in JSON as escapes
    if len(raw) > most_bytes:
        raw = to_json({"truncated": True, "bytes": len(raw), "head": raw[:1000].decode(errors="replace")})
    text = raw.decode()
    return json.dumps(_without_nul(json.loads(text)), ensure_ascii=False) if "\\u0000" in text else text


def _without_nul(value: Any) -> Any:
    if isinstance(value, str):
        return value.replace("\0", "�")
    if isinstance(value, dict):
        return {_without_nul(key): _without_nul(part) for key, part in value.items()}
    return [_without_nul(part) for part in value] if isinstance(value, list) else value
