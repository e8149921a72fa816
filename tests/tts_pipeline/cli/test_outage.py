"""Nobody waits longer than he wants for what is away, nor ends while anything moves."""

import pytest

from queue_core import Queue, Task, TaskState
from tts_pipeline.cli.outage import Outage

DONE = TaskState.COMPLETED


class Watched:
    """An outage, with a clock that the test moves."""

    def __init__(self, queue: Queue, patience: float = 20) -> None:
        self.queue, self.at, self.counts = queue, 0.0, {}
        self.outage = Outage(patience, now=lambda: self.at)

    def passes(self, seconds: float) -> bool:
        self.at += seconds
        self.queue.clock.advance(seconds)
        self.outage.look(self.counts, self.queue)
        return self.outage.is_too_long()


@pytest.fixture
def url() -> str:
    return "memory://"


@pytest.fixture
def watched(queue) -> Watched:
    return Watched(queue)


def test_without_an_outage_everybody_waits(watched):
    assert not watched.passes(1000)


def test_after_its_time_it_has_won_and_stays_so(watched):
    watched.outage.note("data/store: full")
    assert not watched.passes(19)
    watched.outage.note("data/store: still full")
    assert watched.passes(1)
    watched.counts[DONE] = 1
    assert watched.passes(1)
    assert watched.outage.reason == "data/store: still full"


def test_a_task_that_ends_shows_that_something_moves(watched):
    watched.outage.note("outputs: full")
    watched.passes(19)
    watched.counts[DONE] = 1
    assert not watched.passes(19)
    watched.counts[TaskState.PENDING] = 5  # given back: what waits does not move
    watched.outage.note("outputs: full")
    assert not watched.passes(19)
    assert watched.passes(1)


def test_a_task_that_runs_for_long_shows_that_something_moves(watched):
    watched.queue.enqueue([Task()])
    watched.outage.note("outputs: full")
    assert not watched.passes(5)
    watched.queue.claim(1, worker_id="w", start=1)
    assert not watched.passes(14)
    assert not watched.passes(14)


def test_what_a_queue_says_of_running_tasks_counts_for_nothing_while_it_is_away(watched):
    watched.queue.enqueue([Task()])
    watched.queue.claim(1, worker_id="w", start=1)
    watched.outage.note("queue.db: full", is_queue=True)
    assert not watched.passes(19)
    watched.outage.note_back()  # and away again
    watched.outage.note("queue.db: full", is_queue=True)
    assert watched.passes(1)


def test_a_queue_that_is_back_to_stay_is_believed_again(watched):
    watched.queue.enqueue([Task()])
    watched.queue.claim(1, worker_id="w", start=1)
    watched.outage.note("queue.db: full", is_queue=True)
    watched.passes(1)
    watched.outage.note_back()
    assert not watched.passes(18)
    watched.counts[DONE] = 1
    assert not watched.passes(1)
    assert not watched.passes(100)


def test_people_are_told_once_in_a_minute_at_most(watched):
    told = []
    for _ in range(100):
        watched.passes(1)
        told.append(watched.outage.note("data/store: full"))
    assert told == [True] + [False] * 99
    watched.passes(61)
    assert watched.outage.note("data/store: full")


def test_who_works_for_ever_never_ends(queue):
    watched = Watched(queue, float("inf"))
    watched.outage.note("data/store: full")
    assert not watched.passes(1e6)
