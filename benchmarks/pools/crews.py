"""Which workers take part, with which settings, and by which command are they started?"""

import sys
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace

from huey import SqliteHuey

from benchmarks.ours import Ours
from benchmarks.payloads import Payload
from benchmarks.peers import Peer
from benchmarks.peers.with_huey import HueyPeer
from benchmarks.peers.with_pgqueuer import PgQueuerPeer
from benchmarks.peers.with_procrastinate import ProcrastinatePeer
from benchmarks.pools.noop import noop
from benchmarks.stores import Place

Command = list[str]


@dataclass(frozen=True)
class Crew:
    """The workers of one queue with one choice of settings."""

    name: str
    fill: Callable[[Place, Sequence[Payload]], None]
    """Enqueues the jobs, before any worker starts."""
    commands: Callable[[int], list[Command]]
    """What is started for so many worker processes."""
    job_count: int
    """What they do in one to three seconds."""
    peer: type[Peer] | None = None
    """Whose workers these are; None: ours."""
    is_advised: bool = True
    """Whether its project's documentation advises these settings; others are shown for information."""


def ours(size: int, job_count: int) -> Crew:
    """One supervisor, which starts the workers; they claim `size` at a time."""
    name = f"ours, size {size}"
    return Crew(name, _fill_ours, lambda count: [_python("benchmarks.pools.our_app", size, count)], job_count)


def _python(module: str, *arguments: object) -> Command:
    return [sys.executable, "-m", module, *map(str, arguments)]


def _fill_ours(place: Place, payloads: Sequence[Payload]) -> None:
    with closing(Ours(place)) as queue:
        queue.enqueue(payloads)


def _huey() -> Crew:
    return Crew("huey", _fill_huey, lambda count: [_consumer(count)], 8_000, HueyPeer)


def _consumer(count: int) -> Command:
    # What its documentation names as savings: no periodic tasks, no health checks, a scheduler that rarely looks,
    # logs of errors only. How often it polls does not matter as long as jobs wait.
    savings = ("--no-periodic", "--disable-health-check", "--scheduler-interval", 60, "--quiet")
    app = "benchmarks.pools.huey_app.huey"
    return _python("huey.bin.huey_consumer", app, "--worker-type", "process", "--workers", count, *savings)


def _fill_huey(place: Place, payloads: Sequence[Payload]) -> None:
    huey = SqliteHuey(filename=place.file)
    with closing(huey.storage):
        huey.task()(noop).map(payloads)  # the consumer knows the job by the function's module and name


def _procrastinate(concurrency: int, job_count: int) -> Crew:
    # It logs several lines per job, which it is told not to.
    app = ("--app", "benchmarks.pools.procrastinate_app.app", "--log-level", "warning")
    command = _python("procrastinate", *app, "worker", "--concurrency", concurrency)
    name = f"procrastinate, concurrency {concurrency}"
    return Crew(name, _fill_procrastinate, lambda count: [command] * count, job_count, ProcrastinatePeer)


def _fill_procrastinate(place: Place, payloads: Sequence[Payload]) -> None:
    with closing(ProcrastinatePeer(place)) as queue:
        queue.enqueue(payloads)


def _pgqueuer(batch_size: int, job_count: int) -> Crew:
    command = _python("benchmarks.pools.pgqueuer_app", batch_size)
    name = f"pgqueuer, batch {batch_size}"
    return Crew(name, _fill_pgqueuer, lambda count: [command] * count, job_count, PgQueuerPeer)


class _TunedPgQueuer(PgQueuerPeer):
    """With the settings for autovacuum that its checklist asks for after the installation."""

    async def _open(self, url: str) -> None:
        await super()._open(url)
        await self._queries.optimize_autovacuum()


def _fill_pgqueuer(place: Place, payloads: Sequence[Payload]) -> None:
    with closing(_TunedPgQueuer(place)) as queue:
        queue.enqueue(payloads)


OUR_CREWS = (ours(50, 30_000), ours(5, 8_000))
PEER_CREWS = (
    _huey(),
    *(_procrastinate(concurrency, 1_200) for concurrency in (1, 10)),
    *(_pgqueuer(batch_size, 15_000) for batch_size in (10, 25)),
    replace(_pgqueuer(50, 15_000), is_advised=False),
)
