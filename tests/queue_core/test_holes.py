"""Holes that were found, each closed by what its test says."""

import asyncio
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import text

from queue_core import BackendUnavailable, InvalidRequest, Queue, QueueClosed, QueueConfig, Task, TaskState
from queue_core.backends import removing, steering
from tests.conformance.steps import claimed, enqueued

SOON = 20


def test_any_number_of_lanes_can_be_claimed_from(queue):
    queue.enqueue(Task(name=f"name {number}") for number in range(700))
    assert len(queue.claim(650)) == 650
    assert len(queue.claim(100)) == 50


def test_a_retry_leaves_running_tasks_of_others_alone(queue, clock):
    other, gpu, mine = claimed(queue, name="b"), claimed(queue, name="a", needs={"gpu"}), claimed(queue, name="a")
    clock.advance(2)
    (again,) = queue.retry(names=["a"], visibility_timeout=1)
    assert again.id == mine.id
    assert [queue.get(task).state for task in (other, gpu)] == [TaskState.PROCESSING] * 2


def test_a_discard_after_a_cancel_was_asked_for_cancels(queue):
    task = claimed(queue)
    dependent = enqueued(queue, depends_on=[task.id])
    queue.mark_as_cancelled(task)
    queue.mark_as_discarded(task)
    assert queue.get(task).state is queue.get(dependent).state is TaskState.CANCELLED


def test_a_lane_written_by_hand_stops_nobody(queue):
    bad, good = enqueued(queue), enqueued(queue, name="good")
    with queue.transaction() as connection:
        connection.execute(text("UPDATE tasks SET lane = '5' WHERE id = :id"), {"id": bad.id})
    assert [task.id for task in queue.claim()] == [good.id]
    assert queue.snapshot().depth == 1


def test_a_refused_report_leaves_the_newer_lease_known(queue, clock):
    late = claimed(queue)
    clock.advance(3601)
    (newer,) = queue.retry()
    assert queue.complete([late]) == [late.id]
    queue.mark_as_complete(newer.id)


@pytest.mark.parametrize("end", ["commit", "rollback", "close"])
def test_a_transaction_that_its_caller_ends_is_refused_and_harms_nothing(queue, end):
    said = pytest.raises(InvalidRequest, match="the queue itself does that")
    with said, queue.transaction() as connection:
        queue.enqueue([Task()], connection=connection)
        getattr(connection, end)()
    queue.enqueue([Task(name="next")])
    with queue.transaction() as connection:
        queue.enqueue([Task(name="last")], connection=connection)
    assert [task.name for task in queue.list()][-2:] == ["next", "last"]


def test_an_interrupt_in_the_callers_statement_leaves_the_queue_usable(queue):
    with queue.transaction() as connection:
        raw = connection.connection.driver_connection
        if hasattr(raw, "create_function"):
            raw.create_function("interrupted", 0, _interrupt)
    with pytest.raises(BaseException) as caught, queue.transaction() as connection:  # noqa: PT012
        queue.enqueue([Task()], connection=connection)
        if hasattr(raw, "create_function"):
            connection.exec_driver_sql("SELECT interrupted()")
        raise KeyboardInterrupt
    assert caught.type.__name__ in ("KeyboardInterrupt", "OperationalError")
    queue.enqueue([Task(name="after")])
    with queue.transaction() as connection:
        queue.enqueue([Task(name="later")], connection=connection)
    assert [task.name for task in queue.list()] == ["after", "later"]


def _interrupt() -> None:
    raise KeyboardInterrupt


def test_an_interrupt_before_the_transaction_begins_leaves_the_queue_usable(queue, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(queue._store, "_transaction", lambda _: _interrupt())
        with pytest.raises(KeyboardInterrupt), queue.transaction():
            pass
    queue.enqueue([Task()])
    with queue.transaction() as connection:
        queue.enqueue([Task()], connection=connection)
    assert len(queue.list()) == 2


def test_health_answers_inside_a_transaction(queue):
    with queue.transaction():
        assert queue.health().ok


def test_closing_sends_waiting_threads_home_with_a_typed_answer(url):
    queue = Queue.open(url, config=QueueConfig(poll_interval=60))
    queue.claim(wait=0.01)

    def wait(_):
        try:
            return queue.claim(wait=50)
        except (QueueClosed, BackendUnavailable) as error:
            return error

    with ThreadPoolExecutor(3) as pool:
        answers = pool.map(wait, range(3))
        time.sleep(0)
        queue.close()
        assert all(answer == [] or isinstance(answer, QueueClosed | BackendUnavailable) for answer in answers)


def test_a_cancelled_claim_is_given_back_even_after_its_loop_has_ended(shared_url):
    from queue_core import AsyncQueue

    with Queue.open(shared_url) as queue, Queue.open(shared_url) as other:
        waiting = threading.Event()
        seen = queue._store.signal.seen
        queue._store.signal.seen = lambda: (waiting.set(), seen())[1]

        async def scenario():
            claim = asyncio.create_task(AsyncQueue(queue).claim(wait=5))
            await asyncio.to_thread(waiting.wait, SOON)
            claim.cancel()
            await asyncio.gather(claim, return_exceptions=True)
            threading.Timer(0.1, other.enqueue, [[Task()]]).start()

        asyncio.run(scenario())
        deadline = time.monotonic() + SOON
        while not (tasks := other.list()) or tasks[0].state is TaskState.PROCESSING:
            assert time.monotonic() < deadline
        assert tasks[0].state is TaskState.PENDING


def test_cleanup_spares_what_somebody_just_began_to_wait_for(postgres_url, clock, monkeypatch):
    """The enqueue commits after cleanup has looked and before it has locked."""
    with Queue.open(postgres_url, clock=clock) as queue, Queue.open(postgres_url, clock=clock) as other:
        old = claimed(queue)
        queue.mark_as_discarded(old)
        clock.advance(1)
        monkeypatch.setitem(removing._OLD, TaskState.DISCARDED, _Before(removing._OLD[TaskState.DISCARDED], other, old))
        assert queue.cleanup(older_than=0) == 0
        (waiting,) = queue.list(state=TaskState.PENDING)
        assert queue.get(waiting.depends_on[0]).state is TaskState.DISCARDED


class _Before(removing.Prepared):
    """A statement whose snapshot is older than an enqueue that depends on what it finds."""

    def __init__(self, statement, other, old):
        self._statement, self._other, self._old = statement, other, old

    def on(self, sql):
        text_, defaults = self._statement.on(sql)
        self._other.enqueue([Task(depends_on=[self._old.id])])
        # Without the test for dependents: as if the snapshot had been taken before.
        return text_.partition(" AND (tasks.dependents")[0] + " ORDER BY tasks.finalized_at FOR UPDATE", defaults


def test_a_group_is_cancelled_with_what_is_claimed_meanwhile(postgres_url, monkeypatch):
    """Who claims between the two steps of a cancel has to wait for it."""
    with Queue.open(postgres_url) as queue, Queue.open(postgres_url) as other:
        queue.enqueue([Task(group_id="g")])
        cancel = steering.cancel

        def claimed_meanwhile(tx, ids):
            assert other.claim() == []
            return cancel(tx, ids)

        monkeypatch.setattr(steering, "cancel", claimed_meanwhile)
        assert len(queue.cancel(group_id="g")) == 1
        assert queue.counts()[TaskState.CANCELLED] == 1


def test_other_writers_are_not_waited_for_for_ever(postgres_url):
    with Queue.open(postgres_url) as queue, Queue.open(postgres_url, config=QueueConfig(lock_timeout=0.1)) as hasty:
        task = claimed(queue)
        with queue.transaction() as connection:
            connection.execute(text("UPDATE tasks SET tags = NULL"))
            with pytest.raises(BackendUnavailable, match="lock timeout"):
                hasty.mark_as_cancelled(task)
