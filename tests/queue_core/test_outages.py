"""What does a worker do while its store is away?"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager

import psycopg

from queue_core import BackendUnavailable, Queue, QueueConfig, Task, TaskState
from queue_core.child import Order, _opened
from queue_core.settings import WorkerSettings
from queue_core.worker import Worker

from .crew import wait_until

SOON = 30.0


@contextmanager
def at_work(url: str, handler, **settings) -> Iterator[Queue]:
    config = QueueConfig(lock_timeout=0.2, poll_interval=0.1)
    with Queue.open(url, config=config) as queue:
        worker = Worker(queue, {"work": handler}, WorkerSettings(**{"heartbeat_seconds": 0.1, **settings}))
        thread = threading.Thread(target=worker.run)
        thread.start()
        try:
            yield queue
        finally:
            worker.drain()
            thread.join()


def until_completed(queue: Queue, count: int) -> None:
    wait_until(lambda: queue.counts()[TaskState.COMPLETED] == count, SOON, f"{count} tasks are completed")


def test_a_worker_outlasts_an_outage_keeps_its_work_and_says_so_once(sqlite_url, caplog):
    went_on, ran = threading.Event(), []

    def work(task: Task) -> None:
        ran.append(task.id)
        assert went_on.wait(SOON)

    with at_work(sqlite_url, work) as queue:
        ids = queue.enqueue(Task(name="work") for _ in range(3))
        wait_until(lambda: bool(ran), SOON, "the first runs")
        with locked(sqlite_url):
            went_on.set()
            wait_until(lambda: "the store is away" in caplog.text, SOON, "it noticed")
            wait_until(lambda: len(ran) == 3, SOON, "what it holds runs on")
        until_completed(queue, 3)
        wait_until(lambda: "the store is back" in caplog.text, SOON, "it says so")
        assert [queue.get(task_id).attempt_count for task_id in ids] == [1, 1, 1]
    assert ran == ids
    assert caplog.text.count("the store is away") == 1


@contextmanager
def locked(url: str) -> Iterator[None]:
    with closing(sqlite3.connect(url.removeprefix("sqlite:///"), isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")  # as long as it lasts, nobody else can write
        yield


def test_a_worker_that_starts_in_an_outage_waits_for_its_end(sqlite_url, caplog):
    with Queue.open(sqlite_url) as queue:
        queue.enqueue([Task(name="work")])
    with ExitStack() as stack:
        outage = stack.enter_context(ExitStack())
        outage.enter_context(locked(sqlite_url))
        queue = stack.enter_context(at_work(sqlite_url, lambda task: None))
        wait_until(lambda: "the store is away" in caplog.text, SOON, "it noticed")
        outage.close()
        until_completed(queue, 1)


def test_what_waits_is_given_back_as_soon_as_the_store_is_there_again(sqlite_url, caplog):
    go, began = threading.Event(), threading.Event()

    def work(task: Task) -> None:
        began.set()
        assert go.wait(SOON)

    with Queue.open(sqlite_url, QueueConfig(lock_timeout=0.2)) as queue:
        worker = Worker(queue, {"work": work}, WorkerSettings())
        ids = queue.enqueue(Task(name="work") for _ in range(3))
        thread = threading.Thread(target=worker.run)
        thread.start()
        assert began.wait(SOON)
        with locked(sqlite_url):
            worker.drain()
            wait_until(lambda: "the store is away" in caplog.text, SOON, "it noticed")
        wait_until(lambda: queue.get(ids[2]).state is TaskState.PENDING, SOON, "it is given back")
        go.set()
        thread.join()
        assert queue.get(ids[0]).state is TaskState.COMPLETED


def test_who_waits_for_a_store_can_be_told_to_stop():
    order = Order("postgresql://127.0.0.1:1/none", QueueConfig(), {}, WorkerSettings(), "w", 0, 0)
    is_asked = threading.Event()
    threading.Timer(0.1, is_asked.set).start()
    assert _opened(order, is_asked) is None


def test_cut_connections_cost_nothing(postgres_url):
    ours = f"{postgres_url}&application_name=cut"
    with at_work(ours, lambda task: None) as queue, psycopg.connect(postgres_url, autocommit=True) as other:
        for round_number in range(5):
            ids = queue.enqueue(Task(name="work") for _ in range(40))
            other.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'cut'")
            wait_until(lambda n=round_number: _completed(queue) == 40 * (n + 1), SOON, "all are completed")
            assert {_attempts(queue, task_id) for task_id in ids} == {1}


def _completed(queue: Queue) -> int:
    return _patiently(lambda: queue.counts()[TaskState.COMPLETED])


def _attempts(queue: Queue, task_id: str) -> int:
    return _patiently(lambda: queue.get(task_id).attempt_count)


def _patiently(ask):
    """Ask again where a connection was cut that nobody had used since."""
    for _ in range(10):
        try:
            return ask()
        except BackendUnavailable:
            continue
    raise AssertionError("still cut")
