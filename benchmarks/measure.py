"""What did one piece of work cost, in CPU time and in wall time?"""

import gc
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from statistics import median
from typing import TypeVar

Contender = TypeVar("Contender")


@dataclass(frozen=True)
class Cost:
    """What `count` tasks cost together; CPU is that of this process only."""

    count: int
    cpu_seconds: float
    wall_seconds: float

    @property
    def cpu_micros(self) -> float:
        """CPU time per task, in microseconds."""
        return self.cpu_seconds * 1e6 / self.count

    @property
    def wall_micros(self) -> float:
        """Wall time per task, in microseconds."""
        return self.wall_seconds * 1e6 / self.count

    @property
    def per_second(self) -> float:
        """Tasks per second of wall time."""
        return self.count / self.wall_seconds


def cost_of(work: Callable[[], int]) -> Cost:
    """Run `work`, which returns how many tasks it handled, and say what it cost."""
    # Garbage of the contender before would otherwise be collected on this one's account.
    gc.collect()
    wall_at, cpu_at = time.perf_counter(), time.process_time()
    count = work()
    cpu, wall = time.process_time() - cpu_at, time.perf_counter() - wall_at
    if count <= 0:
        raise RuntimeError("nothing was measured: the work handled no task")
    return Cost(count, cpu, wall)


def median_cost(costs: Iterable[Cost]) -> Cost:
    """Take the median of CPU and of wall time, each for itself."""
    known = list(costs)
    return Cost(
        known[0].count,
        median(cost.cpu_seconds for cost in known),
        median(cost.wall_seconds for cost in known),
    )


def interleaved(contenders: Iterable[Contender], repeat_count: int) -> Iterator[Contender]:
    """Yield every contender once per repeat, so that noise falls on all alike.

    Every second repeat runs backwards: none is always the one that comes first.
    """
    forwards = list(contenders)
    for repeat in range(repeat_count):
        yield from reversed(forwards) if repeat % 2 else forwards
