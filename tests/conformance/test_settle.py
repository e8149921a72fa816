"""A worker reports many ends of every kind in one step, each under its lease."""

from dataclasses import replace

import pytest

from queue_core import InvalidRequest, QueueError, Task, TaskState
from queue_core.backends import settling
from queue_core.endings import Ending, Settled
from queue_core.states import Event
from tests.conformance.steps import claimed, enqueued

ENDINGS = {
    "completed": (Ending.completed, TaskState.COMPLETED),
    "completed with a result": (lambda task: Ending.completed(task, {"n": 1}), TaskState.COMPLETED),
    "failed": (lambda task: Ending.failed(task, "no"), TaskState.RETRYABLE),
    "discarded": (lambda task: Ending.discarded(task, "no"), TaskState.DISCARDED),
    "cancelled": (lambda task: Ending.cancelled(task, "no"), TaskState.CANCELLED),
    "released": (Ending.released, TaskState.PENDING),
    "snoozed": (lambda task: Ending.released(task, 30), TaskState.PENDING),
}


@pytest.fixture(params=ENDINGS)
def ending(request):
    return ENDINGS[request.param]


def lost(queue, clock) -> tuple[Task, Task]:
    """A task as its late worker has it, and as its new worker has it."""
    late = claimed(queue)
    clock.advance(3601)
    (new,) = queue.retry()
    return late, new


def test_all_kinds_of_ends_count_in_one_step(queue):
    tasks = [claimed(queue) for _ in ENDINGS]
    wanted = {task.id: state for task, (_, state) in zip(tasks, ENDINGS.values(), strict=True)}
    settled = queue.settle(make(task) for task, (make, _) in zip(tasks, ENDINGS.values(), strict=True))
    assert settled == Settled(wanted)
    assert {task.id: queue.get(task).state for task in tasks} == wanted


def test_results_are_kept_each_with_its_task(queue):
    results = {"a": 1}, [], "text with \"quotes\", \\u0000 and 'ü'", 0, False, "a\0b"
    tasks = [claimed(queue) for _ in range(len(results) + 1)]
    queue.settle([*map(Ending.completed, tasks, results), Ending.completed(tasks[-1])])
    assert [queue.get(task).result for task in tasks] == [*results[:-1], "a\N{REPLACEMENT CHARACTER}b", None]


def test_a_result_that_is_too_large_is_replaced_by_a_note(make_queue):
    queue = make_queue(max_result_bytes=100)
    task, other = claimed(queue), claimed(queue)
    queue.settle([Ending.completed(task, "x" * 1000), Ending.completed(other, object())])
    assert queue.get(task).result["truncated"] is True
    assert queue.get(other).state is TaskState.COMPLETED


def test_a_failed_attempt_waits_for_its_backoff_or_as_long_as_it_says(queue, clock):
    usual, soon = claimed(queue), claimed(queue)
    queue.settle([Ending.failed(usual, ValueError("no")), Ending.failed(soon, "no", delay=7)])
    assert [queue.get(task).due_at - clock.now_ms() for task in (usual, soon)] == [60_000, 7_000]
    assert [error.type for error in queue.get(usual).errors] == ["ValueError"]


def test_the_last_failed_attempt_discards(queue):
    task = claimed(queue, max_attempts=1)
    assert queue.settle([Ending.failed(task, "no")]).states == {task.id: TaskState.DISCARDED}


@pytest.mark.parametrize("kind", ["failed", "discarded", "released", "snoozed"])
def test_what_was_called_off_ends_as_cancelled(queue, kind):
    task = claimed(queue)
    dependent = enqueued(queue, depends_on=[task.id])
    queue.mark_as_cancelled(task)
    assert queue.settle([ENDINGS[kind][0](task)]).states == {task.id: TaskState.CANCELLED}
    assert queue.get(task).state is queue.get(dependent).state is TaskState.CANCELLED


def test_a_release_refunds_the_attempt_and_keeps_the_place_unless_it_is_put_off(queue, clock):
    first, second = claimed(queue), claimed(queue)
    clock.advance(10)
    queue.settle([Ending.released(first), Ending.released(second, delay=30)])
    found = [queue.get(task) for task in (first, second)]
    assert [(task.attempt_count, task.worker_id) for task in found] == [(0, None)] * 2
    assert [task.due_at for task in found] == [first.due_at, clock.now_ms() + 30_000]


def test_the_reason_of_a_cancel_is_kept(queue):
    task = claimed(queue)
    dependent = enqueued(queue, depends_on=[task.id])
    queue.settle([Ending.cancelled(task, "nobody needs it")])
    assert [error.message for error in queue.get(task).errors] == ["nobody needs it"]
    assert queue.get(dependent).state is TaskState.CANCELLED


@pytest.mark.parametrize("result", [None, {"n": 1}])
def test_completing_unblocks_what_waits_for_all_of_it(queue, result):
    tasks = [claimed(queue) for _ in range(3)]
    dependent = enqueued(queue, depends_on=[task.id for task in tasks])
    queue.settle([Ending.completed(task, result) for task in tasks[:2]])
    assert queue.get(dependent).blockers == 1
    queue.settle([Ending.completed(tasks[2], result)])
    assert [task.id for task in queue.claim()] == [dependent.id]


def test_a_late_end_is_refused(queue, clock, ending):
    late, new = lost(queue, clock)
    before = queue.get(new)
    assert queue.settle([ending[0](late)]) == Settled(refused=(late.id,))
    assert queue.get(new) == before


def test_an_end_of_what_waits_again_under_the_same_lease_is_refused(queue, clock, ending):
    late = claimed(queue)
    clock.advance(3601)
    queue.rescue()
    before = queue.get(late)
    assert queue.settle([ending[0](late)]) == Settled(refused=(late.id,))
    assert queue.get(late) == before


def test_an_end_of_an_unknown_task_is_refused(queue, ending):
    unknown = Task(lease=1)
    assert queue.settle([ending[0](unknown)]) == Settled(refused=(unknown.id,))
    assert queue.list() == []


def test_an_end_after_the_end_is_refused(queue, ending):
    task = claimed(queue)
    queue.mark_as_discarded(task)
    before = queue.get(task)
    assert queue.settle([ending[0](task)]) == Settled(refused=(task.id,))
    assert queue.get(task) == before


def test_one_refused_end_keeps_no_other_from_counting(queue, clock, ending):
    late, new = lost(queue, clock)
    tasks = [claimed(queue) for _ in ENDINGS]
    mine = [make(task) for task, (make, _) in zip(tasks, ENDINGS.values(), strict=True)]
    settled = queue.settle([ending[0](late), *mine, ending[0](Task(id="unknown", lease=1))])
    assert settled.states == {task.id: state for task, (_, state) in zip(tasks, ENDINGS.values(), strict=True)}
    assert settled.refused == tuple(sorted([late.id, "unknown"]))
    assert queue.get(new) == new


@pytest.mark.parametrize("result", [None, {"n": 1}])
def test_completing_again_under_the_same_lease_is_a_success_and_changes_nothing(queue, clock, result):
    task = claimed(queue)
    dependent = enqueued(queue, depends_on=[task.id, claimed(queue).id])
    queue.settle([Ending.completed(task, result)])
    before = queue.get(task)
    clock.advance(1)
    assert queue.settle([Ending.completed(task, result and {"n": 2})]).states == {task.id: TaskState.COMPLETED}
    assert queue.get(task) == before
    assert queue.get(dependent).blockers == 1


def test_all_of_it_counts_or_nothing(queue, monkeypatch):
    tasks = [claimed(queue) for _ in range(4)]
    done, failed, released, held = tasks
    dependent = enqueued(queue, depends_on=[done.id])
    before = [queue.get(task) for task in (*tasks, dependent)]

    def interrupted(tx, held):
        raise KeyboardInterrupt

    monkeypatch.setattr(settling, "start", interrupted)
    with pytest.raises(KeyboardInterrupt):
        queue.settle([Ending.completed(done), Ending.failed(failed, "no"), Ending.released(released)], starting=[held])
    assert [queue.get(task) for task in (*tasks, dependent)] == before


def test_counters_say_how_tasks_ended(queue):
    tasks = [claimed(queue) for _ in ENDINGS]
    queue.settle(make(task) for task, (make, _) in zip(tasks, ENDINGS.values(), strict=True))
    assert queue.snapshot().counters == {"completed": 2, "retried:Error": 1, "discarded": 1, "cancelled": 1}


def test_nothing_to_report_is_no_step(queue):
    assert queue.settle([]) == Settled()


def test_what_ended_is_no_longer_known_by_its_bare_id(queue):
    task = claimed(queue)
    queue.settle([Ending.completed(task)])
    with pytest.raises(InvalidRequest):
        queue.complete([task.id])


@pytest.mark.parametrize(
    "wrong",
    [
        {"lease": None},
        {"lease": 10**30},
        {"lease": "1"},
        {"event": Event.CLAIM},
        {"event": "complete"},
        {"delay": -1},
        {"delay": float("nan")},
        {"task_id": 5},
        {"task_id": "\0"},
    ],
    ids=str,
)
def test_a_senseless_end_is_refused_before_anything_counts(queue, wrong):
    task, other = claimed(queue), claimed(queue)
    with pytest.raises(QueueError):
        queue.settle([Ending.completed(other), replace(Ending.failed(task, "no"), **wrong)])
    assert [queue.get(task), queue.get(other)] == [task, other]


@pytest.mark.parametrize("endings", [None, "text", [None], ["text"]])
def test_what_is_no_end_is_refused(queue, endings):
    with pytest.raises(InvalidRequest, match="endings"):
        queue.settle(endings)
