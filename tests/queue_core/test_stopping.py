"""Handlers are told to stop, end in time, and tell how far they are."""

import asyncio
import threading
from collections.abc import Iterator
from concurrent.futures import CancelledError

import pytest

from queue_core import InvalidRequest, Task, TaskTimeoutError, begin_step, is_draining, report_progress
from queue_core.execution import Loop, run
from queue_core.handlers import Handler
from queue_core.running import Running, current
from queue_core.states import Event
from tests.queue_core import calls
from tests.queue_core.calls import ended, raising, running

PATIENCE = 20
"""How many seconds a test waits for what comes at once."""


@pytest.fixture
def loop() -> Iterator[Loop]:
    with calls.loop() as opened:
        yield opened


def test_an_async_handler_that_takes_too_long_is_ended(loop):
    is_tidied_up = threading.Event()

    async def wait_for_ever(task):
        try:
            await asyncio.Event().wait()
        finally:
            is_tidied_up.set()

    found = ended(wait_for_ever, loop, timeout_seconds=0.01)
    assert (found.event, type(found.error), found.error.seconds) == (Event.FAIL, TaskTimeoutError, 0.01)
    assert is_tidied_up.is_set()


def test_a_timeout_of_the_handlers_own_is_no_timeout_of_the_task(loop):
    async def impatient(task):
        async with asyncio.timeout(0):
            await asyncio.Event().wait()

    for fields in ({}, {"timeout_seconds": PATIENCE}):
        found = ended(impatient, loop, **fields)
        assert (found.event, type(found.error)) == (Event.FAIL, TimeoutError)


def test_a_task_that_cancels_itself_failed(loop):
    async def cancel_myself(task):
        asyncio.current_task().cancel()
        await asyncio.sleep(0)

    found = ended(cancel_myself, loop)
    assert (found.event, type(found.error)) == (Event.FAIL, CancelledError)


def test_what_was_cancelled_before_its_turn_does_not_start(loop):
    stopped = running()
    stopped.stop()
    found = run(stopped, Handler(raising(AssertionError(), is_async=False)), loop)
    assert (found.event, str(found.error)) == (Event.CANCEL, "task 1 was cancelled, or is another worker's by now")


def test_an_async_handler_is_stopped_where_it_waits_and_may_tidy_up(loop):
    seen = []

    async def wait_for_ever(task):
        try:
            threading.Thread(target=held.stop).start()
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0)
            seen.append("tidied up")

    held = running()
    found = run(held, Handler(wait_for_ever), loop)
    assert (found.event, seen, held.on_stop) == (Event.CANCEL, ["tidied up"], None)


def test_a_stop_in_the_instant_of_the_start_is_not_missed(loop):
    held = running()

    def start(task):
        async def wait_for_ever():
            await asyncio.Event().wait()

        held.is_stopped = True  # as if stop() had come before there was anything to end
        return wait_for_ever()

    assert run(held, Handler(start), loop).event is Event.CANCEL


def test_a_plain_handler_is_stopped_when_it_reports(loop):
    def work(task):
        held.stop()
        report_progress(1, 2)

    held = running()
    assert run(held, Handler(work), loop).event is Event.CANCEL
    assert held.progress is None


def test_a_plain_handler_is_stopped_when_it_begins_a_step(loop):
    def work(task):
        begin_step(1)
        held.stop()
        begin_step(2)

    held = running()
    assert run(held, Handler(work), loop).event is Event.CANCEL
    assert held.step == 1


def test_an_async_handler_is_ended_where_its_step_takes_too_long(loop):
    async def wait_for_ever(task):
        begin_step(1, timeout_seconds=PATIENCE)
        await asyncio.to_thread(begin_step, 2, timeout_seconds=0.01)
        await asyncio.Event().wait()

    for fields in ({}, {"timeout_seconds": PATIENCE}):
        found = ended(wait_for_ever, loop, **fields)
        assert (found.event, type(found.error)) == (Event.FAIL, TaskTimeoutError)
        assert (found.error.seconds, found.error.step) == (0.01, 2)


def test_the_steps_of_an_async_handler_may_take_longer_than_its_task(loop):
    async def work(task):
        begin_step(1, timeout_seconds=PATIENCE)
        is_later = asyncio.Event()
        asyncio.get_running_loop().call_later(0.02, is_later.set)
        await is_later.wait()

    assert ended(work, loop, timeout_seconds=0.01).event is Event.COMPLETE


def test_a_step_that_begins_in_the_instant_when_its_handler_ends_disturbs_nobody(loop, caplog):
    async def work(task):
        left.append(held.on_deadline)

    async def begin_late():
        left[0](PATIENCE)
        await asyncio.sleep(0)

    held, left = running(timeout_seconds=PATIENCE), []
    assert run(held, Handler(work), loop).event is Event.COMPLETE
    assert held.on_deadline is None
    loop.run(begin_late(), None)
    assert caplog.records == []


@pytest.mark.parametrize("step", [-1, 1.0, True, None, "1", 2**31])
def test_a_step_counts_from_zero_on(loop, step):
    assert isinstance(ended(lambda _: begin_step(step), loop).error, InvalidRequest)


@pytest.mark.parametrize("seconds", [0, -1, float("nan"), float("inf"), True, "1"])
def test_a_step_takes_some_time(loop, seconds):
    assert isinstance(ended(lambda _: begin_step(1, timeout_seconds=seconds), loop).error, InvalidRequest)


@pytest.mark.parametrize("is_async", [False, True], ids=["plain", "async"])
def test_a_handler_tells_how_far_it_is_and_asks_whether_to_stop(loop, is_async):
    def plain(task):
        report_progress(1, 2, "half")
        return is_draining()

    async def coroutine(task):
        await asyncio.sleep(0)
        return await asyncio.create_task(asyncio.to_thread(plain, task))

    held = running()
    held.is_draining = True
    found = run(held, Handler(coroutine if is_async else plain), loop)
    assert found.result is True
    assert (held.progress, held.is_told) == ({"done": 1, "total": 2, "note": "half"}, False)


def test_each_of_several_async_handlers_knows_its_own_task(loop):
    async def work(task):
        await asyncio.to_thread(barrier.wait, PATIENCE)  # all run at once
        report_progress(int(task.id))
        return current.get().task.id

    barrier = threading.Barrier(3)
    all_held = [Running(Task(id=str(number))) for number in range(3)]
    found = {}
    threads = [
        threading.Thread(target=lambda held=held: found.update({held.task.id: run(held, Handler(work), loop)}))
        for held in all_held
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert {number: ending.result for number, ending in found.items()} == {"0": "0", "1": "1", "2": "2"}
    assert [held.progress for held in all_held] == [{"done": 0}, {"done": 1}, {"done": 2}]


def test_outside_of_a_worker_nobody_listens(loop):
    report_progress(1)
    begin_step(1, timeout_seconds=1)
    assert is_draining() is False
    ended(lambda _: (report_progress(1), begin_step(1, timeout_seconds=1)), loop)
    assert current.get() is None


def test_a_closed_loop_ends_what_still_runs_there(loop):
    async def wait_for_ever(task):
        threading.Thread(target=loop.close).start()
        await asyncio.Event().wait()

    found = ended(wait_for_ever, loop)
    assert (found.event, type(found.error)) == (Event.FAIL, CancelledError)
    assert loop.run(asyncio.sleep(0, "again"), None) == "again"
