"""The caller's own statements: they change their tables together with the queue, or read one state of all."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor

import pytest
from sqlalchemy import Column, Connection, Integer, MetaData, Table, Text, func, insert, inspect, select, text
from sqlalchemy.exc import DBAPIError

from queue_core import InvalidRequest, LeaseLost, Queue, QueueClosed, Task, TaskNotFound, TaskState
from tests.conformance.steps import claimed

SOON = 30.0
metadata = MetaData()
books = Table("books", metadata, Column("id", Integer, primary_key=True), Column("title", Text, nullable=False))
shelves = Table("shelves", metadata, Column("id", Integer, primary_key=True))


@pytest.fixture
def elsewhere() -> Iterator[ThreadPoolExecutor]:
    """Another thread."""
    with ThreadPoolExecutor(1) as pool:
        yield pool


def add_book(connection: Connection, title: str) -> None:
    metadata.create_all(connection)
    connection.execute(insert(books).values(title=title))


def titles(queue: Queue) -> list[str]:
    with queue.reading() as connection:
        return list(connection.execute(select(books.c.title).order_by(books.c.id)).scalars())


def task_count(connection: Connection) -> int:
    return connection.execute(text("SELECT count(*) FROM tasks")).scalar_one()


def test_transactions_one_after_another_make_tables_and_fill_them(queue, make_queue):
    for number in range(3):
        with queue.transaction() as connection:
            add_book(connection, f"book {number}")
            queue.enqueue([Task(name=f"render {number}")], connection=connection)
    assert titles(queue) == ["book 0", "book 1", "book 2"]
    assert [task.name for task in queue.list()] == ["render 0", "render 1", "render 2"]
    if queue._store.capabilities.is_shared:
        assert titles(make_queue()) == titles(queue)


def test_a_transaction_that_fails_makes_no_table(queue):
    with pytest.raises(ZeroDivisionError), queue.transaction() as connection:  # noqa: PT012
        add_book(connection, "lost")
        raise ZeroDivisionError
    with queue.reading() as connection:
        assert not inspect(connection).has_table("books")
    with queue.transaction() as connection:
        add_book(connection, "kept")
    assert titles(queue) == ["kept"]


def test_a_reading_sees_the_queue_and_the_callers_tables(queue):
    with queue.transaction() as connection:
        add_book(connection, "One")
        queue.enqueue([Task(name="One")], connection=connection)
    with queue.reading() as connection:
        joined = text("SELECT count(*) FROM tasks JOIN books ON books.title = tasks.name")
        assert connection.execute(joined).scalar_one() == 1
        assert connection.execute(select(func.count()).select_from(shelves)).scalar_one() == 0


@pytest.mark.parametrize(
    "write", ["INSERT INTO books (id, title) VALUES (7, 'x')", "DELETE FROM tasks", "CREATE TABLE more (id INTEGER)"]
)
def test_the_store_refuses_a_write_in_a_reading(queue, write):
    with queue.transaction() as connection:
        add_book(connection, "One")
    queue.enqueue([Task()])
    with pytest.raises(DBAPIError, match=r"(?i)read.?only"), queue.reading() as connection:
        connection.execute(text(write))
    assert titles(queue) == ["One"]
    with queue.transaction() as connection:  # who only read may write again
        add_book(connection, "Two")
    queue.mark_as_complete(queue.claim()[0])
    assert (titles(queue), queue.counts()[TaskState.COMPLETED]) == (["One", "Two"], 1)


def test_a_reading_sees_one_state_whatever_others_write(queue, elsewhere):
    with queue.reading() as connection:
        assert task_count(connection) == 0
        writing = elsewhere.submit(queue.enqueue, [Task()])
        if queue._store.capabilities.is_shared:
            writing.result(SOON)
            assert queue.counts()[TaskState.PENDING] == 1
        assert task_count(connection) == 0
    writing.result(SOON)
    with queue.reading() as connection:
        assert task_count(connection) == 1


def test_a_reading_does_not_wait_for_who_writes(queue, elsewhere):
    def read() -> int:
        with queue.reading() as connection:
            return task_count(connection)

    found: Future[int]
    with queue.transaction() as connection:
        queue.enqueue([Task()], connection=connection)
        found = elsewhere.submit(read)
        if queue._store.capabilities.is_shared:
            assert found.result(SOON) == 0
    if not queue._store.capabilities.is_shared:  # they take turns
        assert found.result(SOON) == 1


def test_inside_a_reading_the_queue_can_be_asked_and_writes_nothing(queue):
    task = claimed(queue)
    with queue.reading() as connection:
        assert queue.get(task) == task
        assert queue.snapshot().depth == 0
        with pytest.raises(InvalidRequest, match="it only reads"):
            queue.mark_as_complete(task)
        with pytest.raises(InvalidRequest, match="connection"):
            queue.enqueue([Task()], connection=connection)
        with pytest.raises(InvalidRequest, match="a transaction is open"), queue.transaction():
            pass
        with pytest.raises(InvalidRequest, match="a transaction is open"), queue.reading():
            pass
        assert task_count(connection) == 1
    with queue.transaction(), pytest.raises(InvalidRequest, match="a transaction is open"), queue.reading():
        pass
    queue.mark_as_complete(task)


@pytest.mark.parametrize("error", [ZeroDivisionError, KeyboardInterrupt])
def test_a_reading_that_is_broken_off_leaves_the_queue_usable(queue, error):
    with pytest.raises(error), queue.reading() as connection:  # noqa: PT012
        task_count(connection)
        raise error
    queue.enqueue([Task()])
    with queue.reading() as connection:
        assert task_count(connection) == 1


def test_an_error_of_a_query_stays_its_own(queue):
    with pytest.raises(DBAPIError, match="nowhere"), queue.reading() as connection:
        connection.execute(text("SELECT * FROM nowhere"))
    queue.enqueue([Task()])


def test_a_closed_queue_reads_nothing(queue):
    queue.close()
    with pytest.raises(QueueClosed, match="reading"), queue.reading():
        pass


def test_a_reading_goes_on_when_the_queue_is_closed_meanwhile(queue, elsewhere):
    with queue.reading() as connection:
        assert task_count(connection) == 0
        closing = elsewhere.submit(queue.close)
        if queue._store.capabilities.is_shared:
            closing.result(SOON)
        assert task_count(connection) == 0
    closing.result(SOON)


def write_under(queue: Queue, task: Task, title: str) -> None:
    with queue.transaction() as connection:
        queue.fence(task, connection=connection)
        add_book(connection, title)


def test_what_the_holder_writes_counts(queue):
    write_under(queue, claimed(queue), "rendered")
    assert titles(queue) == ["rendered"]


def test_what_a_late_worker_writes_does_not(queue, clock):
    late = claimed(queue)
    clock.advance(3601)
    (new,) = queue.retry()
    write_under(queue, new, "new")
    with pytest.raises(LeaseLost) as caught:
        write_under(queue, late, "late")
    assert (caught.value.lease, caught.value.current_lease) == (1, 2)
    queue.mark_as_complete(new)
    with pytest.raises(LeaseLost):
        write_under(queue, new, "after its end")
    assert titles(queue) == ["new"]


def test_the_fence_needs_a_lease_and_a_transaction_of_this_queue(queue):
    (waiting,) = queue.enqueue([Task()])
    with queue.transaction() as connection, pytest.raises(InvalidRequest, match="lease"):
        queue.fence(waiting, connection=connection)
    with queue.reading() as connection, pytest.raises(InvalidRequest, match="connection"):
        queue.fence(waiting, lease=1, connection=connection)
    with queue.transaction() as connection, pytest.raises(TaskNotFound):
        queue.fence("nobody", lease=1, connection=connection)
