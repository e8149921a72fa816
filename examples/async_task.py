"""How do async functions run as tasks? `python examples/async_task.py` shows it, with a database in this folder."""

from __future__ import annotations

import asyncio

from pydantic import BaseModel

from queue_core import Queue, WorkerSettings, configure, functions, get_task, submit_task_async, task
from queue_core.supervisor import Supervisor

URL = "sqlite:///async_task.db"


class Page(BaseModel):
    """Arguments and values can be models."""

    name: str
    links: list[str] = []


@task
async def fetch(page: Page, seconds: float = 0.1) -> Page:
    """Wait, as for a server; others run meanwhile."""
    await asyncio.sleep(seconds)
    return Page(name=page.name.upper(), links=[f"{page.name}/{number}" for number in range(2)])


async def submit() -> list[str]:
    """Queue some calls, the last of which takes longer than it may; return their ids."""
    calls = [submit_task_async(fetch, page=Page(name=name)) for name in ("one", "two", "three", "four")]
    slow = submit_task_async(fetch, timeout_seconds=0.2, max_retries=0, page=Page(name="slow"), seconds=60)
    return await asyncio.gather(*calls, slow)


def main() -> None:
    """Submit, work, and look at what came of it."""
    with Queue.open(URL) as queue:
        configure(queue)
        ids = asyncio.run(submit())
        settings = WorkerSettings(until_empty=True, concurrency=4)
        summary = Supervisor(URL, functions.handlers(), count=2, settings=settings).run()
        print("done:", {state.name: count for state, count in sorted(summary.counts.items())})
        for found in map(get_task, ids):
            print(found.name, found.state.name, found.errors[-1].message if found.errors else found.result)


if __name__ == "__main__":  # worker processes import this file too
    main()
