"""How are commands put on the queue?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import click

from queue_core.cli.parameters import LEVEL, PAIR, SPAN, examples, json_option
from queue_core.cli.session import Session, pass_session
from queue_core.cli.shown import print_json

if TYPE_CHECKING:
    from queue_core.task import Task

_FOR_ONE = ("id", "idempotency_key")
"""What can't be said of many tasks at once."""


@click.command(
    epilog=examples(
        'queuectl enqueue "make report" --priority high --timeout 10m --retries 5',
        'queuectl enqueue "send report" --after 01K2ZQ7M0V8W7Z3D4N5P6R7S8T',
        "queuectl enqueue --file commands.txt --group night",
        'ls *.wav | sed "s/^/flac /" | queuectl enqueue --file -',
    )
)
@click.argument("command", required=False)
@click.option("--file", "lines", type=click.File(encoding="utf-8"), help="Take one command a line from it; - is stdin.")
@click.option("--priority", type=LEVEL, default="normal", show_default=True, help="high, normal, low, or 0 to 10.")
@click.option("--delay", type=SPAN, default="0", help="Not before this time has passed: 90, 30s, 5m, 2h, 7d.")
@click.option("--timeout", "timeout_seconds", type=SPAN, help="How long one attempt may run.")
@click.option("--retries", type=click.IntRange(0), help="Attempts after the first; else max-retries.")
@click.option("--after", "depends_on", metavar="ID", multiple=True, help="Only once that task is completed.")
@click.option("--tag", "tags", type=PAIR, multiple=True, help="Something to find it by.")
@click.option("--group", "group_id", help="What it belongs to: counted, cancelled, paused as one.")
@click.option("--needs", metavar="NAME", multiple=True, help="A capability that its worker must have.")
@click.option("--key", "idempotency_key", help="The same key within 24 h enqueues nothing: the first id comes back.")
@click.option("--cwd", type=click.Path(path_type=Path), help="The folder to run in; else the worker's.")
@click.option("--env", type=PAIR, multiple=True, help="A variable beside the worker's.")
@click.option("--id", "id", help="An id of your own; a known one enqueues nothing.")
@json_option
@pass_session
def enqueue(session: Session, /, command: str | None, lines: TextIO | None, as_json: bool, **asked: Any) -> None:
    """Put a command on the queue and print its id.

    A shell runs it in a worker that is started for commands: queuectl worker start. Many commands, from a
    file, are enqueued in one transaction: all of them, or none.
    """
    commands = _commands(command, lines)
    if lines is not None and any(asked[option] for option in _FOR_ONE):
        raise click.UsageError("--id and --key are for one command, not for a file of them.")
    with session.queue() as queue:
        ids = queue.enqueue(_tasks(commands, asked, queue.clock.now_ms()))
    if as_json:
        print_json({"ids": ids})
    else:
        click.echo("".join(f"{task_id}\n" for task_id in ids), nl=False)


def _commands(command: str | None, lines: TextIO | None) -> Iterable[str]:
    if (command is None) == (lines is None):
        raise click.UsageError("Say either a COMMAND or --file.")
    if lines is None:
        return [str(command)]
    return (line.strip() for line in lines if line.strip() and not line.lstrip().startswith("#"))


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
