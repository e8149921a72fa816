"""The same queue, from asyncio."""

import asyncio
import inspect

import pytest
from sqlalchemy import text

from queue_core import AsyncQueue, LeaseLost, Queue, Task, TaskItem, TaskState

SYNC_ONLY = {"fence", "open", "reading", "transaction"}


def test_every_method_has_an_awaitable_twin():
    methods = {name for name, _ in inspect.getmembers(Queue, inspect.isfunction) if not name.startswith("_")}
    missing = {name for name in methods - SYNC_ONLY if not hasattr(AsyncQueue, name)}
    assert missing == set()
    for name in methods - SYNC_ONLY:
        assert inspect.signature(getattr(AsyncQueue, name)) == inspect.signature(getattr(Queue, name))


def test_a_task_goes_through(url):
    async def scenario():
        async with AsyncQueue(Queue.open(url)) as queue:
            (task_id,) = await queue.enqueue([Task(items=[TaskItem(text="x")])])
            (task,) = await queue.dequeue(1)
            await queue.mark_as_complete(task, result={"seconds": 2})
            with pytest.raises(LeaseLost):
                await queue.mark_as_retry(task, "late")
            return await queue.get(task_id), await queue.counts()

    task, counts = asyncio.run(scenario())
    assert (task.state, task.result) == (TaskState.COMPLETED, {"seconds": 2})
    assert counts[TaskState.COMPLETED] == 1


def test_waiting_does_not_block_the_loop(url):
    async def scenario():
        async with AsyncQueue(Queue.open(url)) as queue:
            waiting = asyncio.create_task(queue.claim(wait=30))
            await queue.enqueue([Task()])
            return await waiting

    assert len(asyncio.run(scenario())) == 1


def test_a_cancelled_claim_gives_back_what_it_got(url):
    async def scenario():
        async with AsyncQueue(Queue.open(url)) as queue:
            claim = asyncio.create_task(queue.claim(wait=30))
            await asyncio.sleep(0)  # let it start
            claim.cancel()
            with pytest.raises(asyncio.CancelledError):
                await claim
            await queue.enqueue([Task()])
            async with asyncio.timeout(20):
                while (task := (await queue.list())[0]).lease == 0 or task.state is not TaskState.PENDING:
                    await queue.counts()
            return task

    task = asyncio.run(scenario())
    assert (task.lease, task.attempt_count) == (1, 0)


def test_a_transaction_is_a_function(url):
    def work(connection):
        connection.execute(text("CREATE TABLE books (title TEXT)"))
        return queue.enqueue([Task()], connection=connection)

    with Queue.open(url) as queue:
        (task_id,) = asyncio.run(AsyncQueue(queue).transact(work))
        assert queue.get(task_id)


def test_a_reading_is_a_function_too(url):
    with Queue.open(url) as queue:
        (task_id,) = queue.enqueue([Task()])
        found = asyncio.run(AsyncQueue(queue).read(lambda it: it.execute(text("SELECT id FROM tasks")).scalar_one()))
        assert found == task_id
