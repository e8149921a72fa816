"""What is left for a worker, now and later, and what no worker can take."""

import pytest
from sqlalchemy import text

from queue_core import InvalidRequest, Task, WorkerRecord
from queue_core.errors import WorkerDied
from queue_core.reports import Stuck
from tests.conformance.steps import claimed, enqueued


def stuck(queue, **wish: object) -> list[Stuck]:
    return sorted(queue.outlook(**wish).stuck, key=lambda found: (found.name, found.reason, sorted(found.needs)))


def alive(queue, worker_id: str, *capabilities: str) -> WorkerRecord:
    queue.record_worker(WorkerRecord(id=worker_id, host="h", pid=1, started_at=1, capabilities=capabilities))
    (found,) = [known for known in queue.workers() if known.id == worker_id]
    return found


def test_an_empty_queue_has_nothing_left(queue):
    found = queue.outlook()
    assert (found.next_due_at, found.running, found.stuck) == (None, 0, ())


def test_what_ended_is_nothing_left(queue):
    queue.mark_as_complete(claimed(queue))
    queue.mark_as_discarded(claimed(queue))
    queue.mark_as_cancelled(enqueued(queue))
    found = queue.outlook()
    assert (found.next_due_at, found.running, found.stuck) == (None, 0, ())


def test_the_next_instant_is_when_the_first_task_was_or_will_be_due(queue, clock):
    now = clock.now_ms()
    enqueued(queue, schedule_at=now + 9000)
    assert queue.outlook().next_due_at == now + 9000
    enqueued(queue, schedule_at=now + 5000, priority="low")
    assert queue.outlook().next_due_at == now + 5000
    enqueued(queue)
    clock.advance(60)
    assert queue.outlook().next_due_at == now


def test_a_retry_is_left_for_later(queue, clock):
    queue.mark_as_retry(claimed(queue), "failed", delay=7)
    assert queue.outlook().next_due_at == clock.now_ms() + 7000
    assert queue.outlook().stuck == ()


def test_a_spent_limit_puts_off_what_is_due(queue, clock):
    queue.limit("api", per_minute=1)
    claimed(queue, name="api")
    enqueued(queue, name="api")
    found = queue.outlook()
    assert found.next_due_at > clock.now_ms()
    assert (found.running, found.stuck) == (1, ())


def test_what_runs_may_come_back(queue):
    running = [claimed(queue) for _ in range(3)]
    found = queue.outlook()
    assert (found.next_due_at, found.running, found.stuck) == (None, 3, ())
    queue.complete(running)
    assert queue.outlook().running == 0


def test_what_others_run_does_not_concern_who_could_not_run_it(queue):
    claimed(queue, name="other")
    claimed(queue, name="mine", needs={"gpu"})
    mine = claimed(queue, name="mine")
    assert queue.outlook(names=["mine"]).running == 1
    assert queue.outlook(names=["mine"], capabilities={"gpu"}).running == 2
    queue.mark_as_complete(mine)
    assert queue.outlook(names=["mine"]).running == 0


def test_what_others_run_concerns_who_may_wait_for_it(queue):
    other = claimed(queue, name="other", needs={"gpu"})
    enqueued(queue, name="mine", depends_on=[other.id])
    assert queue.outlook(names=["mine"]).running == 1
    assert queue.outlook(names=["unconcerned"]).running == 0


def test_blocked_tasks_are_counted_by_name_and_needs(queue):
    first = enqueued(queue, name="first", needs={"gpu"})
    for fields in ({"name": "a"}, {"name": "a", "priority": "low"}, {"name": "a", "needs": {"disk"}}, {"name": "b"}):
        enqueued(queue, depends_on=[first.id], **fields)
    blocked = {"reason": "blocked", "count": 1}
    assert stuck(queue, capabilities={"gpu"}) == [
        Stuck(name="a", **{**blocked, "count": 2}),
        Stuck(name="a", needs={"disk"}, **blocked),
        Stuck(name="b", **blocked),
    ]


def test_what_waits_for_a_discarded_task_is_blocked(queue):
    task = claimed(queue)
    enqueued(queue, name="next", depends_on=[task.id])
    queue.mark_as_discarded(task)
    found = queue.outlook()
    assert (found.next_due_at, found.running) == (None, 0)
    assert found.stuck == (Stuck(name="next", reason="blocked", count=1),)


@pytest.mark.parametrize("paused", [{"name": "n"}, {"group_id": "g"}])
def test_what_is_paused_is_told_as_paused(queue, paused):
    queue.mark_as_retry(claimed(queue, name="n", group_id="g"), "failed", delay=0)
    queue.enqueue([Task(name="n", group_id="g"), Task(name="n", group_id="g", priority="low")])
    queue.pause(**paused)
    found = queue.outlook()
    assert (found.next_due_at, found.stuck) == (None, (Stuck(name="n", reason="paused", count=3),))
    queue.unpause(**paused)
    assert queue.outlook().stuck == ()


def test_what_nobody_can_run_is_told_with_what_it_needs(queue):
    queue.mark_as_retry(claimed(queue, name="n", needs={"gpu", "disk"}), "failed", delay=0)
    queue.enqueue([Task(name="n", needs={"gpu", "disk"}, priority=level) for level in (0, 5)])
    enqueued(queue, name="n", needs={"gpu"})
    lacking = [
        Stuck(name="n", reason="lacking", count=3, needs={"gpu", "disk"}),
        Stuck(name="n", reason="lacking", count=1, needs={"gpu"}),
    ]
    assert stuck(queue) == lacking
    assert stuck(queue, capabilities={"gpu"}) == lacking[:1]
    assert stuck(queue, capabilities={"gpu", "disk", "net"}) == []


def test_a_live_worker_that_has_it_all_makes_nothing_lacking(queue):
    enqueued(queue, needs={"gpu", "disk"})
    alive(queue, "half", "gpu")
    alive(queue, "other half", "disk")
    assert [found.reason for found in queue.outlook().stuck] == ["lacking"]
    alive(queue, "whole", "gpu", "disk")
    found = queue.outlook()
    assert (found.next_due_at, found.stuck) == (None, ())


def test_a_dead_worker_can_run_nothing(queue):
    enqueued(queue, needs={"gpu"})
    queue.bury(alive(queue, "w", "gpu"), WorkerDied("w", "is gone"))
    assert [found.reason for found in queue.outlook().stuck] == ["lacking"]


def test_only_what_is_wanted_is_told(queue):
    blocker = claimed(queue, name="a")
    for name in ("a", "b"):
        queue.enqueue([Task(name=name, needs={"gpu"}), Task(name=name, depends_on=[blocker.id])])
    assert {found.name for found in queue.outlook(names=["a"]).stuck} == {"a"}
    assert [found.reason for found in stuck(queue, names=["b"])] == ["blocked", "lacking"]
    assert queue.outlook(names=[]).stuck == ()


def test_an_outlook_changes_nothing(queue, clock):
    tasks = [enqueued(queue), enqueued(queue, needs={"gpu"}), claimed(queue)]
    before = [queue.get(task) for task in tasks]
    clock.advance(1)
    queue.outlook()
    assert [queue.get(task) for task in tasks] == before


@pytest.mark.parametrize("lane", ["5", "[]", "{", '["a", [1]]'])
def test_a_lane_written_by_hand_stops_no_outlook(queue, lane):
    first = enqueued(queue, needs={"gpu"})
    for fields in ({}, {"depends_on": [first.id]}):
        bad = enqueued(queue, **fields)
        with queue.transaction() as connection:
            connection.execute(text("UPDATE tasks SET lane = :lane WHERE id = :id"), {"lane": lane, "id": bad.id})
    assert [found.needs for found in queue.outlook().stuck] == [{"gpu"}]


@pytest.mark.parametrize("wrong", [{"names": "text"}, {"names": 5}, {"capabilities": "text"}, {"capabilities": None}])
def test_senseless_arguments_are_refused(queue, wrong):
    with pytest.raises(InvalidRequest):
        queue.outlook(**wrong)
