"""What is a task, on its way into the queue and out of it?"""

from __future__ import annotations

from datetime import datetime
from enum import IntEnum
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, JsonValue, SerializeAsAny

from queue_core.bounds import LONGEST, LONGEST_TEXT, MOST
from queue_core.ids import new_id
from queue_core.states import TaskState

ItemT = TypeVar("ItemT", bound="TaskItem")


class Priority(IntEnum):
    """The default labels; any whole number between them is a priority too, lower first."""

    HIGH = 0
    NORMAL = 5
    LOW = 10


class TaskItem(BaseModel):
    """One part of a task: any JSON fields, or typed ones in a subclass."""

    model_config = ConfigDict(extra="allow", frozen=True, ser_json_inf_nan="constants")
    __pydantic_extra__: dict[str, JsonValue]


class TaskError(BaseModel):
    """Why one attempt failed."""

    model_config = ConfigDict(frozen=True)

    attempt: int
    """Which attempt it was, from 1."""
    at: int
    """When it failed, in UTC milliseconds."""
    type: str
    """The class of the exception, or what noticed the failure."""
    message: str
    traceback: str | None = None
    step: int | None = None
    """At which step it was when it took too long or its process died, where its handler said so."""


def _milliseconds(value: Any) -> Any:
    """Take an aware datetime where milliseconds are asked for."""
    if not isinstance(value, datetime):
        return value
    if value.tzinfo is None:
        raise ValueError("a datetime needs a time zone")
    return round(value.timestamp() * 1000)


Instant = Annotated[int, BeforeValidator(_milliseconds), Field(ge=0, lt=1 << 53)]
Text = Annotated[str, Field(min_length=1, max_length=LONGEST_TEXT)]


class Task(BaseModel):
    """A unit of work. What the queue fills in comes last; setting it yourself has no effect."""

    model_config = ConfigDict(frozen=True, allow_inf_nan=False)

    id: Text = Field(default_factory=new_id)
    name: Text = "default"
    """Which handler runs it."""
    items: tuple[SerializeAsAny[TaskItem], ...] = ()
    group_id: Text | None = None
    """What it belongs to (a book): groups are counted, cancelled, resumed and paused as one."""
    priority: int | str = "normal"
    """A label of the priority map or a number in its range; 0 is the most urgent."""
    needs: frozenset[Text] = frozenset()
    """Capabilities that a worker must have."""
    tags: dict[str, str] = Field(default_factory=dict)
    depends_on: tuple[str, ...] = ()
    """Ids of tasks that must be COMPLETED first; they exist, or are in the same enqueue."""
    idempotency_key: Text | None = None
    max_attempts: int | None = Field(default=None, ge=1, le=MOST)
    timeout_seconds: float | None = Field(default=None, gt=0, le=LONGEST)
    """How long one attempt may run; its worker enforces it."""
    visibility_timeout: float | None = Field(default=None, gt=0, le=LONGEST)
    """How long its worker may be silent before the task counts as stale, in seconds."""
    schedule_at: Instant | None = None
    """When it is due (milliseconds or an aware datetime). In PROCESSING: the last sign of life."""
    trace_id: Text | None = None

    state: TaskState = TaskState.PENDING
    effective_priority: int | None = None
    """The priority after promotion by age."""
    due_at: int | None = None
    lease: int = 0
    """Which claim this is; what a worker reports counts only under the newest."""
    attempt_count: int = 0
    attempted_at: int | None = None
    """When this attempt started; None while it is only held."""
    errors: tuple[TaskError, ...] = ()
    worker_id: str | None = None
    blockers: int = 0
    """How many of depends_on are unfinished."""
    paused: bool = False
    """Whether its group is paused."""
    cancel_requested_at: int | None = None
    progress: JsonValue = None
    """What its handler said last about how far it is."""
    result: JsonValue = None
    finalized_at: int | None = None
    created_at: int | None = None
    updated_at: int | None = None

    def items_as(self, item_type: type[ItemT]) -> tuple[ItemT, ...]:
        """Return the items as a typed subclass; raises pydantic's ValidationError where they don't fit."""
        return tuple(item_type.model_validate(item.model_dump()) for item in self.items)
