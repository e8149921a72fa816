"""Tasks that wait for others."""

import pytest

from queue_core import InvalidTask, Task, TaskState
from tests.conformance.steps import claimed, enqueued


def test_a_task_waits_for_all_that_it_depends_on(queue):
    first, second = claimed(queue), claimed(queue)
    last = enqueued(queue, depends_on=[first.id, second.id, first.id])
    assert (last.state, last.blockers) == (TaskState.PENDING, 2)
    assert queue.claim() == []
    queue.mark_as_complete(first)
    assert queue.claim() == []
    queue.mark_as_complete(second)
    assert [task.id for task in queue.claim()] == [last.id]


def test_dependencies_may_be_in_the_same_call_in_any_order(queue):
    first = Task()
    middle = [Task(depends_on=[first.id]) for _ in range(3)]
    last = Task(depends_on=[task.id for task in middle])
    queue.enqueue([last, *middle, first])
    rounds = []
    while tasks := queue.claim(10):
        rounds.append({task.id for task in tasks})
        queue.complete(tasks)
    assert rounds == [{first.id}, {task.id for task in middle}, {last.id}]


def test_what_is_done_counts_as_met(queue):
    done, open_ = claimed(queue), claimed(queue)
    queue.mark_as_complete(done)
    task = enqueued(queue, depends_on=[done.id, open_.id])
    assert task.blockers == 1
    assert enqueued(queue, depends_on=[done.id]).blockers == 0


def test_many_completed_at_once_unblock_once(queue):
    first, second, third = (claimed(queue) for _ in range(3))
    task = enqueued(queue, depends_on=[first.id, second.id, third.id])
    assert queue.complete([first, second]) == []
    assert queue.get(task).blockers == 1
    queue.complete([third])
    assert queue.get(task).blockers == 0


def test_cancelling_cascades_down_any_depth(queue):
    chain = [Task()]
    for _ in range(1200):
        chain.append(Task(depends_on=[chain[-1].id]))
    queue.enqueue(chain)
    queue.mark_as_cancelled(chain[0])
    assert queue.counts()[TaskState.CANCELLED] == 1201


def test_a_diamond_is_cancelled_once(queue):
    top = Task()
    sides = [Task(depends_on=[top.id]) for _ in range(2)]
    bottom = Task(depends_on=[side.id for side in sides])
    queue.enqueue([top, *sides, bottom])
    queue.mark_as_cancelled(top)
    assert queue.snapshot().counters["cancelled"] == 4


def test_a_discarded_dependency_leaves_its_dependents_waiting_and_resume_lets_them_go_on(queue):
    first = claimed(queue)
    last = enqueued(queue, depends_on=[first.id])
    queue.mark_as_discarded(first)
    assert (queue.get(last).state, queue.get(last).blockers) == (TaskState.PENDING, 1)
    queue.mark_as_resume(first)
    (again,) = queue.claim()
    queue.mark_as_complete(again)
    assert [task.id for task in queue.claim()] == [last.id]


def test_a_cancelled_task_cannot_be_depended_on(queue):
    gone = enqueued(queue)
    queue.mark_as_cancelled(gone)
    with pytest.raises(InvalidTask, match="is CANCELLED and will never be done"):
        queue.enqueue([Task(depends_on=[gone.id])])


def test_cleanup_never_deletes_what_others_wait_for(queue, clock):
    first = claimed(queue)
    last = enqueued(queue, depends_on=[first.id])
    queue.mark_as_discarded(first)
    clock.advance(1)
    assert queue.cleanup(older_than=0) == 0
    queue.mark_as_cancelled(last)
    clock.advance(1)
    assert queue.cleanup(older_than=0) == 2


def test_purging_a_discarded_task_cancels_its_dependents(queue):
    first = claimed(queue)
    last = enqueued(queue, depends_on=[first.id])
    further = enqueued(queue, depends_on=[last.id])
    queue.mark_as_discarded(first)
    assert queue.purge(states=[TaskState.DISCARDED]) == 1
    assert queue.get(last).state is queue.get(further).state is TaskState.CANCELLED


def test_a_blocked_task_keeps_its_place(queue, clock):
    first = claimed(queue)
    blocked = enqueued(queue, depends_on=[first.id])
    clock.advance(1)
    later = enqueued(queue)
    queue.mark_as_complete(first)
    assert [task.id for task in queue.claim()] == [blocked.id, later.id]
