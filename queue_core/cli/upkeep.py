"""How is the queue tidied, and held still?"""

from __future__ import annotations

import click

from queue_core.cli.session import Session, pass_session
from queue_core.cli.words import FINAL_STATE
from queue_core.console.parameters import SPAN, TEXT, examples, json_option
from queue_core.console.shown import print_json
from queue_core.states import TaskState

_WHICH = "Say either --name or --group."


@click.command(epilog=examples("queuectl cleanup", "queuectl cleanup --older-than 7d --state completed"))
@click.option("--older-than", type=SPAN, help="Only what ended this long ago; else as the retention settings say.")
@click.option(
    "--state", "states", type=FINAL_STATE, multiple=True, help="completed, cancelled or dead; else all of them."
)
@json_option
@pass_session
def cleanup(session: Session, older_than: float | None, states: tuple[TaskState, ...], as_json: bool) -> None:
    """Delete tasks that ended long ago.

    Those that others wait for are spared.
    """
    with session.queue() as queue:
        deleted = queue.cleanup(older_than, states or None)
    if as_json:
        print_json({"deleted": deleted})
    else:
        click.echo(f"{deleted} deleted")


@click.command(epilog=examples("queuectl pause --group night", "queuectl pause --name command"))
@click.option("--name", type=TEXT, metavar="NAME", help="Tasks of this name; commands have the name command.")
@click.option("--group", "group_id", type=TEXT, metavar="NAME", help="Tasks of this group.")
@json_option
@pass_session
def pause(session: Session, name: str | None, group_id: str | None, as_json: bool) -> None:
    """Hand out no more tasks of a name or a group.

    What runs goes on.
    """
    if bool(name) == bool(group_id):
        raise click.UsageError(_WHICH)
    with session.queue(makes=True) as queue:  # it may be paused before the first task is there
        queue.pause(name=name, group_id=group_id)
    if as_json:
        print_json({"name": name, "group": group_id, "paused": True})


@click.command(epilog=examples("queuectl unpause --group night"))
@click.option("--name", type=TEXT, metavar="NAME", help="Tasks of this name.")
@click.option("--group", "group_id", type=TEXT, metavar="NAME", help="Tasks of this group.")
@json_option
@pass_session
def unpause(session: Session, name: str | None, group_id: str | None, as_json: bool) -> None:
    """Hand tasks of a name or a group out again."""
    if bool(name) == bool(group_id):
        raise click.UsageError(_WHICH)
    with session.queue() as queue:
        queue.unpause(name=name, group_id=group_id)
    if as_json:
        print_json({"name": name, "group": group_id, "paused": False})
