"""Do thousands of tasks end where they should while workers fail, hang and are killed?"""

from __future__ import annotations

import os
import random
import signal
import threading
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from queue_core import Queue, Task, TaskState
from queue_core.process import start_time

from .crew import wait_until
from .jobs import Folder
from .pool import CONFIG, supervisor

COUNT, WORKERS, KILLS = 5_000, 4, 15
MOST = 12
"""Attempts of a task that is to succeed: more than bad luck can use up."""
PLANS = {
    ("ok",): 0.90,
    ("fail", "ok"): 0.05,
    ("fail", "fail", "ok"): 0.02,
    ("fail",): 0.015,
    ("hang", "ok"): 0.005,
    ("die", "ok"): 0.005,
    ("die",): 0.003,
    ("hang",): 0.002,
}
"""What the attempts of a task do, the last deed again and again, and how many tasks do so."""


@dataclass(frozen=True)
class Planned:
    """A task and what it is made to do."""

    task: Task
    plan: tuple[str, ...]

    @property
    def goal(self) -> TaskState:
        return TaskState.COMPLETED if self.plan[-1] == "ok" else TaskState.DISCARDED


def planned(folder: Folder, randomness: random.Random) -> list[Planned]:
    plans = randomness.choices(list(PLANS), weights=list(PLANS.values()), k=COUNT)
    return [Planned(_task(folder, plan), plan) for plan in plans]


def _task(folder: Folder, plan: tuple[str, ...]) -> Task:
    attempts = MOST if plan[-1] == "ok" else 3
    return folder.task(
        "planned", item={"plan": list(plan)}, max_attempts=attempts, timeout_seconds=1 if "hang" in plan else 60
    )


class Killer:
    """Kills one worker after the other, each time some more tasks have ended."""

    def __init__(self, queue: Queue, randomness: random.Random) -> None:
        self._queue, self._randomness = queue, randomness
        self.kill_count = 0
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        for number in range(1, KILLS + 1):
            goal = COUNT * number // (KILLS + 2)
            wait_until(lambda goal=goal: self._ended() >= goal, 120, f"{goal} tasks ended")
            pids = [worker.pid for worker in self._queue.workers() if start_time(worker.pid)]
            if pids:
                self._kill(self._randomness.choice(pids))

    def _ended(self) -> int:
        counts = self._queue.counts()
        return counts[TaskState.COMPLETED] + counts[TaskState.DISCARDED]

    def _kill(self, pid: int) -> None:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            return  # it died by itself meanwhile
        self.kill_count += 1

    def join(self) -> None:
        self._thread.join()


def all_tasks(queue: Queue) -> dict[str, Task]:
    found: dict[str, Task] = {}
    while page := queue.list(limit=1000, after=max(found, default=None)):
        found |= {task.id: task for task in page}
    return found


def test_every_task_ends_where_it_should_and_no_two_run_at_once(shared_url: str, tmp_path: Path):
    randomness, folder = random.Random(20), Folder(tmp_path)
    (tmp_path / "locks").mkdir()
    with Queue.open(shared_url) as queue:
        wanted = planned(folder, randomness)
        queue.enqueue(each.task for each in wanted)
        killer = Killer(queue, randomness)
        settings = {"until_empty": True, "size": 10, "heartbeat_seconds": 1, "upkeep_seconds": 1}
        supervisor(shared_url, count=WORKERS, config=CONFIG, **settings).run()
        killer.join()
        found = all_tasks(queue)
        assert queue.workers() == []

    assert killer.kill_count > KILLS // 2
    assert [each.task.id for each in wanted if found[each.task.id].state is not each.goal] == []
    assert list(tmp_path.glob("overlap-*")) == []
    for each in wanted:
        check_errors(found[each.task.id], each)
        check_runs(found[each.task.id], (tmp_path / "locks" / each.task.id).stat().st_size)


def check_errors(task: Task, each: Planned) -> None:
    """Attempts and errors add up: each attempt but a successful last one left one error, in order."""
    failures = task.attempt_count - (task.state is TaskState.COMPLETED)
    assert [error.attempt for error in task.errors] == list(range(1, failures + 1)), task
    kinds = Counter(error.type for error in task.errors)
    deeds = Counter(each.plan[: task.attempt_count])
    assert kinds["ValueError"] <= max(deeds["fail"], task.attempt_count * (each.plan == ("fail",)))
    assert set(kinds) <= {"ValueError", "TaskTimeoutError", "WorkerDied"}
    if task.state is TaskState.DISCARDED:
        assert task.attempt_count == 3


def check_runs(task: Task, run_count: int) -> None:
    """Each attempt ran, but for those that died before they could say so; what was refunded may have run too."""
    deaths = sum(error.type == "WorkerDied" for error in task.errors)
    assert run_count >= task.attempt_count - deaths
