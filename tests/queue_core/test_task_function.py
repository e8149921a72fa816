"""What a worker does with a call: its arguments come typed, its value goes by its hint."""

import functools
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import Enum
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from queue_core import (
    Cancel,
    Discard,
    ManualClock,
    Queue,
    QueueConfig,
    Snooze,
    Task,
    TaskFunctions,
    TaskItem,
    TaskState,
)
from tests.queue_core.calls import called, worked

NOON = datetime(2026, 1, 2, 12, tzinfo=UTC)


class Book(BaseModel):
    title: str
    at: datetime | None = None


@dataclass
class Point:
    x: int


class Colour(Enum):
    RED = "red"


class Odd:
    def __repr__(self) -> str:
        return "<odd>"


@pytest.fixture
def queue(clock: ManualClock) -> Iterator[Queue]:
    with Queue.open("memory://", config=QueueConfig(max_result_bytes=1000), clock=clock) as opened:
        yield opened


def test_arguments_come_as_their_hints_say(queue):
    def kinds(path: Path, books: list[Book], colour: Colour, at: datetime | None = None) -> list[str]:
        return [type(each).__name__ for each in (path, books[0], colour, at)]

    found = called(queue, kinds, path="a", books=[{"title": "A"}], colour="red", at=NOON)
    assert found.result == [type(Path()).__name__, "Book", "Colour", "datetime"]
    assert called(queue, kinds, path="a", books=[Book(title="A")], colour=Colour.RED).result[-1] == "NoneType"


def test_a_default_is_made_by_the_function_itself(queue):
    def grow(more: list[int] = []) -> list[int]:  # noqa: B006 (this is the point)
        return more

    assert called(queue, grow).result == []
    grow.__defaults__[0].append(1)
    assert called(queue, grow).result == [1]


@pytest.mark.parametrize(
    ("hint", "value", "stored"),
    [
        (None, None, None),
        (int, 5, 5),
        (Book, Book(title="A", at=NOON), {"title": "A", "at": "2026-01-02T12:00:00Z"}),
        (list[Book], [Book(title="A")], [{"title": "A", "at": None}]),
        (Point, Point(1), {"x": 1}),
        (datetime, NOON, "2026-01-02T12:00:00Z"),
        (set[int], {1}, [1]),
        (bytes, b"\xff", "_w=="),
        (Path, Path("a"), "a"),
        (Colour, Colour.RED, "red"),
        (dict[int, Path], {1: Path("a")}, {"1": "a"}),
        (Any, Book(title="A"), {"title": "A", "at": None}),
        (Any, (1, {2}), [1, [2]]),
        (Any, b"\xff", "_w=="),
    ],
    ids=str,
)
def test_a_value_is_written_by_its_hint(queue, hint, value, stored):
    def function():
        return value

    function.__annotations__ = {"return": hint}
    assert called(queue, function).result == stored


@pytest.mark.parametrize(
    ("hint", "value", "stored"),
    [
        (int, "five", "five"),
        (Book, {"title": 5}, {"title": 5}),
        (Any, Odd(), "<odd>"),
        (Odd, Odd(), "<odd>"),
        (list[Any], [Odd(), 1], ["<odd>", 1]),
        (float, float("nan"), None),
        ("Never", 5, 5),
        ("list[", 5, 5),
        (5, 5, 5),
    ],
    ids=str,
)
def test_work_that_is_done_is_done_whatever_it_returned(queue, hint, value, stored):
    def function():
        return value

    function.__annotations__ = {"return": hint}
    found = called(queue, function)
    assert (found.state, found.result) == (TaskState.COMPLETED, stored)


def test_a_value_that_does_not_fit_its_hint_is_nothing_to_warn_of(queue, recwarn):
    def function() -> Book:
        return {"title": 5}

    assert called(queue, function).result == {"title": 5}
    assert not recwarn.list


def test_an_error_that_could_be_written_is_an_error_still(queue):
    @dataclass
    class Oops(Exception):
        why: str

    found = called(queue, lambda: Oops("bad"))
    assert (found.state, found.errors[0].type) == (TaskState.RETRYABLE, "Oops")


def test_what_can_not_be_written_at_all_leaves_a_note(queue):
    endless: list[Any] = []
    endless.append(endless)
    found = called(queue, lambda: endless)
    assert found.state is TaskState.COMPLETED
    assert found.result["unreadable"] is True


def test_a_huge_value_is_cut(queue):
    found = called(queue, lambda: "a" * 10_000)
    assert found.state is TaskState.COMPLETED
    assert (found.result["truncated"], found.result["bytes"]) == (True, 10_002)


def test_async_functions_run_too(queue):
    async def function(book: Book) -> Book:
        return Book(title=book.title.upper(), at=NOON)

    found = called(queue, function, book={"title": "a"})
    assert found.result == {"title": "A", "at": "2026-01-02T12:00:00Z"}


def test_a_plain_function_may_return_a_coroutine(queue):
    async def function(x: int) -> bytes:
        return bytes([x])

    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        return function(*args, **kwargs)

    assert called(queue, wrapper, x=255).result == "_w=="


def raise_or_return(outcome, how):
    def plain():
        if how == "raised":
            raise outcome
        return outcome

    async def coroutine():
        return plain()

    return plain, coroutine


@pytest.mark.parametrize("how", ["raised", "returned"])
@pytest.mark.parametrize("kind", [0, 1], ids=["plain", "async"])
@pytest.mark.parametrize(
    ("outcome", "state"),
    [
        (Snooze(60), TaskState.PENDING),
        (Cancel("not wanted"), TaskState.CANCELLED),
        (Discard("hopeless"), TaskState.DISCARDED),
        (ValueError("bad"), TaskState.RETRYABLE),
    ],
    ids=repr,
)
def test_an_outcome_is_raised_or_returned(queue, outcome, state, how, kind):
    found = called(queue, raise_or_return(outcome, how)[kind])
    assert found.state is state
    assert found.attempt_count == (0 if isinstance(outcome, Snooze) else 1)
    if isinstance(outcome, Discard | ValueError):
        assert found.errors[-1].message == str(outcome)


def test_a_failure_keeps_its_traceback_and_is_retried(queue, clock):
    def divide(by: int) -> float:
        return 1 / by

    found = called(queue, divide, by=0)
    assert (found.state, found.errors[0].type) == (TaskState.RETRYABLE, "ZeroDivisionError")
    assert "return 1 / by" in found.errors[0].traceback


def test_no_retries_mean_the_first_failure_is_the_last(queue):
    def fail(): raise OSError("no")  # fmt: skip

    assert called(queue, fail, max_retries=0).state is TaskState.DISCARDED


def test_a_call_that_the_code_does_not_take_any_more_is_discarded(queue):
    def old(text: str, times: int): ...

    def new(text: str): ...

    functions = TaskFunctions()
    functions.configure(queue)
    functions.task(name="render")(old)
    functions.submit_task("render", text="a", times=2)
    functions = TaskFunctions()
    functions.task(name="render")(new)
    found = worked(queue, functions.handlers())
    assert (found.state, found.errors[0].type) == (TaskState.DISCARDED, "TaskExecutionError")
    assert found.errors[0].message == "task render: times: Extra inputs are not permitted"


def test_a_call_may_be_queued_by_who_does_not_know_the_function(queue):
    def render(text: str, times: int = 2) -> str:
        return text * times

    functions = TaskFunctions()
    functions.task(render)
    queue.enqueue([Task(name="render", items=[TaskItem(text="a")])])
    assert worked(queue, functions.handlers()).result == "aa"


def test_a_worker_runs_only_what_is_registered(queue):
    functions = TaskFunctions()
    functions.task(name="known")(lambda: 1)
    queue.enqueue([Task(name="os.system", items=[TaskItem(command="true")])])
    assert queue.claim(names=functions.handlers()) == []


def test_a_task_submits_to_the_queue_that_it_came_from(queue):
    functions = TaskFunctions()  # not configured, as in a worker's process

    @functions.task
    def leaf(x: int) -> int:
        return x

    @functions.task
    def tree(size: int) -> list[str]:
        return [functions.submit_task(leaf, x=number) for number in range(size)]

    @functions.task
    async def forest() -> str:
        return await functions.submit_task_async(tree, size=2)

    queue.enqueue([Task(name="forest")])
    worked(queue, functions.handlers())
    ids = worked(queue, functions.handlers()).result
    assert [worked(queue, functions.handlers()).id for _ in range(2)] == ids
