"""Who waits long moves up."""

from queue_core import Promotion, Task, TaskState
from tests.conformance.steps import claimed, enqueued


def levels(queue) -> list[int | None]:
    return [task.effective_priority for task in queue.list()]


def test_a_low_task_is_normal_after_ten_minutes_and_high_after_twenty(queue, clock):
    task = enqueued(queue, priority="low")
    clock.advance(599.999)
    assert (queue.promote(), levels(queue)) == (0, [10])
    clock.advance(0.001)
    assert (queue.promote(), levels(queue)) == (1, [5])
    clock.advance(600)
    assert (queue.promote(), levels(queue)) == (1, [0])
    assert queue.get(task).priority == 10
    assert queue.snapshot().counters["promoted"] == 2


def test_who_was_overlooked_climbs_all_steps_at_once(queue, clock):
    enqueued(queue, priority="low")
    clock.advance(5000)
    assert (queue.promote(), levels(queue)) == (2, [0])
    assert queue.promote() == 0


def test_levels_between_labels_are_promoted_too(queue, clock):
    queue.enqueue([Task(priority=level) for level in (10, 7, 6, 5, 3, 1, 0)])
    clock.advance(600)
    queue.promote()
    assert levels(queue) == [5, 5, 5, 5, 3, 1, 0]


def test_age_is_counted_from_when_a_task_was_due(queue, clock):
    enqueued(queue, priority="low", schedule_at=clock.now_ms() + 1_000_000)
    clock.advance(1500)
    assert queue.promote() == 0
    clock.advance(100)
    assert queue.promote() == 1


def test_a_promoted_task_overtakes(queue, clock):
    old = enqueued(queue, priority="low")
    clock.advance(1200)
    queue.promote()
    enqueued(queue, priority="normal")
    assert queue.claim(1)[0].id == old.id


def test_a_retried_task_returns_to_its_own_priority(queue, clock):
    enqueued(queue, priority="low")
    clock.advance(1200)
    queue.promote()
    (task,) = queue.claim()
    assert task.effective_priority == 0
    queue.mark_as_retry(task, "failed", delay=0)
    assert queue.get(task).effective_priority == 10


def test_a_rescued_task_returns_to_its_own_priority(queue, clock):
    enqueued(queue, priority="low")
    clock.advance(1200)
    queue.promote()
    (task,) = queue.claim()
    clock.advance(3601)
    queue.rescue()
    assert queue.get(task).effective_priority == 10


def test_only_waiting_tasks_are_promoted(queue, clock):
    task = claimed(queue, priority="low")
    clock.advance(5000)
    assert queue.promote() == 0
    assert queue.get(task).effective_priority == 10


def test_promotion_goes_in_bounded_steps_until_all_are_up(make_queue, clock):
    queue = make_queue(batch_size=3)
    queue.enqueue([Task(priority="low", name=f"n{n % 2}") for n in range(10)])
    clock.advance(600)
    assert queue.promote() == 10


def test_promotion_can_be_turned_off_and_changed(make_queue, clock):
    off = make_queue(promotions=())
    enqueued(off, priority="low")
    clock.advance(100_000)
    assert off.promote() == 0
    rule = Promotion(source="low", target="high", after_seconds=1)
    other = make_queue(promotions=(rule,))
    enqueued(other, priority="low")
    clock.advance(2)
    other.promote()
    assert 10 not in [t.effective_priority for t in other.list(state=TaskState.PENDING)]
