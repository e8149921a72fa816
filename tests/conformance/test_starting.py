"""Of what a worker holds, the queue knows which was started."""

import pytest

from queue_core import InvalidRequest, Task, TaskState
from queue_core.endings import Ending
from tests.conformance.steps import claimed, enqueued


def held(queue, count: int, **claim: object) -> list[Task]:
    """New tasks that a worker claimed at once."""
    queue.enqueue([Task() for _ in range(count)])
    return queue.claim(count, **claim)


def starts(queue, tasks) -> list[int | None]:
    return [queue.get(task).attempted_at for task in tasks]


@pytest.mark.parametrize("start", [0, 1, 2, 3, 4, None])
def test_only_the_first_of_a_claim_start(queue, clock, start):
    tasks = held(queue, 3, start=start)
    now, count = clock.now_ms(), 3 if start is None else min(start, 3)
    assert starts(queue, tasks) == [now] * count + [None] * (3 - count)
    assert [queue.get(task) for task in tasks] == tasks


def test_the_first_are_the_most_urgent(queue):
    enqueued(queue, priority="low")
    urgent = enqueued(queue, priority="high")
    first, second = queue.claim(2, start=1)
    assert (first.id, first.attempted_at is None, second.attempted_at is None) == (urgent.id, False, True)


def test_what_is_held_counts_as_claimed_all_the_same(queue):
    (task,) = held(queue, 1, start=0, worker_id="w")
    assert (task.state, task.attempt_count, task.lease, task.worker_id) == (TaskState.PROCESSING, 1, 1, "w")
    assert queue.claim() == []


def test_the_start_of_an_earlier_attempt_is_forgotten(queue):
    queue.mark_as_retry(claimed(queue), "failed", delay=0)
    (again,) = queue.claim(start=0)
    assert again.attempted_at is queue.get(again).attempted_at is None


def test_under_a_limit_only_the_first_start_too(queue):
    queue.limit("api", per_minute=2)
    queue.enqueue([Task(name="api") for _ in range(3)])
    assert [task.attempted_at is None for task in queue.claim(3, start=1)] == [False, True]


@pytest.mark.parametrize("start", [-1, "one", float("nan"), True])
def test_a_senseless_start_is_refused(queue, start):
    task = enqueued(queue)
    with pytest.raises(InvalidRequest, match="start"):
        queue.claim(start=start)
    assert queue.get(task) == task


def test_a_start_is_marked_later_and_is_a_sign_of_life(queue, clock):
    first, second = held(queue, 2, start=1)
    clock.advance(5)
    assert queue.settle([], starting=[second]).started == (second.id,)
    found = queue.get(second)
    assert found.attempted_at == found.schedule_at == found.updated_at == clock.now_ms()
    assert queue.get(first) == first


def test_the_end_of_one_task_and_the_start_of_the_next_are_one_step(queue, clock):
    first, second = held(queue, 2, start=1)
    clock.advance(5)
    settled = queue.settle([Ending.completed(first)], starting=[second])
    assert (settled.states, settled.refused, settled.started) == ({first.id: TaskState.COMPLETED}, (), (second.id,))
    assert starts(queue, [first, second]) == [first.attempted_at, clock.now_ms()]


def test_what_was_lost_does_not_start(queue, clock):
    (late,) = held(queue, 1, start=0)
    clock.advance(3601)
    (new,) = queue.retry()
    before = queue.get(new)
    clock.advance(1)
    assert queue.settle([], starting=[late]).started == ()
    assert queue.get(new) == before


def test_what_waits_again_under_the_same_lease_does_not_start(queue, clock):
    (late,) = held(queue, 1, start=0)
    clock.advance(3601)
    queue.rescue()
    before = queue.get(late)
    assert queue.settle([], starting=[late]).started == ()
    assert queue.get(late) == before


def test_what_was_called_off_does_not_start(queue):
    (task,) = held(queue, 1, start=0)
    queue.mark_as_cancelled(task)
    before = queue.get(task)
    assert queue.settle([], starting=[task]).started == ()
    assert queue.get(task) == before


def test_what_ends_in_the_same_step_does_not_start(queue):
    (task,) = held(queue, 1, start=0)
    assert queue.settle([Ending.released(task)], starting=[task]).started == ()
    assert queue.get(task).attempted_at is None


def test_one_start_that_is_refused_keeps_no_other_from_counting(queue):
    first, second, third = held(queue, 3, start=0)
    queue.release([second])
    unknown = Task(lease=1)
    assert sorted(queue.settle([], starting=[first, second, third, unknown]).started) == sorted([first.id, third.id])


def test_a_quick_task_counts_as_tried_though_its_start_was_never_marked(queue, clock):
    tasks = held(queue, 3, start=0)
    clock.advance(5)
    done, failed, discarded = tasks
    queue.settle([Ending.completed(done), Ending.failed(failed, "no"), Ending.discarded(discarded, "no")])
    assert starts(queue, tasks) == [clock.now_ms()] * 3
