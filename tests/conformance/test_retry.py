"""Attempts, backoff, visibility, discard and resume."""

import pytest

from queue_core import Task, TaskState
from tests.conformance.steps import claimed, enqueued


def test_a_failed_attempt_waits_longer_each_time(make_queue, clock):
    queue = make_queue(default_max_attempts=5)
    task = claimed(queue)
    for delay in (60, 120, 240, 480):
        assert queue.mark_as_retry(task, "failed") is TaskState.RETRYABLE
        assert queue.get(task).due_at == clock.now_ms() + delay * 1000
        clock.advance(delay - 0.001)
        assert queue.retry() == []
        clock.advance(0.001)
        (task,) = queue.retry()
    assert queue.mark_as_retry(task, "failed") is TaskState.DISCARDED


def test_the_caller_can_choose_the_delay(queue, clock):
    task = claimed(queue)
    queue.mark_as_retry(task, "failed", delay=7)
    assert queue.get(task).due_at == clock.now_ms() + 7000


def test_jitter_is_repeatable_and_within_the_delay(make_queue, clock):
    first, second = (make_queue(retry_jitter=True, jitter_seed=42) for _ in range(2))

    def delays(queue):
        found = []
        for task in [claimed(queue) for _ in range(10)]:
            queue.mark_as_retry(task, "failed")
            found.append(queue.get(task).due_at - clock.now_ms())
        return found

    drawn = delays(first)
    assert drawn == delays(second)
    assert len(set(drawn)) > 5
    assert all(0 <= delay <= 60_000 for delay in drawn)


def test_the_last_attempt_discards(queue):
    task = claimed(queue, max_attempts=1)
    assert queue.mark_as_retry(task, ValueError("no")) is TaskState.DISCARDED
    found = queue.get(task)
    assert (found.state, found.finalized_at) == (TaskState.DISCARDED, found.updated_at)
    assert [(error.type, error.message, error.attempt) for error in found.errors] == [("ValueError", "no", 1)]


def test_errors_are_kept_with_attempt_time_type_message_and_traceback(queue, clock):
    task = claimed(queue)
    try:
        {}["missing"]
    except KeyError as error:
        queue.mark_as_retry(task, error, delay=0)
    clock.advance(3)
    (task,) = queue.retry()
    queue.mark_as_retry(task, "plain words")
    first, second = queue.get(task).errors
    assert (first.attempt, first.at, first.type, first.message) == (1, clock.now_ms() - 3000, "KeyError", "'missing'")
    assert 'test_retry.py", line' in first.traceback
    assert (second.attempt, second.type, second.message, second.traceback) == (2, "Error", "plain words", None)


@pytest.mark.parametrize("text", ["a\0b", "\ud800", "x" * 10_000_000, "é" * 10_000])
def test_any_error_text_can_be_stored(queue, text):
    task = claimed(queue)
    queue.mark_as_retry(task, ValueError(text))
    (error,) = queue.get(task).errors
    assert error.message
    assert len(error.message) <= 8000
    assert "\0" not in error.message


def test_only_the_newest_errors_are_kept(make_queue):
    queue = make_queue(default_max_attempts=100, max_errors=3)
    task = claimed(queue)
    for number in range(6):
        queue.mark_as_retry(task, f"error {number}", delay=0)
        (task,) = queue.retry()
    assert [error.message for error in queue.get(task).errors] == ["error 3", "error 4", "error 5"]


@pytest.mark.parametrize(
    "result", [1, "text", {"a": [1, None]}, [], 0, False, "a\0b", "\ud800", float("nan"), object(), {1, 2}]
)
def test_any_result_can_be_stored(queue, result):
    task = claimed(queue)
    queue.mark_as_complete(task, result=result)
    stored = queue.get(task).result
    if isinstance(result, int | dict | list) or result == "text":
        assert stored == result


def test_a_result_that_is_too_large_is_replaced_by_a_note(make_queue):
    queue = make_queue(max_result_bytes=100)
    task = claimed(queue)
    queue.mark_as_complete(task, result="x" * 1000)
    assert queue.get(task).result["truncated"] is True


def test_visibility_is_counted_from_the_claim(queue, clock):
    """A task that waited for an hour is not stale the moment it is claimed."""
    enqueued(queue)
    clock.advance(7200)
    (task,) = queue.dequeue()
    assert queue.retry() == []
    clock.advance(3600.001)
    (again,) = queue.retry()
    assert (again.id, again.attempt_count) == (task.id, 2)
    assert again.errors[0].type == "Stale"


def test_a_task_has_its_own_visibility_timeout(queue, clock):
    task, other = claimed(queue, visibility_timeout=10), claimed(queue)
    clock.advance(10.001)
    assert [found.id for found in queue.retry()] == [task.id]
    clock.advance(10.001)
    assert {found.id for found in queue.retry(visibility_timeout=20)} == {other.id}


def test_stale_tasks_with_no_attempt_left_are_discarded(queue, clock):
    task = claimed(queue, max_attempts=1)
    clock.advance(3601)
    assert queue.rescue() == [task.id]
    found = queue.get(task)
    assert (found.state, found.finalized_at) == (TaskState.DISCARDED, clock.now_ms())
    assert [error.type for error in found.errors] == ["Stale"]


def test_retry_can_ask_for_fewer_attempts_and_discards_the_rest(queue):
    once, twice = claimed(queue, name="once"), claimed(queue, name="twice")
    for task in (once, twice):
        queue.mark_as_retry(task, "failed", delay=0)
    (again,) = queue.retry(names=["twice"])
    queue.mark_as_retry(again, "failed", delay=0)
    assert [task.id for task in queue.retry(1, max_attempts=2)] == [once.id]
    assert queue.retry(1, max_attempts=2) == []
    found = queue.get(twice)
    assert (found.state, found.attempt_count, found.errors[-1].type) == (TaskState.DISCARDED, 2, "Exhausted")


def test_the_exhausted_do_not_eat_the_demand(queue):
    tasks = [claimed(queue) for _ in range(6)]
    for task in tasks[:3]:
        queue.mark_as_retry(task, "failed", delay=0)
    again = queue.retry(3)
    for task in [*again, *tasks[3:]]:
        queue.mark_as_retry(task, "failed", delay=0)
    assert {task.id for task in queue.retry(3, max_attempts=2)} == {task.id for task in tasks[3:]}
    assert queue.counts()[TaskState.DISCARDED] == 3


def test_release_refunds_the_attempt_and_keeps_the_place(queue, clock):
    first, second = claimed(queue), claimed(queue)
    clock.advance(10)
    enqueued(queue)
    assert queue.release([second, first]) == []
    found = queue.get(first)
    assert (found.state, found.attempt_count, found.worker_id, found.due_at) == (
        TaskState.PENDING,
        0,
        None,
        first.due_at,
    )
    assert [task.id for task in queue.claim()][:2] == [first.id, second.id]


def test_release_can_snooze(queue, clock):
    task = claimed(queue)
    queue.release([task], delay=30)
    assert queue.claim() == []
    clock.advance(30)
    assert len(queue.claim()) == 1


def test_a_discarded_task_can_be_resumed_with_new_attempts(queue, clock):
    task = claimed(queue, max_attempts=1)
    queue.mark_as_retry(task, "failed")
    clock.advance(100)
    queue.mark_as_resume(task)
    found = queue.get(task)
    assert (found.state, found.attempt_count, found.finalized_at, found.due_at) == (0, 0, None, clock.now_ms())
    assert len(found.errors) == 1
    (again,) = queue.dequeue()
    queue.mark_as_retry(again, "failed again")
    assert len(queue.get(task).errors) == 2


def test_a_group_is_resumed_as_one(queue):
    tasks = [claimed(queue, group_id=group) for group in "aab"]
    for task in tasks:
        queue.mark_as_discarded(task)
    assert sorted(queue.resume(group_id="a")) == sorted(task.id for task in tasks[:2])
    assert queue.get(tasks[2]).state is TaskState.DISCARDED


def test_cancelling_what_runs_is_asked_for_and_done_when_its_worker_notices(queue):
    task = claimed(queue)
    assert queue.mark_as_cancelled(task, reason="not wanted") is TaskState.PROCESSING
    assert queue.heartbeat([task]) == [task.id]
    assert queue.release([task]) == []
    found = queue.get(task)
    assert (found.state, found.errors[0].message, found.errors[0].type) == (
        TaskState.CANCELLED,
        "not wanted",
        "Cancelled",
    )


def test_what_completes_before_its_worker_notices_is_complete(queue):
    task = claimed(queue)
    queue.mark_as_cancelled(task)
    queue.mark_as_complete(task)
    assert queue.get(task).state is TaskState.COMPLETED


def test_a_worker_that_dies_after_it_was_asked_cancels(queue, clock):
    task = claimed(queue)
    (dependent,) = queue.enqueue([Task(depends_on=[task.id])])
    queue.mark_as_cancelled(task)
    clock.advance(3601)
    queue.rescue()
    assert queue.get(task).state is TaskState.CANCELLED
    assert queue.get(dependent).state is TaskState.CANCELLED


def test_a_group_is_cancelled_as_one(queue):
    running, waiting, other = (
        claimed(queue, group_id="g"),
        enqueued(queue, group_id="g"),
        enqueued(queue, group_id="other"),
    )
    (dependent,) = queue.enqueue([Task(depends_on=[waiting.id])])
    assert set(queue.cancel(group_id="g")) == {running.id, waiting.id, dependent}
    assert queue.get(running).cancel_requested_at is not None
    assert queue.get(other).state is TaskState.PENDING


def test_a_rescue_takes_any_number_of_tasks(make_queue, clock):
    queue = make_queue(batch_size=4)
    queue.enqueue([Task() for _ in range(11)])
    assert len(queue.claim(11)) == 11
    clock.advance(3601)
    assert len(queue.rescue()) == 11
    assert queue.rescue() == []


def test_counters_say_what_happened(queue, clock):
    queue.mark_as_complete(claimed(queue))
    queue.complete([claimed(queue), claimed(queue)])
    queue.mark_as_retry(claimed(queue, name="x"), ValueError(), delay=0)
    queue.mark_as_retry(queue.retry(names=["x"])[0], "words", delay=9999)
    queue.mark_as_discarded(claimed(queue))
    queue.mark_as_cancelled(enqueued(queue))
    claimed(queue)
    clock.advance(3601)
    queue.rescue()
    expected = {
        "completed": 3,
        "retried:ValueError": 1,
        "retried:Error": 1,
        "discarded": 1,
        "cancelled": 1,
        "retried:Stale": 1,
    }
    assert queue.snapshot().counters == expected
