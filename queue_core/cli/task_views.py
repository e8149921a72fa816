"""What of a task is shown, in a row and in full?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from queue_core.console.columns import Column
from queue_core.console.durations import distance, instant, rough, span
from queue_core.console.shortened import MOST_WORDS, cut, last_line
from queue_core.console.shown import print_block, print_facts
from queue_core.states import WAITING, TaskState

if TYPE_CHECKING:
    from queue_core.task import Task, TaskError

COLUMNS = (
    Column("ID"), Column("STATE"), Column("PRIO", rank=4), Column("ATTEMPTS", rank=2), Column("DUE", rank=1),
    Column("GROUP", rank=3), Column("WORK", is_text=True),
)  # fmt: skip
DEAD_COLUMNS = (
    Column("ID"), Column("DIED", rank=1), Column("ATTEMPTS", rank=3), Column("GROUP", rank=2),
    Column("WORK", is_text=True), Column("ERROR", is_text=True),
)  # fmt: skip
_CALLED_OFF = {"Cancelled": "cancel asked for", "Cancel": "cancelled", "Stopped": "stopped"}
"""What is kept among the errors of a task, and is none."""


def row(task: Task, now: int) -> tuple[str, ...]:
    """Return what a list shows of a task."""
    due = distance(task.due_at, now) if task.state in WAITING else ""
    attempts, group = str(task.attempt_count), task.group_id or ""
    return task.id, task.state.name, str(task.effective_priority), attempts, due, group, _work_of(task)


def dead_row(task: Task, now: int) -> tuple[str, ...]:
    """Return what the list of dead tasks shows of one."""
    error = last_line(task.errors[-1].message) if task.errors else ""
    died, attempts, group = distance(task.finalized_at, now), str(task.attempt_count), task.group_id or ""
    return task.id, died, attempts, group, _work_of(task), error


def _work_of(task: Task) -> str:
    """Say what a task does: its command, or the call of its function."""
    fields = [item.model_extra or {} for item in task.items]
    for each in fields:
        if command := each.get("command"):
            return str(command)
    if len(fields) != 1:
        return f"{task.name}: {len(fields)} items"
    arguments = ", ".join(f"{name}={cut(repr(value), 50)}" for name, value in fields[0].items())
    return cut(f"{task.name}({arguments})", MOST_WORDS)


def print_task(task: Task, now: int, usual_attempts: int, waits_for: Iterable[str] = ()) -> None:
    """Print all that is known of a task: how it stands, what it is, what it said, its errors from the newest on."""
    waits = [("waits for", each) for each in waits_for]
    print_facts([*_standing(task), *waits, *_outcome(task), *_identity(task), *_progress(task, now, usual_attempts)])
    _print_result(task.result)
    for error in reversed(task.errors):
        _print_error(error, now)
    for number, item in enumerate(task.items):
        if not (item.model_extra or {}).get("command"):
            print_block(f"item {number}", item.model_dump_json(indent=2))


def _standing(task: Task) -> Iterator[tuple[str, str]]:
    yield "id", task.id
    asked = task.cancel_requested_at and not task.state.is_final
    yield "state", task.state.name + (" (cancel requested)" if asked else "")
    if task.state is TaskState.CANCELLED or asked:
        reasons = [error.message for error in task.errors if error.type in ("Cancelled", "Cancel")]
        yield "reason", reasons[-1] if reasons else ""


def _outcome(task: Task) -> Iterator[tuple[str, str]]:
    """Say how the last attempt ended, and how long it took."""
    result = _of_command(task.result)
    for key, value in result.items():
        if key not in ("output", "seconds"):
            yield key.replace("_", " "), str(value)
    last = task.errors[-1] if task.errors and task.state is not TaskState.COMPLETED else None
    if last and last.type not in _CALLED_OFF:
        yield _short(last)
    ended_at = task.finalized_at or (last.at if last and task.state in WAITING else None)
    took = (ended_at - task.attempted_at) / 1000 if ended_at and task.attempted_at else None
    seconds = result.get("seconds", took)
    yield "took", rough(seconds) if isinstance(seconds, int | float) and seconds >= 0 else ""


def _short(error: TaskError) -> tuple[str, str]:
    from queue_core.commands import failure_of

    failure = failure_of(error)
    if failure is None:
        return "error", f"{error.type}: {last_line(error.message)}"
    return ("error", failure.how) if failure.exit_code is None else ("exit code", str(failure.exit_code))


def _identity(task: Task) -> Iterator[tuple[str, str]]:
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
    yield "timeout", span(task.timeout_seconds) if task.timeout_seconds else ""
    yield "worker", task.worker_id or ""
    yield "progress", str(task.progress) if task.progress else ""
    yield "created", instant(task.created_at, now)
    yield "due", instant(task.due_at, now) if task.state in WAITING else ""
    for name, at in (("started", task.attempted_at), ("ended", task.finalized_at)):
        yield name, instant(at, now) if at else ""


def _was(task: Task) -> str:
    return "" if task.priority == task.effective_priority else f" (was {task.priority})"


def _pairs(values: dict[str, str]) -> str:
    return " ".join(f"{key}={value}" for key, value in sorted(values.items()))


def _of_command(result: Any) -> dict[str, Any]:
    """Return the result where it is that of a command."""
    return result if isinstance(result, dict) and isinstance(result.get("output"), str) else {}


def _print_result(result: Any) -> None:
    if said := _of_command(result):
        print_block("output", said["output"])
    elif result is not None:
        print_block("result", str(result))


def _print_error(error: TaskError, now: int) -> None:
    """Print one error; a traceback only where it shows somebody else's code, not that of queuectl."""
    from queue_core.commands import failure_of

    when, failure = instant(error.at, now), failure_of(error)
    if failure:
        print_block(f"attempt {error.attempt} {failure.how}, {when}", failure.output)
    elif error.type in _CALLED_OFF:
        print_block(f"{_CALLED_OFF[error.type]} {when}", error.message)
    else:
        print_block(f"attempt {error.attempt} failed {when}", f"{error.type}: {error.message}")
        if error.traceback:
            print_block("traceback", error.traceback)
