"""Who keeps a queue healthy while workers work, and does each thing only once?"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator

import pytest

from queue_core import ManualClock, Queue, QueueConfig, Task, TaskState
from queue_core.presence import Presence
from queue_core.process import start_time
from queue_core.reports import WorkerRecord, WorkerStatus
from queue_core.settings import WorkerSettings
from queue_core.upkeep import Upkeep, bury_the_dead

SETTINGS = WorkerSettings()
DAY = 86_400


@pytest.fixture
def queue(url: str, clock: ManualClock) -> Iterator[Queue]:
    with Queue.open(url, config=QueueConfig(retry_base_delay=60), clock=clock) as opened:
        yield opened


@pytest.fixture
def ended() -> int:
    """The pid of a process that is gone."""
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


def present(queue: Queue, worker_id: str, **facts: object) -> WorkerRecord:
    """A worker of this process, as the registry knows it; some facts are another's."""
    presence = Presence(queue, worker_id, SETTINGS, None)
    presence._record = presence._record.model_copy(update=facts)
    presence.sign(0, is_draining=False)
    return next(worker for worker in queue.workers() if worker.id == worker_id)


def bury(queue: Queue) -> list[str]:
    return bury_the_dead(queue, queue.workers(), SETTINGS.dead_after_seconds)


def upkeep(queue: Queue, worker_id: str = "w") -> Upkeep:
    return Upkeep(queue, worker_id, SETTINGS, lambda: None)


def test_a_worker_whose_process_is_gone_is_buried_at_once(queue, ended):
    present(queue, "gone", pid=ended)
    (running, held) = queue.enqueue([Task(), Task()])
    queue.claim(2, worker_id="gone", start=1)
    assert bury(queue) == ["gone"]
    assert queue.get(running).state is TaskState.RETRYABLE
    assert queue.get(held).state is TaskState.PENDING
    (claimed, _) = queue.claim(2)
    assert claimed.errors[0].message == f"worker gone is gone: its process {ended} on {os.uname().nodename} ended"
    assert queue.workers()[0].status is WorkerStatus.DEAD
    assert bury(queue) == []


def test_a_pid_that_another_process_has_by_now_says_nothing(queue):
    present(queue, "gone", process_start="1")
    assert bury(queue) == ["gone"]


def test_a_process_may_have_any_name():
    named = "import ctypes, sys; ctypes.CDLL(None).prctl(15, b'caf\\xc3'); print(flush=True); sys.stdin.read()"
    with subprocess.Popen([sys.executable, "-c", named], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout.readline()
        assert start_time(process.pid)


def test_a_living_worker_is_left_alone(queue, clock):
    present(queue, "alive")
    clock.advance(SETTINGS.dead_after_seconds)
    assert bury(queue) == []


def test_a_worker_of_another_machine_is_dead_only_after_a_long_silence(queue, clock, ended):
    present(queue, "far", machine="another boot", pid=ended)
    clock.advance(SETTINGS.dead_after_seconds)
    assert bury(queue) == []
    clock.advance(1)
    assert bury(queue) == ["far"]


def test_a_silent_worker_whose_process_is_there_is_not_dead(queue, clock):
    present(queue, "frozen")
    clock.advance(DAY)
    assert bury(queue) == []


def test_after_an_outage_all_get_the_time_to_be_heard_again(queue, clock):
    present(queue, "far", machine="another boot")
    clock.advance(SETTINGS.dead_after_seconds + 1)
    looking = upkeep(queue)
    looking.look()
    assert queue.workers()[0].status is WorkerStatus.ACTIVE
    looking._in_touch_since -= SETTINGS.heartbeat_seconds + 1
    looking.look()
    assert queue.workers()[0].status is WorkerStatus.DEAD


def test_who_has_a_supervisor_is_left_to_it_for_as_long_as_that_lives(queue, clock, ended):
    mine = {"pid": ended, "supervisor_pid": os.getpid(), "supervisor_start": start_time(os.getpid())}
    present(queue, "looked after", **mine)
    assert bury(queue) == []
    present(queue, "an orphan", **{**mine, "supervisor_start": "1"})
    assert bury(queue) == ["an orphan"]
    clock.advance(SETTINGS.dead_after_seconds + 1)
    assert bury(queue) == ["looked after"], "a supervisor that does nothing is no better than none"


def test_stale_tasks_are_rescued_and_old_ones_promoted_and_deleted(queue, clock):
    done, stale, waiting = queue.enqueue([Task(priority="high"), Task(), Task(priority="low", name="waits")])
    (first, _) = queue.claim(2, worker_id="w", names=["default"])
    queue.mark_as_complete(first)
    clock.advance(8 * DAY)
    upkeep(queue).look()
    assert queue.get(stale).state is TaskState.RETRYABLE
    assert queue.get(waiting).effective_priority == 0
    assert [task.id for task in queue.list()] == [stale, waiting]
    assert done not in [task.id for task in queue.list()]


def test_each_chore_is_one_workers_at_a_time(queue, clock):
    upkeep(queue, "first").look()
    (task_id,) = queue.enqueue([Task()])
    queue.claim(1, worker_id="w")
    clock.advance(3601)
    held = [queue.take_turn(chore, "second", seconds=1) for chore in ("rescue", "cleanup")]
    assert held == [True, True], "a turn ends"
    upkeep(queue, "third").look()
    assert queue.get(task_id).state is TaskState.PROCESSING, "it was the second's turn"


def test_dead_workers_are_forgotten_after_a_day(queue, clock, ended):
    present(queue, "gone", pid=ended)
    bury(queue)
    clock.advance(DAY + 1)
    upkeep(queue).look()
    assert queue.workers() == []


def test_upkeep_hears_who_is_asked_to_stop(queue):
    present(queue, "me")
    asked = []
    looking = Upkeep(queue, "me", SETTINGS, lambda: asked.append(True))
    looking.look()
    assert asked == []
    queue.stop_worker("me")
    looking.look()
    assert asked == [True]
