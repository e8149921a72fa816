"""Who gets which task, and in which order."""

import pytest

from queue_core import InvalidRequest, Task, TaskItem, TaskState
from tests.conformance.steps import claimed, enqueued


def names(tasks) -> list[str]:
    return [task.name for task in tasks]


def test_order_is_priority_then_due_time_then_id(queue, clock):
    now = clock.now_ms()
    queue.enqueue([
        Task(name="fourth", priority="low"),
        Task(name="third", priority="normal", schedule_at=now),
        Task(name="second", priority="normal", schedule_at=now - 1),
        Task(name="first", priority="high", schedule_at=now),
    ])  # fmt: skip
    assert names(queue.dequeue(10)) == ["first", "second", "third", "fourth"]


def test_order_holds_over_many_claims_and_lanes(queue):
    levels = [7, 0, 10, 3, 0, 5, 10, 7, 3, 5] * 3
    queue.enqueue(
        [Task(priority=level, name=f"name {n % 4}", needs={"a"} if n % 3 else ()) for n, level in enumerate(levels)]
    )
    claims = [queue.dequeue(4, capabilities={"a"}) for _ in range(8)]
    found = [(task.priority, task.due_at, task.id) for claim in claims for task in claim]
    assert found == sorted(found)
    assert len(found) == len(levels)


def test_never_more_than_asked_for(queue):
    queue.enqueue([Task(priority=n % 3, name=f"name {n % 5}") for n in range(30)])
    assert len(queue.dequeue(7)) == 7
    assert queue.counts()[TaskState.PROCESSING] == 7


def test_a_claim_counts_the_attempt_and_raises_the_lease(queue, clock):
    enqueued(queue)
    clock.advance(0.005)
    (task,) = queue.dequeue(worker_id="worker")
    assert (task.attempt_count, task.lease, task.worker_id) == (1, 1, "worker")
    assert (task.attempted_at, task.schedule_at, task.due_at) == (clock.now_ms(), clock.now_ms(), clock.now_ms() - 5)


def test_nothing_is_handed_out_twice(queue):
    queue.enqueue([Task() for _ in range(5)])
    assert len(queue.dequeue(3)) == 3
    assert len(queue.dequeue(3)) == 2
    assert queue.dequeue(3) == []


def test_the_future_is_never_claimed(queue, clock):
    enqueued(queue, schedule_at=clock.now_ms() + 1000)
    assert queue.claim() == []
    clock.advance(0.999)
    assert queue.claim() == []
    clock.advance(0.001)
    assert len(queue.claim()) == 1


def test_dequeue_gives_new_tasks_retry_gives_old_ones_claim_gives_both(queue):
    queue.mark_as_retry(claimed(queue, name="old"), "failed", delay=0)
    enqueued(queue, name="new")
    assert names(queue.dequeue(10)) == ["new"]
    assert names(queue.retry(10)) == ["old"]
    for task in queue.list():
        queue.mark_as_retry(task, "failed", delay=0, force=True)
    enqueued(queue, name="newer")
    assert names(queue.claim(10)) == ["old", "new", "newer"]


def test_due_retries_take_part_in_the_order(queue, clock):
    queue.mark_as_retry(claimed(queue, name="retry", priority="high"), "failed", delay=1)
    enqueued(queue, name="normal", priority="normal")
    enqueued(queue, name="high", priority="high")
    clock.advance(1)
    assert names(queue.claim(10)) == ["high", "retry", "normal"]


def test_only_wanted_names_are_claimed(queue):
    queue.enqueue([Task(name=name) for name in ("a", "b", "c", "a")])
    assert names(queue.dequeue(10, names=["a", "c", "unknown"])) == ["a", "c", "a"]
    assert queue.dequeue(10, names=[]) == []


def test_only_possible_tasks_are_claimed(queue):
    queue.enqueue([Task(name="none"), Task(name="gpu", needs={"gpu"}), Task(name="both", needs={"gpu", "disk"})])
    assert names(queue.dequeue(10)) == ["none"]
    assert names(queue.dequeue(10, capabilities={"gpu"})) == ["gpu"]
    assert names(queue.dequeue(10, capabilities={"gpu", "disk", "net"})) == ["both"]


def test_what_a_worker_cannot_do_never_starves_it(queue):
    """Tasks that are impossible, unwanted, not due, blocked or paused stand in front and cost nothing."""
    blocker = enqueued(queue, name="blocker", needs={"gpu"})
    future = {"schedule_at": 4_000_000_000_000}
    for fields in ({"needs": {"gpu"}}, {"name": "unwanted"}, future, {"depends_on": [blocker.id]}, {"group_id": "g"}):
        queue.enqueue([Task(priority="high", **{"name": "wanted", **fields}) for _ in range(20)])
    queue.pause(group_id="g")
    queue.enqueue([Task(name="wanted", priority="low", items=[TaskItem(here=True)])])
    (task,) = queue.dequeue(1, names=["wanted"])
    assert task.items[0].here is True


def test_names_with_odd_characters_keep_apart(queue):
    odd = ['a"b', "a,b", "[a]", "ä", "a b", "a\\b", "'", "%s", ":x"]
    queue.enqueue([Task(name=name, needs={name}) for name in odd])
    for name in odd:
        assert names(queue.dequeue(10, names=[name], capabilities=[name])) == [name]


def test_a_paused_name_is_not_handed_out(queue):
    queue.enqueue([Task(name="a"), Task(name="b")])
    queue.pause(name="a")
    queue.pause(name="a")
    assert names(queue.claim(10)) == ["b"]
    queue.enqueue([Task(name="a")])
    assert queue.claim(10) == []
    queue.unpause(name="a")
    assert names(queue.claim(10)) == ["a", "a"]


def test_a_paused_group_is_not_handed_out_whatever_happens_to_it(queue):
    running, discarded = claimed(queue, group_id="g"), claimed(queue, group_id="g")
    queue.mark_as_discarded(discarded)
    waiting = enqueued(queue, group_id="g")
    queue.pause(group_id="g")
    later = enqueued(queue, group_id="g")
    other = enqueued(queue, group_id="other")
    queue.mark_as_retry(running, "failed", delay=0)
    queue.mark_as_resume(discarded)
    assert [task.id for task in queue.claim(10)] == [other.id]
    assert queue.snapshot().paused == 4
    queue.unpause(group_id="g")
    assert {task.id for task in queue.claim(10)} == {running.id, discarded.id, waiting.id, later.id}


def test_a_limit_bounds_the_claims_of_any_minute(queue, clock):
    queue.limit("api", per_minute=3)
    queue.enqueue([Task(name="api", needs={need} if need else ()) for need in ("", "x", "y", "", "x", "", "")])
    first = queue.claim(2, capabilities={"x", "y"})
    clock.advance(30)
    second = queue.claim(10, capabilities={"x", "y"})
    assert (len(first), len(second), queue.claim(10)) == (2, 1, [])
    clock.advance(30.999)
    assert queue.claim(10) == []
    clock.advance(0.001)
    assert len(queue.claim(10)) == 2
    assert queue.claim(10) == []


def test_the_future_is_never_claimed_under_a_limit(queue, clock):
    queue.limit("api", per_minute=3)
    enqueued(queue, name="api", schedule_at=clock.now_ms() + 1)
    assert queue.claim() == []


def test_a_limited_name_leaves_room_for_others(queue):
    queue.limit("api", per_minute=1)
    queue.enqueue([Task(name="api", priority="high") for _ in range(5)] + [Task(name="free") for _ in range(3)])
    assert names(queue.claim(4)) == ["api", "free", "free", "free"]


def test_a_limit_can_be_changed_and_lifted(queue):
    queue.enqueue([Task(name="api") for _ in range(10)])
    queue.limit("api", per_minute=1)
    assert len(queue.claim(10)) == 1
    queue.limit("api", per_minute=3)
    assert len(queue.claim(10)) == 2
    queue.limit("api", per_minute=None)
    assert len(queue.claim(10)) == 7


def test_two_queues_share_a_limit(url, make_queue):
    one, other = make_queue(), make_queue()
    if not one._store.capabilities.is_shared:
        other = one
    one.limit("api", per_minute=3)
    one.enqueue([Task(name="api") for _ in range(10)])
    assert len(one.claim(2)) + len(other.claim(5)) == 3


def test_reprioritized_tasks_move_in_the_order(queue):
    last, first, grouped = (
        enqueued(queue, name="last"),
        enqueued(queue, name="first"),
        enqueued(queue, name="g", group_id="g"),
    )
    assert queue.reprioritize("high", task=first) == [first.id]
    assert queue.reprioritize(3, group_id="g") == [grouped.id]
    assert names(queue.claim(10)) == ["first", "g", "last"]
    assert queue.reprioritize("low", task=last) == []
    assert queue.get(first).effective_priority == 0


@pytest.mark.parametrize(
    ("call", "argument"),
    [
        (lambda q: q.dequeue(0), "size"),
        (lambda q: q.dequeue(-1), "size"),
        (lambda q: q.dequeue(True), "size"),
        (lambda q: q.dequeue(1.5), "size"),
        (lambda q: q.claim(0), "size"),
        (lambda q: q.retry(0), "size"),
        (lambda q: q.retry(1, visibility_timeout=0), "visibility_timeout"),
        (lambda q: q.retry(1, visibility_timeout=float("nan")), "visibility_timeout"),
        (lambda q: q.retry(1, max_attempts=0), "max_attempts"),
        (lambda q: q.dequeue(wait=-1), "wait"),
        (lambda q: q.dequeue(wait=float("inf")), "wait"),
        (lambda q: q.dequeue(names="render"), "names"),
        (lambda q: q.dequeue(capabilities="gpu"), "capabilities"),
        (lambda q: q.dequeue(worker_id="a\0"), "worker_id"),
        (lambda q: q.mark_as_retry("x", "e", delay=-1, force=True), "delay"),
        (lambda q: q.release([], delay=-0.1), "delay"),
        (lambda q: q.list(limit=0), "limit"),
        (lambda q: q.list(state=17), "state"),
        (lambda q: q.list(after="\0"), "after"),
        (lambda q: q.counts("\0"), "group_id"),
        (lambda q: q.cancel(group_id=""), "group_id"),
        (lambda q: q.rescue(0), "visibility_timeout"),
        (lambda q: q.cleanup(-1), "older_than"),
        (lambda q: q.cleanup(0, states=[TaskState.PENDING]), "states"),
        (lambda q: q.purge(states=[99]), "states"),
        (lambda q: q.reprioritize("urgent", group_id="g"), "priority"),
        (lambda q: q.reprioritize("low"), "task"),
        (lambda q: q.pause(), "name"),
        (lambda q: q.pause(name="a", group_id="b"), "name"),
        (lambda q: q.limit("a", per_minute=0), "per_minute"),
        (lambda q: q.get(17), "task"),
        (lambda q: q.complete(["never handed out"]), "tasks"),
        (lambda q: q.mark_as_complete("never handed out"), "lease"),
    ],
)  # fmt: skip
def test_senseless_arguments_are_refused(queue, call, argument):
    task = enqueued(queue)
    with pytest.raises(InvalidRequest) as caught:
        call(queue)
    assert caught.value.argument == argument
    assert queue.get(task) == task
