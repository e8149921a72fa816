"""How are workers started, watched and stopped?"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import click

from queue_core.cli.session import Session, pass_session
from queue_core.cli.starting import start
from queue_core.console.columns import Column
from queue_core.console.durations import distance
from queue_core.console.failed import raise_for
from queue_core.console.parameters import SPAN, examples, json_option
from queue_core.console.shown import print_json, print_table
from queue_core.reports import WorkerStatus

if TYPE_CHECKING:
    from queue_core.queue import Queue
    from queue_core.reports import WorkerRecord

_COLUMNS = (
    Column("ID"), Column("HOST", rank=4), Column("PID"), Column("STATUS"), Column("LOAD", rank=1),
    Column("STARTED", rank=3), Column("HEARTBEAT", rank=2), Column("CAPABILITIES", rank=5), Column("VERSION", rank=6),
)  # fmt: skip
_LOOK_SECONDS = 0.2


@click.group(epilog=examples("queuectl worker start --count 4", "queuectl worker stop --wait 30s"))
def worker() -> None:
    """Start, list and stop the processes that run tasks."""


worker.add_command(start)


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
    """Ask workers to finish what they run and stop.

    Where no ID is given, all of them are asked.
    """
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
