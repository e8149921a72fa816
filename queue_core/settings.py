"""How does a worker behave?"""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

from queue_core.bounds import LONGEST, MOST


class WorkerSettings(BaseModel):
    """The settings of one worker, or of all children of a supervisor; times are in seconds."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    size: int = Field(default=5, ge=1, le=MOST)
    """How many tasks are claimed at a time, unless their handler says less."""
    concurrency: int = Field(default=1, ge=1, le=1000)
    """How many run at once in one process: for handlers that wait on the network."""
    capabilities: frozenset[str] = frozenset()
    until_empty: bool = False
    """Stop when nothing is claimable, now or later; else go on for ever."""
    max_tasks: int | None = Field(default=None, ge=1, le=MOST)
    """After how many tasks a process ends, and gives way to a new one."""

    poll_interval_seconds: float | None = Field(default=None, gt=0, le=LONGEST)
    """How often an idle worker looks for itself, whatever wake-ups say; None: as the queue is configured."""
    heartbeat_seconds: float = Field(default=30, gt=0, le=LONGEST)
    """How often it says that it is alive; more often where a task's visibility timeout asks for it."""
    dead_after_seconds: float = Field(default=90, gt=0, le=LONGEST)
    """After how long without a sign of life a worker of another machine counts as dead."""
    upkeep_seconds: float = Field(default=5, gt=0, le=LONGEST)
    """How often it looks for dead workers and stale tasks."""
