"""How does the queue behave where a task does not say it itself?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from queue_core.bounds import LONGEST, MOST
from queue_core.states import FINAL, TaskState

DAY = 86_400

Level = Annotated[int, Field(ge=-1000, le=1000)]
Age = Annotated[float, Field(ge=0, le=LONGEST)]


class PriorityPolicy(BaseModel):
    """What a task of one priority gets unless it says otherwise."""

    model_config = ConfigDict(frozen=True)

    max_attempts: int | None = Field(default=None, ge=1, le=MOST)
    timeout_seconds: float | None = Field(default=None, gt=0, le=LONGEST)


class Promotion(BaseModel):
    """After how long a task below a label is lifted to it."""

    model_config = ConfigDict(frozen=True)

    source: str
    target: str
    after_seconds: float = Field(gt=0, le=LONGEST)


PRIORITY_POLICIES: Mapping[str, PriorityPolicy] = {
    "high": PriorityPolicy(max_attempts=6, timeout_seconds=300),
    "normal": PriorityPolicy(max_attempts=4, timeout_seconds=600),
    "low": PriorityPolicy(max_attempts=3, timeout_seconds=900),
}
"""A ready set for `QueueConfig(priority_policies=…)`: the more urgent, the more and shorter attempts."""


class QueueConfig(BaseModel):
    """The settings of one queue; times are in seconds."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    database_url: str = "sqlite:///data/queue.db"
    default_max_attempts: int = Field(default=3, ge=1, le=MOST)
    default_visibility_timeout: float = Field(default=3600, gt=0, le=LONGEST)
    retry_backoff_multiplier: float = Field(default=2.0, ge=1, le=1000)
    retry_base_delay: float = Field(default=60, ge=0, le=LONGEST)
    max_retry_delay: float = Field(default=3600, ge=0, le=LONGEST)
    batch_size: int = Field(default=100, ge=1, le=MOST)
    """Bounds one bulk insert, one cleanup step, one promotion step."""

    retry_jitter: bool = False
    """Draw each delay between zero and the computed one."""
    jitter_seed: int | None = None
    """Makes the drawn delays repeatable."""

    priorities: dict[str, Level] = {"high": 0, "normal": 5, "medium": 5, "low": 10}
    priority_policies: dict[str, PriorityPolicy] = {}
    promotions: tuple[Promotion, ...] = (
        Promotion(source="low", target="normal", after_seconds=600),
        Promotion(source="normal", target="high", after_seconds=1200),
    )
    """Age promotion; empty turns it off."""

    max_pending: int | None = Field(default=None, ge=1, le=MOST)
    """How many tasks may wait; one enqueue more raises QueueFull."""
    warn_depth: int | None = Field(default=None, ge=1, le=MOST)
    """From how many waiting tasks on an enqueue logs a warning."""

    idempotency_window: float = Field(default=DAY, gt=0, le=LONGEST)
    retention: dict[TaskState, Age] = {
        TaskState.COMPLETED: 7 * DAY,
        TaskState.CANCELLED: 7 * DAY,
        TaskState.DISCARDED: 30 * DAY,
    }
    """How long cleanup keeps the tasks of a final state."""

    max_error_chars: int = Field(default=8_000, ge=100, le=MOST)
    """Caps the message and the traceback of one error."""
    max_errors: int = Field(default=50, ge=1, le=MOST)
    """How many errors a task keeps, the newest."""
    max_result_bytes: int = Field(default=1_000_000, ge=100, le=MOST)

    sqlite_synchronous: Literal["FULL", "NORMAL", "OFF"] = "FULL"
    """FULL: what was acknowledged survives a power cut."""
    postgres_prepare: bool = True
    """Turn off behind a pgbouncer that shares connections between transactions."""
    lock_timeout: float = Field(default=30, gt=0, le=LONGEST)
    """How long to wait for other writers before giving up with BackendUnavailable."""
    poll_interval: float = Field(default=1.0, gt=0, le=LONGEST)
    """How often a waiting dequeue looks for itself, whatever wake-ups say."""

    @model_validator(mode="after")
    def _makes_sense(self) -> Self:
        named = [p.source for p in self.promotions] + [p.target for p in self.promotions] + list(self.priority_policies)
        for label in ["normal", *named]:
            if label not in self.priorities:
                raise ValueError(f"priority label {label!r} is not in priorities")
        for rule in self.promotions:
            if self.priorities[rule.target] >= self.priorities[rule.source]:
                raise ValueError(f"promotion from {rule.source!r} to {rule.target!r} leads down")
        for state in self.retention:
            if state not in FINAL:
                raise ValueError(f"retention: {state.name} is not a final state")
        return self

    def level(self, priority: int | str) -> int | None:
        """Return the number of a priority, or None where it is unknown or out of range."""
        if isinstance(priority, str):
            return self.priorities.get(priority)
        if not isinstance(priority, int) or isinstance(priority, bool):
            return None
        levels = self.priorities.values()
        return int(priority) if min(levels) <= priority <= max(levels) else None

    def known_priorities(self) -> str:
        """Say which priorities there are, for error messages."""
        levels = self.priorities.values()
        return f"{', '.join(self.priorities)} or {min(levels)} to {max(levels)}"

    def policy(self, level: int) -> PriorityPolicy:
        """Return what the tasks of a level get: the policy of the nearest label at or above it."""
        labels = [label for label in self.priority_policies if self.priorities[label] <= level]
        nearest = max(labels, key=lambda label: self.priorities[label], default=None)
        return self.priority_policies[nearest] if nearest else PriorityPolicy()
