"""What does the queue tell about itself?"""

from __future__ import annotations

from enum import Enum
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from queue_core.bounds import LONGEST_TEXT, MOST
from queue_core.states import FINAL, TaskState
from queue_core.task import Instant, Text


class Snapshot(BaseModel):
    """The queue at one instant."""

    model_config = ConfigDict(frozen=True)

    depth: int
    """Tasks that wait: PENDING and RETRYABLE."""
    ready: int
    """Of these, how many could be claimed now."""
    scheduled: int
    """Of these, how many are due later."""
    blocked: int
    """Of these, how many wait for another task."""
    paused: int
    """Of these, how many wait because their name or group is paused."""
    shutdown: bool
    by_state: dict[TaskState, int]
    by_priority: dict[int, int]
    """Waiting tasks by effective priority."""
    oldest_age_seconds: float | None
    """How long the oldest ready task has been due."""
    completed_last_minute: int
    failed_last_minute: int
    """Tasks discarded in the last minute."""
    counters: dict[str, int]
    """Totals since the store was made: completed, discarded, promoted, retried:<reason>."""


class GroupReport(BaseModel):
    """The tasks of one group at one instant."""

    model_config = ConfigDict(frozen=True)

    counts: dict[TaskState, int]
    """In each state, zeros included."""
    is_at_rest: bool
    """Whether nothing of it runs, nor will before somebody does something."""

    @property
    def open_count(self) -> int:
        """How many have not ended."""
        return sum(count for state, count in self.counts.items() if state not in FINAL)


class Health(BaseModel):
    """Whether the store answers."""

    model_config = ConfigDict(frozen=True)

    ok: bool
    backend: str
    version: str | None = None
    """Of the database."""
    schema_version: int | None = None
    latency_ms: float | None = None
    error: str | None = None


class WorkerStatus(Enum):
    """What a worker does about new tasks."""

    ACTIVE = "active"
    DRAINING = "draining"
    DEAD = "dead"


class WorkerRecord(BaseModel):
    """A worker as the registry knows it."""

    model_config = ConfigDict(frozen=True)

    id: Text
    host: Text
    pid: int = Field(ge=0, le=MOST)
    started_at: Instant
    heartbeat_at: Instant = 0
    version: str = Field(default="", max_length=LONGEST_TEXT)
    capabilities: frozenset[Text] = frozenset()
    capacity: int = Field(default=1, ge=1, le=MOST)
    load: int = Field(default=0, ge=0, le=MOST)
    status: WorkerStatus = WorkerStatus.ACTIVE
    machine: str | None = Field(default=None, max_length=LONGEST_TEXT)
    """Which boot of which machine, and which space of pids."""
    process_start: str | None = Field(default=None, max_length=LONGEST_TEXT)
    """When the process started, as its system counts: with the pid it names one process."""
    supervisor_pid: int | None = None
    """Who looks after this worker, and knows best how it ended."""
    supervisor_start: str | None = Field(default=None, max_length=LONGEST_TEXT)
    stop_requested_at: int | None = None


class Stuck(BaseModel):
    """Tasks that no worker can take as things stand."""

    model_config = ConfigDict(frozen=True)

    name: str
    reason: Literal["blocked", "paused", "lacking"]
    """It waits for another task; its name or group is paused; no live worker has what it needs."""
    count: int
    needs: frozenset[str] = frozenset()


class Outlook(BaseModel):
    """What is left for a worker."""

    model_config = ConfigDict(frozen=True)

    next_due_at: int | None
    """When it can claim something, as far as is known now; the past means now."""
    running: int
    """Tasks held by workers that may come back, or make room for others, when they end."""
    stuck: tuple[Stuck, ...]


class WorkSummary(BaseModel):
    """What a worker, or a supervisor's workers together, got done."""

    model_config = ConfigDict(frozen=True)

    counts: dict[TaskState, int]
    """How many tasks went where: COMPLETED, RETRYABLE, DISCARDED, CANCELLED, or PENDING again (snoozed, released)."""
    stuck: tuple[Stuck, ...] = ()
    """What was left behind, where they worked until nothing was left."""
    signal: int | None = None
    """Which signal ended the work, if one did."""
