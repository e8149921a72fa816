"""However a handler ends, its task ends in one way that is told."""

import asyncio
import functools
from collections.abc import Iterator
from concurrent.futures import CancelledError

import pytest

from queue_core import Cancel, Discard, Snooze, Task
from queue_core.bounds import LONGEST
from queue_core.endings import Ending
from queue_core.errors import TaskExecutionError, WorkerDied
from queue_core.execution import LAST_EXCEPTIONS, Loop, timeout_of
from queue_core.handlers import Handler
from queue_core.running import Stopped
from queue_core.states import Event
from tests.queue_core import calls
from tests.queue_core.calls import ended, raising


@pytest.fixture
def loop() -> Iterator[Loop]:
    with calls.loop() as opened:
        yield opened


both = pytest.mark.parametrize("is_async", [False, True], ids=["plain", "async"])


class Unspeakable(Exception):
    def __str__(self) -> str:
        raise RuntimeError("no words")


class Undecided(Exception):
    @property
    def can_retry(self) -> bool:
        raise RuntimeError("who knows")


class Hopeless(Exception):
    can_retry = False


def test_a_value_completes_the_task(loop):
    async def coroutine(task):
        return task.id * 2

    assert ended(lambda task: task.id * 2, loop) == Ending("1", 3, Event.COMPLETE, result="11")
    assert ended(coroutine, loop) == Ending("1", 3, Event.COMPLETE, result="11")
    assert ended(functools.partial(coroutine), loop).result == "11"
    assert ended(lambda _: None, loop) == Ending("1", 3, Event.COMPLETE)


@both
@pytest.mark.parametrize("seconds", [0, 2.5, LONGEST])
def test_a_snooze_gives_the_task_back(loop, seconds, is_async):
    found = ended(raising(Snooze(seconds), is_async=is_async), loop)
    assert found == Ending("1", 3, Event.RELEASE, delay=seconds)


@pytest.mark.parametrize("seconds", [-1, float("nan"), float("inf"), True])
def test_a_snooze_that_makes_no_sense_discards_the_task(loop, seconds):
    found = ended(lambda _: Snooze(seconds), loop)
    assert (found.event, str(found.error)[:9]) == (Event.DISCARD, "seconds: ")
    assert LAST_EXCEPTIONS[-1]["type"] == "InvalidRequest"


@both
@pytest.mark.parametrize(
    ("error", "event"),
    [
        (Cancel("not wanted"), Event.CANCEL),
        (Stopped("lost"), Event.CANCEL),
        (Discard("hopeless"), Event.DISCARD),
        (ValueError("bad"), Event.FAIL),
        (Undecided(), Event.FAIL),
        (WorkerDied("w1", "was killed"), Event.FAIL),
        (TimeoutError("of its own"), Event.FAIL),
        (CancelledError("a future of its own"), Event.FAIL),
        (SystemExit(0), Event.FAIL),
        (ExceptionGroup("two", [ValueError(), OSError()]), Event.FAIL),
        (Hopeless(), Event.DISCARD),
        (TaskExecutionError("f", {"x": "bad"}), Event.DISCARD),
    ],
    ids=repr,
)
def test_each_error_has_one_meaning(loop, error, event, is_async):
    found = ended(raising(error, is_async=is_async), loop)
    assert (found.event, found.error) == (event, error)


def test_an_error_that_has_no_words_ends_its_task_like_any_other(loop):
    found = ended(raising(Unspeakable(), is_async=False), loop)
    assert found.event is Event.FAIL
    assert LAST_EXCEPTIONS[-1]["error"] == "(its message can't be read: RuntimeError)"


@both
def test_an_interrupt_gets_out(loop, is_async):
    with pytest.raises(KeyboardInterrupt):
        ended(raising(KeyboardInterrupt(), is_async=is_async), loop)
    assert ended(lambda _: 1, loop).result == 1
    assert loop.run(asyncio.sleep(0, "alive"), None) == "alive"


def test_a_loop_that_was_cancelled_in_a_plain_handler_failed(loop):
    found = ended(raising(asyncio.CancelledError(), is_async=False), loop)
    assert (found.event, type(found.error)) == (Event.FAIL, asyncio.CancelledError)


@pytest.mark.parametrize(
    ("own", "handlers", "attempt", "seconds"),
    [
        (None, None, 1, None),
        (None, 10, 1, 10),
        (4, 10, 1, 4),
        (4, None, 0, 4),
        (4, None, 2, 6),
        (4, None, 3, 9),
        (None, 10, 2, 15),
        (4, None, 10_000, LONGEST),
        (LONGEST, None, 2, LONGEST),
    ],
)
def test_each_retry_may_take_half_as_long_again(own, handlers, attempt, seconds):
    task = Task(timeout_seconds=own, attempt_count=attempt)
    assert timeout_of(task, Handler(len, timeout_seconds=handlers)) == seconds


def test_the_last_errors_are_kept_and_no_more(loop):
    LAST_EXCEPTIONS.clear()
    ended(raising(ValueError("bad\0"), is_async=False), loop, name="render")
    assert LAST_EXCEPTIONS == [{"task_id": "1", "name": "render", "error": "bad\ufffd", "type": "ValueError"}]
    for number in range(150):
        ended(raising(ValueError(str(number)), is_async=False), loop)
    assert [entry["error"] for entry in LAST_EXCEPTIONS] == [str(number) for number in range(50, 150)]
    assert len(LAST_EXCEPTIONS) == 100


def test_what_a_handler_decided_is_no_error_of_its(loop):
    LAST_EXCEPTIONS.clear()
    for outcome in (Snooze(1), Cancel("x"), Discard("x")):
        ended(raising(outcome, is_async=False), loop)
    assert LAST_EXCEPTIONS == []
