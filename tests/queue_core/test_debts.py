"""Does the store get back what dead children held, also what landed late?"""

from __future__ import annotations

from queue_core import Queue, Task, TaskState, WorkerDied
from queue_core.debts import Debts

DEATH = WorkerDied("w", "was killed")


def held(queue: Queue, count: int) -> list[str]:
    """Tasks that the worker w holds, the first of them started."""
    queue.enqueue(Task() for _ in range(count))
    return [task.id for task in queue.claim(count, worker_id="w", start=1)]


def test_what_ran_pays_and_the_rest_is_released(queue):
    ran, waited = held(queue, 2)
    debts = Debts()
    debts.add("w", {ran: DEATH}, delay=0)
    assert debts.pay(queue) == {TaskState.RETRYABLE: 1, TaskState.PENDING: 1}
    assert len(debts) == 0
    assert [queue.get(task_id).attempt_count for task_id in (ran, waited)] == [1, 0]


def test_a_claim_that_was_committed_after_its_worker_died_is_found(queue):
    debts = Debts()
    debts.add("w", {})
    assert debts.pay(queue) == {}
    late, later = held(queue, 2)  # the server got to it only now
    assert debts.pay(queue, is_last=True) == {TaskState.PENDING: 2}
    assert [queue.get(task_id).attempt_count for task_id in (late, later)] == [0, 0]


def test_nothing_is_looked_at_for_ever(queue):
    debts = Debts()
    debts.add("w", {})
    debts.pay(queue, is_last=True)
    held(queue, 1)
    assert debts.pay(queue, is_last=True) == {}
