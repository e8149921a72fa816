"""What happens to tasks when the processes that run them are killed, hang or are told to stop?"""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack

import pytest

from queue_core import BackendUnavailable, InvalidRequest, Queue, QueueConfig, Task, TaskState
from queue_core.errors import WorkerStartFailed
from queue_core.process import start_time
from queue_core.reports import WorkerStatus
from queue_core.settings import WorkerSettings
from queue_core.supervisor import Supervisor

from . import jobs
from .crew import wait_until
from .pool import at_work, in_a_process, supervisor

SOON = 30.0
"""A deadline for what takes a moment, in seconds."""


@pytest.fixture
def queue(shared_url: str):
    with Queue.open(shared_url, config=QueueConfig(retry_base_delay=0.05)) as opened:
        yield opened


@pytest.fixture
def folder(tmp_path) -> jobs.Folder:
    return jobs.Folder(tmp_path)


def empty(url: str, **asked) -> dict[TaskState, int]:
    """Work until nothing is left; return where tasks went."""
    return supervisor(url, until_empty=True, **asked).run().counts


def until_state(queue: Queue, task_id: str, state: TaskState) -> Task:
    wait_until(lambda: queue.get(task_id).state is state, SOON, f"{task_id} is {state.name}")
    return queue.get(task_id)


def pid_of(folder: jobs.Folder, task_id: str) -> int:
    return int(folder.await_note(f"began-{task_id}"))


def messages(task: Task) -> list[str]:
    return [error.message for error in task.errors]


def test_children_work_until_nothing_is_left(queue, folder, shared_url):
    ids = queue.enqueue(folder.task("quick") for _ in range(40))
    assert empty(shared_url, count=2) == {TaskState.COMPLETED: 40}
    assert sorted(folder.runs()) == sorted(ids)
    assert all(queue.get(task_id).result["pid"] != os.getpid() for task_id in ids)
    assert queue.workers() == []


def test_until_empty_waits_for_what_is_due_later(queue, folder, shared_url):
    (task_id,) = queue.enqueue([folder.task("fail", max_attempts=3)])
    assert empty(shared_url) == {TaskState.RETRYABLE: 2, TaskState.DISCARDED: 1}
    assert messages(queue.get(task_id)) == [f"no luck with attempt {n}" for n in (1, 2, 3)]


def test_what_is_left_behind_is_listed(queue, folder, shared_url):
    (first,) = queue.enqueue([folder.task("hopeless")])
    queue.enqueue([folder.task("quick", depends_on=[first]), folder.task("quick", needs={"gpu"})])
    left = supervisor(shared_url, until_empty=True).run().stuck
    assert {(each.reason, each.count, each.needs) for each in left} == {
        ("blocked", 1, frozenset()),
        ("lacking", 1, frozenset({"gpu"})),
    }


def test_a_killed_child_costs_one_attempt_of_what_it_ran_and_nothing_of_the_rest(queue, folder, shared_url):
    first, *others = queue.enqueue(folder.task("held") for _ in range(5))
    with at_work(shared_url):
        os.kill(pid_of(folder, first), signal.SIGKILL)
        wait_until(lambda: queue.get(first).attempt_count == 2, SOON, "it runs again")
        folder.note("go")
        finished = [until_state(queue, task_id, TaskState.COMPLETED) for task_id in (first, *others)]
    assert [task.attempt_count for task in finished] == [2, 1, 1, 1, 1]
    (error,) = finished[0].errors
    assert (error.type, error.attempt) == ("WorkerDied", 1)
    assert "was killed by SIGKILL" in error.message


@pytest.mark.parametrize(("job", "how"), [("segfault", "was killed by SIGSEGV"), ("leave", "exited with 3")])
def test_a_task_that_kills_its_worker_is_discarded_and_the_pool_goes_on(queue, folder, shared_url, job, how):
    (poison,) = queue.enqueue([folder.task(job, max_attempts=10)])
    others = queue.enqueue(folder.task("quick") for _ in range(10))
    assert empty(shared_url)[TaskState.COMPLETED] == 10
    found = queue.get(poison)
    assert found.state is TaskState.DISCARDED
    assert [how in message for message in messages(found)] == [True] * 3
    assert folder.runs().count(poison) == 3
    assert all(queue.get(task_id).attempt_count == 1 for task_id in others)


@pytest.mark.parametrize("job", ["asleep", "stuck_in_c"])
def test_a_timeout_holds_whatever_hangs_and_only_the_hanging_task_pays(queue, folder, shared_url, job):
    (hanging,) = queue.enqueue([folder.task(job, timeout_seconds=0.4, max_attempts=2, priority="high")])
    others = queue.enqueue(folder.task("quick") for _ in range(4))
    assert empty(shared_url)[TaskState.COMPLETED] == 4
    found = queue.get(hanging)
    assert found.state is TaskState.DISCARDED
    assert messages(found) == ["timed out after 0.4 s", "timed out after 0.6 s"]
    assert [queue.get(task_id).attempt_count for task_id in others] == [1] * 4
    assert len(folder.runs()) == 6


def test_a_step_may_have_a_time_of_its_own(queue, folder, shared_url):
    hanging = folder.task("hang_at_step_3", item={"seconds": 0.3}, timeout_seconds=1000, max_attempts=1)
    _, other = queue.enqueue([hanging, folder.task("quick")])
    assert empty(shared_url)[TaskState.DISCARDED] == 1
    assert (queue.get(other).state, queue.get(other).attempt_count) == (TaskState.COMPLETED, 1)
    (error,) = queue.get(hanging).errors
    assert (error.type, error.step, error.message) == ("TaskTimeoutError", 3, "timed out after 0.3 s at step 3")


def test_the_step_at_which_a_process_died_is_told(queue, folder, shared_url):
    (task_id,) = queue.enqueue([folder.task("segfault_at_step_2", max_attempts=1)])
    assert empty(shared_url) == {TaskState.DISCARDED: 1}
    (error,) = queue.get(task_id).errors
    assert (error.type, error.step) == ("WorkerDied", 2)
    assert error.message.endswith("was killed by SIGSEGV at step 2")


def test_tasks_that_run_at_once_in_a_killed_process_each_tell_their_own_step(queue, folder, shared_url):
    steps = dict(zip(queue.enqueue(folder.task("held_at_step", item={"step": n}) for n in (5, 7)), (5, 7), strict=True))
    (other,) = queue.enqueue([folder.task("held")])
    with at_work(shared_url, concurrency=3):
        pids = {pid_of(folder, task_id) for task_id in (*steps, other)}
        os.kill(pids.pop(), signal.SIGKILL)
        wait_until(lambda: all(queue.get(each).errors for each in (*steps, other)), SOON, "all were told")
        folder.note("go")
    assert {task_id: queue.get(task_id).errors[0].step for task_id in steps} == steps
    assert queue.get(other).errors[0].step is None
    assert pids == set()


def test_sigterm_finishes_what_runs_and_gives_the_rest_back(queue, folder, shared_url):
    first, *others = queue.enqueue(folder.task("held") for _ in range(5))
    with in_a_process(shared_url) as pool:
        pid_of(folder, first)
        pool.process.terminate()
        for task_id in others:
            assert until_state(queue, task_id, TaskState.PENDING).attempt_count == 0
        assert queue.get(first).state is TaskState.PROCESSING
        folder.note("go")
        summary = pool.summary()
    assert summary.counts == {TaskState.COMPLETED: 1}
    assert summary.signal == signal.SIGTERM
    assert queue.get(first).result == "let go"


def test_a_handler_can_hear_that_its_worker_drains(queue, folder, shared_url):
    (task_id,) = queue.enqueue([folder.task("draining")])
    with in_a_process(shared_url) as pool:
        pid_of(folder, task_id)
        pool.process.send_signal(signal.SIGINT)
        pool.summary()
    assert queue.get(task_id).state is TaskState.PENDING
    assert queue.get(task_id).attempt_count == 0


def test_a_second_signal_ends_at_once_and_costs_nothing(queue, folder, shared_url):
    first, second = queue.enqueue(folder.task("held") for _ in range(2))
    with in_a_process(shared_url) as pool:
        child = pid_of(folder, first)
        pool.process.send_signal(signal.SIGINT)
        until_state(queue, second, TaskState.PENDING)
        pool.process.send_signal(signal.SIGINT)
        pool.summary()
    assert start_time(child) is None
    assert [queue.get(task_id).state for task_id in (first, second)] == [TaskState.PENDING] * 2
    assert [queue.get(task_id).attempt_count for task_id in (first, second)] == [0, 0]
    assert queue.workers() == []


def test_a_signal_to_the_whole_group_drains_too(queue, folder, shared_url):
    first, second = queue.enqueue(folder.task("held") for _ in range(2))
    with in_a_process(shared_url) as pool:
        pid_of(folder, first)
        os.killpg(pool.process.pid, signal.SIGTERM)
        until_state(queue, second, TaskState.PENDING)
        folder.note("go")
        assert pool.summary().counts == {TaskState.COMPLETED: 1}


def test_children_of_a_killed_supervisor_end_and_others_take_over(queue, folder, shared_url):
    first, *others = queue.enqueue(folder.task("held") for _ in range(3))
    with in_a_process(shared_url) as pool:
        child = pid_of(folder, first)
        wait_until(lambda: queue.get(first).attempted_at is not None, SOON, "its start is known")
        pool.process.kill()
        wait_until(lambda: start_time(child) is None, SOON, "the child ended")
    folder.note("go")
    assert empty(shared_url, upkeep_seconds=0.1)[TaskState.COMPLETED] == 3
    assert [queue.get(task_id).attempt_count for task_id in (first, *others)] == [2, 1, 1]
    assert "is gone" in messages(queue.get(first))[0]


def test_when_supervisor_and_child_are_killed_together_others_take_over(queue, folder, shared_url):
    first, second = queue.enqueue(folder.task("held") for _ in range(2))
    with in_a_process(shared_url) as pool:
        child = pid_of(folder, first)
        wait_until(lambda: queue.get(first).attempted_at is not None, SOON, "its start is known")
        pool.process.kill()
        os.kill(child, signal.SIGKILL)
    folder.note("go")
    assert empty(shared_url, upkeep_seconds=0.1)[TaskState.COMPLETED] == 2
    assert [queue.get(task_id).attempt_count for task_id in (first, second)] == [2, 1]


def test_a_frozen_worker_that_comes_back_is_refused_and_its_work_thrown_away(queue, folder, shared_url):
    (task_id,) = queue.enqueue([folder.task("held", visibility_timeout=0.3)])
    with in_a_process(shared_url, heartbeat_seconds=0.1) as pool:
        frozen = pid_of(folder, task_id)
        wait_until(lambda: is_frozen(frozen, shared_url), SOON, "it is frozen")
        wait_until(lambda: bool(queue.rescue()), SOON, "it is stale")
        (mine,) = queue.claim(worker_id="another")
        folder.note("go")
        os.kill(frozen, signal.SIGCONT)
        pool.process.terminate()
        assert pool.summary().counts == {}
    assert queue.get(task_id).lease == mine.lease
    assert queue.get(task_id).state is TaskState.PROCESSING
    queue.mark_as_complete(mine, result="the other's")
    assert queue.get(task_id).result == "the other's"


def is_frozen(pid: int, url: str) -> bool:
    """Freeze a process, though not in the middle of a transaction: nobody else could write to an SQLite file."""
    os.kill(pid, signal.SIGSTOP)
    try:
        with Queue.open(url, config=QueueConfig(lock_timeout=0.2)) as probe:
            return probe.take_turn("probe", "test", seconds=1)
    except BackendUnavailable:
        os.kill(pid, signal.SIGCONT)
        return False


def test_a_pool_outlives_the_process_that_forks_its_children(queue, folder, shared_url):
    (task_id,) = queue.enqueue([folder.task("held", max_attempts=5)])
    with in_a_process(shared_url) as pool:
        before = pid_of(folder, task_id)
        os.kill(parent_of(before), signal.SIGKILL)
        wait_until(lambda: queue.get(task_id).attempt_count == 2, SOON, "it runs again")
        assert start_time(before) is None, "nobody may run it twice at once"
        folder.note("go")
        until_state(queue, task_id, TaskState.COMPLETED)
        pool.process.terminate()
        pool.summary()


def parent_of(pid: int) -> int:
    said = subprocess.run(["ps", "-o", "ppid=", "-p", str(pid)], capture_output=True, text=True, check=True)  # noqa: S607
    return int(said.stdout)


def test_a_child_gives_way_to_a_new_one_after_so_many_tasks(queue, folder, shared_url):
    ids = queue.enqueue(folder.task("quick") for _ in range(7))
    assert empty(shared_url, max_tasks=3) == {TaskState.COMPLETED: 7}
    by_process: dict[int, int] = {}
    for task_id in ids:
        pid = queue.get(task_id).result["pid"]
        by_process[pid] = by_process.get(pid, 0) + 1
    assert sorted(by_process.values()) == [1, 3, 3]


def test_a_worker_that_is_asked_to_stop_is_not_replaced(queue, folder, shared_url):
    first, second = queue.enqueue(folder.task("held") for _ in range(2))
    with in_a_process(shared_url, size=1, upkeep_seconds=0.05) as pool:
        pid_of(folder, first)
        (worker,) = queue.workers()
        assert queue.stop_worker(worker.id)
        wait_until(lambda: queue.workers()[0].status is WorkerStatus.DRAINING, SOON, "it drains")
        folder.note("go")
        pool.summary()
    assert queue.get(first).state is TaskState.COMPLETED
    assert queue.get(second).state is TaskState.PENDING


def test_what_a_handler_forks_can_be_ended_and_does_not_drain_its_worker(queue, folder, shared_url):
    ids = queue.enqueue(folder.task("forks") for _ in range(2))
    with at_work(shared_url) as pool:
        assert [until_state(queue, task_id, TaskState.COMPLETED).result for task_id in ids] == [True, True]
        assert queue.workers()[0].status is WorkerStatus.ACTIVE
        assert len(pool._children) == 1


def test_a_child_that_is_done_and_does_not_end_is_ended(folder, sqlite_url, monkeypatch):
    monkeypatch.setattr("queue_core.child_process._LINGER_SECONDS", 0.1)
    with Queue.open(sqlite_url) as other:
        other.enqueue([folder.task("lingers")])
    assert empty(sqlite_url) == {TaskState.COMPLETED: 1}


class SlowLog(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        time.sleep(0.003)  # like a terminal


def test_a_child_that_says_too_much_is_looked_after_like_any_other(folder, sqlite_url):
    with Queue.open(sqlite_url) as queue:
        (task_id,) = queue.enqueue([folder.task("chatters", timeout_seconds=0.3, max_attempts=1)])
        logger, slow = logging.getLogger("queue_core.chatter"), SlowLog()
        logger.addHandler(slow)
        try:
            assert empty(sqlite_url) == {TaskState.DISCARDED: 1}
        finally:
            logger.removeHandler(slow)
        assert messages(queue.get(task_id)) == ["timed out after 0.3 s"]


def test_a_supervisor_runs_once_and_may_be_told_to_stop_after_that(sqlite_url, tmp_path):
    ended = supervisor(sqlite_url, until_empty=True)
    ended.run()
    with ExitStack() as stack:
        files = [stack.enter_context((tmp_path / str(number)).open("wb")) for number in range(20)]
        ended.drain()
        ended.stop()
        assert [os.fstat(file.fileno()).st_size for file in files] == [0] * 20
    with pytest.raises(InvalidRequest, match="runs once"):
        ended.run()


def test_a_supervisor_that_stops_does_not_wait_for_ever_for_a_store_that_is_away(
    queue, folder, shared_url, monkeypatch
):
    monkeypatch.setattr("queue_core.supervisor._PARTING_SECONDS", 0.1)
    (task_id,) = queue.enqueue([folder.task("held")])
    ending = supervisor(shared_url)
    thread = threading.Thread(target=ending.run, daemon=True)
    thread.start()
    pid = pid_of(folder, task_id)
    monkeypatch.setattr(ending._queue, "recover", away)
    ending.drain()
    os.kill(pid, signal.SIGKILL)
    thread.join(SOON)
    assert not thread.is_alive()


def away(*_: object, **__: object) -> None:
    raise BackendUnavailable("test", "is away")


def broken_start() -> dict[str, Callable[..., object]]:
    raise RuntimeError("the voice can't be loaded")


def test_children_that_never_come_up_are_given_up_with_their_reason(sqlite_url):
    with pytest.raises(WorkerStartFailed, match="the voice can't be loaded"):
        Supervisor(sqlite_url, broken_start, count=1).run()


def late_handlers() -> dict[str, Callable[..., object]]:
    return {"quick": jobs.quick}


def test_handlers_can_be_made_in_the_child(queue, folder, shared_url):
    queue.enqueue([folder.task("quick")])
    settings = WorkerSettings(until_empty=True)
    assert Supervisor(shared_url, late_handlers, count=1, settings=settings).run().counts == {TaskState.COMPLETED: 1}


def test_what_a_child_could_not_be_told_is_refused_at_once(sqlite_url):
    with pytest.raises(InvalidRequest, match="top of a module"):
        Supervisor(sqlite_url, {"local": lambda task: None})
    with pytest.raises(InvalidRequest, match="memory"):
        Supervisor("memory://", jobs.HANDLERS)
    with pytest.raises(InvalidRequest, match="count"):
        Supervisor(sqlite_url, jobs.HANDLERS, count=0)


def test_logs_of_children_are_told_by_the_supervisor(queue, folder, shared_url, caplog):
    caplog.set_level("INFO", "queue_core")
    (task_id,) = queue.enqueue([folder.task("quick", trace_id="trace-1")])
    empty(shared_url)
    (said,) = [record.facts for record in caplog.records if getattr(record, "facts", {}).get("task_id") == task_id]
    assert said["event"] == "task completed"
    assert (said["trace_id"], said["attempt"], said["name"]) == ("trace-1", 1, "quick")
    assert said["seconds"] >= 0
    assert said["worker_id"] == queue.get(task_id).worker_id


def test_the_end_of_a_task_whose_process_died_is_logged_too(queue, folder, shared_url, caplog):
    caplog.set_level("INFO", "queue_core")
    (hanging,) = queue.enqueue([folder.task("asleep", timeout_seconds=0.2, max_attempts=1)])
    (crashing,) = queue.enqueue([folder.task("segfault", max_attempts=1)])
    empty(shared_url, size=1)
    said = {
        facts["task_id"]: facts for record in caplog.records if "task_id" in (facts := getattr(record, "facts", {}))
    }
    assert (said[hanging]["event"], said[hanging]["reason"]) == ("task discarded", "timed out after 0.2 s")
    assert said[crashing]["event"] == "task discarded"
    assert "was killed by SIGSEGV" in said[crashing]["reason"]


def test_the_store_is_asked_for_before_anything_starts(tmp_path):
    missing = tmp_path / "a file"
    missing.write_text("this is no database, and far too long to be an empty one" * 100)
    run = [sys.executable, "-m", "tests.queue_core.pool", f'{{"url": "sqlite:///{missing}"}}']
    said = subprocess.run(run, capture_output=True, text=True, check=False)
    assert "BackendUnavailable" in said.stderr
    assert said.returncode == 1
