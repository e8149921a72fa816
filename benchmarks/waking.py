"""How soon after an enqueue does a claim that waits in another process come back, and what does waiting cost?"""

import multiprocessing
import time
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from statistics import median

from benchmarks.ground import Ground
from benchmarks.progress import progress
from benchmarks.report import Row, Table, Target
from benchmarks.scale import Scale
from benchmarks.stores import POSTGRES, SQLITE_FULL, Place, Setting
from queue_core import Queue, QueueConfig, Task

_PATIENCE_SECONDS = 60
_IDLE_SECONDS = 2.0
# A poll would come far too late: what is measured is the wake-up.
_CONFIG = QueueConfig(poll_interval=_PATIENCE_SECONDS)


def waking(ground: Ground, scale: Scale) -> list[Table]:
    """Measure the wake-ups on both databases."""
    table = Table(
        title="Waking: from an enqueue in one process to the waiting claim in another, milliseconds",
        columns=("database", "durability", "wake-ups", "fastest", "slowest", "idle CPU %"),
        judged="median",
        notes=(
            "From the call of enqueue to the return of claim(wait=), the commit and the claim included.",
            f"idle CPU: of a process that waits {_IDLE_SECONDS:g} s and gets nothing.",
        ),
    )
    for setting in (SQLITE_FULL, POSTGRES):
        progress("waking:", setting)
        with ground.place(setting) as place:
            table.rows.append(_row(setting, place, scale.wake_count))
    return [table]


def _row(setting: Setting, place: Place, count: int) -> Row:
    with Queue.open(place.url) as queue, _waiter(place) as waiter:
        idle = waiter.recv()
        delays = [_delay(queue, waiter) for _ in range(count)]
    cells = (setting.database, setting.durability, count, min(delays), max(delays), idle)
    return Row(cells, median(delays), Target("<=", 50))


def _delay(queue: Queue, waiter: Connection) -> float:
    waiter.recv()  # it is about to wait
    enqueued_at = time.monotonic()
    queue.enqueue([Task()])
    return (waiter.recv() - enqueued_at) * 1000


@contextmanager
def _waiter(place: Place) -> Iterator[Connection]:
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_wait, args=(place.url, theirs), daemon=True)
    process.start()
    theirs.close()
    try:
        yield ours
    finally:
        process.kill()  # it waits for one more task, which will not come
        process.join()
        ours.close()


def _wait(url: str, pipe: Connection) -> None:
    """Say how idle waiting is, then when each claim came back, for ever."""
    with Queue.open(url, config=_CONFIG) as queue:
        queue.claim(wait=0.1)
        before = time.process_time()
        queue.claim(wait=_IDLE_SECONDS)
        pipe.send((time.process_time() - before) / _IDLE_SECONDS * 100)
        while True:
            pipe.send("waiting")
            queue.complete(queue.claim(wait=_PATIENCE_SECONDS))
            pipe.send(time.monotonic())
