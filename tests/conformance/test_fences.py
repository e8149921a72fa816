"""A worker that lost its lease can do no harm. Each test fails when its fence is taken out."""

from functools import partial

import pytest

from queue_core import IllegalTransition, InvalidRequest, LeaseLost, Task, TaskNotFound, TaskState
from queue_core.backends.claiming import _take_chosen
from queue_core.backends.dialect import Transaction, as_json
from tests.conformance.steps import claimed, enqueued

REPORTS = {
    "complete": lambda queue, task, **kw: queue.mark_as_complete(task, **kw),
    "retry": lambda queue, task, **kw: queue.mark_as_retry(task, "late", **kw),
    "discard": lambda queue, task, **kw: queue.mark_as_discarded(task, **kw),
}


@pytest.fixture(params=REPORTS)
def report(request):
    return REPORTS[request.param]


def lost(queue, clock) -> tuple[Task, Task]:
    """A task as its late worker has it, and as its new worker has it."""
    late = claimed(queue)
    clock.advance(3601)
    (new,) = queue.retry()
    assert (new.id, new.lease) == (late.id, late.lease + 1)
    return late, new


def test_a_late_report_is_refused(queue, clock, report):
    late, new = lost(queue, clock)
    before = queue.get(new)
    with pytest.raises(LeaseLost) as caught:
        report(queue, late)
    assert (caught.value.lease, caught.value.current_lease, caught.value.state) == (1, 2, TaskState.PROCESSING)
    assert queue.get(new) == before


def test_a_late_report_is_refused_after_the_new_worker_is_done(queue, clock, report):
    late, new = lost(queue, clock)
    queue.mark_as_complete(new, result="new")
    with pytest.raises(LeaseLost):
        report(queue, late)
    assert queue.get(new).result == "new"


def test_a_report_on_a_rescued_task_is_refused_before_anyone_took_it(queue, clock, report):
    late = claimed(queue)
    clock.advance(3601)
    assert queue.rescue() == [late.id]
    with pytest.raises(LeaseLost):
        report(queue, late)
    assert queue.get(late).state is TaskState.RETRYABLE


def test_a_late_heartbeat_release_and_bulk_completion_are_refused(queue, clock):
    late, new = lost(queue, clock)
    before = queue.get(new)
    mine = claimed(queue)
    assert queue.heartbeat([late, mine]) == [late.id]
    assert queue.release([late]) == [late.id]
    assert queue.complete([late, mine]) == [late.id]
    assert queue.get(new) == before
    assert queue.get(mine).state is TaskState.COMPLETED


def test_only_the_winner_unblocks(queue, clock):
    late, _ = lost(queue, clock)
    (dependent,) = queue.enqueue([Task(depends_on=[late.id])])
    queue.complete([late])
    with pytest.raises(LeaseLost):
        queue.mark_as_complete(late)
    assert queue.get(dependent).blockers == 1
    assert queue.snapshot().counters.get("completed") is None


def test_the_lease_never_goes_back_not_even_on_resume(queue):
    task = claimed(queue)
    queue.mark_as_discarded(task)
    queue.mark_as_resume(task)
    assert (queue.get(task).lease, queue.get(task).attempt_count) == (1, 0)
    (again,) = queue.claim()
    assert again.lease == 2
    with pytest.raises(LeaseLost):
        queue.mark_as_complete(task)


@pytest.mark.parametrize("delete", ["purge", "cleanup"])
def test_a_late_worker_of_a_deleted_task_is_refused_when_its_id_comes_again(queue, clock, delete):
    late = claimed(queue, id="again")
    if delete == "cleanup":
        queue.mark_as_discarded(late, force=True)
        clock.advance(1)
        assert queue.cleanup(older_than=0) == 1
    else:
        assert queue.purge() == 1
    newer = claimed(queue, id="again")
    assert newer.lease > late.lease
    with pytest.raises(LeaseLost):
        queue.mark_as_complete(late)
    queue.mark_as_complete(newer)


def test_a_release_raises_the_next_lease(queue):
    task = claimed(queue)
    assert queue.release([task]) == []
    (again,) = queue.claim()
    with pytest.raises(LeaseLost):
        queue.mark_as_complete(task)
    queue.mark_as_complete(again)


def test_completing_again_under_the_same_lease_is_a_success(queue):
    """A commit whose answer was lost is reported again."""
    task = claimed(queue)
    (dependent,) = queue.enqueue([Task(depends_on=[task.id])])
    queue.mark_as_complete(task, result=1)
    queue.mark_as_complete(task, result=2)
    assert queue.complete([task]) == []
    assert (queue.get(task).result, queue.get(dependent).blockers) == (1, 0)
    assert queue.snapshot().counters["completed"] == 1


def test_another_ending_after_completion_is_refused(queue):
    task = claimed(queue)
    queue.mark_as_complete(task)
    with pytest.raises(LeaseLost):
        queue.mark_as_retry(task, "no")
    with pytest.raises(LeaseLost):
        queue.mark_as_discarded(task)


def test_a_bare_id_means_the_lease_that_this_queue_handed_out(queue, clock):
    task = claimed(queue)
    queue.mark_as_complete(task.id)
    late, _ = lost(queue, clock)
    queue.mark_as_complete(late.id)  # the same queue holds the new lease too
    assert queue.get(late).state is TaskState.COMPLETED


def test_a_bare_id_of_another_queue_needs_a_lease_or_force(queue, make_queue, report):
    task = claimed(queue)
    queue._leases.clear()  # as in another process
    with pytest.raises(InvalidRequest, match="force=True"):
        report(queue, task.id)
    assert queue.get(task).state is TaskState.PROCESSING
    with pytest.raises(LeaseLost):
        report(queue, task.id, lease=17)
    report(queue, task.id, force=True)
    assert queue.get(task).state is not TaskState.PROCESSING


def test_what_is_not_waiting_is_never_taken(queue):
    """The claim's own statement checks the state again, whatever was chosen before it."""
    task = claimed(queue)
    chosen = as_json([task.id])
    take = partial(Transaction.run, statement=_take_chosen, ids=chosen, worker_id="thief", now=0)
    assert queue._store._write(take) == []
    assert queue.get(task) == task


def test_even_force_respects_the_table_of_transitions(queue, report):
    task = enqueued(queue)
    with pytest.raises(IllegalTransition):
        report(queue, task, force=True)


def test_unknown_ids_are_named(queue, report):
    with pytest.raises(TaskNotFound, match="nobody"):
        report(queue, "nobody", force=True)
    with pytest.raises(TaskNotFound, match="nobody"):
        report(queue, "nobody", lease=1)
    for call in (queue.get, queue.mark_as_cancelled, queue.mark_as_resume, queue.position):
        with pytest.raises(TaskNotFound, match="nobody"):
            call("nobody")
        with pytest.raises(TaskNotFound):
            call("no\0body")


def test_a_heartbeat_restarts_the_visibility_clock(queue, clock):
    task = claimed(queue)
    for _ in range(5):
        clock.advance(3000)
        assert queue.heartbeat([task]) == []
    clock.advance(3600)
    assert queue.rescue() == []
    clock.advance(0.001)
    assert queue.rescue() == [task.id]


def test_a_rescue_spares_who_gave_a_sign_of_life(queue, clock):
    silent, alive = claimed(queue), claimed(queue)
    clock.advance(3601)
    queue.heartbeat([alive])
    assert queue.rescue() == [silent.id]
    assert queue.get(alive) == alive.model_copy(update={"schedule_at": clock.now_ms(), "updated_at": clock.now_ms()})
