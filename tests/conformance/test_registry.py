"""Which workers there are, who is dead, and whose turn it is."""

import pytest

from queue_core import InvalidRequest, Task, TaskState, WorkerRecord, WorkerStatus
from queue_core.errors import WorkerDied
from tests.conformance.steps import enqueued

DIED = WorkerDied("w", "is gone")


def worker(worker_id: str = "w", **facts: object) -> WorkerRecord:
    return WorkerRecord(**{"id": worker_id, "host": "h", "pid": 1, "started_at": 5, **facts})


def registered(queue, worker_id: str = "w", **facts: object) -> WorkerRecord:
    """A worker as somebody reads it from the registry."""
    queue.record_worker(worker(worker_id, **facts))
    (found,) = [known for known in queue.workers() if known.id == worker_id]
    return found


def test_a_first_sign_of_life_enters_all_that_is_known(queue, clock):
    facts = {
        "version": "1",
        "capabilities": {"gpu", "disk"},
        "capacity": 3,
        "load": 2,
        "machine": "boot",
        "process_start": "17",
    }
    assert queue.record_worker(worker(**facts)) is False
    assert queue.workers() == [worker(**facts, heartbeat_at=clock.now_ms())]


def test_each_sign_of_life_brings_the_entry_up_to_date(queue, clock):
    queue.record_worker(worker(capabilities={"gpu"}))
    clock.advance(30)
    news = {"status": WorkerStatus.DRAINING, "load": 2, "capacity": 4, "capabilities": {"disk"}}
    queue.record_worker(worker(**news))
    assert queue.workers() == [worker(**news, heartbeat_at=clock.now_ms())]


def test_workers_are_known_in_the_order_of_their_ids(queue):
    for worker_id in ("b", "c", "a"):
        queue.record_worker(worker(worker_id))
    assert [known.id for known in queue.workers()] == ["a", "b", "c"]


def test_a_worker_that_was_asked_to_stop_hears_it_with_each_sign_of_life(queue, clock):
    queue.record_worker(worker())
    assert queue.stop_worker("w") is True
    (found,) = queue.workers()
    assert found.stop_requested_at == clock.now_ms()
    assert [queue.record_worker(worker()) for _ in range(2)] == [True, True]
    assert queue.record_worker(worker("other")) is False


def test_nobody_who_is_unknown_or_dead_can_be_asked_to_stop(queue):
    assert queue.stop_worker("unknown") is False
    queue.bury(registered(queue), DIED)
    assert queue.stop_worker("w") is False


def test_who_takes_over_the_id_of_another_process_is_known_for_who_it_is(queue, clock):
    """Else others would look for the old process, find that it is gone, and bury the new one again and again."""
    queue.record_worker(worker(pid=1, machine="old", process_start="1"))
    queue.stop_worker("w")
    clock.advance(1)
    news = {"pid": 2, "machine": "new", "process_start": "2", "host": "other", "started_at": 6, "version": "2"}
    assert queue.record_worker(worker(**news)) is False
    assert queue.workers() == [worker(**news, heartbeat_at=clock.now_ms())]


def test_a_worker_that_ended_is_forgotten(queue):
    queue.record_worker(worker())
    queue.record_worker(worker("other"))
    queue.forget_worker("w")
    queue.forget_worker("w")
    assert [known.id for known in queue.workers()] == ["other"]


def test_burying_marks_as_dead_and_takes_back_what_was_held(queue):
    dead = registered(queue)
    queue.enqueue([Task() for _ in range(2)])
    started, waiting = queue.claim(2, worker_id="w", start=1)
    assert queue.bury(dead, DIED) == {started.id: TaskState.RETRYABLE, waiting.id: TaskState.PENDING}
    assert [known.status for known in queue.workers()] == [WorkerStatus.DEAD]
    assert {task.id for task in queue.claim()} == {started.id, waiting.id}


def test_a_worker_without_tasks_can_be_buried(queue):
    assert queue.bury(registered(queue), DIED) == {}


def test_a_worker_is_buried_once(queue):
    dead = registered(queue)
    queue.bury(dead, DIED)
    enqueued(queue)
    (task,) = queue.claim(worker_id="w")
    assert queue.bury(dead, DIED) is None
    (as_known,) = queue.workers()
    assert queue.bury(as_known, DIED) is None
    assert queue.get(task) == task


def test_who_gave_a_sign_of_life_meanwhile_is_not_buried(queue, clock):
    seen = registered(queue)
    enqueued(queue)
    (task,) = queue.claim(worker_id="w")
    clock.advance(0.001)
    queue.record_worker(worker())
    assert queue.bury(seen, DIED) is None
    assert queue.get(task) == task
    assert [known.status for known in queue.workers()] == [WorkerStatus.ACTIVE]


def test_who_took_over_the_id_of_the_dead_is_not_buried(queue, clock):
    seen = registered(queue)
    clock.advance(0.001)
    queue.record_worker(worker(pid=2, started_at=6))
    enqueued(queue)
    (task,) = queue.claim(worker_id="w")
    assert queue.bury(seen, DIED) is None
    assert queue.get(task) == task


def test_nobody_who_is_unknown_or_was_forgotten_is_buried(queue):
    assert queue.bury(worker(), DIED) is None
    gone = registered(queue)
    queue.forget_worker("w")
    assert queue.bury(gone, DIED) is None
    assert queue.workers() == []


def test_others_are_not_buried_with_it(queue):
    dead, other = registered(queue), registered(queue, "other")
    enqueued(queue)
    (task,) = queue.claim(worker_id="other")
    assert queue.bury(dead, DIED) == {}
    assert queue.get(task) == task
    assert other in queue.workers()


def test_the_dead_stay_dead_until_they_give_a_sign_of_life(queue, clock):
    queue.bury(registered(queue), DIED)
    clock.advance(86_400)
    assert [known.status for known in queue.workers()] == [WorkerStatus.DEAD]
    alive_again = registered(queue)
    assert alive_again.status is WorkerStatus.ACTIVE
    assert queue.stop_worker("w") is True
    assert queue.bury(alive_again, DIED) == {}


def test_one_holder_at_a_time_has_the_turn(queue):
    assert queue.take_turn("cleanup", "a", seconds=10) is True
    assert queue.take_turn("cleanup", "b", seconds=10) is False
    assert queue.take_turn("promote", "b", seconds=10) is True


def test_a_turn_ends_by_the_clock(queue, clock):
    queue.take_turn("cleanup", "a", seconds=10)
    clock.advance(9.999)
    assert queue.take_turn("cleanup", "b", seconds=10) is False
    clock.advance(0.001)
    assert queue.take_turn("cleanup", "b", seconds=10) is True
    assert queue.take_turn("cleanup", "a", seconds=10) is False


def test_a_holder_can_renew_its_turn(queue, clock):
    queue.take_turn("cleanup", "a", seconds=10)
    clock.advance(9)
    assert queue.take_turn("cleanup", "a", seconds=10) is True
    clock.advance(9)
    assert queue.take_turn("cleanup", "b", seconds=10) is False


@pytest.mark.parametrize(
    ("call", "argument"),
    [
        (lambda q: q.bury(None, DIED), "worker"),
        (lambda q: q.record_worker("w"), "worker"),
        (lambda q: q.stop_worker(""), "worker_id"),
        (lambda q: q.forget_worker(5), "worker_id"),
        (lambda q: q.take_turn("", "a", seconds=1), "name"),
        (lambda q: q.take_turn("n", None, seconds=1), "holder"),
        (lambda q: q.take_turn("n", "a", seconds=0), "seconds"),
        (lambda q: q.take_turn("n", "a", seconds=float("inf")), "seconds"),
    ],
)
def test_senseless_arguments_are_refused(queue, call, argument):
    with pytest.raises(InvalidRequest) as caught:
        call(queue)
    assert caught.value.argument == argument
