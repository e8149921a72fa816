"""Who takes back the tasks of the dead, while others do the same and the dead come back?

Each round begins at a barrier; whoever wins, the answers and the store have to agree.
"""

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest

from queue_core import BackendUnavailable, ManualClock, Queue, QueueConfig, Task, TaskState, WorkerRecord, WorkerStatus
from queue_core.backends import recovering
from queue_core.endings import Ending
from queue_core.errors import WorkerDied

SOON = 20
ROUNDS = 30
DIED = WorkerDied("w", "is gone")
WORKER = WorkerRecord(id="w", host="h", pid=1, started_at=1)


@pytest.fixture
def queues(shared_url: str, clock: ManualClock):
    """Two processes' worth of queues on one store."""
    config = QueueConfig(sqlite_synchronous="OFF")
    with (
        Queue.open(shared_url, config=config, clock=clock) as one,
        Queue.open(shared_url, config=config, clock=clock) as other,
    ):
        yield one, other


def at_once(*calls: Callable[[], object]) -> list:
    """Let all calls begin at the same moment, each in a thread of its own; return what they answer."""
    barrier = threading.Barrier(len(calls))

    def begin(call):
        barrier.wait(SOON)
        return call()

    with ThreadPoolExecutor(len(calls)) as pool:
        return [future.result(SOON) for future in [pool.submit(begin, call) for call in calls]]


def held_by_a_worker(queue: Queue, clock: ManualClock) -> tuple[WorkerRecord, list[Task]]:
    queue.purge()
    clock.advance(1)
    queue.record_worker(WORKER)
    queue.enqueue([Task() for _ in range(4)])
    (known,) = queue.workers()
    return known, queue.claim(4, worker_id="w", start=2)


def errors(queue: Queue, tasks: Sequence[Task]) -> list[int]:
    return [len(queue.get(task).errors) for task in tasks]


def test_of_two_who_bury_a_worker_one_does(queues, clock):
    one, other = queues
    for _ in range(ROUNDS):
        dead, tasks = held_by_a_worker(one, clock)
        answers = at_once(*(partial(queue.bury, dead, DIED) for queue in (one, other, one, other)))
        (states,) = [answer for answer in answers if answer is not None]
        assert set(states) == {task.id for task in tasks}
        assert errors(one, tasks) == [1, 1, 0, 0]


def test_a_worker_is_buried_or_gives_a_sign_of_life_first(queues, clock):
    one, other = queues
    for _ in range(ROUNDS):
        seen, tasks = held_by_a_worker(one, clock)
        clock.advance(1)
        states, _ = at_once(partial(one.bury, seen, DIED), partial(other.record_worker, WORKER))
        is_held = one.counts()[TaskState.PROCESSING] == len(tasks)
        assert is_held == (states is None)
        assert [known.status for known in one.workers()] == [WorkerStatus.ACTIVE]


def test_a_task_is_taken_back_or_its_report_counts_never_both(queues, clock):
    one, other = queues
    for number in range(ROUNDS):
        _, tasks = held_by_a_worker(one, clock)
        result = {"n": 1} if number % 2 else None
        endings = [Ending.completed(task, result) for task in tasks[:3]] + [Ending.failed(tasks[3], "no")]
        taken, settled = at_once(partial(other.recover, "w", DIED), partial(one.settle, endings))
        assert sorted([*taken, *settled.states]) == sorted(task.id for task in tasks)
        assert set(taken) == set(settled.refused)
        expected = {**taken, **settled.states}
        assert {task.id: one.get(task).state for task in tasks} == expected


def test_two_recoveries_take_each_task_back_once(queues, clock):
    one = queues[0]
    for _ in range(ROUNDS):
        _, tasks = held_by_a_worker(one, clock)
        first, second = at_once(*(partial(queue.recover, "w", DIED, delay=0) for queue in queues))
        assert sorted([*first, *second]) == sorted(task.id for task in tasks)
        assert errors(one, tasks) == [1, 1, 0, 0]
        assert [one.get(task).attempt_count for task in tasks] == [1, 1, 0, 0]


@pytest.mark.parametrize("before", [None, "somebody"])
def test_of_all_who_want_a_turn_one_gets_it(queues, clock, before):
    for number in range(ROUNDS):
        name = f"chore {number}"
        if before:
            queues[0].take_turn(name, before, seconds=1)
            clock.advance(1)
        holders = [(queue, f"{name} of {place}") for place, queue in enumerate([*queues, *queues])]
        answers = at_once(*(partial(queue.take_turn, name, holder, seconds=5) for queue, holder in holders))
        assert sorted(answers) == [False, False, False, True]


def test_a_recovery_locks_what_it_decides_on(postgres_url, monkeypatch):
    """Who reports between the two steps of a recovery has to wait for it."""
    hasty = QueueConfig(lock_timeout=0.1)
    with Queue.open(postgres_url) as queue, Queue.open(postgres_url, config=hasty) as worker:
        queue.enqueue([Task()])
        (task,) = worker.claim(worker_id="w")
        step = recovering._recover_one

        def reported_meanwhile(*arguments):
            with pytest.raises(BackendUnavailable, match="lock timeout"):
                worker.mark_as_complete(task)
            return step(*arguments)

        monkeypatch.setattr(recovering, "_recover_one", reported_meanwhile)
        assert queue.recover("w", DIED) == {task.id: TaskState.RETRYABLE}
