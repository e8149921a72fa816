"""Does a worker know at every instant what it holds, and under which lease?"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from queue_core import Queue, Task
from queue_core.endings import Ending
from queue_core.ledger import Ledger
from queue_core.running import Running


@pytest.fixture
def queue() -> Iterator[Queue]:
    with Queue.open("memory://") as opened:
        yield opened


@pytest.fixture
def ledger(queue: Queue) -> Ledger:
    return Ledger(queue, lambda *_: None)


def begun(ledger: Ledger) -> Running:
    """Claim a task and begin it."""
    ledger.add(ledger.queue.claim(1, worker_id="w", start=1))
    task = ledger.take()
    assert task is not None
    running = Running(task)
    ledger.begin(running)
    return running


def test_what_is_taken_or_just_being_reported_is_held(queue, ledger, monkeypatch):
    (task_id,) = queue.enqueue([Task()])
    ledger.add(queue.claim(1, worker_id="w", start=1))
    running = Running(ledger.take())
    assert ledger.held_ids() == [task_id]
    ledger.begin(running)
    ledger.end(running, Ending.completed(running.task), 0)
    settle, seen = queue.settle, []
    monkeypatch.setattr(
        queue, "settle", lambda *given, **named: seen.append(ledger.held_ids()) or settle(*given, **named)
    )
    ledger.flush()
    assert seen == [[task_id]]
    assert ledger.held_ids() == []


def test_what_was_given_back_is_not_held(queue, ledger):
    queue.enqueue([Task(), Task()])
    ledger.add(queue.claim(2, worker_id="w", start=0))
    ledger.give_back()
    assert ledger.held_ids() == []


def test_a_heartbeat_for_an_old_lease_does_not_stop_the_next_run(queue, ledger, monkeypatch):
    queue.enqueue([Task()])
    first, later = begun(ledger), []
    heartbeat = queue.heartbeat

    def slow(tasks, **named):
        ledger.end(first, Ending.released(first.task), 0)
        ledger.flush()
        later.append(begun(ledger))
        return heartbeat(tasks, **named)

    monkeypatch.setattr(queue, "heartbeat", slow)
    ledger.beat()
    assert later[0].task.lease > first.task.lease
    assert not later[0].is_stopped


def test_a_report_may_be_made_while_somebody_asks_whether_one_is_due():
    class Flickering(Ledger):
        @property
        def _oldest(self):
            self.looks = getattr(self, "looks", 0) + 1
            return 1.0 if self.looks == 1 else None

        @_oldest.setter
        def _oldest(self, _): ...

    assert Flickering(None, lambda *_: None).is_due()


def test_a_handler_that_begins_after_the_drain_hears_of_it(queue, ledger):
    queue.enqueue([Task()])
    ledger.drain()
    assert begun(ledger).is_draining
