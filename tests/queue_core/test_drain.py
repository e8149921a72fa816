"""How does a test run what is due, without processes and without waiting?"""

from __future__ import annotations

import pytest

from queue_core import ManualClock, Queue, Snooze, Task, TaskState, begin_step, current_queue
from queue_core.testing import drain


def fail(task: Task) -> None:
    raise ValueError("no luck")


def test_all_that_is_due_runs_here_and_now(queue):
    ids = queue.enqueue(Task(name="double", max_attempts=1) for _ in range(3))
    summary = drain(queue, {"double": lambda task: 2})
    assert summary.counts == {TaskState.COMPLETED: 3}
    assert [queue.get(task_id).result for task_id in ids] == [2, 2, 2]


def test_time_passes_where_nothing_is_due(queue, clock):
    before = clock.now_ms()
    queue.enqueue([Task(name="fail", max_attempts=3)])
    assert drain(queue, {"fail": fail}).counts == {TaskState.RETRYABLE: 2, TaskState.DISCARDED: 1}
    assert clock.now_ms() - before == (60 + 120) * 1000


def test_on_a_real_clock_what_is_due_later_stays(url):
    with Queue.open(url) as queue:
        (task_id,) = queue.enqueue([Task(name="fail")])
        assert drain(queue, {"fail": fail}).counts == {TaskState.RETRYABLE: 1}
        assert queue.get(task_id).state is TaskState.RETRYABLE


def test_async_handlers_run_too(queue):
    async def greet(task: Task) -> str:
        return "hello"

    (task_id,) = queue.enqueue([Task(name="greet")])
    drain(queue, {"greet": greet})
    assert queue.get(task_id).result == "hello"


def test_a_handler_may_have_steps_and_knows_its_queue(queue):
    def work(task: Task) -> bool:
        for step in range(3):
            begin_step(step, timeout_seconds=30)
        return current_queue() is queue

    (task_id,) = queue.enqueue([Task(name="work")])
    drain(queue, {"work": work})
    assert queue.get(task_id).result is True
    assert current_queue() is None


def test_what_could_not_run_is_listed(queue):
    queue.enqueue([Task(name="mine", needs={"gpu"})])
    (stuck,) = drain(queue, {"mine": fail}).stuck
    assert (stuck.reason, stuck.count) == ("lacking", 1)


def test_what_comes_back_for_ever_is_given_up(queue, clock: ManualClock):
    def later(task: Task) -> None:
        raise Snooze(1)

    queue.enqueue([Task(name="later")])
    with pytest.raises(AssertionError, match="after 50 runs"):
        drain(queue, {"later": later}, most=50)
