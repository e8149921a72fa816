"""What of a task is shown, in a row and in full?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from queue_core.cli.durations import distance, instant, rough
from queue_core.cli.shown import print_block, print_facts
from queue_core.states import WAITING

if TYPE_CHECKING:
    from queue_core.task import Task

COLUMNS = ("ID", "STATE", "PRIO", "ATTEMPTS", "DUE", "GROUP", "WORK")
DEAD_COLUMNS = ("ID", "DIED", "ATTEMPTS", "GROUP", "WORK", "ERROR")


def row(task: Task, now: int) -> tuple[str, ...]:
    """Return what a list shows of a task."""
    due = distance(task.due_at, now) if task.state in WAITING else ""
    attempts, group = str(task.attempt_count), task.group_id or ""
    return task.id, task.state.name, str(task.effective_priority), attempts, due, group, work_of(task)


def dead_row(task: Task, now: int) -> tuple[str, ...]:
    """Return what the list of dead tasks shows of one."""
    error = task.errors[-1].message if task.errors else ""
    died, attempts, group = distance(task.finalized_at, now), str(task.attempt_count), task.group_id or ""
    return task.id, died, attempts, group, work_of(task), error.partition("\n")[0]


def work_of(task: Task) -> str:
    """Say in a few words what a task does."""
    said = [str(command) for item in task.items if (command := (item.model_extra or {}).get("command"))]
    return said[0] if said else f"{task.name}: {len(task.items)} items"


def print_task(task: Task, now: int, usual_attempts: int) -> None:
    """Print all that is known of a task."""
    print_facts([*_identity(task), *_progress(task, now, usual_attempts)])
    for number, item in enumerate(task.items):
        if not (item.model_extra or {}).get("command"):
            print_block(f"item {number}", item.model_dump_json(indent=2))
    for error in task.errors:
        print_block(f"attempt {error.attempt} failed {instant(error.at, now)}", f"{error.type}: {error.message}")
        if error.traceback:
            print_block("traceback", error.traceback)
    _print_result(task.result)


def _identity(task: Task) -> Iterator[tuple[str, str]]:
    yield "id", task.id
    yield "state", task.state.name + (" (cancel requested)" if task.cancel_requested_at else "")
    yield "name", task.name
    for item in task.items:
        for key in ("command", "cwd"):
            yield key, str((item.model_extra or {}).get(key) or "")
        yield "env", _pairs((item.model_extra or {}).get("env") or {})
    yield "group", task.group_id or ""
    yield "tags", _pairs(task.tags)
    yield "needs", ", ".join(sorted(task.needs))
    yield "key", task.idempotency_key or ""
    yield "trace", task.trace_id or ""
    yield "after", f"{', '.join(task.depends_on)} ({task.blockers} unfinished)" if task.depends_on else ""


def _progress(task: Task, now: int, usual_attempts: int) -> Iterator[tuple[str, str]]:
    yield "priority", f"{task.effective_priority}" + _was(task)
    yield "attempts", f"{task.attempt_count} of {task.max_attempts or usual_attempts}"
    yield "timeout", rough(task.timeout_seconds) if task.timeout_seconds else ""
    yield "worker", task.worker_id or ""
    yield "progress", str(task.progress) if task.progress else ""
    yield "paused", "its group is" if task.paused else ""
    yield "created", instant(task.created_at, now)
    yield "due", "" if task.state.is_final else instant(task.due_at, now)
    for name, at in (("started", task.attempted_at), ("ended", task.finalized_at)):
        yield name, instant(at, now) if at else ""


def _was(task: Task) -> str:
    return "" if task.priority == task.effective_priority else f" (was {task.priority})"


def _pairs(values: dict[str, str]) -> str:
    return " ".join(f"{key}={value}" for key, value in sorted(values.items()))


def _print_result(result: Any) -> None:
    if not isinstance(result, dict) or not isinstance(result.get("output"), str):
        if result is not None:
            print_block("result", str(result))
        return
    print_facts((key.replace("_", " "), str(value)) for key, value in result.items() if key != "output")
    print_block("output", result["output"])
