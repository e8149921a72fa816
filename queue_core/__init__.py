"""A durable task queue on SQLite and PostgreSQL. It knows nothing of speech."""

from queue_core.async_queue import AsyncQueue
from queue_core.clock import Clock, ManualClock
from queue_core.config import PRIORITY_POLICIES, PriorityPolicy, Promotion, QueueConfig
from queue_core.endings import Ending, Settled
from queue_core.errors import (
    BackendUnavailable,
    IllegalTransition,
    InvalidRequest,
    InvalidTask,
    LeaseLost,
    NotConfigured,
    QueueClosed,
    QueueError,
    QueueFull,
    SchemaTooNew,
    TaskExecutionError,
    TaskNotFound,
    TaskTimeoutError,
    UnknownTask,
    WorkerDied,
    WorkerStartFailed,
)
from queue_core.functions import (
    TaskFunctions,
    configure,
    get_task,
    list_tasks,
    submit_task,
    submit_task_async,
    task,
)
from queue_core.handlers import Handler
from queue_core.outcomes import Cancel, Discard, Snooze
from queue_core.queue import Queue
from queue_core.reports import GroupReport, Health, Outlook, Snapshot, Stuck, WorkerRecord, WorkerStatus, WorkSummary
from queue_core.running import begin_step, current_queue, is_draining, own_group, report_progress
from queue_core.settings import WorkerSettings
from queue_core.states import TaskState
from queue_core.supervisor import Supervisor
from queue_core.task import Priority, Task, TaskError, TaskItem
from queue_core.worker import Worker

__all__ = [
    "PRIORITY_POLICIES",
    "AsyncQueue",
    "BackendUnavailable",
    "Cancel",
    "Clock",
    "Discard",
    "Ending",
    "GroupReport",
    "Handler",
    "Health",
    "IllegalTransition",
    "InvalidRequest",
    "InvalidTask",
    "LeaseLost",
    "ManualClock",
    "NotConfigured",
    "Outlook",
    "Priority",
    "PriorityPolicy",
    "Promotion",
    "Queue",
    "QueueClosed",
    "QueueConfig",
    "QueueError",
    "QueueFull",
    "SchemaTooNew",
    "Settled",
    "Snapshot",
    "Snooze",
    "Stuck",
    "Supervisor",
    "Task",
    "TaskError",
    "TaskExecutionError",
    "TaskFunctions",
    "TaskItem",
    "TaskNotFound",
    "TaskState",
    "TaskTimeoutError",
    "UnknownTask",
    "WorkSummary",
    "Worker",
    "WorkerDied",
    "WorkerRecord",
    "WorkerSettings",
    "WorkerStartFailed",
    "WorkerStatus",
    "begin_step",
    "configure",
    "current_queue",
    "get_task",
    "is_draining",
    "list_tasks",
    "own_group",
    "report_progress",
    "submit_task",
    "submit_task_async",
    "task",
]
