"""Whatever is passed in, the answer is typed, and nothing is half-done."""

from types import SimpleNamespace

import pytest
from pydantic import ValidationError

from queue_core import InvalidRequest, InvalidTask, QueueConfig, QueueError, Task, TaskItem, TaskState, WorkerRecord
from tests.conformance.steps import claimed, enqueued


def _kind(value: object) -> str:
    """Numbers of 5000 digits make bad names for tests."""
    return type(value).__name__


HUGE = (10**30, 10**400, 1e300, 1e308, float("inf"), float("nan"), -1, "x", None, [], True)


@pytest.mark.parametrize("value", HUGE, ids=_kind)
@pytest.mark.parametrize(
    "call",
    [
        lambda q, v: q.claim(v),
        lambda q, v: q.list(limit=v),
        lambda q, v: q.limit("api", per_minute=v) if v is not None else q.claim(0),
        lambda q, v: q.retry(1, max_attempts=v) if v is not None else q.claim(0),
        lambda q, v: q.mark_as_complete("x", lease=v),
        lambda q, v: q.heartbeat(v) if v != [] else q.claim(0),
        lambda q, v: q.reprioritize(v, group_id="g"),
    ],
)
def test_impossible_numbers_are_refused(queue, call, value):
    task = enqueued(queue)
    with pytest.raises(QueueError):
        call(queue, value)
    assert queue.get(task) == task


@pytest.mark.parametrize("value", [v for v in HUGE if v is not None and v is not True], ids=_kind)
def test_impossible_times_are_refused(queue, value):
    task = claimed(queue)
    for call in (
        lambda: queue.claim(wait=value),
        lambda: queue.mark_as_retry(task, "failed", delay=value),
        lambda: queue.release([task], delay=value),
        lambda: queue.cleanup(older_than=value),
        lambda: queue.rescue(value),
    ):
        with pytest.raises(InvalidRequest):
            call()
    assert queue.get(task) == task


@pytest.mark.parametrize(
    "call",
    [
        lambda q: q.enqueue(None),
        lambda q: q.enqueue(5),
        lambda q: q.enqueue("task"),
        lambda q: q.complete(5),
        lambda q: q.release("id"),
        lambda q: q.claim(names=5),
        lambda q: q.claim(names=[[1]]),
        lambda q: q.claim(capabilities=None),
        lambda q: q.claim(worker_id="w" * 5000),
        lambda q: q.list(tag="abc"),
        lambda q: q.list(tag=[1]),
        lambda q: q.reprioritize(5.5, group_id="g"),
        lambda q: q.reprioritize({}, group_id="g"),
        lambda q: q.record_worker(None),
        lambda q: q.pause(name="n" * 5000),
        lambda q: q.limit("n" * 5000, per_minute=1),
        lambda q: q.get("x" * 10_000),
        lambda q: q.get(SimpleNamespace(id="x")),
        lambda q: q.enqueue([Task().model_copy(update={"name": 5})]),
        lambda q: q.enqueue([Task(needs={f"{n}{'ü' * 250}" for n in range(9)})]),
        lambda q: q.enqueue([Task(depends_on=["x" * 5000])]),
    ],
)
def test_odd_arguments_are_refused(queue, call):
    with pytest.raises(QueueError):
        call(queue)
    assert queue.list() == []


def test_the_longest_texts_fit(queue):
    """Four bytes a character, in every index at once."""
    long = "\N{CROISSANT}" * 255
    first = enqueued(queue, id=long, name=long, group_id=long, idempotency_key=long, trace_id=long)
    second = enqueued(queue, id="\N{PRETZEL}" * 255, depends_on=[first.id])
    (task,) = queue.claim(worker_id=long, names=[long])
    queue.mark_as_complete(task)
    assert queue.get(second).blockers == 0


def deep(levels: int) -> list:
    nested: list = []
    for _ in range(levels):
        nested = [nested]
    return nested


@pytest.mark.parametrize("value", [10**5000, 10**400, deep(150), deep(210), deep(100)], ids=_kind)
def test_items_that_go_in_come_out(queue, value):
    """Either the enqueue refuses them, or the claim reads them."""
    try:
        task_id, *_ = queue.enqueue([Task(items=[TaskItem(value=value)])])
    except (InvalidTask, RecursionError):
        assert queue.list() == []
    else:
        (task,) = queue.claim()
        assert (task.id, task.items[0].value) == (task_id, value)


class Unspeakable(Exception):
    def __str__(self) -> str:
        raise ZeroDivisionError

    __repr__ = __str__


def test_an_error_that_cannot_be_read_still_ends_the_attempt(queue):
    task = claimed(queue)
    assert queue.mark_as_retry(task, Unspeakable()) is TaskState.RETRYABLE
    assert queue.get(task).errors[0].type == "Unspeakable"


@pytest.mark.parametrize("result", [Unspeakable(), deep(5000), ["\0", 10**5000], 10**5000, {"a": deep(300)}], ids=_kind)
def test_a_result_that_cannot_be_kept_still_completes(queue, result):
    task = claimed(queue)
    queue.mark_as_complete(task, result=result)
    assert queue.get(task).state is TaskState.COMPLETED
    assert queue.get(task).result is not None


@pytest.mark.parametrize(
    "fields",
    [{"visibility_timeout": 1e306}, {"timeout_seconds": 1e10}, {"max_attempts": 2**31}, {"name": "n" * 256}],
)
def test_impossible_tasks_are_refused(fields):
    with pytest.raises(ValidationError):
        Task(**fields)


@pytest.mark.parametrize(
    "settings",
    [
        {"retention": {TaskState.DISCARDED: 1e300}},
        {"idempotency_window": 1e300},
        {"max_retry_delay": 1e300},
        {"batch_size": 10**30},
        {"max_pending": 10**30},
        {"warn_depth": 2**63},
        {"priorities": {"normal": 10**30}},
    ],
)
def test_impossible_settings_are_refused(settings):
    with pytest.raises(ValidationError):
        QueueConfig(**settings)


def test_impossible_workers_are_refused():
    for fields in ({"host": "\ud800"}, {"started_at": 10**30}, {"pid": -1}, {"id": ""}):
        with pytest.raises(ValidationError):
            WorkerRecord(**{"id": "w", "host": "h", "pid": 1, "started_at": 0, **fields})
