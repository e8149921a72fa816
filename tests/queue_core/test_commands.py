"""A task that runs a command ends as its command does."""

import pickle
import time

import pytest
from pydantic import ValidationError

from queue_core import Task, TaskItem
from queue_core.commands import (
    NAME,
    CommandFailed,
    CommandItem,
    CommandNotStarted,
    CommandTimeout,
    Failure,
    failure_of,
    handlers,
    run_command,
)
from queue_core.endings import Ending
from queue_core.errors import QueueError
from queue_core.execution import Loop, run
from queue_core.failure import describe
from queue_core.outcomes import Discard
from queue_core.running import Running, Stopped
from queue_core.shell import GRACE_SECONDS
from queue_core.states import Event

from .processes import is_running, pid_in


def task_of(command: str, **fields) -> Task:
    return Task(name=NAME, items=[CommandItem(command=command, **fields)])


class Slot:
    """Where the group of a running command is shown."""

    def __init__(self) -> None:
        self.groups: list[int] = []

    def show_group(self, group: int) -> None:
        self.groups.append(group)


def ending_of(task: Task, **running) -> Ending:
    """Let a worker's own code run a task, and return how it ended."""
    return run(Running(task, **running), handlers()[NAME], Loop())


def test_success_is_a_result():
    result = run_command(task_of("echo one; echo two >&2"))
    assert result["exit_code"] == 0
    assert result["output"] == "one\ntwo\n"
    assert result["seconds"] >= 0


def test_another_exit_code_is_a_failure_with_what_it_said():
    with pytest.raises(CommandFailed, match="exited with 3: the reason") as caught:
        run_command(task_of("echo the reason; exit 3"))
    assert caught.value.exit_code == 3
    assert caught.value.can_retry


@pytest.mark.parametrize(
    ("command", "failure"),
    [
        ("echo one: two; exit 3", Failure("exited with 3", 3, "one: two")),
        ("kill -KILL $$", Failure("was killed by SIGKILL", None, "")),
        ("echo a; exec sleep 600", Failure("timed out after 0.5 s", None, "a")),
    ],
)
def test_what_is_kept_of_a_failure_can_be_taken_apart(command, failure):
    with pytest.raises(QueueError) as caught:
        run_command(task_of(command), timeout=0.5)
    assert failure_of(describe(caught.value, 1, 0, 5000)) == failure


def test_an_error_of_another_kind_is_no_failure_of_a_command():
    assert failure_of(describe(ValueError("exited with 3: no"), 1, 0, 5000)) is None


def test_a_signal_is_told_by_its_name():
    with pytest.raises(CommandFailed, match="was killed by SIGKILL"):
        run_command(task_of("kill -KILL $$"))


def test_only_the_end_of_a_long_output_is_in_the_error():
    with pytest.raises(CommandFailed) as caught:
        run_command(task_of("yes | head -c 100000; echo the end; exit 1"))
    assert str(caught.value).endswith("the end")
    assert len(str(caught.value)) < 2100
    assert len(caught.value.output) > 60_000


def test_the_timeout_ends_the_whole_group(tmp_path):
    command = f"echo before; sh -c 'echo $$ > {tmp_path / 'pid'}; exec sleep 600' & wait"
    with pytest.raises(CommandTimeout, match=r"timed out after 0\.5 s: before") as caught:
        run_command(task_of(command), timeout=0.5)
    assert caught.value.can_retry
    assert not is_running(pid_in(tmp_path / "pid"))


def test_the_worker_leaves_time_to_end_a_command_before_it_is_killed():
    assert handlers(5)[NAME].grace > GRACE_SECONDS + 1


def test_a_task_that_is_cancelled_ends_its_command(tmp_path):
    running = Running(task_of(f"echo $$ > {tmp_path / 'pid'}; exec sleep 600"))
    running.slot = Stopping(running, tmp_path)
    ending = run(running, handlers()[NAME], Loop())
    assert ending.event is Event.CANCEL
    assert isinstance(ending.error, Stopped)
    assert not is_running(pid_in(tmp_path / "pid"))


class Stopping:
    """Asks to stop as soon as the command is under way."""

    def __init__(self, running: Running, folder) -> None:
        self._running, self._folder = running, folder

    def show_group(self, group: int) -> None:
        if group:
            pid_in(self._folder / "pid")
            self._running.stop()


def test_the_group_is_shown_while_it_runs_and_no_longer():
    slot = Slot()
    ending_of(task_of("exit 0"), slot=slot)
    first, last = slot.groups
    assert first > 0
    assert last == 0


def test_a_folder_that_is_not_there_may_come_yet(tmp_path):
    with pytest.raises(CommandNotStarted, match=r"No such file or directory.*nowhere") as caught:
        run_command(task_of("pwd", cwd=str(tmp_path / "nowhere")))
    assert caught.value.can_retry


def test_a_command_that_is_too_long_can_never_be_started():
    with pytest.raises(Discard, match="too long"):
        run_command(task_of("x" * 3_000_000))


@pytest.mark.parametrize(
    "fields",
    [
        {"command": ""},
        {"command": "echo \0"},
        {"command": "pwd", "cwd": "/\0"},
        {"command": "env", "env": {"A\0": "b"}},
        {"command": "env", "env": {"A": "b\0"}},
        {"command": "env", "env": {"A=B": "c"}},
        {"command": "env", "env": {"": "c"}},
        {"command": "env", "env": {"A": "\ud800"}},
    ],
)
def test_what_no_system_can_run_is_refused_at_once(fields):
    with pytest.raises(ValidationError):
        CommandItem(**fields)


@pytest.mark.parametrize(
    "items", [[], [TaskItem(text="no command")], [TaskItem(command="\0")], [CommandItem(command="pwd")] * 2]
)
def test_a_task_without_one_command_is_discarded(items):
    with pytest.raises(Discard):
        run_command(Task(name=NAME, items=items))


def test_the_end_of_a_command_is_what_its_worker_reports(tmp_path):
    done, failed = ending_of(task_of("echo hi")), ending_of(task_of("exit 3"))
    never, elsewhere = ending_of(Task(name=NAME)), ending_of(task_of("pwd", cwd=str(tmp_path / "nowhere")))
    events = [ending.event for ending in (done, failed, never, elsewhere)]
    assert events == [Event.COMPLETE, Event.FAIL, Event.DISCARD, Event.FAIL]
    assert done.result["output"] == "hi\n"


def test_the_timeout_of_a_task_goes_before_that_of_the_worker():
    task = task_of("sleep 600").model_copy(update={"timeout_seconds": 0.2})
    started_at = time.monotonic()
    with pytest.raises(CommandTimeout, match=r"0\.2 s"):
        handlers(60)[NAME].function(task)
    assert time.monotonic() - started_at < 10


def test_the_handler_can_be_sent_to_another_process():
    assert pickle.loads(pickle.dumps(handlers(3))) == handlers(3)  # noqa: S301


def test_any_output_can_be_kept(queue):
    queue.enqueue([task_of(r"head -c 100000 /dev/urandom; printf '\0'")])
    (task,) = queue.claim()
    queue.mark_as_complete(task, result=handlers()[NAME].function(task))
    assert "bytes left out" in queue.get(task).result["output"]


def test_a_command_reads_what_its_task_has_for_it(tmp_path):
    """What is given is read to its end, whatever it holds; a command without reads nothing."""
    given = '{"title": "‘Ünïcode’"}\n' * 20_000
    assert run_command(task_of("wc -c", stdin=given))["output"].split() == [str(len(given.encode()))]
    assert run_command(task_of("wc -c"))["output"].split() == ["0"]
