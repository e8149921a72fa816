"""What can be asked for when a function is submitted, and how does the queue say it?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from pydantic import ValidationError

from queue_core.bounds import MOST
from queue_core.config import QueueConfig
from queue_core.errors import InvalidRequest
from queue_core.handle import check_not_negative, check_positive, iterated, texts
from queue_core.task import Task, TaskItem

MOST_URGENT = 10
"""Priorities of functions go from this down to its opposite; 0 is normal."""
_NOTHING: tuple[Any, ...] = (None, (), frozenset(), {})


@dataclass(frozen=True, kw_only=True)
class Options:
    """What is asked for one task; None: nothing, so that a default applies."""

    max_retries: int | None = None
    timeout_seconds: float | None = None
    priority: int | str | None = None
    tags: Mapping[str, str] | None = None
    needs: Iterable[str] | None = None
    delay_seconds: float | None = None
    idempotency_key: str | None = None
    group_id: str | None = None
    trace_id: str | None = None
    depends_on: Iterable[str] | None = None

    def as_defaults(self) -> Options:
        """Check these and return them as values of their own, whatever becomes of the given lists.

        Raises InvalidRequest; labels of priorities are the queue's, and looked at when there is one.
        """
        needs = None if self.needs is None else texts("needs", self.needs)
        kept = replace(self, needs=needs, tags=None if self.tags is None else dict(_tags(self.tags)))
        plain = replace(kept, priority=None) if isinstance(self.priority, str) else kept
        plain.task("function", TaskItem(), QueueConfig(), now_ms=0)
        return kept

    def over(self, defaults: Options) -> Options:
        """Return these with the defaults where nothing is asked; tags are joined."""
        asked = {field.name: value for field in fields(self) if (value := getattr(self, field.name)) is not None}
        if self.tags is not None:
            asked["tags"] = {**_tags(defaults.tags or {}), **_tags(self.tags)}
        return replace(defaults, **asked)

    def task(self, name: str, item: TaskItem, config: QueueConfig, now_ms: int) -> Task:
        """Return the task that is asked for; raises InvalidRequest naming what makes no sense."""
        # What is empty counts as not said: a task that says nothing special is written quicker.
        asked = {field: value for field, value in self._fields(config, now_ms).items() if value not in _NOTHING}
        try:
            return Task(name=name, items=(item,), **asked)
        except ValidationError as error:
            first = error.errors()[0]
            raise InvalidRequest(".".join(map(str, first["loc"])), first["msg"]) from error

    def _fields(self, config: QueueConfig, now_ms: int) -> dict[str, Any]:
        return {
            "max_attempts": None if self.max_retries is None else _attempts(self.max_retries),
            "timeout_seconds": None if self.timeout_seconds is None else _timeout(self.timeout_seconds),
            "priority": None if self.priority is None else level(self.priority, config),
            "tags": None if self.tags is None else _tags(self.tags),
            "needs": None if self.needs is None else texts("needs", self.needs),
            "schedule_at": None if self.delay_seconds is None else _due_at(self.delay_seconds, now_ms),
            "idempotency_key": self.idempotency_key,
            "group_id": self.group_id,
            "trace_id": self.trace_id,
            "depends_on": None if self.depends_on is None else tuple(iterated("depends_on", self.depends_on)),
        }


def level(priority: int | str, config: QueueConfig) -> int | str:
    """Return how the queue says a priority: its labels are known here too.

    A function's priority grows with its urgency, from -10 by 0 (normal) to 10; the queue's falls.
    """
    if isinstance(priority, str) and priority in config.priorities:
        return priority
    if not isinstance(priority, int) or isinstance(priority, bool) or abs(priority) > MOST_URGENT:
        known = f"a whole number from {-MOST_URGENT} to {MOST_URGENT} (higher first) or one of"
        raise InvalidRequest("priority", f"{priority!r:.50} is not {known} {', '.join(config.priorities)}")
    levels, normal = config.priorities.values(), config.priorities["normal"]
    end = min(levels) if priority > 0 else max(levels)
    return round(normal + (end - normal) * abs(priority) / MOST_URGENT)


def _attempts(max_retries: int) -> int:
    if not isinstance(max_retries, int) or isinstance(max_retries, bool) or not 0 <= max_retries < MOST:
        raise InvalidRequest("max_retries", f"{max_retries!r:.50} is not a whole number from 0 to {MOST - 1}")
    return max_retries + 1


def _timeout(seconds: float) -> float:
    check_positive("timeout_seconds", seconds)
    return seconds


def _due_at(delay_seconds: float, now_ms: int) -> int | None:
    check_not_negative("delay_seconds", delay_seconds)
    return now_ms + round(delay_seconds * 1000) if delay_seconds else None


def _tags(tags: Mapping[str, str]) -> Mapping[str, str]:
    if not isinstance(tags, Mapping):
        raise InvalidRequest("tags", f"{tags!r:.50} is no mapping of tags to values")
    return tags
