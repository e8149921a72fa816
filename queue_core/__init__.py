"""A durable task queue on SQLite and PostgreSQL. It knows nothing of speech."""

from queue_core.async_queue import AsyncQueue
from queue_core.clock import Clock, ManualClock
from queue_core.config import PRIORITY_POLICIES, PriorityPolicy, Promotion, QueueConfig
from queue_core.errors import (
    BackendUnavailable,
    IllegalTransition,
    InvalidRequest,
    InvalidTask,
    LeaseLost,
    QueueClosed,
    QueueError,
    QueueFull,
    SchemaTooNew,
    TaskNotFound,
)
from queue_core.queue import Queue
from queue_core.reports import Health, Snapshot, WorkerRecord, WorkerStatus
from queue_core.states import TaskState
from queue_core.task import Priority, Task, TaskError, TaskItem

__all__ = [
    "PRIORITY_POLICIES",
    "AsyncQueue",
    "BackendUnavailable",
    "Clock",
    "Health",
    "IllegalTransition",
    "InvalidRequest",
    "InvalidTask",
    "LeaseLost",
    "ManualClock",
    "Priority",
    "PriorityPolicy",
    "Promotion",
    "Queue",
    "QueueClosed",
    "QueueConfig",
    "QueueError",
    "QueueFull",
    "SchemaTooNew",
    "Snapshot",
    "Task",
    "TaskError",
    "TaskItem",
    "TaskNotFound",
    "TaskState",
    "WorkerRecord",
    "WorkerStatus",
]
