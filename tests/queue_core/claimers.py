"""What does a process of its own do with a queue that many share?

Run as `python -m tests.queue_core.claimers ROLE JSON`. A claimer writes down every call before and
after it, line by line and unbuffered, so that a kill loses at most the line that it hits.
"""

from __future__ import annotations

import itertools
import json
import os
import random
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from queue_core import LeaseLost, Queue, QueueConfig, Task

from .history import Lease

BATCH = 25
PATIENCE = 2.0
"""The visibility timeout, in seconds: the others get a dead claimer's tasks after so long."""
DOOMED = "doomed"
"""The name of tasks that fail whatever one does."""
CONFIG = QueueConfig(default_visibility_timeout=PATIENCE, poll_interval=0.2)


class Log:
    """A file of what one claimer did."""

    def __init__(self, path: str) -> None:
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        self._numbers = itertools.count()

    def begin(self, verb: str, leases: Iterable[Lease] = ()) -> int:
        number = next(self._numbers)
        self._write(n=number, verb=verb, at=time.monotonic(), leases=list(leases))
        return number

    def end(self, number: int, *, got: Iterable[Lease] = (), refused: Iterable[Lease] = ()) -> None:
        self._write(n=number, at=time.monotonic(), got=list(got), refused=list(refused))

    def _write(self, **entry: Any) -> None:
        os.write(self._file, (json.dumps(entry) + "\n").encode())


class Claimer:
    """Claims in batches, completes most, lets some fail, and holds a few for longer."""

    def __init__(self, queue: Queue, log: Log, randomness: random.Random) -> None:
        self.queue, self.log, self.randomness = queue, log, randomness

    def work(self, is_over: Callable[[], bool]) -> None:
        while not is_over():
            tasks = self.claim()
            self.hold(tasks)
            self.finish(tasks)

    def claim(self) -> list[Task]:
        take = self.queue.retry if self.randomness.random() < 0.2 else self.queue.claim
        number = self.log.begin("claim")
        tasks = take(BATCH, wait=0.1)
        self.log.end(number, got=leases(tasks))
        return tasks

    def hold(self, tasks: Sequence[Task]) -> None:
        """Work for a moment; now and then for long with signs of life, or for too long without one."""
        chance = self.randomness.random()
        if chance < 0.015:
            time.sleep(PATIENCE * self.randomness.uniform(1, 1.6))
        elif chance < 0.03:
            self.work_for(PATIENCE * 1.5, tasks)
        elif chance < 0.1 and any(task.lease > 1 for task in tasks):
            # Whoever had them before may come back meanwhile.
            self.work_for(PATIENCE * 0.4, tasks)
        elif chance < 0.2:
            self.work_for(self.randomness.uniform(0, 0.04), tasks)

    def work_for(self, seconds: float, tasks: Sequence[Task]) -> None:
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            time.sleep(min(left, PATIENCE / 4))
            self.report_many("heartbeat", self.queue.heartbeat, tasks)

    def finish(self, tasks: Sequence[Task]) -> None:
        failing = [task for task in tasks if task.name == DOOMED or self.randomness.random() < 0.03]
        good = [task for task in tasks if task not in failing]
        single = good[: self.randomness.choice([0, 0, 3])]
        for task in single:
            self.report_one("complete", task, lambda task=task: self.queue.mark_as_complete(task))
        for task in failing:
            self.report_one("fail", task, lambda task=task: self.queue.mark_as_retry(task, "no luck", delay=0))
        self.report_many("complete", self.queue.complete, good[len(single) :])

    def report_one(self, verb: str, task: Task, report: Callable[[], object]) -> None:
        number = self.log.begin(verb, leases([task]))
        try:
            report()
        except LeaseLost:
            self.log.end(number, refused=leases([task]))
        else:
            self.log.end(number)

    def report_many(self, verb: str, report: Callable[[Sequence[Task]], list[str]], tasks: Sequence[Task]) -> None:
        if tasks:
            number = self.log.begin(verb, leases(tasks))
            refused = set(report(tasks))
            self.log.end(number, refused=leases(task for task in tasks if task.id in refused))


def leases(tasks: Iterable[Task]) -> list[Lease]:
    return [(task.id, task.lease) for task in tasks]


def claim(url: str, log: str, stop: str, seed: int) -> None:
    """Work until somebody makes the file `stop`."""
    with Queue.open(url, config=CONFIG) as queue:
        Claimer(queue, Log(log), random.Random(seed)).work(Path(stop).exists)


def open_and_enqueue(url: str) -> None:
    """Open the store at the same moment as all others, and use it."""
    _say("ready")
    sys.stdin.readline()
    with Queue.open(url) as queue:
        queue.enqueue([Task()])


def wait_for_tasks(url: str, rounds: int, poll_interval: float, wait: float) -> None:
    """Wait for one task after the other, and say when each of them came."""
    with Queue.open(url, config=QueueConfig(poll_interval=poll_interval)) as queue:
        for _ in range(rounds):
            _say("waiting")
            tasks = queue.dequeue(1, wait=wait)
            _say(json.dumps({"ids": [task.id for task in tasks], "at": time.monotonic()}))


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


ROLES = {role.__name__: role for role in (claim, open_and_enqueue, wait_for_tasks)}

if __name__ == "__main__":
    ROLES[sys.argv[1]](**json.loads(sys.argv[2]))
