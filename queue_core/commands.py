"""What does a task do that runs a shell command?

Only a worker that is started with `handlers` runs commands: who can write to its queue can run anything there.
"""

from __future__ import annotations

import signal
import time
from typing import Any

from pydantic import Field, ValidationError

from queue_core.errors import QueueError, TaskTimeoutError
from queue_core.execution import timeout_of
from queue_core.handlers import Handler
from queue_core.outcomes import Discard
from queue_core.running import Running, Stopped, current
from queue_core.shell import Shell
from queue_core.task import Task, TaskItem

NAME = "command"
"""The name of tasks that run a command."""
_TAIL_CHARS = 2_000
_TICK = 0.1
"""How often a running command is looked after."""


class CommandItem(TaskItem):
    """The one item of such a task."""

    command: str = Field(min_length=1)
    cwd: str | None = None
    """Where to run it; else where its worker runs."""
    env: dict[str, str] = Field(default_factory=dict)
    """Beside the variables of its worker."""


class CommandFailed(QueueError):
    """A command ended with another exit code than 0, or by a signal."""

    can_retry = True

    def __init__(self, exit_code: int, output: str) -> None:
        """A negative exit code is the number of the signal, as `subprocess` has it."""
        how = f"exited with {exit_code}" if exit_code >= 0 else f"was killed by {_signal_name(-exit_code)}"
        super().__init__(_with_tail(how, output))
        self.exit_code, self.output = exit_code, output


class CommandTimeout(TaskTimeoutError):
    """A command took longer than it may."""

    def __init__(self, seconds: float, output: str) -> None:
        super().__init__(seconds)
        self.args = (_with_tail(str(self), output),)
        self.output = output


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _with_tail(words: str, output: str) -> str:
    tail = output.rstrip()[-_TAIL_CHARS:]
    return f"{words}: {tail}" if tail else words


def handlers(timeout: float | None = None) -> dict[str, Handler]:
    """Return what a worker needs to run commands; the timeout is for tasks that don't say it themselves."""

    def run(task: Task) -> dict[str, Any]:
        return run_command(task, timeout_of(task, handler))

    handler = Handler(run, timeout_seconds=timeout)
    return {NAME: handler}


def run_command(task: Task, timeout: float | None = None) -> dict[str, Any]:
    """Run a task's command to its end, and end with it all that it started.

    Raises CommandFailed, TaskTimeoutError, Stopped where the task was cancelled or lost, and Discard where it
    holds no command.
    """
    item, running, started = _item_of(task), current.get(), time.monotonic()
    shell = Shell(item.command, item.cwd, item.env)
    try:
        _own(running, shell.group)
        exit_code = _watched(shell, running, started, timeout)
    finally:
        shell.end()
        _own(running, None)
    if exit_code is None:
        raise CommandTimeout(timeout or 0, shell.output.text())
    if exit_code:
        raise CommandFailed(exit_code, shell.output.text())
    return {"exit_code": 0, "output": shell.output.text(), "seconds": round(time.monotonic() - started, 3)}


def _item_of(task: Task) -> CommandItem:
    try:
        (item,) = task.items_as(CommandItem)
    except ValidationError as error:
        first = error.errors()[0]
        raise Discard(f"{'.'.join(map(str, first['loc']))}: {first['msg']}") from error
    except ValueError as error:
        raise Discard(f"a command is one item: this task has {len(task.items)}") from error
    return item


def _own(running: Running | None, group: int | None) -> None:
    """Show the group to who survives this process, and ends it then."""
    if running is not None:
        running.own_group(group)


def _watched(shell: Shell, running: Running | None, started: float, timeout: float | None) -> int | None:
    """Return the exit code, or None where the time is over."""
    while (exit_code := shell.wait(_TICK)) is None:
        if running is not None and running.is_stopped:
            raise Stopped(f"task {running.task.id} was cancelled, or is another worker's by now: its command was ended")
        if timeout is not None and time.monotonic() - started >= timeout:
            return None
    return exit_code
