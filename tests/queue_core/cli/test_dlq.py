"""What failed for good is looked after by people."""

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from queue_core import TaskState


def test_the_dead_are_listed_with_their_last_error(queuectl, told, dead, enqueued):
    first, second = dead("--group", "g"), dead()
    enqueued("true")
    _, *rows = queuectl("dlq", "list").stdout.splitlines()
    assert [row.split()[0] for row in rows] == [first, second]
    assert all(row.endswith("exit 3  exited with 3") for row in rows)
    assert [task["id"] for task in told("dlq", "list", "--group", "g")] == [first]
    assert [task["id"] for task in told("dlq", "list", "--after", first)] == [second]
    assert queuectl("dlq", "list", "--limit", "1").stderr == f"perhaps there are more: --after {first}\n"


def test_the_last_line_of_an_error_is_the_one_that_says_why(queuectl, enqueued, queue):
    enqueued("make all")
    (task,) = queue.claim()
    queue.mark_as_discarded(task, error="exited with 2: entering folder\ncc: no such file\n\n")
    assert queuectl("dlq", "list").stdout.splitlines()[1].endswith("make all  cc: no such file")


def test_one_of_them_is_shown_in_full(queuectl, told, dead, enqueued):
    task_id = dead()
    assert "exited with 3" in queuectl("dlq", "show", task_id).stdout
    assert told("dlq", "show", task_id)["state"] == "DISCARDED"
    alive = enqueued("true")
    assert queuectl("dlq", "show", alive, exit_code=1).stderr == f"queuectl: task {alive} is PENDING, not dead\n"


def test_retry_brings_back_those_that_are_named(queuectl, dead, queue):
    first, second, third = dead(), dead(), dead()
    assert queuectl("dlq", "retry", first, third).stdout == f"{first}\n{third}\n"
    assert [queue.get(task_id).state.name for task_id in (first, second, third)] == ["PENDING", "DISCARDED", "PENDING"]


def test_retry_brings_back_a_group_or_all(told, dead):
    first, second, third = dead("--group", "g"), dead(), dead()
    assert told("dlq", "retry", "--group", "g") == {"resumed": [first]}
    assert told("dlq", "retry", "--all") == {"resumed": [second, third]}
    assert told("dlq", "retry", "--all") == {"resumed": []}


def test_retry_does_what_it_can_and_says_what_it_could_not(queuectl, dead, enqueued):
    alive, gone = enqueued("true"), dead()
    result = queuectl("dlq", "retry", alive, "nobody", gone, exit_code=1)
    assert result.stdout == f"{gone}\n"
    assert "is PENDING" in result.stderr
    assert "task nobody does not exist" in result.stderr


@pytest.mark.parametrize("words", [[], ["x", "--all"], ["--all", "--group", "g"]])
def test_retry_needs_to_know_what(queuectl, words):
    queuectl("dlq", "retry", *words, exit_code=2)


def test_purge_asks_where_somebody_can_answer_and_refuses_elsewhere(queuectl, told, dead, queue):
    dead()
    assert "say --yes" in queuectl("dlq", "purge", exit_code=2).stderr
    assert queue.counts()[TaskState.DISCARDED] == 1
    assert told("dlq", "purge", "--yes") == {"purged": 1}


@pytest.mark.parametrize(
    ("answer", "exit_code", "left"), [("n\n", 1, 1), ("\n", 1, 1), ("y\n", 0, 0), ("\x04", 130, 1)]
)
def test_purge_does_what_is_answered(dead, queue, answer, exit_code, left):
    dead()
    controller, terminal = pty.openpty()
    os.write(controller, answer.encode())
    command = [Path(sys.executable).parent / "queuectl", "dlq", "purge"]
    done = subprocess.run(command, stdin=terminal, capture_output=True, check=False, timeout=60)
    os.close(terminal)
    os.close(controller)
    assert done.returncode == exit_code, done.stderr
    assert b"Delete 1 dead tasks for ever?" in done.stderr
    assert queue.counts().get(TaskState.DISCARDED, 0) == left
