"""How a test types a command."""

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from queue_core import Queue
from queue_core.cli.main import cli

Typed = Callable[..., Result]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch) -> Path:
    """An empty folder to work in, and no settings from outside."""
    for name in os.environ:
        if name.startswith("QUEUECTL_"):
            monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def queuectl() -> Typed:
    """Run a command, and check its exit code."""

    def run(*words: str, exit_code: int = 0, **options: Any) -> Result:
        result = CliRunner().invoke(cli, words, prog_name="queuectl", **options)
        assert result.exit_code == exit_code, result.output
        return result

    return run


@pytest.fixture
def told(queuectl: Typed) -> Callable[..., Any]:
    """Run a command with `--json`, and read what it says."""

    def run(*words: str, **options: Any) -> Any:
        return json.loads(queuectl(*words, "--json", **options).stdout)

    return run


@pytest.fixture
def queue(folder: Path) -> Iterator[Queue]:
    """The queue of the commands, for what a worker would do."""
    with Queue.open("sqlite:///data/queue.db") as opened:
        yield opened


@pytest.fixture
def enqueued(queuectl: Typed) -> Callable[..., str]:
    """Enqueue a command; return its id."""
    return lambda *words: queuectl("enqueue", *words).stdout.strip()


@pytest.fixture
def dead(enqueued: Callable[..., str], queue: Queue) -> Callable[..., str]:
    """Enqueue a command that failed for good; return its id."""

    def make(*words: str) -> str:
        task_id = enqueued("exit 3", *words)
        others = [task for task in queue.claim(size=100) if task.id != task_id]
        queue.mark_as_discarded(task_id, error="exited with 3")
        queue.release(others)
        return task_id

    return make
