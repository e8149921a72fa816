"""What a dead or forgetful worker held is taken back: what ran pays for it, the rest does not."""

import pytest
from sqlalchemy import text

from queue_core import InvalidRequest, LeaseLost, Task, TaskState
from queue_core.endings import Ending, Settled
from queue_core.errors import TaskTimeoutError, WorkerDied
from tests.conformance.steps import enqueued

DIED = WorkerDied("w", "is gone")


def held(queue, count: int, worker_id: str = "w", *, start: int | None = None, **fields: object) -> list[Task]:
    """New tasks that a worker claimed, the first of them started."""
    queue.enqueue([Task(**fields) for _ in range(count)])
    return queue.claim(count, worker_id=worker_id, start=start)


def die(queue, task: Task) -> TaskState:
    """Whoever claims the task next dies of it."""
    (running,) = queue.claim(worker_id="w")
    assert running.id == task.id
    return queue.recover("w", DIED, delay=0)[task.id]


def test_what_was_started_pays_an_attempt_and_the_rest_is_released(queue):
    started, *rest = held(queue, 3, start=1)
    states = queue.recover("w", DIED, delay=0)
    assert states == {started.id: TaskState.RETRYABLE, **dict.fromkeys((task.id for task in rest), TaskState.PENDING)}
    found = [queue.get(task) for task in (started, *rest)]
    assert [(task.state, task.attempt_count, task.worker_id) for task in found] == [
        (TaskState.RETRYABLE, 1, None),
        (TaskState.PENDING, 0, None),
        (TaskState.PENDING, 0, None),
    ]
    assert [[error.type for error in task.errors] for task in found] == [["WorkerDied"], [], []]


def test_what_is_released_keeps_its_place(queue, clock):
    first, second = held(queue, 2, start=0)
    clock.advance(10)
    third = enqueued(queue)
    queue.recover("w", DIED)
    assert [task.id for task in queue.claim()] == [first.id, second.id, third.id]


def test_the_caller_can_know_better_what_was_running(queue):
    marked, unmarked, *_ = held(queue, 3, start=1)
    states = queue.recover("w", {unmarked.id: DIED, "unknown": DIED})
    assert [states[task.id] for task in (marked, unmarked)] == [TaskState.PENDING, TaskState.RETRYABLE]
    assert queue.get(unmarked).attempted_at is not None


def test_each_task_pays_for_its_own_error(queue):
    first, second, third = held(queue, 3)
    queue.recover("w", {first.id: TaskTimeoutError(0.5, step=17), second.id: WorkerDied("w", "is gone", step=0)})
    (timeout,), (death,) = (queue.get(task).errors for task in (first, second))
    assert (timeout.type, timeout.step, timeout.message) == ("TaskTimeoutError", 17, "timed out after 0.5 s at step 17")
    assert (death.type, death.step, death.message) == ("WorkerDied", 0, "worker w is gone at step 0")
    assert (queue.get(third).state, queue.get(third).errors) == (TaskState.PENDING, ())


def test_an_error_that_knows_no_step_tells_none(queue):
    (task,) = held(queue, 1)
    queue.recover("w", DIED, delay=0)
    assert queue.get(task).errors[0].step is None
    with queue.transaction() as connection:
        assert "step" not in connection.execute(text("SELECT attempted_error FROM tasks")).scalar_one()


def test_nothing_pays_where_nothing_was_running(queue):
    tasks = held(queue, 2)
    assert set(queue.recover("w", {}).values()) == {TaskState.PENDING}
    assert [queue.get(task).attempt_count for task in tasks] == [0, 0]


def test_what_the_worker_still_holds_is_left_alone(queue):
    kept, also_kept, forgotten = held(queue, 3, start=1)
    assert set(queue.recover("w", DIED, keep=[kept.id, also_kept.id])) == {forgotten.id}
    assert [queue.get(task) for task in (kept, also_kept)] == [kept, also_kept]
    assert queue.complete([kept, also_kept]) == []


def test_other_workers_are_left_alone(queue):
    held(queue, 1)
    others = [*held(queue, 1, "v"), *held(queue, 1, "W"), *held(queue, 1, None)]
    assert len(queue.recover("w", DIED)) == 1
    assert [queue.get(task) for task in others] == others


def test_what_ended_or_waits_is_left_alone(queue):
    done, failed, discarded, released = tasks = held(queue, 4)
    queue.settle([Ending.completed(done), Ending.failed(failed, "no"), Ending.discarded(discarded, "no")])
    queue.release([released])
    before = [queue.get(task) for task in tasks]
    assert queue.recover("w", DIED) == queue.recover("nobody", DIED) == {}
    assert [queue.get(task) for task in tasks] == before


def test_the_last_attempt_discards(queue):
    started, waiting = held(queue, 2, start=1, max_attempts=1)
    assert queue.recover("w", "gone") == {started.id: TaskState.DISCARDED, waiting.id: TaskState.PENDING}


def test_the_next_attempt_waits_for_the_backoff_or_as_long_as_the_caller_says(queue, clock):
    (first,) = held(queue, 1)
    queue.recover("w", DIED)
    (second,) = held(queue, 1)
    queue.recover("w", DIED, delay=7)
    assert [queue.get(task).due_at - clock.now_ms() for task in (first, second)] == [60_000, 7_000]


def test_a_task_whose_third_worker_dies_is_discarded_whatever_attempts_are_left(queue):
    task = enqueued(queue, max_attempts=100)
    assert [die(queue, task) for _ in range(3)] == [TaskState.RETRYABLE, TaskState.RETRYABLE, TaskState.DISCARDED]
    found = queue.get(task)
    assert ([error.type for error in found.errors], found.attempt_count) == (["WorkerDied"] * 3, 3)


def test_only_deaths_count_as_deaths(queue):
    task = enqueued(queue, max_attempts=100)
    for error in ("no", DIED, ValueError("no"), DIED, "WorkerDied"):
        queue.claim(worker_id="w")
        assert queue.recover("w", error, delay=0) == {task.id: TaskState.RETRYABLE}
    assert die(queue, task) is TaskState.DISCARDED


def test_deaths_while_it_only_waited_do_not_count(queue):
    task = enqueued(queue, max_attempts=100)
    for _ in range(5):
        queue.claim(worker_id="w", start=0)
        assert queue.recover("w", DIED, delay=0) == {task.id: TaskState.PENDING}


def test_a_resumed_task_has_all_its_lives_again(queue):
    task = enqueued(queue, max_attempts=100)
    for _ in range(2):
        assert [die(queue, task) for _ in range(3)].count(TaskState.RETRYABLE) == 2
        queue.mark_as_resume(task)
    assert [error.attempt for error in queue.get(task).errors] == [1, 2, 3, 1, 2, 3]


def test_what_was_called_off_is_cancelled_with_all_that_waits_for_it(queue):
    tasks = started, waiting = held(queue, 2, start=1)
    dependents = [enqueued(queue, depends_on=[task.id]) for task in tasks]
    for task in tasks:
        queue.mark_as_cancelled(task)
    assert queue.recover("w", DIED) == dict.fromkeys((started.id, waiting.id), TaskState.CANCELLED)
    assert {queue.get(task).state for task in dependents} == {TaskState.CANCELLED}


def test_what_was_called_off_is_cancelled_even_at_its_third_death(queue):
    task = enqueued(queue, max_attempts=100)
    die(queue, task)
    die(queue, task)
    queue.claim(worker_id="w")
    queue.mark_as_cancelled(task)
    assert queue.recover("w", DIED) == {task.id: TaskState.CANCELLED}


@pytest.mark.parametrize("start", [0, 1])
def test_a_late_report_of_the_recovered_worker_is_refused(queue, start):
    (late,) = held(queue, 1, start=start)
    queue.recover("w", DIED, delay=0)
    before = queue.get(late)
    with pytest.raises(LeaseLost):
        queue.mark_as_complete(late)
    with pytest.raises(LeaseLost):
        queue.mark_as_retry(late, "late")
    assert queue.settle([Ending.completed(late, 1)], starting=[late]) == Settled(refused=(late.id,))
    assert queue.heartbeat([late]) == queue.release([late]) == queue.complete([late]) == [late.id]
    assert queue.get(late) == before


def test_a_late_report_is_refused_once_another_has_the_task(queue):
    (late,) = held(queue, 1)
    queue.recover("w", DIED, delay=0)
    (new,) = queue.claim(worker_id="w")
    assert new.lease == late.lease + 1
    assert queue.settle([Ending.completed(late)], starting=[late]) == Settled(refused=(late.id,))
    assert queue.get(new) == new


def test_a_recovery_takes_any_number_of_tasks(make_queue):
    queue = make_queue(batch_size=4)
    held(queue, 30, start=1)
    assert len(queue.recover("w", DIED, delay=0)) == 30
    assert len(queue.claim(30)) == 30


def test_counters_say_why(queue):
    held(queue, 3, start=2)
    queue.recover("w", DIED)
    assert queue.snapshot().counters == {"retried:WorkerDied": 2}


@pytest.mark.parametrize(
    ("call", "argument"),
    [
        (lambda q: q.recover("", DIED), "worker_id"),
        (lambda q: q.recover(None, DIED), "worker_id"),
        (lambda q: q.recover("w", DIED, delay=-1), "delay"),
        (lambda q: q.recover("w", DIED, delay=float("inf")), "delay"),
        (lambda q: q.recover("w", {5: DIED}), "error"),
        (lambda q: q.recover("w", DIED, keep="id"), "keep"),
        (lambda q: q.recover("w", DIED, keep=[None]), "keep"),
    ],
)
def test_senseless_arguments_are_refused(queue, call, argument):
    (task,) = held(queue, 1)
    with pytest.raises(InvalidRequest) as caught:
        call(queue)
    assert caught.value.argument == argument
    assert queue.get(task) == task
