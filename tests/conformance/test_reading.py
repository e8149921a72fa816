"""What the queue tells about itself."""

import pytest
from sqlalchemy import text

from queue_core import Task, TaskItem, TaskNotFound, TaskState, WorkerRecord, WorkerStatus
from queue_core.backends.migrations import MIGRATIONS
from tests.conformance.steps import claimed, enqueued


def test_list_filters_and_pages_in_the_order_of_ids(queue):
    fields = [
        {"name": f"n{n % 2}", "group_id": f"g{n % 3}", "tags": {"even": str(n % 2 == 0), "n": str(n)}}
        for n in range(12)
    ]
    ids = queue.enqueue([Task(**each) for each in fields])
    assert [task.id for task in queue.list()] == sorted(ids)
    assert len(queue.list(name="n1")) == 6
    assert len(queue.list(group_id="g0", name="n0")) == 2
    assert len(queue.list(tag={"even": "True"})) == 6
    assert [task.id for task in queue.list(tag={"even": "True", "n": "4"})] == [ids[4]]
    assert queue.list(tag={"odd": "True"}) == []
    pages, after = [], None
    while page := queue.list(tag={"even": "True"}, limit=4, after=after):
        pages.append([task.id for task in page])
        after = page[-1].id
    assert pages == [ids[0:8:2], ids[8::2]]


def test_list_by_state(queue):
    task = claimed(queue)
    enqueued(queue)
    assert [found.id for found in queue.list(state=TaskState.PROCESSING)] == [task.id]


def test_counts_have_every_state(queue):
    assert queue.counts() == dict.fromkeys(TaskState, 0)
    claimed(queue, group_id="g")
    enqueued(queue, group_id="g")
    blocked = enqueued(queue)
    enqueued(queue, depends_on=[blocked.id])
    assert queue.counts()[TaskState.PENDING] == 3
    assert queue.counts("g") == {**dict.fromkeys(TaskState, 0), TaskState.PENDING: 1, TaskState.PROCESSING: 1}
    assert queue.counts("nobody") == dict.fromkeys(TaskState, 0)


def test_snapshot_tells_who_waits_for_what(queue, clock):
    queue.mark_as_complete(claimed(queue))
    queue.mark_as_discarded(claimed(queue))
    running = claimed(queue, priority="high")
    queue.enqueue([Task(), Task(priority="low"), Task(schedule_at=clock.now_ms() + 1)])
    queue.enqueue([Task(depends_on=[running.id], priority=3), Task(group_id="paused"), Task(name="paused")])
    queue.pause(group_id="paused")
    queue.pause(name="paused")
    clock.advance(0.0005)
    found = queue.snapshot()
    assert (found.depth, found.ready, found.scheduled, found.blocked, found.paused) == (6, 2, 1, 1, 2)
    assert found.by_priority == {3: 1, 5: 4, 10: 1}
    assert found.by_state == queue.counts()
    assert (found.completed_last_minute, found.failed_last_minute, found.shutdown) == (1, 1, False)
    clock.advance(61)
    later = queue.snapshot()
    assert (later.completed_last_minute, later.ready, later.scheduled) == (0, 3, 0)
    assert later.oldest_age_seconds == pytest.approx(61, abs=0.01)


def test_an_empty_queue_has_no_oldest_age(queue, clock):
    assert queue.snapshot().oldest_age_seconds is None
    enqueued(queue, schedule_at=clock.now_ms() + 5000)
    assert queue.snapshot().oldest_age_seconds is None


def test_position_is_how_many_stand_before(queue, clock):
    ids = queue.enqueue([Task(), Task(priority="low"), Task(priority="high"), Task(name="other")])
    assert [queue.position(task_id) for task_id in ids] == [1, 3, 0, 2]
    (first,) = queue.claim(1)
    assert queue.position(first) is None
    assert queue.position(ids[1]) == 2


def test_counters_survive_their_process(queue, make_queue):
    queue.mark_as_complete(claimed(queue))
    if queue._store.capabilities.survives_close:
        queue.close()
        queue = make_queue()
    assert queue.snapshot().counters == {"completed": 1}


def test_counters_survive_what_they_counted(queue, clock):
    queue.complete([claimed(queue) for _ in range(3)])
    clock.advance(1)
    assert queue.cleanup(older_than=0) == 3
    queue.mark_as_complete(claimed(queue))
    assert queue.snapshot().counters == {"completed": 4}
    queue.purge()
    assert queue.snapshot().counters == {"completed": 4}


def test_tasks_survive_their_process(queue, make_queue):
    task = enqueued(queue, items=[TaskItem(text="kept")])
    if queue._store.capabilities.survives_close:
        queue.close()
        queue = make_queue()
    assert queue.get(task) == task


def test_health_says_that_the_store_answers(queue):
    found = queue.health()
    assert (found.ok, found.schema_version, found.error) == (True, len(MIGRATIONS), None)
    assert found.version
    assert found.latency_ms > 0


def test_workers_are_known_by_their_last_sign_of_life(queue, clock):
    worker = WorkerRecord(id="w", host="h", pid=1, started_at=5, capabilities={"gpu"}, capacity=3, version="1")
    queue.record_worker(worker)
    clock.advance(30)
    queue.record_worker(worker.model_copy(update={"status": WorkerStatus.DRAINING, "load": 2}))
    (found,) = queue.workers()
    assert (found.status, found.load, found.heartbeat_at) == (WorkerStatus.DRAINING, 2, clock.now_ms())
    assert found.capabilities == {"gpu"}


def test_cleanup_deletes_what_ended_long_ago(queue, clock):
    done, failed = claimed(queue), claimed(queue)
    queue.mark_as_complete(done)
    queue.mark_as_discarded(failed)
    waiting, running = claimed(queue), enqueued(queue)
    clock.advance(8 * 86_400)
    assert queue.cleanup() == 1
    with pytest.raises(TaskNotFound):
        queue.get(done)
    clock.advance(22 * 86_400)
    assert queue.cleanup() == 1
    assert {task.id for task in queue.list()} == {waiting.id, running.id}


def test_cleanup_can_be_told_what_and_how_old(make_queue, clock):
    queue = make_queue(batch_size=2)
    queue.complete([claimed(queue) for _ in range(5)])
    queue.mark_as_discarded(claimed(queue))
    clock.advance(10)
    assert queue.cleanup(older_than=11) == 0
    assert queue.cleanup(older_than=10, states=[TaskState.COMPLETED]) == 5
    assert queue.counts()[TaskState.DISCARDED] == 1


def test_cleanup_spares_keys_whose_window_is_open(queue, clock):
    task = claimed(queue, idempotency_key="key")
    queue.mark_as_complete(task)
    clock.advance(86_399)
    assert queue.cleanup(older_than=0) == 0
    clock.advance(1)
    assert queue.cleanup(older_than=0) == 1


def test_purge_empties_the_queue(queue):
    first = claimed(queue)
    queue.enqueue([Task(depends_on=[first.id])])
    for _ in range(3):
        enqueued(queue)
    assert queue.purge() == 5
    assert queue.list() == []


@pytest.mark.parametrize("broken", ["{", '"text"', "17", "[1"])
@pytest.mark.parametrize("column", ["items", "needs", "tags", "depends_on"])
def test_an_unreadable_row_is_set_aside_and_never_stops_the_others(queue, column, broken):
    bad, good = enqueued(queue), enqueued(queue)
    with queue.transaction() as connection:
        connection.execute(
            text(f"UPDATE tasks SET {column} = :broken WHERE id = :id"), {"broken": broken, "id": bad.id}
        )
    assert {task.id for task in queue.list()} == {bad.id, good.id}
    assert [task.id for task in queue.claim(1)] == [good.id]
    found = queue.get(bad)
    assert (found.state, found.errors[0].type) == (TaskState.DISCARDED, "UnreadableRow")
    assert found.attempt_count == 0


def test_unreadable_errors_do_not_keep_a_task_from_ending(queue):
    task = claimed(queue)
    with queue.transaction() as connection:
        connection.execute(text("UPDATE tasks SET attempted_error = '{'"))
    queue.mark_as_retry(task, "failed")
    assert [error.type for error in queue.get(task).errors] == ["UnreadableErrors", "Error"]


def test_a_group_is_at_rest_when_nothing_of_it_runs_or_can_be_claimed(queue, clock):
    first = Task(group_id="book")
    queue.enqueue([first, Task(group_id="book", depends_on=[first.id]), Task(group_id="other")])
    assert not queue.is_at_rest("book")
    (task,) = queue.claim(1)
    assert not queue.is_at_rest("book")
    queue.mark_as_retry(task, "failed")
    assert not queue.is_at_rest("book")
    clock.advance(61)
    (task,) = queue.retry()
    queue.mark_as_discarded(task)
    assert queue.is_at_rest("book")
    assert not queue.is_at_rest("other")
    queue.pause(group_id="other")
    assert queue.is_at_rest("other")
    queue.mark_as_resume(task)
    assert not queue.is_at_rest("book")
    assert queue.is_at_rest("nobody's")


def test_many_groups_are_looked_at_at_once(queue):
    first = Task(group_id="moves")
    waits = Task(group_id="waits", depends_on=[first.id])
    queue.enqueue([first, waits, *(Task(group_id="paused") for _ in range(2)), Task(group_id="unasked")])
    queue.pause(group_id="paused")
    found = queue.groups(["moves", "waits", "paused", "nobody's"])
    assert {group_id: (each.open_count, each.is_at_rest) for group_id, each in found.items()} == {
        "moves": (1, False),
        "waits": (1, True),
        "paused": (2, True),
        "nobody's": (0, True),
    }
    for group_id, each in found.items():
        assert (each.counts, each.is_at_rest) == (queue.counts(group_id), queue.is_at_rest(group_id))
    queue.claim(1)
    queue.cancel(group_id="paused")
    found = queue.groups(["moves", "paused"])
    assert (found["moves"].is_at_rest, found["paused"].counts[TaskState.CANCELLED]) == (False, 2)
    assert queue.groups([]) == {}
