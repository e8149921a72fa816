"""How do plain functions run as tasks? `python examples/plain_task.py` shows it, with a database in this folder."""

from __future__ import annotations

from queue_core import (
    Queue,
    TaskExecutionError,
    WorkerSettings,
    configure,
    functions,
    get_task,
    list_tasks,
    submit_task,
    task,
)
from queue_core.supervisor import Supervisor

URL = "sqlite:///plain_task.db"


@task
def count_words(text: str) -> int:
    """A type hint says what an argument must be."""
    return len(text.split())


@task(max_retries=0, timeout_seconds=30, tags={"kind": "sums"})
def divide(total: int, by: int) -> float:
    """What can't work is not tried again."""
    return total / by


def submit() -> list[str]:
    """Queue some calls; return their ids."""
    return [
        submit_task(count_words, text="It was a bright cold day in April"),
        submit_task(count_words, priority=10, text="Urgent words go first"),
        submit_task(divide, tags={"batch": "daily"}, total=7, by=2),
        submit_task(divide, total=7, by=0),
    ]


def main() -> None:
    """Submit, work, and look at what came of it."""
    with Queue.open(URL) as queue:
        configure(queue)
        ids = submit()
        try:
            submit_task(divide, total="seven", by=2)
        except TaskExecutionError as error:
            print("refused:", error)

        summary = Supervisor(URL, functions.handlers(), count=2, settings=WorkerSettings(until_empty=True)).run()
        print("done:", {state.name: count for state, count in sorted(summary.counts.items())})
        for found in map(get_task, ids):
            print(found.name, found.state.name, found.errors[-1].message if found.errors else found.result)
        print("of today:", len(list_tasks("completed", tag={"batch": "daily"})))


if __name__ == "__main__":  # worker processes import this file too
    main()
