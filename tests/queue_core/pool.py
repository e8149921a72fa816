"""How is a pool of workers run by a test: in this process, or in one that can be sent signals?

Run as `python -m tests.queue_core.pool JSON`, it prints what its workers did.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from queue_core import QueueConfig
from queue_core.reports import WorkSummary
from queue_core.settings import WorkerSettings
from queue_core.supervisor import Supervisor

from . import jobs

_ROOT = Path(__file__).parents[2]
CONFIG = {"retry_base_delay": 0.05, "poll_interval": 0.2}


def supervisor(url: str, *, count: int = 1, config: dict[str, Any] | None = None, **settings: Any) -> Supervisor:
    asked = QueueConfig(**{**CONFIG, **(config or {})})
    return Supervisor(url, jobs.HANDLERS, count=count, settings=WorkerSettings(**settings), config=asked)


@contextmanager
def at_work(url: str, **asked: Any) -> Iterator[Supervisor]:
    """Have workers at work in child processes, for as long as the block runs."""
    pool = supervisor(url, **asked)
    thread = threading.Thread(target=pool.run)
    thread.start()
    try:
        yield pool
    finally:
        pool.stop()
        thread.join()


class Process:
    """A supervisor in a process of its own."""

    def __init__(self, url: str, **asked: Any) -> None:
        command = [sys.executable, "-m", "tests.queue_core.pool", json.dumps({"url": url, **asked})]
        self.process = subprocess.Popen(
            command, cwd=_ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
        )

    def summary(self, seconds: float = 60) -> WorkSummary:
        """Wait for the end, which must be a good one."""
        said, complaints = self.process.communicate(timeout=seconds)
        assert self.process.returncode == 0, complaints
        return WorkSummary.model_validate_json(said)


@contextmanager
def in_a_process(url: str, **asked: Any) -> Iterator[Process]:
    started = Process(url, **asked)
    try:
        yield started
    finally:
        with suppress(ProcessLookupError):
            os.killpg(started.process.pid, signal.SIGKILL)
        started.process.communicate()


if __name__ == "__main__":
    print(supervisor(**json.loads(sys.argv[1])).run().model_dump_json())  # noqa: T201
