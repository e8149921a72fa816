"""Do processes that share a store, and die at any moment, get each task done once?"""

from __future__ import annotations

import json
import random
import sqlite3
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from queue_core import Queue, Task, TaskState

from . import history as judge
from .claimers import BATCH, CONFIG, DOOMED, PATIENCE, claim, open_and_enqueue, wait_for_tasks
from .crew import Crew, started, wait_until
from .history import History, Row

TASKS, CLAIMERS, KILLS = 20_000, 8, 25
ATTEMPTS = 6
"""Of those that always fail; the others have enough for any bad luck."""
DEADLINE = 200.0
CLOCK_ERROR = 0.5
"""How far the clocks of two processes may lie apart, in seconds: each asks a busy server by itself."""
OPEN = (TaskState.PENDING, TaskState.RETRYABLE, TaskState.PROCESSING)


@dataclass(frozen=True)
class Play:
    """What happened on one store."""

    tasks: Sequence[Task]
    history: History
    rows: dict[str, Row]
    counts: dict[TaskState, int]
    kill_count: int


def written(randomness: random.Random) -> list[Task]:
    """Write the tasks: a few can't succeed, and the last ones wait for two others each."""
    tasks = [_plain(number, randomness) for number in range(TASKS - TASKS // 20)]
    promising = [task.id for task in tasks if task.name != DOOMED]
    waiting = (tuple(randomness.sample(promising, 2)) for _ in range(TASKS - len(tasks)))
    return tasks + [Task(depends_on=names, max_attempts=1000) for names in waiting]


def _plain(number: int, randomness: random.Random) -> Task:
    priority = randomness.choice(["high", "normal", "low"])
    if number % 400 == 0:
        return Task(name=DOOMED, priority=priority, max_attempts=ATTEMPTS)
    return Task(priority=priority, max_attempts=1000)


def played(url: str, folder: Path, seed: int) -> Play:
    """Let the crew work on all tasks, kill one of them now and then, and return what happened."""
    randomness = random.Random(seed)
    tasks = written(randomness)
    with Queue.open(url, config=CONFIG) as queue, Crew(claim, url, folder, randomness) as crew:
        for _ in range(CLAIMERS):
            crew.hire()
        queue.enqueue(tasks)
        disturb_until_done(queue, crew, randomness)
        assert crew.dismiss(30) == []
        return Play(tasks, History(crew.calls()), rows_of(queue), queue.counts(), crew.kill_count)


def disturb_until_done(queue: Queue, crew: Crew, randomness: random.Random) -> None:
    marks = sorted(randomness.sample(range(TASKS // 50, TASKS * 9 // 10), KILLS))
    rescued_at = 0.0

    def is_done() -> bool:
        nonlocal rescued_at
        counts = queue.counts()
        left = sum(counts[state] for state in OPEN)
        if marks and TASKS - left >= marks[0]:
            marks.pop(0)
            crew.replace_one()
        if time.monotonic() > rescued_at + PATIENCE / 10:
            rescued_at = time.monotonic()
            queue.rescue()
        assert crew.died() == []
        return left == 0

    wait_until(is_done, DEADLINE, "all tasks have ended")


def rows_of(queue: Queue) -> dict[str, Row]:
    with queue.transaction() as connection:
        found = connection.exec_driver_sql("SELECT id, state, lease, attempt_count FROM tasks").all()
    return {task_id: Row(TaskState(state), lease, attempts) for task_id, state, lease, attempts in found}


def problems_of(play: Play) -> list[str]:
    history, patience = play.history, PATIENCE - CLOCK_ERROR
    doomed = {task.id: ATTEMPTS for task in play.tasks if task.name == DOOMED}
    return [
        *judge.handed_out_twice(history),
        *judge.too_many_at_once(history, BATCH),
        *judge.never_handed_out(history),
        *judge.handed_out_when_done(history),
        *judge.leases_going_back(history),
        *judge.two_owners(history, patience),
        *judge.ended_twice(history),
        *judge.accepted_late(history),
        *judge.refused_in_time(history, patience),
        *judge.claimed_too_early(history, {task.id: task.depends_on for task in play.tasks}),
        *judge.lost([task.id for task in play.tasks], play.rows, doomed),
        *judge.store_disagrees(history, play.rows),
        *judge.unexplained_leases(history, play.rows, BATCH),
    ]


def assert_all_went_well(play: Play) -> None:
    assert problems_of(play) == []
    doomed = sum(task.name == DOOMED for task in play.tasks)
    ended = {TaskState.COMPLETED: TASKS - doomed, TaskState.DISCARDED: doomed}
    assert {state: count for state, count in play.counts.items() if count} == ended
    assert len(play.rows) == TASKS


def assert_it_was_hard(play: Play) -> None:
    """A play in which nobody died or came late would prove nothing."""
    assert play.kill_count >= KILLS * 0.8
    assert any(call.ended_at is None for call in play.history.calls)
    assert any(call.refused for call in play.history.calls)
    assert sum(row.lease > 1 for row in play.rows.values()) > TASKS // 100


def test_killed_claimers_lose_and_repeat_nothing_on_sqlite(sqlite_url, tmp_path):
    play = played(sqlite_url, tmp_path, seed=1)
    assert_all_went_well(play)
    assert_it_was_hard(play)
    with sqlite3.connect(sqlite_url.removeprefix("sqlite:///")) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def test_killed_claimers_lose_and_repeat_nothing_on_postgresql(postgres_url, tmp_path):
    play = played(postgres_url, tmp_path, seed=2)
    assert_all_went_well(play)
    assert_it_was_hard(play)


def test_many_processes_open_an_empty_store_at_once(shared_url):
    with started(12, open_and_enqueue, url=shared_url) as processes:
        for process in processes:
            assert process.stdout.readline() == "ready\n"
        for process in processes:
            process.stdin.write("go\n")
            process.stdin.flush()
        endings = [process.communicate(timeout=60)[1] for process in processes]
    assert [words for process, words in zip(processes, endings, strict=True) if process.returncode] == []
    with Queue.open(shared_url) as queue:
        assert queue.counts()[TaskState.PENDING] == 12
        assert len(queue.claim(20)) == 12


def test_an_enqueue_in_one_process_wakes_a_dequeue_in_another(shared_url):
    """Polls are a minute apart and patience ends after 10 s, so that only a wake-up comes in time."""
    waiting = {"rounds": 3, "poll_interval": 60, "wait": 10}
    with Queue.open(shared_url) as queue, started(1, wait_for_tasks, url=shared_url, **waiting) as (waiter,):
        for _ in range(3):
            assert waiter.stdout.readline() == "waiting\n"
            let_it_fall_asleep(time.monotonic())
            enqueued_at = time.monotonic()
            ids = queue.enqueue([Task()])
            woken = json.loads(waiter.stdout.readline())
            assert woken["ids"] == ids
            assert woken["at"] - enqueued_at < 5


def let_it_fall_asleep(since: float) -> None:
    """Give a process that is about to wait the time to do so: one that does not yet would need no wake-up."""
    wait_until(lambda: time.monotonic() > since + 0.2, 5, "some time has passed")
