"""How are workers started, watched and stopped?"""

from __future__ import annotations

import signal
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from queue_core.cli.durations import distance
from queue_core.cli.failed import raise_for
from queue_core.cli.parameters import SPAN, examples, json_option
from queue_core.cli.session import Session, pass_session
from queue_core.cli.shown import print_json, print_table
from queue_core.reports import WorkerStatus

if TYPE_CHECKING:
    from queue_core.handlers import Handler
    from queue_core.queue import Queue
    from queue_core.reports import WorkerRecord, WorkSummary
    from queue_core.settings import WorkerSettings

_COLUMNS = ("ID", "HOST", "PID", "STATUS", "LOAD", "STARTED", "HEARTBEAT", "CAPABILITIES", "VERSION")
_LEVELS = ["debug", "info", "warning", "error"]
_LOOK_SECONDS = 0.2


@click.group(epilog=examples("queuectl worker start --count 4", "queuectl worker stop --wait 30s"))
def worker() -> None:
    """Start, list and stop the processes that run tasks."""


@worker.command(
    epilog=examples(
        "queuectl worker start --count 4",
        "queuectl worker start --until-empty && echo all done",
        "queuectl worker start --tasks my_project.tasks --no-commands --size 20",
    )
)
@click.option("--count", type=click.IntRange(1), help="How many processes; else the setting workers, or all cores.")
@click.option("--size", type=click.IntRange(1), help="How many tasks each claims at a time; else the setting size.")
@click.option("--until-empty", is_flag=True, help="Stop when nothing is left that can be done, now or later.")
@click.option("--max-tasks", type=click.IntRange(1), help="Renew a process after so many tasks.")
@click.option("--capability", "capabilities", metavar="NAME", multiple=True, help="What it can do that tasks need.")
@click.option("--tasks", "modules", metavar="MODULE", multiple=True, help="Run the @task functions of a module too.")
@click.option("--no-commands", is_flag=True, help="Run no shell commands.")
@click.option("--log-json", is_flag=True, help="Log for machines.")
@click.option("--log-level", type=click.Choice(_LEVELS, case_sensitive=False), default="info", show_default=True)
@pass_session
def start(session: Session, /, count: int | None, log_json: bool, log_level: str, **asked: Any) -> None:
    """Run tasks in worker processes, in the foreground.

    Ctrl-C or SIGTERM lets each finish what it runs; a second one ends them at once. Whoever can write to the
    queue can run commands as you, here.
    """
    from queue_core.logs import configure
    from queue_core.supervisor import Supervisor

    configure(json=log_json, level=log_level.upper())
    handlers, settings, found = _handlers(session, asked), _settings(session, asked), session.settings
    supervisor = Supervisor(
        found.database_url, handlers, count=count or found.workers, settings=settings, config=found.queue_config()
    )
    summary = supervisor.run()
    _tell(summary)
    if summary.signal == signal.SIGINT:
        raise KeyboardInterrupt
    if summary.stuck:
        raise click.exceptions.Exit(1)


def _handlers(session: Session, asked: Mapping[str, Any]) -> dict[str, Handler]:
    from queue_core import commands, functions

    for module in asked["modules"]:
        _import(module)
    found = {} if asked["no_commands"] else commands.handlers(session.settings.timeout)
    if asked["modules"]:
        found |= functions.handlers()
    if not found:
        raise click.UsageError("There is nothing to run: --no-commands needs --tasks with @task functions.")
    return found


def _import(module: str) -> None:
    import importlib
    import sys

    if "" not in sys.path:
        sys.path.insert(0, "")  # a script's own folder stands there instead of this one
    try:
        importlib.import_module(module)
    except ImportError as error:
        raise click.BadParameter(f"{module!r} can't be imported: {error}", param_hint="--tasks") from error


def _settings(session: Session, asked: Mapping[str, Any]) -> WorkerSettings:
    from queue_core.settings import WorkerSettings

    return WorkerSettings(
        size=asked["size"] or session.settings.size,
        until_empty=asked["until_empty"],
        max_tasks=asked["max_tasks"],
        capabilities=frozenset(asked["capabilities"]),
    )


def _tell(summary: WorkSummary) -> None:
    counts = ", ".join(f"{count} {state.name.lower()}" for state, count in sorted(summary.counts.items()))
    click.echo(f"queuectl: {counts or 'nothing done'}", err=True)
    for stuck in summary.stuck:
        needs = f" (needs {', '.join(sorted(stuck.needs))})" if stuck.needs else ""
        click.echo(f"queuectl: left behind: {stuck.count} {stuck.name}: {stuck.reason}{needs}", err=True)


@worker.command("list", epilog=examples("queuectl worker list", "queuectl worker list --json | jq -r .[].id"))
@json_option
@pass_session
def list_(session: Session, as_json: bool) -> None:
    """List the workers that are known, the dead of the last day too."""
    with session.queue() as queue:
        workers, now = queue.workers(), queue.clock.now_ms()
    if as_json:
        print_json(list(workers))
    else:
        print_table(_COLUMNS, (_row(each, now) for each in workers))


def _row(each: WorkerRecord, now: int) -> tuple[str, ...]:
    ages = (distance(min(at, now), now) for at in (each.started_at, each.heartbeat_at))
    status = "stopping" if each.stop_requested_at and each.status is WorkerStatus.ACTIVE else each.status.value
    load = f"{each.load}/{each.capacity}"
    return each.id, each.host, str(each.pid), status, load, *ages, ", ".join(sorted(each.capabilities)), each.version


@worker.command(epilog=examples("queuectl worker stop", "queuectl worker stop --wait 30s"))
@click.argument("worker_ids", metavar="[ID]...", nargs=-1)
@click.option("--wait", type=SPAN, help="Return only when they are gone; fail if they are not by then.")
@json_option
@pass_session
def stop(session: Session, worker_ids: tuple[str, ...], wait: float | None, as_json: bool) -> None:
    """Ask workers to finish what they run and stop; all of them, where no ID is given."""
    with session.queue() as queue:
        asked = list(worker_ids) or sorted(_alive(queue))
        refused = [each for each in asked if not queue.stop_worker(each)]
        left = _await_end(queue, frozenset(asked) - frozenset(refused), wait) if wait is not None else frozenset()
    if as_json:
        print_json({"asked": [each for each in asked if each not in refused], "unknown": refused, "left": left})
    else:
        for each in asked:
            if each not in refused:
                click.echo(f"{each} asked to stop")
    unknown = [f"no such worker lives: {each}" for each in refused if each in worker_ids]
    raise_for([*unknown, *(f"still there: {each}" for each in sorted(left))])


def _alive(queue: Queue) -> frozenset[str]:
    return frozenset(each.id for each in queue.workers() if each.status is not WorkerStatus.DEAD)


def _await_end(queue: Queue, asked: frozenset[str], seconds: float) -> frozenset[str]:
    """Return which of them are still there after this time."""
    deadline = time.monotonic() + seconds
    while (left := asked & _alive(queue)) and time.monotonic() < deadline:
        time.sleep(_LOOK_SECONDS)
    return left
