"""What a user of the queue can import."""

import importlib
import subprocess
import sys

import queue_core
from queue_core.outcomes import Outcome

PROMISED = {
    "AsyncQueue", "BackendUnavailable", "IllegalTransition", "LeaseLost", "Priority", "Queue", "QueueConfig",
    "QueueError", "QueueFull", "Task", "TaskItem", "TaskNotFound", "TaskState",
    "Cancel", "Discard", "Handler", "NotConfigured", "Snooze", "TaskExecutionError", "TaskFunctions",
    "TaskTimeoutError", "UnknownTask", "WorkSummary", "WorkerSettings", "configure", "get_task", "is_draining",
    "list_tasks", "begin_step", "current_queue", "report_progress", "submit_task", "submit_task_async", "task",
}  # fmt: skip


def test_everything_promised_is_there():
    assert set(queue_core.__all__) >= PROMISED
    assert all(hasattr(queue_core, name) for name in queue_core.__all__)


def test_every_error_has_the_same_root():
    errors = [v for v in vars(queue_core).values() if isinstance(v, type) and issubclass(v, Exception)]
    # What a handler decides is said like an error, and is none.
    assert all(issubclass(error, queue_core.QueueError | Outcome) for error in errors)


def test_the_decorator_does_not_hide_the_module_of_its_name():
    assert queue_core.task is queue_core.functions.task
    assert importlib.import_module("queue_core.task").Task is queue_core.Task


def test_the_errors_file_draws_all_of_them():
    module = importlib.import_module("queue_core.errors")
    named = {name for name, value in vars(module).items() if isinstance(value, type) and issubclass(value, Exception)}
    assert all(name in module.__doc__ for name in named)


def test_the_queue_needs_no_driver_for_postgresql_until_it_is_used():
    code = "import sys, queue_core; queue_core.Queue.open('memory://').close(); sys.exit('psycopg' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
