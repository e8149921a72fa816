"""A user's day with queuectl, typed command by command into a real shell; every command of document 002 is here."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.queue_core.crew import wait_until

SCRIPT = Path(sys.executable).parent / "queuectl"
Typed = Callable[..., str]


@pytest.fixture
def typed(shared_url: str) -> Typed:
    """Type a command on each kind of store; return what it printed."""
    subprocess.run([SCRIPT, "config", "set", "database-url", shared_url], check=True)

    def run(*words: str, exit_code: int = 0, said: str = "") -> str:
        done = subprocess.run([SCRIPT, *words], capture_output=True, text=True, check=False, timeout=60)
        assert done.returncode == exit_code, done.stderr
        assert said in done.stderr
        return done.stdout

    return run


def told(typed: Typed, *words: str) -> Any:
    return json.loads(typed(*words, "--json"))


def test_a_day(typed, folder):
    # Aggressive retries, as document 002 sets them; the base is 1 here so that the day is short.
    typed("config", "set", "max-retries", "2")
    typed("config", "set", "backoff-base", "1")
    assert typed("config", "get", "max-retries") == "2\n"

    failing = typed("enqueue", "cat missing.txt", "--cwd", str(folder), "--group", "night").strip()
    quick = typed("enqueue", "echo quick", "--priority", "high").strip()
    assert [task["id"] for task in told(typed, "list", "--state", "pending")] == [failing, quick]
    assert told(typed, "status")["ready"] == 2

    workers = subprocess.Popen([SCRIPT, "worker", "start", "--count", "2"], stderr=subprocess.DEVNULL)
    try:
        dead_after_retries(typed, failing, quick)
        (folder / "missing.txt").write_text("found\n")
        retried_by_hand(typed, failing)
        assert len(told(typed, "worker", "list")) == 2
        typed("worker", "stop", "--wait", "60")
        assert workers.wait(timeout=60) == 0
    finally:
        workers.kill()

    typed("pause", "--group", "night")
    paused = typed("enqueue", "true", "--group", "night").strip()
    typed("worker", "start", "--count", "1", "--until-empty", exit_code=1, said="left behind: 1 command: paused")
    typed("unpause", "--group", "night")
    assert typed("cancel", "--group", "night") == f"{paused} CANCELLED\n"
    assert typed("cleanup", "--older-than", "0") == "3 deleted\n"
    assert typed("list", "--json") == "[]\n"


def dead_after_retries(typed: Typed, failing: str, quick: str) -> None:
    """Both run; one fails three times, and is dead then."""
    wait_until(lambda: [task["id"] for task in told(typed, "dlq", "list")] == [failing], 60, "a dead letter")
    assert told(typed, "show", quick)["result"]["output"] == "quick\n"
    found = told(typed, "dlq", "show", failing)
    assert [error["attempt"] for error in found["errors"]] == [1, 2, 3]
    assert "missing.txt" in found["errors"][0]["message"]


def retried_by_hand(typed: Typed, failing: str) -> None:
    assert typed("dlq", "retry", failing) == f"{failing}\n"
    wait_until(lambda: told(typed, "show", failing)["state"] == "COMPLETED", 60, "its completion")
    assert "output:\n  found\n" in typed("show", failing)
    assert typed("dlq", "purge", "--yes") == "0 purged\n"
