"""Who waits for tasks is woken, and does nothing meanwhile.

These tests run on the real clock; polls are a minute apart, so that only a wake-up can be in time.
"""

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from queue_core import Queue, QueueConfig, Task, TaskState

SOON = 20


@pytest.fixture
def waiting_queue(url):
    with Queue.open(url, config=QueueConfig(poll_interval=60)) as queue:
        yield queue


@pytest.fixture
def pool():
    with ThreadPoolExecutor(4) as executor:
        yield executor


def start_waiting(pool, queue, **kwargs):
    """Return once the other thread is about to wait."""
    asked = threading.Event()
    seen = queue._store.signal.seen

    def tell():
        mark = seen()
        asked.set()
        return mark

    queue._store.signal.seen = tell
    future = pool.submit(queue.claim, wait=50, **kwargs)
    assert asked.wait(SOON)
    return future


def test_an_enqueue_wakes_who_waits(waiting_queue, pool):
    future = start_waiting(pool, waiting_queue)
    (task_id,) = waiting_queue.enqueue([Task()])
    assert [task.id for task in future.result(SOON)] == [task_id]


def test_an_enqueue_by_another_queue_wakes_who_waits(shared_url, pool):
    with (
        Queue.open(shared_url, config=QueueConfig(poll_interval=60)) as queue,
        Queue.open(shared_url) as other,
    ):
        future = start_waiting(pool, queue)
        (task_id,) = other.enqueue([Task()])
        assert [task.id for task in future.result(SOON)] == [task_id]


def test_a_commit_of_the_callers_transaction_wakes_who_waits(waiting_queue, pool):
    future = start_waiting(pool, waiting_queue)
    with waiting_queue.transaction() as connection:
        waiting_queue.enqueue([Task()], connection=connection)
        assert not future.done()
    assert len(future.result(SOON)) == 1


@pytest.mark.parametrize(
    "free",
    [
        lambda queue, held: queue.mark_as_complete(held),
        lambda queue, held: queue.mark_as_retry(held, "failed", delay=0),
        lambda queue, held: queue.release([held]),
        lambda queue, held: (queue.mark_as_discarded(held), queue.mark_as_resume(held)),
        lambda queue, held: queue.unpause(group_id="paused"),
        lambda queue, held: queue.unpause(name="paused"),
    ],
    ids=["complete", "retry", "release", "resume", "unpause group", "unpause name"],
)
def test_whatever_frees_a_task_wakes_who_waits(waiting_queue, pool, free):
    queue = waiting_queue
    queue.enqueue([Task()])
    (held,) = queue.claim()
    queue.pause(group_id="paused")
    queue.pause(name="paused")
    queue.enqueue([Task(depends_on=[held.id]), Task(group_id="paused"), Task(name="paused")])
    future = start_waiting(pool, queue, size=1)
    free(queue, held)
    assert len(future.result(SOON)) == 1


def test_a_task_that_becomes_due_is_claimed_then(waiting_queue):
    due_at = waiting_queue._store.clock.now_ms() + 200
    waiting_queue.enqueue([Task(schedule_at=due_at)])
    (task,) = waiting_queue.dequeue(wait=50)
    assert task.attempted_at >= due_at


def test_an_enqueue_that_does_not_concern_the_waiter_leaves_it_waiting(waiting_queue, pool):
    future = start_waiting(pool, waiting_queue, names=["wanted"])
    waiting_queue.enqueue([Task(name="other")])
    waiting_queue.enqueue([Task(name="wanted")])
    assert [task.name for task in future.result(SOON)] == ["wanted"]
    assert waiting_queue.counts()[TaskState.PENDING] == 1


def test_waiting_ends_with_empty_hands_when_the_time_is_over(waiting_queue):
    assert waiting_queue.dequeue(wait=0.05) == []


def test_waiting_costs_next_to_nothing(waiting_queue):
    waiting_queue.dequeue(wait=0.05)
    waiting_queue.enqueue([Task(needs={"what nobody has"})])
    before = time.process_time()
    assert waiting_queue.dequeue(wait=0.5) == []
    assert time.process_time() - before < 0.15


def test_shutdown_sends_who_waits_home(waiting_queue, pool):
    future = start_waiting(pool, waiting_queue)
    waiting_queue.shutdown()
    assert future.result(SOON) == []


def test_an_interrupt_sends_who_waits_home_and_lets_the_next_wait(waiting_queue, pool):
    futures = [start_waiting(pool, waiting_queue) for _ in range(2)]
    waiting_queue.interrupt()
    assert [future.result(SOON) for future in futures] == [[], []]
    future = start_waiting(pool, waiting_queue)
    waiting_queue.enqueue([Task()])
    assert len(future.result(SOON)) == 1


def test_an_interrupt_leaves_other_queues_waiting(shared_url, pool):
    with Queue.open(shared_url, config=QueueConfig(poll_interval=60)) as queue, Queue.open(shared_url) as other:
        future = start_waiting(pool, queue)
        other.interrupt()
        other.enqueue([Task()])
        assert len(future.result(SOON)) == 1


@pytest.mark.parametrize("verb", ["interrupt", "shutdown"])
def test_what_sends_home_is_heard_even_just_before_the_wait(waiting_queue, pool, verb):
    signal = waiting_queue._store.signal
    seen = signal.seen
    signal.seen = lambda: (getattr(waiting_queue, verb)(), seen())[1]
    assert pool.submit(waiting_queue.claim, wait=50).result(SOON) == []


def test_threads_share_a_queue(url):
    with Queue.open(url) as queue, ThreadPoolExecutor(8) as pool:
        queue.enqueue([Task() for _ in range(1000)])

        def drain(_):
            done = []
            while tasks := queue.claim(7):
                assert queue.complete(tasks) == []
                done += [task.id for task in tasks]
            return done

        done = [task_id for part in pool.map(drain, range(8)) for task_id in part]
        assert len(done) == len(set(done)) == 1000
        assert queue.counts()[TaskState.COMPLETED] == 1000


def test_a_claim_skips_what_another_is_taking(postgres_url):
    import psycopg

    impatient = f"{postgres_url}%20-clock_timeout%3D2000"
    with Queue.open(impatient) as queue, psycopg.connect(postgres_url) as other:
        first, second = queue.enqueue([Task(), Task()])
        other.execute("SELECT id FROM tasks WHERE id = %s FOR UPDATE", [first])
        assert [task.id for task in queue.claim()] == [second]


def test_threads_that_race_for_a_key_insert_one_task(url):
    with Queue.open(url) as queue, ThreadPoolExecutor(8) as pool:
        for round_ in range(20):
            ids = set(pool.map(lambda _, key=str(round_): queue.enqueue([Task(idempotency_key=key)])[0], range(8)))
            assert len(ids) == 1
        assert queue.counts()[TaskState.PENDING] == 20


def test_threads_that_race_for_the_last_place_never_overfill(url):
    from queue_core import QueueFull

    def attempt(_):
        try:
            return len(queue.enqueue([Task()]))
        except QueueFull:
            return 0

    with Queue.open(url, config=QueueConfig(max_pending=10)) as queue, ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(attempt, range(40))) == 10
        assert queue.counts()[TaskState.PENDING] == 10


def test_a_dependency_that_completes_during_the_enqueue_is_never_missed(url):
    with Queue.open(url) as queue, ThreadPoolExecutor(2) as pool:
        for _ in range(30):
            queue.enqueue([Task()])
            (held,) = queue.claim()
            adding = pool.submit(queue.enqueue, [Task(depends_on=[held.id]) for _ in range(5)])
            ending = pool.submit(queue.mark_as_complete, held)
            ending.result(SOON)
            ids = adding.result(SOON)
            assert [queue.get(task_id).blockers for task_id in ids] == [0] * 5
            queue.purge()


def test_threads_that_share_a_limit_never_pass_it(url):
    with Queue.open(url) as queue, ThreadPoolExecutor(8) as pool:
        queue.limit("api", per_minute=25)
        queue.enqueue([Task(name="api") for _ in range(200)])
        assert sum(len(tasks) for tasks in pool.map(lambda _: queue.claim(4), range(40))) == 25


def test_a_group_paused_during_an_enqueue_pauses_what_is_added(url):
    with Queue.open(url) as queue, ThreadPoolExecutor(2) as pool:
        for _ in range(20):
            adding = pool.submit(queue.enqueue, [Task(group_id="g") for _ in range(20)])
            queue.pause(group_id="g")
            adding.result(SOON)
            assert queue.claim(100) == []
            queue.unpause(group_id="g")
            queue.purge()
