"""Does a worker that reports and claims in one step get what two steps would give it?"""

from __future__ import annotations

from queue_core import Ending, Queue, Task, TaskState

from .steps import claimed, enqueued


def test_what_ended_is_settled_and_what_is_due_comes_back(queue: Queue):
    done, failed = claimed(queue, name="a"), claimed(queue, name="b")
    waiting = enqueued(queue, name="c")
    settled, tasks = queue.exchange([Ending.completed(done), Ending.failed(failed, "no luck")], worker_id="w")
    assert settled.states == {done.id: TaskState.COMPLETED, failed.id: TaskState.RETRYABLE}
    assert [task.id for task in tasks] == [waiting.id]
    assert (tasks[0].lease, tasks[0].worker_id) == (1, "w")


def test_what_a_completion_lets_go_is_claimed_in_the_same_step(queue: Queue):
    first = claimed(queue)
    second = enqueued(queue, depends_on=[first.id])
    _, tasks = queue.exchange([Ending.completed(first)])
    assert [task.id for task in tasks] == [second.id]


def test_a_late_report_is_refused_and_the_claim_goes_on(queue: Queue):
    late = claimed(queue)
    queue.release([late])
    settled, (again,) = queue.exchange([Ending.completed(late)])
    assert settled.refused == (late.id,)
    assert (again.id, again.lease) == (late.id, 2)


def test_its_claim_keeps_to_names_size_capabilities_and_start(queue: Queue):
    queue.enqueue([*(Task(name="mine") for _ in range(3)), Task(name="other"), Task(name="mine", needs={"gpu"})])
    _, tasks = queue.exchange([], size=2, names=["mine"], start=1)
    assert [task.attempted_at is not None for task in tasks] == [True, False]
    _, (last,) = queue.exchange([], size=9, names=["mine"])
    assert last.needs == frozenset()


def test_what_is_to_be_started_is_marked(queue: Queue):
    queue.enqueue([Task(), Task()])
    _, held = queue.claim(2, start=1)
    settled, _ = queue.exchange([], starting=[held])
    assert settled.started == (held.id,)
    assert queue.get(held).attempted_at is not None


def test_a_report_under_an_exchanged_lease_needs_no_lease_by_hand(queue: Queue):
    enqueued(queue)
    _, (task,) = queue.exchange([])
    queue.mark_as_complete(task.id)
    assert queue.get(task).state is TaskState.COMPLETED


def test_a_look_tells_what_is_lost_or_called_off_and_writes_nothing(queue: Queue, clock):
    kept, given_back, called_off = (claimed(queue, name=name) for name in "abc")
    queue.release([given_back])
    queue.mark_as_cancelled(called_off)
    before = [queue.get(task) for task in (kept, given_back, called_off)]
    clock.advance(1)
    assert queue.lost([kept, given_back, called_off]) == [given_back.id, called_off.id]
    assert [queue.get(task) for task in (kept, given_back, called_off)] == before
    assert queue.lost([]) == []


def test_a_look_knows_an_older_lease(queue: Queue):
    first = claimed(queue)
    queue.release([first])
    (second,) = queue.claim()
    assert queue.lost([first]) == [first.id]
    assert queue.lost([second]) == []
