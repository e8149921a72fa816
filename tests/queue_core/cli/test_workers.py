"""Workers are started, watched and stopped from the command line."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from queue_core import Queue, TaskState, WorkerRecord
from tests.queue_core.crew import wait_until
from tests.queue_core.processes import is_running, pid_in

SCRIPT = Path(sys.executable).parent / "queuectl"
QUIET = ("--log-level", "error")
Started = Callable[..., subprocess.Popen[str]]


@pytest.fixture
def started() -> Iterator[Started]:
    """Run `queuectl worker start` in the background; what still runs at the end of the test is killed."""
    with ExitStack() as stack:

        def start(*words: str, **options) -> subprocess.Popen[str]:
            command = [SCRIPT, "worker", "start", *QUIET, *words]
            process = stack.enter_context(
                subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)
            )
            stack.callback(process.kill)
            return process

        yield start


def end_of(process: subprocess.Popen[str]) -> tuple[int, str]:
    """Wait for the end; return the exit code and what was said."""
    stdout, stderr = process.communicate(timeout=60)
    assert stdout == ""
    return process.returncode, stderr


def until(queue: Queue, task_id: str, state: TaskState) -> None:
    wait_until(lambda: queue.get(task_id).state is state, 30, f"{task_id} {state.name}")


def test_until_empty_runs_what_there_is_and_ends(started, enqueued, queue):
    ids = [enqueued(f"echo {number}") for number in range(5)]
    assert end_of(started("--count", "2", "--until-empty")) == (0, "queuectl: 5 completed\n")
    assert [queue.get(task_id).result["output"] for task_id in ids] == [f"{number}\n" for number in range(5)]
    assert list(queue.workers()) == []


def test_until_empty_fails_where_something_is_left_behind(started, enqueued, dead):
    enqueued("true", "--after", dead())
    enqueued("true", "--needs", "gpu")
    exit_code, said = end_of(started("--count", "1", "--until-empty"))
    assert exit_code == 1
    assert "queuectl: left behind: 1 command: blocked\n" in said
    assert "queuectl: left behind: 1 command: lacking (needs gpu)\n" in said


def test_a_capability_is_what_some_tasks_need(started, enqueued):
    enqueued("true", "--needs", "gpu")
    assert end_of(started("--count", "1", "--until-empty", "--capability", "gpu"))[0] == 0


def test_the_setting_says_how_many_and_the_flag_goes_before_it(started, queuectl, queue):
    queuectl("config", "set", "workers", "2")
    two = started()
    wait_until(lambda: len(queue.workers()) == 2, 30, "two workers")
    three = started("--count", "3")
    wait_until(lambda: len(queue.workers()) == 5, 30, "five workers")
    for process in (two, three):
        process.terminate()
        assert end_of(process)[0] == 0


def test_a_timeout_ends_a_command_and_counts_as_an_attempt(started, enqueued, queue, folder):
    task_id = enqueued(
        f"echo said; sh -c 'echo $$ > {folder / 'pid'}; exec sleep 600' & wait", "--timeout", "0.5", "--retries", "0"
    )
    assert end_of(started("--count", "1", "--until-empty"))[1].endswith("queuectl: 1 discarded\n")
    (error,) = queue.get(task_id).errors
    assert error.type == "CommandTimeout"
    assert error.message == "timed out after 0.5 s: said\n".rstrip()
    assert not is_running(pid_in(folder / "pid"))


def test_a_signal_lets_it_finish_what_runs(started, enqueued, queue, folder):
    os.mkfifo(folder / "go")
    running = enqueued(f"echo $$ > pid; read word < {folder / 'go'}; echo $word", "--cwd", str(folder))
    waiting = enqueued("true")
    process = started("--count", "1")
    pid_in(folder / "pid")
    process.terminate()
    (folder / "go").write_text("finished\n")
    assert end_of(process) == (0, "queuectl: 1 completed\n")
    assert queue.get(running).result["output"] == "finished\n"
    assert queue.get(waiting).state is TaskState.PENDING


def test_ctrl_c_is_exit_code_130_and_a_second_one_does_not_wait(started, enqueued, queue, folder):
    task_id = enqueued("echo $$ > pid; exec sleep 600", "--cwd", str(folder))
    process = started("--count", "1", "--log-level", "info")
    pid = pid_in(folder / "pid")
    process.send_signal(signal.SIGINT)
    assert process.stderr is not None
    while "draining" not in process.stderr.readline():
        pass
    process.send_signal(signal.SIGINT)
    assert end_of(process)[0] == 130
    assert not is_running(pid)
    assert queue.get(task_id).attempt_count == 0


def test_a_command_does_not_outlive_all_who_look_after_it(started, enqueued, told, folder):
    enqueued("trap '' TERM HUP; echo $$ > pid; sleep 600 & wait", "--cwd", str(folder))
    process = started("--count", "1")
    pid = pid_in(folder / "pid")
    (worker,) = told("worker", "list")
    os.kill(process.pid, signal.SIGKILL)
    os.kill(worker["pid"], signal.SIGKILL)
    wait_until(lambda: not is_running(pid), 20, "the end of the command")


def test_a_list_has_a_row_for_each_worker(started, queuectl, told, queue):
    process = started("--count", "1", "--capability", "gpu")
    wait_until(lambda: len(queue.workers()) == 1, 30, "a worker")
    head, row = queuectl("worker", "list").stdout.splitlines()
    assert head.split() == ["ID", "HOST", "PID", "STATUS", "LOAD", "STARTED", "HEARTBEAT", "CAPABILITIES", "VERSION"]
    (found,) = told("worker", "list")
    assert row.split()[:5] == [found["id"], found["host"], str(found["pid"]), "active", f"0/{found['capacity']}"]
    assert found["capabilities"] == ["gpu"]
    assert told("status")["workers"] == {"active": 1}
    process.terminate()
    end_of(process)


def test_stop_asks_all_and_waits_for_their_end(started, queuectl, queue):
    process = started("--count", "2")
    wait_until(lambda: len(queue.workers()) == 2, 30, "two workers")
    asked = queuectl("worker", "stop", "--wait", "60").stdout
    assert asked.count("asked to stop") == 2
    assert list(queue.workers()) == []
    assert end_of(process)[0] == 0


def test_stop_tells_who_is_still_there_or_never_was(queuectl, queue):
    queue.record_worker(WorkerRecord(id="w1", host="elsewhere", pid=1, started_at=queue.clock.now_ms()))
    result = queuectl("worker", "stop", "w1", "nobody", "--wait", "0", exit_code=1)
    assert result.stdout == "w1 asked to stop\n"
    assert result.stderr == "queuectl: no such worker lives: nobody; still there: w1\n"
    found = json.loads(queuectl("worker", "stop", "--json").stdout)
    assert found == {"asked": ["w1"], "unknown": [], "left": []}
    assert "stopping" in queuectl("worker", "list").stdout


def test_where_nobody_works_there_is_nobody_to_stop(queuectl, queue):
    assert queuectl("worker", "stop", "--wait", "10").stdout == ""


MODULE = """
from queue_core.functions import task

@task
def add(left: int, right: int) -> int:
    return left + right
"""


def test_a_worker_can_run_functions_of_a_module_in_place_of_commands(started, enqueued, queue, folder):
    (folder / "my_tasks.py").write_text(MODULE)
    queue.enqueue([task := _call("add", left=2, right=3)])
    command = enqueued("true")
    process = started("--count", "1", "--until-empty", "--tasks", "my_tasks", "--no-commands", "--size", "20")
    assert end_of(process) == (0, "queuectl: 1 completed\n")
    assert queue.get(task).result == 5
    assert queue.get(command).state is TaskState.PENDING
    assert end_of(started("--count", "1", "--until-empty", "--tasks", "my_tasks"))[0] == 0
    assert queue.get(command).state is TaskState.COMPLETED


def _call(name: str, **arguments):
    from queue_core import Task, TaskItem

    return Task(name=name, items=[TaskItem(**arguments)])


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--no-commands"], "There is nothing to run"),
        (["--tasks", "no_such_module"], "'no_such_module' can't be imported"),
        (["--count", "0"], "0 is not in the range"),
        (["--log-level", "loud"], "'loud' is not one of"),
        (["--capability", ""], "Invalid value for '--capability': it must not be empty"),
    ],
)
def test_wrong_use_is_exit_code_2(queuectl, words, said):
    assert said in queuectl("worker", "start", *words, exit_code=2).stderr


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("import json\njson.loads('{')", "JSONDecodeError: Expecting property name"),
        ("1\n1 / 0", "ZeroDivisionError: division by zero (broken.py, line 2)"),
        ("1\ndef f(:", "SyntaxError: invalid syntax (broken.py, line 2)"),
        ("1\nimport no_such_module", "No module named 'no_such_module' (broken.py, line 2)"),
        ("1\nraise SystemExit(3)", "SystemExit: 3 (broken.py, line 2)"),
    ],
)
def test_a_module_that_can_not_be_imported_is_one_line(queuectl, folder, monkeypatch, written, said):
    (folder / "broken.py").write_text(written)
    monkeypatch.setattr(sys, "path", ["", *sys.path])
    last = queuectl("worker", "start", "--tasks", "broken", exit_code=2).stderr.splitlines()[-1]
    assert last.startswith("Error: Invalid value for --tasks: 'broken' can't be imported: ")
    assert said in last
    assert last.endswith("(broken.py, line 2)")


def test_workers_say_at_their_start_what_they_are(started, queuectl):
    queuectl("config", "set", "workers", "2")
    _, said = end_of(started("--until-empty", "--log-level", "info"))
    assert said.splitlines() == [
        "queuectl: 2 workers on sqlite:///data/queue.db for command",
        "queuectl: Ctrl-C finishes what runs; twice ends it",
        "queuectl: nothing done",
    ]


def test_the_summary_counts_what_happened(started, queuectl, enqueued):
    queuectl("config", "set", "backoff-base", "1")
    enqueued("exit 1", "--retries", "1")
    enqueued("true")
    _, said = end_of(started("--count", "1", "--until-empty"))
    assert said.endswith("queuectl: 1 completed, 1 failed attempt, 1 discarded\n")


def test_a_log_for_people_has_a_line_for_each_end_of_a_task(started, enqueued):
    task_id = enqueued("echo the reason; exit 3 #" + "x" * 100, "--retries", "0")
    line = end_of(started("--count", "1", "--until-empty", "--log-level", "warning"))[1].splitlines()[0]
    assert line.split()[1:3] == ["discarded", task_id]
    assert line.endswith("xxx…  exited with 3: the reason")
    assert len(line) < 150


def test_logs_are_for_people_or_for_machines(started, enqueued):
    enqueued("true")
    _, said = end_of(started("--count", "1", "--until-empty", "--log-json", "--log-level", "info"))
    *logged, summary = said.splitlines()
    assert "task completed" in {json.loads(line)["event"] for line in logged}
    assert summary == "queuectl: 1 completed"


def test_a_store_that_can_not_be_used_is_one_line(queuectl):
    result = queuectl("--database", "sqlite:////proc/none/queue.db", "worker", "start", exit_code=1)
    assert result.stderr.startswith("queuectl: sqlite:////proc/none/queue.db")
    assert result.stderr.count("\n") == 1
