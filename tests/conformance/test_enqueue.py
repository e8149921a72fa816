"""All or none, and none of them twice."""

import json
from datetime import UTC, datetime

import pytest
from pydantic import ValidationError
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from queue_core import InvalidRequest, InvalidTask, Priority, QueueClosed, QueueFull, Task, TaskItem, TaskState
from tests.conformance.steps import claimed, enqueued


def total(queue) -> int:
    return sum(queue.counts().values())


class Sentence(TaskItem):
    text: str
    pause_ms: int = 0


def test_what_goes_in_comes_out(queue, clock):
    task = Task(
        items=[TaskItem(text="A sentence.", deep={"list": [1, 2.5, None, True]}), TaskItem(emoji="🎧 «ß»")],
        name="render",
        group_id="book",
        priority=7,
        needs={"gpu", "cpu"},
        tags={"shelf": "top"},
        idempotency_key="key",
        max_attempts=9,
        timeout_seconds=1.5,
        visibility_timeout=90,
        schedule_at=clock.now_ms() - 5,
        trace_id="trace",
    )
    assert queue.enqueue([task]) == [task.id]
    (found,) = queue.dequeue(capabilities={"gpu", "cpu", "more"})
    given = task.model_dump(exclude={"schedule_at"})
    filled_in = {
        "state",
        "effective_priority",
        "due_at",
        "lease",
        "attempt_count",
        "attempted_at",
        "created_at",
        "updated_at",
    }
    assert found.model_dump(include=given.keys() - filled_in) == {k: v for k, v in given.items() if k not in filled_in}
    assert (found.due_at, found.created_at) == (clock.now_ms() - 5, clock.now_ms())
    assert found.model_validate_json(found.model_dump_json()) == found


def test_items_can_be_typed(queue):
    enqueued(queue, items=[Sentence(text="One.", pause_ms=300)])
    (task,) = queue.dequeue()
    assert task.items_as(Sentence) == (Sentence(text="One.", pause_ms=300),)


def test_tasks_are_frozen():
    with pytest.raises(ValidationError, match="frozen"):
        Task().state = TaskState.COMPLETED


def test_many_tasks_go_in_as_one(make_queue):
    queue = make_queue(batch_size=10)
    tasks = [Task() for _ in range(25)]
    assert queue.enqueue(tasks) == [task.id for task in tasks]
    assert [task.id for task in queue.dequeue(100)] == [task.id for task in tasks]


def test_nothing_is_a_fine_number_of_tasks(queue):
    assert queue.enqueue([]) == []


def test_a_known_id_inserts_nothing(queue):
    task = claimed(queue)
    assert queue.enqueue([Task(id=task.id, name="other"), Task()])[0] == task.id
    assert (queue.get(task).name, total(queue)) == ("default", 2)


def test_an_id_twice_in_one_call_is_one_task(queue):
    first = Task(depends_on=[enqueued(queue).id])
    assert queue.enqueue([first, first]) == [first.id, first.id]
    assert total(queue) == 2
    assert queue.get(first).blockers == 1


def test_of_an_id_given_twice_the_first_counts(queue):
    known = enqueued(queue, idempotency_key="same")
    first = Task(id="twice", idempotency_key="same")
    assert queue.enqueue([first, Task(id="twice")]) == [known.id, known.id]
    assert total(queue) == 1


def test_an_idempotency_key_inserts_once_inside_its_window(queue, clock):
    first = enqueued(queue, idempotency_key="monday")
    clock.advance(86_399)
    assert queue.enqueue([Task(idempotency_key="monday"), Task(idempotency_key="tuesday")])[0] == first.id
    assert total(queue) == 2


def test_an_idempotency_key_is_free_again_after_its_window(queue, clock):
    first = enqueued(queue, idempotency_key="monday")
    clock.advance(86_400)
    (second,) = queue.enqueue([Task(idempotency_key="monday")])
    assert second != first.id
    assert queue.get(first).idempotency_key is None


def test_a_key_twice_in_one_call_is_one_task(queue):
    one, other = queue.enqueue([Task(idempotency_key="same"), Task(idempotency_key="same")])
    assert one == other
    assert total(queue) == 1


def test_who_depends_on_a_duplicate_waits_for_the_first(queue):
    first = enqueued(queue, idempotency_key="same")
    again = Task(idempotency_key="same")
    after = Task(depends_on=[again.id])
    queue.enqueue([again, after])
    assert queue.get(after).depends_on == (first.id,)
    queue.complete(queue.claim())
    assert [task.id for task in queue.claim()] == [after.id]


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"priority": "urgent"}, "priority"),
        ({"priority": -1}, "priority"),
        ({"priority": 11}, "priority"),
        ({"items": [TaskItem(text="a\0b")]}, "items"),
        ({"items": [TaskItem(deep=[{"a\0": 1}])]}, "items"),
        ({"items": [TaskItem(number=float("nan"))]}, "items"),
        ({"items": [TaskItem(text="\ud800")]}, "items"),
        ({"tags": {"a": "\ud800"}}, "tags"),
        ({"depends_on": ["\ud800"]}, "depends_on"),
        ({"name": "a\0"}, "name"),
        ({"needs": {"a\0"}}, "needs"),
        ({"group_id": "a\0"}, "group_id"),
        ({"tags": {"a": "\0"}}, "tags"),
        ({"idempotency_key": "\0"}, "idempotency_key"),
        ({"trace_id": "\0"}, "trace_id"),
        ({"id": "a\0"}, "id"),
        ({"depends_on": ["nobody"]}, "depends_on"),
    ],
)
def test_bad_data_is_refused_naming_task_and_field(queue, fields, field):
    bad = Task(**fields)
    with pytest.raises(InvalidTask) as caught:
        queue.enqueue([Task(), bad, Task()])
    assert field in caught.value.field
    assert caught.value.task_id == bad.id.replace("\0", "�")
    assert total(queue) == 0


def test_words_that_look_like_bad_data_are_fine(queue):
    task = enqueued(queue, items=[TaskItem(text=r"NaN, Infinity and \u0000 are words")])
    assert task.items[0].text == r"NaN, Infinity and \u0000 are words"


@pytest.mark.parametrize(
    "fields",
    [
        {"max_attempts": 0},
        {"timeout_seconds": 0},
        {"timeout_seconds": float("inf")},
        {"visibility_timeout": -1},
        {"schedule_at": -1},
        {"schedule_at": datetime(2026, 1, 1)},  # noqa: DTZ001
        {"name": ""},
        {"id": "x" * 501},
        {"items": [1]},
        {"name": "\ud800"},
        {"priority": None},
    ],
)
def test_impossible_fields_are_refused_at_once(fields):
    with pytest.raises(ValidationError):
        Task(**fields)


def test_a_due_time_can_be_a_datetime(queue):
    due = datetime(2033, 5, 18, tzinfo=UTC)
    assert enqueued(queue, schedule_at=due).due_at == due.timestamp() * 1000


def test_only_tasks_can_be_enqueued(queue):
    with pytest.raises(InvalidRequest, match="is not a Task"):
        queue.enqueue([Task(), "task"])
    assert total(queue) == 0


def test_cycles_are_refused(queue):
    first, second, third = (
        Task(id="a", depends_on=["c"]),
        Task(id="b", depends_on=["a"]),
        Task(id="c", depends_on=["b"]),
    )
    with pytest.raises(InvalidTask, match=r"depends_on: a cycle: \w -> \w -> \w -> \w"):
        queue.enqueue([first, second, third])
    with pytest.raises(InvalidTask, match="cycle: a -> a"):
        queue.enqueue([Task(id="a", depends_on=["a"])])
    assert total(queue) == 0


def test_a_cycle_by_way_of_a_duplicate_is_refused(queue):
    second = Task(idempotency_key="same")
    first = Task(idempotency_key="same", depends_on=[second.id])
    with pytest.raises(InvalidTask, match="cycle"):
        queue.enqueue([first, second])
    assert total(queue) == 0


def test_a_full_queue_refuses_all_and_inserts_none(make_queue):
    queue = make_queue(max_pending=3)
    queue.enqueue([Task(), Task()])
    with pytest.raises(QueueFull) as caught:
        queue.enqueue([Task(), Task()])
    assert (caught.value.depth, caught.value.asked, caught.value.max_pending) == (2, 2, 3)
    assert total(queue) == 2
    queue.enqueue([Task(schedule_at=4_000_000_000_000)])
    with pytest.raises(QueueFull):
        queue.enqueue([Task()])


def test_a_full_queue_still_knows_what_it_has(make_queue):
    queue = make_queue(max_pending=1)
    task = enqueued(queue, idempotency_key="key")
    assert queue.enqueue([Task(id=task.id), Task(idempotency_key="key")]) == [task.id, task.id]


def test_what_runs_or_has_ended_does_not_fill_the_queue(make_queue):
    queue = make_queue(max_pending=1)
    claimed(queue)
    queue.enqueue([Task()])


def test_blocked_tasks_and_retries_fill_the_queue(make_queue):
    queue = make_queue(max_pending=2)
    first = claimed(queue)
    queue.enqueue([Task(depends_on=[first.id])])
    queue.mark_as_retry(first, "failed")
    with pytest.raises(QueueFull):
        queue.enqueue([Task()])


def test_a_deep_queue_is_warned_about(make_queue, caplog):
    queue = make_queue(warn_depth=2)
    queue.enqueue([Task()])
    assert not caplog.records
    queue.enqueue([Task()])
    assert "2 tasks wait (warn_depth=2)" in caplog.text


def test_a_shut_down_queue_takes_in_nothing_and_hands_out_the_rest(queue):
    task = enqueued(queue)
    queue.shutdown()
    with pytest.raises(QueueClosed, match="enqueue"):
        queue.enqueue([Task()])
    assert [found.id for found in queue.dequeue(wait=60)] == [task.id]
    assert queue.dequeue(wait=60) == []
    assert queue.snapshot().shutdown


@pytest.mark.parametrize("operation", ["snapshot", "counts", "dequeue", "promote", "workers", "health"])
def test_a_closed_queue_refuses(queue, operation):
    queue.close()
    queue.close()
    with pytest.raises(QueueClosed, match=operation):
        getattr(queue, operation)()


def test_enqueue_joins_the_callers_transaction(queue):
    with queue.transaction() as connection:
        connection.execute(text("CREATE TABLE books (title TEXT)"))
        connection.execute(text("INSERT INTO books VALUES ('One')"))
        queue.enqueue([Task()], connection=connection)
    with queue.transaction() as connection:
        assert connection.execute(text("SELECT title FROM books")).scalars().all() == ["One"]
    assert total(queue) == 1


def test_a_transaction_that_fails_leaves_nothing(queue):
    with pytest.raises(ZeroDivisionError), queue.transaction() as connection:  # noqa: PT012
        queue.enqueue([Task()], connection=connection)
        raise ZeroDivisionError
    assert total(queue) == 0
    queue.enqueue([Task()])


def test_an_error_of_the_callers_own_statement_stays_its_own(queue):
    with pytest.raises(DBAPIError, match="nowhere"), queue.transaction() as connection:  # noqa: PT012
        queue.enqueue([Task()], connection=connection)
        connection.execute(text("SELECT * FROM nowhere"))
    assert total(queue) == 0


def test_a_refusal_inside_a_transaction_undoes_only_itself(queue):
    with queue.transaction() as connection:
        queue.enqueue([Task(name="kept")], connection=connection)
        with pytest.raises(InvalidTask):
            queue.enqueue([Task(), Task(depends_on=["nobody"])], connection=connection)
    assert [task.name for task in queue.list()] == ["kept"]


def test_only_the_queues_own_connection_can_be_joined(queue, make_queue):
    with pytest.raises(InvalidRequest, match="connection"):
        queue.enqueue([Task()], connection=object())
    with queue.transaction() as connection:
        pass
    with pytest.raises(InvalidRequest, match="connection"):
        queue.enqueue([Task()], connection=connection)
    assert total(queue) == 0


def test_inside_a_transaction_other_writes_are_refused(queue):
    task = claimed(queue)
    with queue.transaction():
        with pytest.raises(InvalidRequest, match="a transaction is open in this thread"):
            queue.mark_as_complete(task)
        with pytest.raises(InvalidRequest, match="a transaction is open"), queue.transaction():
            pass
    queue.mark_as_complete(task)


def test_priorities_have_labels_and_numbers(queue):
    given = ["high", Priority.HIGH, "normal", "medium", 5, "low", Priority.LOW, 3]
    ids = queue.enqueue([Task(priority=priority) for priority in given])
    assert [queue.get(task_id).priority for task_id in ids] == [0, 0, 5, 5, 5, 10, 10, 3]


def test_retries_and_timeouts_can_depend_on_the_priority(make_queue):
    from queue_core import PRIORITY_POLICIES

    queue = make_queue(priority_policies=dict(PRIORITY_POLICIES))
    high, between, own = (
        queue.get(task_id)
        for task_id in queue.enqueue([Task(priority="high"), Task(priority=7), Task(priority="low", max_attempts=1)])
    )
    assert (high.max_attempts, high.timeout_seconds) == (6, 300)
    assert (between.max_attempts, between.timeout_seconds) == (4, 600)
    assert (own.max_attempts, own.timeout_seconds) == (1, 900)


def test_the_table_can_be_read_by_anyone(queue, clock):
    """000's columns hold what 000 says: integer milliseconds and JSON text."""
    task = claimed(queue, items=[TaskItem(text="x")])
    queue.mark_as_retry(task, "broken", delay=60)
    columns = "id, state, schedule_at, attempt_count, attempted_at, attempted_error, finalized_at, items"
    with queue.transaction() as connection:
        row = connection.execute(text(f"SELECT {columns}, created_at, updated_at FROM tasks")).one()
    now = clock.now_ms()
    error = {"attempt": 1, "at": now, "type": "Error", "message": "broken"}
    assert row[:5] == (task.id, int(TaskState.RETRYABLE), now + 60_000, 1, now)
    assert json.loads(row[5]) == [error]
    assert (row[6], json.loads(row[7]), row[8], row[9]) == (None, [{"text": "x"}], now, now)
