"""What does a task do that runs a shell command?

Only a worker that is started with `handlers` runs commands: who can write to its queue can run anything there.
"""

from __future__ import annotations

import errno
import os
import signal
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from pydantic import Field, ValidationError, field_validator

from queue_core.errors import QueueError, TaskTimeoutError
from queue_core.execution import timeout_of
from queue_core.handlers import Handler
from queue_core.outcomes import Discard
from queue_core.running import Running, Stopped, current
from queue_core.shell import GRACE_SECONDS, Shell
from queue_core.task import Task, TaskError, TaskItem
from queue_core.text import flaw

NAME = "command"
"""The name of tasks that run a command."""
_TAIL_CHARS = 2_000
_TICK = 0.1
"""How often a running command is looked after."""
_ENDING_SECONDS = GRACE_SECONDS + 3
"""How long it takes at most to end a command that took too long."""
_HOPELESS = frozenset({errno.E2BIG, errno.ENAMETOOLONG})
"""Why a command can't be started, today or tomorrow."""


class CommandItem(TaskItem):
    """The one item of such a task."""

    command: str = Field(min_length=1)
    cwd: str | None = None
    """Where to run it; else where its worker runs."""
    env: dict[str, str] = Field(default_factory=dict)
    """Beside the variables of its worker."""
    stdin: str | None = None
    """What it reads from its standard input."""

    @field_validator("command", "cwd", "stdin")
    @classmethod
    def _can_be_told(cls, text: str | None) -> str | None:
        if text is not None and (reason := flaw(text)):
            raise ValueError(reason)
        return text

    @field_validator("env")
    @classmethod
    def _are_variables(cls, env: dict[str, str]) -> dict[str, str]:
        for name, value in env.items():
            if not name or "=" in name:
                raise ValueError(f"{name!r:.50} can't be the name of a variable")
            cls._can_be_told(name + value)
        return env


class CommandNotStarted(QueueError):
    """A command could not be started: its folder is not there, or the machine has no room for it."""

    can_retry = True

    def __init__(self, reason: str) -> None:
        super().__init__(f"could not be started: {reason}")
        self.reason = reason


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


@dataclass(frozen=True)
class Failure:
    """What was kept of a command that failed."""

    how: str
    """It exited with a code, was killed by a signal, or timed out."""
    exit_code: int | None
    output: str
    """The end of what it said."""


def failure_of(error: TaskError) -> Failure | None:
    """Take apart what `_with_tail` put together; None for an error of another kind."""
    if error.type not in (CommandFailed.__name__, CommandTimeout.__name__):
        return None
    how, _, output = error.message.partition(": ")
    code = how.removeprefix("exited with ")
    return Failure(how, int(code) if code.isdecimal() else None, output)


@dataclass(frozen=True)
class CommandRunner:
    """Runs the commands of a worker; can be sent to a child process, as a closure can't."""

    timeout_seconds: float | None = None
    """For tasks that don't say it themselves."""

    def __call__(self, task: Task) -> dict[str, Any]:
        return run_command(task, timeout_of(task, self.handler()))

    def handler(self) -> Handler:
        """Return what a worker needs: it keeps the timeout itself, so the worker is not to be killed meanwhile."""
        return Handler(self, timeout_seconds=self.timeout_seconds, grace_seconds=_ENDING_SECONDS)


def handlers(timeout: float | None = None) -> dict[str, Handler]:
    """Return what a worker needs to run commands; the timeout is for tasks that don't say it themselves."""
    return {NAME: CommandRunner(timeout).handler()}


def run_command(task: Task, timeout: float | None = None) -> dict[str, Any]:
    """Run a task's command to its end, and end with it all that it started.

    Raises CommandFailed, CommandTimeout, CommandNotStarted, Stopped where the task was cancelled or lost, and
    Discard where it holds no command.
    """
    item, running, started = _item_of(task), current.get(), time.monotonic()
    with _given(item) as stdin:
        shell = _started(item, stdin)
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


@contextmanager
def _given(item: CommandItem) -> Iterator[str]:
    """Give the file that a command reads from; a pipe would have to be filled while its output is read."""
    if item.stdin is None:
        yield os.devnull
        return
    with tempfile.NamedTemporaryFile("w", encoding="utf-8") as file:
        file.write(item.stdin)
        file.flush()
        yield file.name


def _started(item: CommandItem, stdin: str) -> Shell:
    try:
        return Shell(item.command, item.cwd, item.env, stdin)
    except OSError as error:
        reason = f"{error.strerror}: {error.filename}" if error.filename else str(error.strerror)
        if error.errno in _HOPELESS:
            raise Discard(f"could not be started: {error.strerror}") from error
        raise CommandNotStarted(reason) from error


def _own(running: Running | None, group: int | None) -> None:
    """Show the group to who survives this process, and ends it then."""
    if running is not None:
        running.own_group(group)


def _watched(shell: Shell, running: Running | None, started: float, timeout: float | None) -> int | None:
    """Return the exit code, or None where the time is over."""
    while (exit_code := shell.wait(_TICK)) is None:
        if running is not None and running.is_stopped:
            raise Stopped("its command was ended: it was cancelled, or is another worker's by now")
        if timeout is not None and time.monotonic() - started >= timeout:
            return None
    return exit_code
