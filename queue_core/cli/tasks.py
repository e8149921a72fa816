"""What is on the queue, and how is it called off?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, Any

import click

from queue_core.cli import task_views
from queue_core.cli.pages import PAGE, pages_of
from queue_core.cli.session import Session, pass_session
from queue_core.cli.waiting import waits_for
from queue_core.cli.words import STATE
from queue_core.console.durations import rough
from queue_core.console.failed import raise_for
from queue_core.console.parameters import ANY_TEXT, COUNT, PAIR, TEXT, examples, json_option
from queue_core.console.shown import print_facts, print_json, print_table
from queue_core.errors import IllegalTransition, QueueError, TaskNotFound
from queue_core.states import TaskState

if TYPE_CHECKING:
    from queue_core.queue import Queue
    from queue_core.reports import Snapshot


@click.command("list", epilog=examples("queuectl list --state failed --limit 20", "queuectl list --tag shelf=top"))
@click.option("--state", type=STATE, help="pending, processing, completed, failed, dead or cancelled.")
@click.option("--name", type=TEXT, metavar="NAME", help="Only tasks of this name; commands have the name command.")
@click.option("--group", "group_id", type=TEXT, metavar="NAME", help="Only tasks of this group.")
@click.option("--tag", type=PAIR, multiple=True, help="Only tasks with this tag; can be repeated.")
@click.option("--limit", type=COUNT, default=50, show_default=True, help="How many at most.")
@click.option("--after", type=TEXT, metavar="ID", help="Go on behind this one: the last id of the page before.")
@json_option
@pass_session
def list_(session: Session, /, as_json: bool, **filters: Any) -> None:
    """List tasks page by page, in the order of their ids."""
    with session.queue() as queue:
        tasks = queue.list(**{**filters, "tag": dict(filters["tag"])})
        now = queue.clock.now_ms()
    if as_json:
        print_json(tasks)
        return
    print_table(task_views.COLUMNS, (task_views.row(task, now) for task in tasks))
    if len(tasks) == filters["limit"]:
        click.echo(f"perhaps there are more: --after {tasks[-1].id}", err=True)


@click.command(epilog=examples("queuectl show 01K2ZQ7M0V8W7Z3D4N5P6R7S8T"))
@click.argument("task_id", metavar="ID")
@json_option
@pass_session
def show(session: Session, task_id: str, as_json: bool) -> None:
    """Show all of a task: how it stands, its output, its errors."""
    with session.queue() as queue:
        task, now = queue.get(task_id), queue.clock.now_ms()
        waits = [] if as_json else list(waits_for(queue, task))
    if as_json:
        print_json(task)
    else:
        task_views.print_task(task, now, queue.config.default_max_attempts, waits)


@click.command(epilog=examples("queuectl cancel 01K2ZQ7M0V8W7Z3D4N5P6R7S8T", "queuectl cancel --group night"))
@click.argument("task_ids", metavar="[ID]...", nargs=-1)
@click.option("--group", "group_id", type=TEXT, metavar="NAME", help="All open tasks of this group.")
@click.option("--reason", type=ANY_TEXT, help="Why, for those who ask later; not with --group.")
@json_option
@pass_session
def cancel(
    session: Session, task_ids: tuple[str, ...], group_id: str | None, reason: str | None, as_json: bool
) -> None:
    """Call tasks off, with all that wait for them.

    What runs is asked to stop; what waits for it is called off when it does.
    """
    if bool(task_ids) == bool(group_id) or (group_id and reason):
        raise click.UsageError("Say either IDs, perhaps with a --reason, or --group.")
    refused: list[QueueError] = []
    with session.queue() as queue:
        called_off = _group(queue, group_id) if group_id else _named(queue, task_ids, reason, refused)
        states = dict(called_off)
    if as_json:
        print_json(states)
    else:
        for task_id, state in states.items():
            click.echo(f"{task_id} {state.name if state.is_final else 'asked to stop'}")
    raise_for(refused)


def _group(queue: Queue, group_id: str) -> Iterator[tuple[str, TaskState]]:
    for task_id in queue.cancel(group_id=group_id):
        yield task_id, queue.get(task_id).state


def _named(
    queue: Queue, task_ids: tuple[str, ...], reason: str | None, refused: list[QueueError]
) -> Iterator[tuple[str, TaskState]]:
    since = queue.clock.now_ms()
    named = dict(_each(queue, task_ids, reason, refused))
    yield from named.items()
    gone = [task_id for task_id, state in named.items() if state.is_final]
    followed = _gone_with(queue, gone, since)
    yield from ((task_id, TaskState.CANCELLED) for task_id in followed)
    refused[:] = [error for error in refused if getattr(error, "task_id", None) not in followed]  # done already


def _each(
    queue: Queue, task_ids: tuple[str, ...], reason: str | None, refused: list[QueueError]
) -> Iterator[tuple[str, TaskState]]:
    for task_id in task_ids:
        try:
            yield task_id, queue.mark_as_cancelled(task_id, reason=reason)
        except (TaskNotFound, IllegalTransition) as error:
            refused.append(error)


def _gone_with(queue: Queue, gone: Collection[str], since: int) -> list[str]:
    """Return what was cancelled because it waited for these tasks, or for what did."""
    if not gone:
        return []
    pages = pages_of(lambda after: queue.list(state=TaskState.CANCELLED, limit=PAGE, after=after))
    waited = {task.id: task.depends_on for task in pages if task.depends_on and (task.finalized_at or 0) >= since}
    found, front = dict.fromkeys(gone), set(gone)
    while front:
        front = {task_id for task_id, names in waited.items() if task_id not in found and front & set(names)}
        found |= dict.fromkeys(sorted(front))
    return [task_id for task_id in found if task_id not in gone]


@click.command(epilog=examples("queuectl status", "queuectl status --json | jq .ready"))
@json_option
@pass_session
def status(session: Session, as_json: bool) -> None:
    """Show the queue as a whole: what waits, runs, failed."""
    with session.queue() as queue:
        found, health = queue.snapshot(), queue.health()
        workers = Counter(worker.status.value for worker in queue.workers())
    if as_json:
        print_json({**found.model_dump(), "workers": dict(workers), "database": health})
        return
    print_facts(
        [
            ("database", f"{health.backend} (version {health.version}, {health.latency_ms or 0:.1f} ms)"),
            *_told(found),
            ("workers", ", ".join(f"{count} {kind}" for kind, count in sorted(workers.items())) or "none"),
        ]
    )


def _told(found: Snapshot) -> Iterator[tuple[str, str]]:
    parts = {"ready": found.ready, "scheduled": found.scheduled, "blocked": found.blocked, "paused": found.paused}
    oldest = found.oldest_age_seconds
    yield "waiting", f"{found.depth} ({', '.join(f'{count} {kind}' for kind, count in parts.items())})"
    yield "oldest", f"ready for {rough(oldest)}" if oldest is not None else ""
    for state, count in sorted(found.by_state.items()):
        yield state.name.lower(), str(count)
    yield "last minute", f"{found.completed_last_minute} completed, {found.failed_last_minute} discarded"
