"""Functions are registered, and calls of them submitted, found and listed."""

import asyncio
import inspect
from collections.abc import Iterator

import pytest

from queue_core import (
    InvalidRequest,
    InvalidTask,
    ManualClock,
    NotConfigured,
    Queue,
    QueueConfig,
    TaskExecutionError,
    TaskFunctions,
    TaskNotFound,
    TaskState,
    UnknownTask,
)
from tests.queue_core.calls import worked


def render(text: str, times: int = 1) -> str:
    """Say it."""
    return text * times


@pytest.fixture
def queue(clock: ManualClock) -> Iterator[Queue]:
    with Queue.open("memory://", clock=clock) as opened:
        yield opened


@pytest.fixture
def functions(queue: Queue) -> TaskFunctions:
    made = TaskFunctions()
    made.configure(queue)
    made.task(render)
    return made


def test_a_call_goes_through(url):
    with Queue.open(url) as queue:
        functions = TaskFunctions()
        functions.configure(queue)
        functions.task(render)
        task_id = functions.submit_task(render, text="ab", times=2)
        worked(queue, functions.handlers())
        found = functions.get_task(task_id)
    assert (found.name, found.state, found.result) == ("render", TaskState.COMPLETED, "abab")


def test_options_of_a_function_are_the_defaults_of_its_calls(functions):
    @functions.task(name="own", max_retries=4, timeout_seconds=9, priority=10, tags={"a": "1"}, needs={"gpu"}, size=1)
    def function(): ...

    found = functions.get_task(functions.submit_task(function, max_retries=0, tags={"b": "2"}))
    assert (found.name, found.max_attempts, found.timeout_seconds, found.priority) == ("own", 1, 9, 0)
    assert (found.tags, found.needs) == ({"a": "1", "b": "2"}, {"gpu"})
    handler = functions.handlers()["own"]
    assert (handler.size, handler.timeout_seconds) == (1, 9)


def test_options_of_a_call_reach_its_task(functions, queue):
    first = functions.submit_task(render, text="a")
    found = functions.get_task(
        functions.submit_task(
            render, text="b", delay_seconds=60, max_retries=5, timeout_seconds=30, priority=-10,
            tags={"batch": "daily"}, idempotency_key="k", group_id="g", trace_id="t", depends_on=[first],
        )
    )  # fmt: skip
    assert (found.max_attempts, found.timeout_seconds, found.priority, found.tags) == (6, 30, 10, {"batch": "daily"})
    assert (found.idempotency_key, found.group_id, found.trace_id, found.depends_on) == ("k", "g", "t", (first,))
    assert found.due_at == queue.clock.now_ms() + 60_000
    assert found.items[0].model_dump() == {"text": "b"}


def test_a_delayed_call_waits(functions, queue, clock):
    functions.submit_task(render, delay_seconds=60, text="a")
    assert queue.claim() == []
    clock.advance(60)
    assert worked(queue, functions.handlers()).result == "a"


def test_higher_priorities_go_first(functions, queue):
    for priority in (0, -10, 10, 5):
        functions.submit_task(render, priority=priority, text=str(priority))
    assert [task.items[0].text for task in queue.claim()] == ["10", "5", "0", "-10"]


def test_a_call_is_not_queued_twice_under_one_key(functions):
    one = functions.submit_task(render, idempotency_key="k", text="a")
    assert functions.submit_task(render, idempotency_key="k", text="a") == one


def test_a_call_waits_for_those_it_depends_on(functions, queue):
    first = functions.submit_task(render, priority=-10, text="first")
    functions.submit_task(render, depends_on=[first], text="second")
    assert [worked(queue, functions.handlers()).result for _ in range(2)] == ["first", "second"]


def test_a_function_is_submitted_by_its_name_too(functions):
    assert functions.get_task(functions.submit_task("render", text="a")).name == "render"


def test_the_async_twin_submits_the_same(functions):
    asked, plain = (inspect.signature(each) for each in (functions.submit_task_async, functions.submit_task))
    assert asked == plain
    task_id = asyncio.run(functions.submit_task_async(render, priority=10, text="a"))
    assert functions.get_task(task_id).priority == 0
    with pytest.raises(TaskExecutionError, match="text"):
        asyncio.run(functions.submit_task_async(render))


def test_without_a_queue_one_is_asked_for():
    functions = TaskFunctions()
    functions.task(render)
    for call in (
        lambda: functions.submit_task(render, text="a"),
        lambda: functions.get_task("x"),
        functions.list_tasks,
        lambda: asyncio.run(functions.submit_task_async(render, text="a")),
    ):
        with pytest.raises(NotConfigured, match=r"needs a queue: call configure\(Queue.open\(...\)\) first"):
            call()
    assert issubclass(NotConfigured, RuntimeError)


def test_only_a_queue_can_be_configured():
    with pytest.raises(InvalidRequest, match=r"'sqlite:///x.db' is no Queue: pass Queue.open"):
        TaskFunctions().configure("sqlite:///x.db")


def other(): ...


@pytest.mark.parametrize("unknown", ["other", other, "", None, 5, [], print])
def test_what_is_not_registered_is_refused_with_what_is(functions, unknown):
    with pytest.raises(UnknownTask, match=r"no task is named .*: known are render") as caught:
        functions.submit_task(unknown)
    assert caught.value.known == ("render",)


def test_where_nothing_is_registered_it_says_so(queue):
    empty = TaskFunctions()
    empty.configure(queue)
    with pytest.raises(UnknownTask, match="known are none so far"):
        empty.submit_task(render, text="a")


def test_bad_arguments_queue_nothing(functions, queue):
    with pytest.raises(TaskExecutionError, match="task render: times: "):
        functions.submit_task(render, text="a", times="often")
    with pytest.raises(TaskExecutionError, match="a NUL character can't be stored"):
        functions.submit_task(render, text="a\0b")
    assert queue.list() == []


def test_what_the_queue_refuses_is_not_blamed_on_the_arguments(functions):
    with pytest.raises(InvalidTask, match="depends_on"):
        functions.submit_task(render, text="a", depends_on=["nothing"])


def test_tasks_are_listed_by_state_name_and_tag(functions, queue):
    one = functions.submit_task(render, tags={"shelf": "top"}, text="a")
    two = functions.submit_task(render, text="b")
    assert [task.id for task in functions.list_tasks()] == [one, two]
    assert [task.id for task in functions.list_tasks(limit=1, after=one)] == [two]
    assert [task.id for task in functions.list_tasks(tag={"shelf": "top"})] == [one]
    assert functions.list_tasks(name="other") == []
    worked(queue, functions.handlers())
    assert [task.id for task in functions.list_tasks(TaskState.COMPLETED, name="render")] == [one]


@pytest.mark.parametrize(
    ("word", "state"),
    [("pending", TaskState.PENDING), ("running", TaskState.PROCESSING), ("completed", TaskState.COMPLETED),
     ("failed", TaskState.DISCARDED), ("COMPLETED", TaskState.COMPLETED), ("retryable", TaskState.RETRYABLE),
     ("cancelled", TaskState.CANCELLED), (TaskState.DISCARDED, TaskState.DISCARDED)],
)  # fmt: skip
def test_a_state_has_the_words_of_both_worlds(functions, queue, word, state):
    ids = [functions.submit_task(render, priority=10 - number, text="a") for number in range(5)]
    _, retry, completed, discarded = queue.claim(4)
    queue.mark_as_retry(retry, "x")
    queue.mark_as_complete(completed)
    queue.mark_as_discarded(discarded)
    queue.mark_as_cancelled(functions.submit_task(render, text="b"))
    functions.submit_task(render, text="c")
    assert {task.state for task in functions.list_tasks(word)} == {state}
    assert ids


def test_an_unknown_word_for_a_state_is_refused(functions):
    with pytest.raises(InvalidRequest, match=r"state: 'done' is not one of pending, .*, running, failed"):
        functions.list_tasks("done")


def test_a_task_that_is_not_there_is_not_found(functions):
    with pytest.raises(TaskNotFound):
        functions.get_task("nothing")


def test_labels_of_the_queue_are_priorities_too(clock):
    functions = TaskFunctions()
    functions.task(priority="express")(render)
    config = QueueConfig(priorities={"express": 1, "normal": 5}, promotions=())
    with Queue.open("memory://", config=config, clock=clock) as queue:
        functions.configure(queue)
        assert functions.get_task(functions.submit_task(render, text="a")).priority == 1
    with Queue.open("memory://", clock=clock) as queue:
        functions.configure(queue)
        with pytest.raises(InvalidRequest, match="priority: 'express' is not"):
            functions.submit_task(render, text="a")
