"""What a handler says about how far it is can be read while it runs."""

import pytest

from queue_core import InvalidRequest, TaskState
from tests.conformance.steps import claimed


def test_progress_comes_with_a_heartbeat_and_can_be_read(queue, clock):
    task, silent = claimed(queue), claimed(queue)
    clock.advance(5)
    assert queue.heartbeat([task, silent], progress={task.id: {"done": 3, "of": 10}}) == []
    found = queue.get(task)
    assert (found.progress, found.schedule_at, found.updated_at) == ({"done": 3, "of": 10}, *[clock.now_ms()] * 2)
    assert queue.get(silent).progress is None


def test_the_last_word_counts_and_silence_keeps_it(queue):
    task = claimed(queue)
    for said in ("begun", 0.5, ["almost", "done"]):
        queue.heartbeat([task], progress={task.id: said})
        queue.heartbeat([task])
        assert queue.get(task).progress == said


def test_progress_stays_with_a_task_that_ended(queue):
    task = claimed(queue)
    queue.heartbeat([task], progress={task.id: 0.9})
    queue.mark_as_complete(task)
    assert queue.get(task).progress == 0.9


def test_a_new_attempt_begins_without_progress(queue):
    task = claimed(queue)
    queue.heartbeat([task], progress={task.id: 0.9})
    queue.mark_as_retry(task, "failed", delay=0)
    assert queue.get(task).progress == 0.9
    (again,) = queue.claim()
    assert again.progress is queue.get(again).progress is None


def test_progress_under_a_limit_begins_anew_too(queue):
    queue.limit("api", per_minute=9)
    task = claimed(queue, name="api")
    queue.heartbeat([task], progress={task.id: 0.9})
    queue.release([task])
    assert queue.get(queue.claim()[0]).progress is None


def test_progress_is_capped(queue):
    task = claimed(queue)
    queue.heartbeat([task], progress={task.id: "x" * 1_998})
    assert queue.get(task).progress == "x" * 1_998
    queue.heartbeat([task], progress={task.id: "x" * 1_999})
    found = queue.get(task).progress
    assert (found["truncated"], found["bytes"]) == (True, 2001)


@pytest.mark.parametrize(
    "said", ["a\0b", "\ud800", float("nan"), object(), {1, 2}, 10**5000], ids=lambda said: type(said).__name__
)
def test_progress_of_any_kind_keeps_no_heartbeat_from_counting(queue, clock, said):
    task = claimed(queue)
    clock.advance(5)
    assert queue.heartbeat([task], progress={task.id: said}) == []
    assert queue.get(task).schedule_at == clock.now_ms()


def test_a_lost_lease_writes_no_progress(queue, clock):
    late = claimed(queue)
    clock.advance(3601)
    (new,) = queue.retry()
    assert queue.heartbeat([late], progress={late.id: "late"}) == [late.id]
    assert queue.get(new) == new


def test_a_task_that_waits_again_under_the_same_lease_gets_no_progress(queue, clock):
    late = claimed(queue)
    clock.advance(3601)
    queue.rescue()
    before = queue.get(late)
    assert queue.heartbeat([late], progress={late.id: "late"}) == [late.id]
    assert queue.get(late) == before
    assert before.state is TaskState.RETRYABLE


def test_progress_of_what_the_heartbeat_does_not_hold_is_not_written(queue):
    mine, other = claimed(queue), claimed(queue)
    queue.heartbeat([mine], progress={other.id: "not mine", "unknown": 1})
    assert [queue.get(task).progress for task in (mine, other)] == [None, None]


def test_a_cancel_that_was_asked_for_is_heard_and_the_progress_kept(queue):
    task = claimed(queue)
    queue.mark_as_cancelled(task)
    assert queue.heartbeat([task], progress={task.id: 0.5}) == [task.id]
    assert queue.get(task).progress == 0.5


@pytest.mark.parametrize("progress", ["text", [1], 5])
def test_progress_that_names_no_task_is_refused(queue, progress):
    task = claimed(queue)
    with pytest.raises(InvalidRequest, match="progress"):
        queue.heartbeat([task], progress=progress)
    assert queue.get(task) == task
