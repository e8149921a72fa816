"""What becomes of tasks that failed for good?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from queue_core.cli import task_views
from queue_core.cli.pages import PAGE, pages_of
from queue_core.cli.session import Session, pass_session
from queue_core.console.asking import confirm
from queue_core.console.failed import Failed, raise_for
from queue_core.console.parameters import COUNT, TEXT, examples, json_option
from queue_core.console.shown import print_json, print_table
from queue_core.errors import IllegalTransition, QueueError, TaskNotFound
from queue_core.states import TaskState

if TYPE_CHECKING:
    from queue_core.queue import Queue
    from queue_core.task import Task


@click.group(epilog=examples("queuectl dlq list", "queuectl dlq retry --all"))
def dlq() -> None:
    """Look after the dead letters: tasks without attempts left."""


@dlq.command("list", epilog=examples("queuectl dlq list --group night"))
@click.option("--group", "group_id", type=TEXT, metavar="NAME", help="Only those of this group.")
@click.option("--limit", type=COUNT, default=50, show_default=True, help="How many at most.")
@click.option("--after", type=TEXT, metavar="ID", help="Go on behind this one.")
@json_option
@pass_session
def list_(session: Session, group_id: str | None, limit: int, after: str | None, as_json: bool) -> None:
    """List the dead, each with its last error."""
    with session.queue() as queue:
        tasks = queue.list(state=TaskState.DISCARDED, group_id=group_id, limit=limit, after=after)
        now = queue.clock.now_ms()
    if as_json:
        print_json(tasks)
        return
    print_table(task_views.DEAD_COLUMNS, (task_views.dead_row(task, now) for task in tasks))
    if len(tasks) == limit:
        click.echo(f"perhaps there are more: --after {tasks[-1].id}", err=True)


@dlq.command(epilog=examples("queuectl dlq show 01K2ZQ7M0V8W7Z3D4N5P6R7S8T"))
@click.argument("task_id", metavar="ID")
@json_option
@pass_session
def show(session: Session, task_id: str, as_json: bool) -> None:
    """Show a dead task with all its errors."""
    with session.queue() as queue:
        task, now = _dead(queue, task_id), queue.clock.now_ms()
    if as_json:
        print_json(task)
    else:
        task_views.print_task(task, now, queue.config.default_max_attempts)


@dlq.command(epilog=examples("queuectl dlq retry 01K2ZQ7M0V8W7Z3D4N5P6R7S8T", "queuectl dlq retry --all"))
@click.argument("task_ids", metavar="[ID]...", nargs=-1)
@click.option("--all", "is_all", is_flag=True, help="Every dead task.")
@click.option("--group", "group_id", type=TEXT, metavar="NAME", help="The dead tasks of this group.")
@json_option
@pass_session
def retry(session: Session, task_ids: tuple[str, ...], is_all: bool, group_id: str | None, as_json: bool) -> None:
    """Bring dead tasks back, with all their attempts."""
    if [bool(task_ids), is_all, bool(group_id)].count(True) != 1:
        raise click.UsageError("Say either IDs, --all or --group.")
    refused: list[QueueError] = []
    with session.queue() as queue:
        asked = _all_dead(queue) if is_all else iter(task_ids)
        resumed = queue.resume(group_id=group_id) if group_id else list(_resumed(queue, asked, refused))
    if as_json:
        print_json({"resumed": resumed})
    else:
        click.echo("".join(f"{task_id}\n" for task_id in resumed), nl=False)
    raise_for(refused if task_ids else ())  # another's retry of one of --all is as good as ours


@dlq.command(epilog=examples("queuectl dlq purge --yes"))
@click.option("--yes", is_flag=True, help="Do not ask.")
@json_option
@pass_session
def purge(session: Session, yes: bool, as_json: bool) -> None:
    """Delete all dead tasks for ever.

    What waits for one of them is cancelled.
    """
    with session.queue() as queue:
        count = queue.counts().get(TaskState.DISCARDED, 0)
        confirm(f"Delete {count} dead tasks for ever?", is_granted=yes)
        purged = queue.purge(states=[TaskState.DISCARDED])
    if as_json:
        print_json({"purged": purged})
    else:
        click.echo(f"{purged} purged")


def _dead(queue: Queue, task_id: str) -> Task:
    task = queue.get(task_id)
    if task.state is not TaskState.DISCARDED:
        raise Failed(f"task {task_id} is {task.state.name}, not dead")
    return task


def _resumed(queue: Queue, asked: Iterator[str], refused: list[QueueError]) -> Iterator[str]:
    for task_id in asked:
        try:
            queue.mark_as_resume(task_id)
        except (TaskNotFound, IllegalTransition) as error:
            refused.append(error)
        else:
            yield task_id


def _all_dead(queue: Queue) -> Iterator[str]:
    pages = pages_of(lambda after: queue.list(state=TaskState.DISCARDED, limit=PAGE, after=after))
    return (task.id for task in pages)
