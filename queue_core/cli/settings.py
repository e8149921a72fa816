"""What can be set for queuectl?"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from queue_core.bounds import MOST
from queue_core.config import DAY, QueueConfig
from queue_core.console.layers import Layers
from queue_core.console.spans import Age, Wait
from queue_core.console.urls import QueueUrl
from queue_core.states import TaskState


class Settings(BaseModel):
    """The settings of queuectl; times are in seconds, or written as 30s, 5m, 2h, 7d."""

    model_config = ConfigDict(extra="forbid", frozen=True, validate_default=True, allow_inf_nan=False)

    database_url: QueueUrl = Field("sqlite:///data/queue.db", description="where the queue is")
    max_retries: int = Field(3, ge=0, lt=MOST, description="attempts after the first, for tasks that don't say")
    backoff_base: float = Field(2, ge=1, le=1000, description="after attempt n wait this to the power of n, in seconds")
    max_retry_delay: Age = Field(3600, description="the longest wait between two attempts")
    jitter: bool = Field(False, description="draw each wait between zero and the computed one")
    timeout: Wait | None = Field(None, description="how long a command may run, where its task does not say")
    visibility_timeout: Wait = Field(3600, description="how long a worker may be silent before its tasks are freed")
    max_pending: int | None = Field(None, ge=1, le=MOST, description="how many tasks may wait")
    retention_completed: Age = Field(7 * DAY, description="how long cleanup keeps what was completed")
    retention_cancelled: Age = Field(7 * DAY, description="how long cleanup keeps what was cancelled")
    retention_discarded: Age = Field(30 * DAY, description="how long cleanup keeps what was discarded")
    workers: int | None = Field(None, ge=1, le=1000, description="worker processes; else one for each core")
    size: int = Field(1, ge=1, le=MOST, description="how many tasks a worker claims at a time")
    poll_interval: Wait = Field(1, description="how often an idle worker looks, whatever wake-ups say")
    sqlite_synchronous: Literal["FULL", "NORMAL", "OFF"] = Field("FULL", description="SQLite's care in a power cut")

    def queue_config(self) -> QueueConfig:
        """Return how the queue behaves: the delay after attempt n is backoff-base to the power of n."""
        return QueueConfig(
            database_url=self.database_url,
            default_max_attempts=self.max_retries + 1,
            retry_base_delay=self.backoff_base,
            retry_backoff_multiplier=self.backoff_base,
            max_retry_delay=self.max_retry_delay,
            retry_jitter=self.jitter,
            default_visibility_timeout=self.visibility_timeout,
            max_pending=self.max_pending,
            retention={
                TaskState.COMPLETED: self.retention_completed,
                TaskState.CANCELLED: self.retention_cancelled,
                TaskState.DISCARDED: self.retention_discarded,
            },
            poll_interval=self.poll_interval,
            sqlite_synchronous=self.sqlite_synchronous,
        )


LAYERS = Layers(
    Settings,
    prefix="QUEUECTL_",
    short={"database_url": "database"},
    other_variables=frozenset({"QUEUECTL_CONFIG"}),
)
