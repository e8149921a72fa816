"""How does a task become a row?"""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from pydantic_core import PydanticSerializationError, from_json, to_json

from queue_core.bounds import LONGEST_LANE
from queue_core.config import QueueConfig
from queue_core.errors import InvalidTask
from queue_core.task import Task, TaskError
from queue_core.text import clean, flaw

Row = tuple[Any, ...]
"""What an enqueue writes of one task, in the order of PLAIN or of INSERTED."""

PLAIN = ("id", "now", "items", "name", "level", "lane")
"""All that has to be said of a task that is due now and asks for nothing special: most are so."""
INSERTED = (
    "id", "state", "schedule_at", "items", "created_at", "updated_at", "name", "group_id", "due_at", "priority",
    "effective_priority", "max_attempts", "timeout_seconds", "visibility_timeout", "needs", "lane", "tags",
    "depends_on", "idempotency_key", "trace_id", "blockers", "paused",
)  # fmt: skip
"""The columns of all other tasks."""

_PLAIN_FIELDS = frozenset({"id", "items", "name", "priority"})
_NO_NEEDS: frozenset[str] = frozenset()


def encode(task: Task, config: QueueConfig, now: int) -> Row:
    """Return the row of a new task; raises InvalidTask naming the field that is bad."""
    level = config.level(task.priority)
    if level is None:
        raise InvalidTask(task.id, "priority", f"{task.priority!r} is not one of {config.known_priorities()}")
    if flaw(task.id):
        _check_text(task, "id", task.id)
    if task.model_fields_set <= _PLAIN_FIELDS and not config.priority_policies:
        return (task.id, now, _encode_items(task), task.name, level, _lane_of(task))
    return _encode_fully(task, config, now, level)


def is_plain(row: Row) -> bool:
    """Return whether a row is in the order of PLAIN."""
    return len(row) == len(PLAIN)


def _encode_fully(task: Task, config: QueueConfig, now: int, level: int) -> Row:
    for field in ("group_id", "idempotency_key", "trace_id"):
        _check_text(task, field, getattr(task, field))
    policy = config.policy(level)
    due_at = task.schedule_at if task.schedule_at is not None else now
    return (
        task.id, 0, due_at, _encode_items(task), now, now, task.name, task.group_id, due_at, level, level,
        task.max_attempts or policy.max_attempts, task.timeout_seconds or policy.timeout_seconds,
        task.visibility_timeout, _encode_needs(task), _lane_of(task), _encode_tags(task), _encode_dependencies(task),
        task.idempotency_key, task.trace_id, len(set(task.depends_on)), 0,
    )  # fmt: skip


def _check_text(task: Task, field: str, value: str | None) -> None:
    reason = flaw(value) if value is not None else None
    if reason:
        raise InvalidTask(clean(task.id, 600), field, reason)


def _encode_items(task: Task) -> str:
    try:
        raw = to_json(task.items)
        from_json(raw)  # what can't be read again would be lost at the claim
    except (PydanticSerializationError, ValueError) as error:
        raise InvalidTask(task.id, "items", str(error)) from error
    if b"NaN" in raw or b"Infinity" in raw or b"\\u0000" in raw:
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
    text = json.dumps([name, *sorted(needs)], ensure_ascii=False, separators=(",", ":"))
    if len(text.encode()) > LONGEST_LANE:
        raise ValueError(f"together they are longer than {LONGEST_LANE} bytes")
    return text


@lru_cache(maxsize=10_000)
def lane_parts(text: str) -> tuple[str, frozenset[str]]:
    """Return the name and the needs of a lane."""
    name, *needs = json.loads(text)
    return name, frozenset(needs)


def append_error(errors: Iterable[TaskError], error: TaskError, keep: int) -> str:
    """Return the JSON array of the errors and one more, the newest `keep` of them."""
    kept = [*errors, error][-keep:]
    return json.dumps([entry.model_dump(exclude_none=True) for entry in kept], ensure_ascii=False)


class Written(str):
    """A result that is JSON already."""

    __slots__ = ()


def encode_result(result: Any, most_bytes: int) -> str | None:
    """Return a result as JSON: NUL characters replaced, and a note in the place of what can't be kept."""
    if result is None or isinstance(result, Written):
        return result
    try:
        text = to_json(result, inf_nan_mode="null", fallback=repr).decode()
        stored = json.dumps(_without_nul(json.loads(text)), ensure_ascii=False) if "\\u0000" in text else text
        from_json(stored)
    except Exception as error:  # noqa: BLE001 (the task must be able to end, whatever its result is made of)
        return json.dumps({"unreadable": True, "type": type(result).__name__, "reason": type(error).__name__})
    if len(stored.encode()) > most_bytes:
        return json.dumps({"truncated": True, "bytes": len(stored.encode()), "head": stored[:1000]}, ensure_ascii=False)
    return stored


def _without_nul(value: Any) -> Any:
    if isinstance(value, str):
        return value.replace("\0", "�")
    if isinstance(value, dict):
        return {_without_nul(key): _without_nul(part) for key, part in value.items()}
    return [_without_nul(part) for part in value] if isinstance(value, list) else value
