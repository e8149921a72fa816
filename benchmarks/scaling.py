"""Do several processes on one store get more done than one, or do they stand in each other's way?"""

import multiprocessing
import time
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.synchronize import Barrier
from statistics import median

from benchmarks.contenders import OURS, RAW, drain, opened
from benchmarks.ground import Ground
from benchmarks.measure import interleaved
from benchmarks.payloads import payloads
from benchmarks.progress import progress
from benchmarks.report import Row, Table, Target
from benchmarks.scale import Scale
from benchmarks.stores import POSTGRES, SQLITE_FULL, SQLITE_NORMAL, Place, Setting, settle

MANY = 4
BATCH = 50
_PATIENCE_SECONDS = 60

Rates = dict[tuple[str, int], float]
"""Tasks per second, by who and how many processes."""


@dataclass(frozen=True)
class Shift:
    """What one process did; the clock is the machine's, so shifts of processes compare."""

    done_count: int
    started_at: float
    ended_at: float


def scaling(ground: Ground, scale: Scale) -> list[Table]:
    """Measure one process and several on the same kind of store."""
    table = Table(
        title=f"Scaling: {MANY} processes on one store against one process, tasks per second",
        columns=("database", "durability", "who", "tasks", "1 process", f"{MANY} processes"),
        notes=(
            f"Each process claims and completes {BATCH} at a time until nothing is left.",
            "raw is shown for information; on SQLite it waits as SQLite itself does, with pauses up to 100 ms.",
        ),
    )
    with _crew() as crew:
        for setting in (SQLITE_FULL, SQLITE_NORMAL, POSTGRES):
            table.rows.extend(_rows(setting, _measured(ground, crew, setting, scale), scale))
    return [table]


def _rows(setting: Setting, rates: Rates, scale: Scale) -> Iterator[Row]:
    target = Target(">", 1) if setting == POSTGRES else Target(">=", 0.7)
    for who in (OURS, RAW):
        one, many = rates[who, 1], rates[who, MANY]
        cells = (setting.database, setting.durability, who, scale.shared_count, one, many)
        yield Row(cells, many / one, target if who == OURS else None)


def _measured(ground: Ground, crew: ProcessPoolExecutor, setting: Setting, scale: Scale) -> Rates:
    known: dict[tuple[str, int], list[float]] = defaultdict(list)
    contests = [(who, process_count) for who in (OURS, RAW) for process_count in (1, MANY)]
    for who, process_count in interleaved(contests, scale.repeat_count):
        progress("scaling:", setting, who, f"processes={process_count}")
        with ground.place(setting) as place:
            _fill(who, place, scale.shared_count)
            known[who, process_count].append(_rate(crew, who, place, process_count, scale.shared_count))
    return {key: median(rates) for key, rates in known.items()}


def _fill(who: str, place: Place, count: int) -> None:
    with opened(who, place) as contender:
        contender.enqueue(payloads(count))
    settle(place)


def _rate(crew: ProcessPoolExecutor, who: str, place: Place, process_count: int, task_count: int) -> float:
    futures = [crew.submit(_work, who, place, process_count) for _ in range(process_count)]
    shifts = [future.result() for future in futures]
    done = sum(shift.done_count for shift in shifts)
    if done != task_count:
        raise RuntimeError(f"{who}: {done} of {task_count} tasks were completed")
    return done / (max(shift.ended_at for shift in shifts) - min(shift.started_at for shift in shifts))


@contextmanager
def _crew() -> Iterator[ProcessPoolExecutor]:
    """Keep processes for all contests, so that none of them pays for the imports."""
    context = multiprocessing.get_context("spawn")
    barrier = context.Barrier(MANY)
    with ProcessPoolExecutor(MANY, context, _arrive, (barrier,)) as crew:
        yield crew


_start: Barrier


def _arrive(barrier: Barrier) -> None:
    global _start  # noqa: PLW0603 (a barrier reaches a process only when the process starts)
    _start = barrier


def _work(who: str, place: Place, process_count: int) -> Shift:
    with opened(who, place) as contender:
        if process_count == MANY:
            # Who waits here takes no second shift, so each process of the crew gets one.
            _start.wait(_PATIENCE_SECONDS)
        started_at = time.monotonic()
        done = drain(contender, BATCH)
        return Shift(done, started_at, time.monotonic())
