"""How are commands put on the queue?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import click

from queue_core.cli.session import Session, pass_session
from queue_core.console.failed import Failed
from queue_core.console.levels import LEVEL
from queue_core.console.parameters import LIMIT, PAIR, RETRIES, SPAN, TEXT, examples, json_option, storable
from queue_core.console.shown import print_json

if TYPE_CHECKING:
    from queue_core.queue import Queue
    from queue_core.task import Task

_FOR_ONE = ("id", "idempotency_key")
"""What can't be said of many tasks at once."""
_OPTIONS = {"depends_on": "--after", "needs": "--needs", "name or needs": "--needs", "tags": "--tag"}
"""By the fields in which the queue may refuse what each option by itself can't know."""
_QUOTE = 'quote the whole command: queuectl enqueue "echo hi"'


class Enqueue(click.Command):
    """Tells who forgot the quotes about them: what begins with a dash is taken for an option of ours."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            reason = f"{error.format_message().rstrip('.')}. Where it is the command's, {_QUOTE}"
            raise click.UsageError(reason, ctx) from error


@click.command(
    cls=Enqueue,
    epilog=examples(
        'queuectl enqueue "make report" --priority high --timeout 10m --retries 5',
        'queuectl enqueue "send report" --after 01K2ZQ7M0V8W7Z3D4N5P6R7S8T',
        "queuectl enqueue --file commands.txt --group night",
        'ls *.wav | sed "s/^/flac /" | queuectl enqueue --file -',
    ),
)
@click.argument("words", metavar="[COMMAND]", nargs=-1)
@click.option(
    "--file",
    "lines",
    type=click.File("rb"),
    help="Take one command a line from it; - is stdin. Blank lines and those that begin with # are left out.",
)
@click.option("--priority", type=LEVEL, default="normal", show_default=True, help="high, normal, low, or 0 to 10.")
@click.option("--delay", type=SPAN, default="0", help="Not before this time has passed: 90, 30s, 5m, 2h, 7d.")
@click.option("--timeout", "timeout_seconds", type=LIMIT, help="How long one attempt may run.")
@click.option("--retries", type=RETRIES, help="Attempts after the first; else max-retries.")
@click.option("--after", "depends_on", type=TEXT, metavar="ID", multiple=True, help="Only once that task is completed.")
@click.option("--tag", "tags", type=PAIR, multiple=True, help="Something to find it by.")
@click.option(
    "--group", "group_id", type=TEXT, metavar="NAME", help="What it belongs to: counted, cancelled, paused as one."
)
@click.option("--needs", type=TEXT, metavar="NAME", multiple=True, help="A capability that its worker must have.")
@click.option(
    "--key", "idempotency_key", type=TEXT, help="The same key within 24 h enqueues nothing: the first id comes back."
)
@click.option("--cwd", type=click.Path(path_type=Path), help="The folder to run in; else the worker's.")
@click.option("--env", type=PAIR, multiple=True, help="A variable beside the worker's.")
@click.option("--id", "id", type=TEXT, metavar="ID", help="An id of your own; a known one enqueues nothing.")
@json_option
@pass_session
def enqueue(session: Session, /, words: tuple[str, ...], lines: IO[bytes] | None, as_json: bool, **asked: Any) -> None:
    """Put a command on the queue and print its id.

    A shell runs it in a worker that is started for commands: queuectl worker start. Many commands, from a
    file, are enqueued in one transaction: all of them, or none.
    """
    commands = _commands(words, lines)
    if lines is not None and any(asked[option] for option in _FOR_ONE):
        raise click.UsageError("--id and --key are for one command, not for a file of them.")
    with session.queue(makes=True) as queue:
        ids = _enqueued(queue, _tasks(commands, asked, queue.clock.now_ms()))
    if as_json:
        print_json({"ids": ids})
    else:
        click.echo("".join(f"{task_id}\n" for task_id in ids), nl=False)


def _enqueued(queue: Queue, tasks: Iterable[Task]) -> list[str]:
    from queue_core.errors import InvalidTask, QueueFull

    try:
        return queue.enqueue(tasks)
    except InvalidTask as error:
        raise Failed(f"{_OPTIONS.get(error.field, error.field)}: {error.reason}") from error
    except QueueFull as error:
        raise Failed(f"{error.depth} tasks wait already, and max-pending is {error.max_pending}") from error


def _commands(words: tuple[str, ...], lines: IO[bytes] | None) -> Iterable[str]:
    if bool(words) == (lines is not None):
        raise click.UsageError("Say either a COMMAND or --file.")
    if lines is not None:
        return _in_file(lines)
    if len(words) > 1:
        raise click.UsageError(f"A COMMAND is one word for queuectl: {_QUOTE}")
    if not words[0].strip():
        raise click.BadParameter("it must not be empty", param_hint="COMMAND")
    return [_storable(words[0], "COMMAND")]


def _in_file(lines: IO[bytes]) -> Iterator[str]:
    name = getattr(lines, "name", "-")
    for number, line in enumerate(lines, start=1):
        place = f"--file {name}, line {number}"
        try:
            command = line.decode("utf-8-sig" if number == 1 else "utf-8").strip()
        except UnicodeDecodeError as error:
            raise click.BadParameter("it is not UTF-8", param_hint=place) from error
        if command and not command.startswith("#"):
            yield _storable(command, place)


def _storable(command: str, place: str) -> str:
    try:
        return storable(command)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint=place) from error


def _tasks(commands: Iterable[str], asked: dict[str, Any], now: int) -> Iterator[Task]:
    from queue_core.commands import NAME, CommandItem
    from queue_core.task import Task

    told = _told(asked, now)
    place = {"cwd": str(asked["cwd"].resolve()) if asked["cwd"] else None, "env": dict(asked["env"])}
    for command in commands:
        yield Task(name=NAME, items=(CommandItem(command=command, **place),), **told)


def _told(asked: dict[str, Any], now: int) -> dict[str, Any]:
    """Return the fields of a task that the options speak of."""
    plain = ("id", "priority", "timeout_seconds", "depends_on", "group_id", "needs", "idempotency_key")
    told = {field: asked[field] for field in plain} | {"tags": dict(asked["tags"])}
    if asked["retries"] is not None:
        told["max_attempts"] = asked["retries"] + 1
    if asked["delay"]:
        told["schedule_at"] = now + round(asked["delay"] * 1000)
    return {field: value for field, value in told.items() if value not in (None, (), {})}
