"""What is on the queue can be seen, and called off."""

import os
import pty
import subprocess
import sys
import termios
from pathlib import Path

import pytest

from queue_core import Task, TaskItem, TaskState


def test_a_list_has_a_row_for_each_task(queuectl, enqueued):
    first, second = enqueued("echo one", "--group", "night"), enqueued("echo two", "--priority", "high")
    head, *rows = queuectl("list").stdout.splitlines()
    assert head.split() == ["ID", "STATE", "PRIO", "ATTEMPTS", "DUE", "GROUP", "WORK"]
    assert [row.split()[0] for row in rows] == [first, second]
    assert rows[0].endswith("night  echo one")


def test_nothing_is_cut_or_wrapped_where_no_terminal_is(queuectl, enqueued):
    task_id = enqueued("echo " + "long " * 200, "--group", "g" * 200, "--id", "i" * 200)
    (row,) = queuectl("list").stdout.splitlines()[1:]
    assert row.startswith(task_id)
    assert row.endswith("long")
    assert "g" * 200 in row


@pytest.mark.parametrize("width", [60, 80, 120])
def test_a_narrow_terminal_cuts_the_command_and_no_id(enqueued, monkeypatch, width):
    monkeypatch.delenv("COLUMNS", raising=False)
    task_id = enqueued("echo " + "long " * 200, "--group", "night")
    controller, terminal = pty.openpty()
    termios.tcsetwinsize(terminal, (24, width))
    # What readline sets for C alone, when a debugger loads it, is in no os.environ.
    run = {"env": dict(os.environ), "check": True, "timeout": 60}
    subprocess.run([Path(sys.executable).parent / "queuectl", "list"], stdout=terminal, **run)  # noqa: PLW1510 (it checks)
    _, row = os.read(controller, 10_000).decode().splitlines()
    os.close(terminal)
    os.close(controller)
    assert row.split()[:2] == [task_id, "PENDING"]
    assert "echo long long" in row
    assert row.endswith("…")
    assert len(row) <= width


def test_what_a_command_is_made_of_can_not_steer_a_terminal(queuectl, enqueued):
    task_id = enqueued("printf '\x1b[2J\n[bold]:boom:'")
    listed, shown = queuectl("list").stdout, queuectl("show", task_id).stdout
    assert r"printf '\x1b[2J\n[bold]:boom:'" in listed
    assert "\x1b" not in listed + shown


def test_a_list_shows_the_calls_of_functions(queuectl, queue):
    queue.enqueue([Task(name="child", items=[TaskItem(number=3, title="x" * 500)]), Task(name="book", items=[])])
    first, second = queuectl("list").stdout.splitlines()[1:]
    assert "  child(number=3, title='xxxx" in first
    assert len(first) < 300
    assert second.endswith("  book: 0 items")


@pytest.mark.parametrize(
    ("word", "state"),
    [
        ("pending", TaskState.PENDING), ("Processing", TaskState.PROCESSING), ("COMPLETED", TaskState.COMPLETED),
        ("failed", TaskState.RETRYABLE), ("retryable", TaskState.RETRYABLE), ("dead", TaskState.DISCARDED),
        ("discarded", TaskState.DISCARDED), ("cancelled", TaskState.CANCELLED),
    ],
)  # fmt: skip
def test_states_have_all_their_names(told, enqueued, queue, word, state):
    ids = [enqueued("true") for _ in range(6)]
    queue.claim(size=5)
    queue.mark_as_complete(ids[1])
    queue.mark_as_retry(ids[2], "failed")
    queue.mark_as_discarded(ids[3])
    queue.mark_as_cancelled(ids[4])
    queue.heartbeat([ids[0]])
    queue.mark_as_retry(ids[4], "stopped")
    found = told("list", "--state", word)
    assert [task["state"] for task in found] == [state.name]


def test_filters_narrow_a_list(told, enqueued):
    one = enqueued("true", "--group", "g", "--tag", "a=1", "--tag", "b=2")
    two = enqueued("true", "--group", "g", "--tag", "a=1")
    enqueued("true")

    def ids(*words: str) -> list[str]:
        return [task["id"] for task in told("list", *words)]

    assert ids("--group", "g") == ids("--tag", "a=1") == [one, two]
    assert ids("--tag", "a=1", "--tag", "b=2") == [one]
    assert len(ids("--name", "command")) == 3
    assert ids("--name", "render") == []


def test_a_list_goes_on_page_by_page(queuectl, told, enqueued):
    ids = [enqueued("true") for _ in range(5)]
    page = queuectl("list", "--limit", "2")
    assert page.stderr == f"perhaps there are more: --after {ids[1]}\n"
    assert [task["id"] for task in told("list", "--limit", "2", "--after", ids[1])] == ids[2:4]


def test_a_task_that_is_not_there_is_exit_code_1(queuectl, queue):
    assert queuectl("show", "nobody", exit_code=1).stderr == "queuectl: task nobody does not exist\n"


def test_cancel_calls_off_what_waits_and_asks_what_runs(queuectl, told, enqueued, queue):
    running, waiting = enqueued("true", "--priority", "high"), enqueued("true")
    queue.claim(size=1)
    assert queuectl("cancel", running, waiting).stdout == f"{running} asked to stop\n{waiting} CANCELLED\n"
    assert told("cancel", running) == {running: "PROCESSING"}


def test_cancel_tells_of_all_that_goes_with_a_task(queuectl, enqueued):
    before = enqueued("true")
    queuectl("cancel", before)
    first = enqueued("true")
    second = enqueued("true", "--after", first)
    third = enqueued("true", "--after", second)
    shown = queuectl("cancel", first, third).stdout
    assert shown.splitlines() == [f"{task_id} CANCELLED" for task_id in (first, second, third)]


def test_cancel_does_what_it_can_and_says_what_it_could_not(queuectl, enqueued, queue):
    done, waiting = enqueued("true", "--priority", "high"), enqueued("true")
    queue.mark_as_complete(queue.claim(size=1)[0])
    result = queuectl("cancel", done, "nobody", waiting, "--reason", "no more needed", exit_code=1)
    assert result.stdout == f"{waiting} CANCELLED\n"
    assert result.stderr.startswith(f"queuectl: task {done} is COMPLETED: cancel is not possible; task nobody does not")
    assert queue.get(waiting).errors[-1].message == "no more needed"


def test_cancel_takes_a_group(told, enqueued):
    ids = [enqueued("true", "--group", "g") for _ in range(3)]
    assert told("cancel", "--group", "g") == dict.fromkeys(ids, "CANCELLED")
    assert told("cancel", "--group", "g") == {}


@pytest.mark.parametrize("words", [[], ["x", "--group", "g"], ["--group", "g", "--reason", "r"]])
def test_cancel_needs_to_know_what(queuectl, words):
    queuectl("cancel", *words, exit_code=2)


def test_status_shows_the_queue_as_a_whole(queuectl, told, enqueued, queue):
    blocker = enqueued("true")
    enqueued("true", "--after", blocker)
    enqueued("true", "--delay", "1h")
    found = told("status")
    assert [found[part] for part in ("depth", "ready", "scheduled", "blocked", "paused")] == [3, 1, 1, 1, 0]
    assert found["by_state"]["PENDING"] == 3
    assert found["workers"] == {}
    assert found["database"]["ok"]
    shown = queuectl("status").stdout
    assert "waiting      3 (1 ready, 1 scheduled, 1 blocked, 0 paused)" in shown
    assert "workers      none" in shown
