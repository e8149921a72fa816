"""How does one worker, in this process, run what it claims?"""

from __future__ import annotations

import asyncio
import contextvars
import multiprocessing
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from queue_core import BackendUnavailable, InvalidRequest, ManualClock, Queue, QueueConfig, Task, TaskItem, TaskState
from queue_core.board import Board
from queue_core.handlers import Handler
from queue_core.outcomes import Cancel, Discard, Snooze
from queue_core.reports import WorkerStatus, WorkSummary
from queue_core.running import begin_step, current, current_queue, is_draining, report_progress
from queue_core.settings import WorkerSettings
from queue_core.worker import Watched, Worker

from .crew import wait_until

SOON = 30.0
CONFIG = QueueConfig(retry_base_delay=0.05, poll_interval=0.2)


@pytest.fixture
def queue(url: str) -> Iterator[Queue]:
    with Queue.open(url, config=CONFIG) as opened:
        yield opened


def worker(queue: Queue, handlers: dict[str, Any], **settings: Any) -> Worker:
    return Worker(queue, handlers, WorkerSettings(**{"until_empty": True, **settings}))


@contextmanager
def at_work(queue: Queue, handlers: dict[str, Any], **settings: Any) -> Iterator[Worker]:
    """Have a worker at work in a thread, for as long as the block runs."""
    hired = worker(queue, handlers, **{"until_empty": False, **settings})
    thread = threading.Thread(target=hired.run)
    thread.start()
    try:
        yield hired
    finally:
        hired.drain()
        thread.join()


class Gate:
    """A handler that says when it runs, and runs until it is let go."""

    def __init__(self) -> None:
        self.began, self.open = threading.Event(), threading.Event()

    def __call__(self, task: Task) -> str:
        self.began.set()
        assert self.open.wait(SOON)
        return "let go"


def nothing(task: Task) -> None:
    """Do nothing."""


def test_tasks_run_in_the_order_of_the_queue_and_their_values_are_kept(queue):
    ran = []

    def note(task: Task) -> dict[str, str]:
        ran.append(task.id)
        return {"said": task.items[0].text}

    late, early = queue.enqueue(
        [Task(name="say", items=[TaskItem(text="b")]), Task(name="say", priority="high", items=[TaskItem(text="a")])]
    )
    assert worker(queue, {"say": note}).run() == WorkSummary(counts={TaskState.COMPLETED: 2})
    assert ran == [early, late]
    assert queue.get(late).result == {"said": "b"}


def test_each_outcome_leads_where_it_says(queue):
    def snooze(task: Task) -> str:
        if task.due_at == task.created_at:
            raise Snooze(0.05)
        return "awake"

    def cancel(task: Task) -> None:
        raise Cancel("nobody wants it")

    def fail(task: Task) -> None:
        raise ValueError("no luck")

    handlers = {"snooze": snooze, "cancel": cancel, "fail": fail, "discard": lambda task: Discard("no good")}
    ids = dict(zip(handlers, queue.enqueue(Task(name=name, max_attempts=2) for name in handlers), strict=True))
    counts = worker(queue, handlers).run().counts
    found = {name: queue.get(task_id) for name, task_id in ids.items()}
    assert counts == {
        TaskState.PENDING: 1,
        TaskState.COMPLETED: 1,
        TaskState.CANCELLED: 1,
        TaskState.RETRYABLE: 1,
        TaskState.DISCARDED: 2,
    }
    assert (found["snooze"].result, found["snooze"].attempt_count) == ("awake", 1)
    assert found["cancel"].state is TaskState.CANCELLED
    assert [error.message for error in found["fail"].errors] == ["no luck", "no luck"]
    assert [error.message for error in found["discard"].errors] == ["no good"]


def test_a_worker_claims_as_many_as_it_may_and_some_names_singly(queue):
    held: dict[str, int] = {}

    def look(task: Task) -> None:
        held.setdefault(task.name, queue.counts()[TaskState.PROCESSING])

    queue.enqueue([Task(name="encode"), *(Task(name="render") for _ in range(4)), Task(name="encode")])
    worker(queue, {"render": look, "encode": Handler(look, size=1)}, size=3).run()
    assert held == {"encode": 1, "render": 3}


def test_the_end_of_one_task_and_the_start_of_the_next_are_one_step(queue):
    seen = []

    def look(task: Task) -> None:
        tasks = queue.list(name="look")
        started = [each.id for each in tasks if each.state is TaskState.PROCESSING and each.attempted_at]
        assert started == [task.id]
        seen.append(sum(each.state is TaskState.COMPLETED for each in tasks))

    queue.enqueue(Task(name="look") for _ in range(4))
    assert worker(queue, {"look": look}, size=4).run().counts == {TaskState.COMPLETED: 4}
    assert seen == [0, 1, 2, 3]


def test_only_known_names_are_claimed(queue):
    (other,) = queue.enqueue([Task(name="other")])
    assert worker(queue, {"mine": nothing}).run().counts == {}
    assert queue.get(other).attempt_count == 0


def test_capabilities_decide_what_is_claimed(queue):
    queue.enqueue([Task(name="mine", needs={"gpu"})])
    (stuck,) = worker(queue, {"mine": nothing}).run().stuck
    assert (stuck.reason, stuck.needs) == ("lacking", {"gpu"})
    assert worker(queue, {"mine": nothing}, capabilities={"gpu"}).run().counts == {TaskState.COMPLETED: 1}


def test_until_empty_names_what_is_paused(queue):
    queue.enqueue([Task(name="mine")])
    queue.pause(name="mine")
    (stuck,) = worker(queue, {"mine": nothing}).run().stuck
    assert (stuck.name, stuck.reason, stuck.count) == ("mine", "paused", 1)


def test_until_empty_waits_for_what_others_run(queue):
    (first,) = queue.enqueue([Task(name="first")])
    queue.enqueue([Task(name="second", depends_on=[first])])
    (held,) = queue.claim(1, worker_id="another")
    summaries: list[WorkSummary] = []
    waiting = worker(queue, {"second": nothing})
    thread = threading.Thread(target=lambda: summaries.append(waiting.run()))
    thread.start()
    wait_until(lambda: waiting._patience > 0, SOON, "it looked, and waits")
    queue.mark_as_complete(held)
    thread.join()
    assert summaries == [WorkSummary(counts={TaskState.COMPLETED: 1})]


def test_progress_is_shown_while_a_task_runs(queue):
    gate = Gate()

    def tell(task: Task) -> str:
        report_progress(3, 10, "pages")
        return gate(task)

    (task_id,) = queue.enqueue([Task(name="tell")])
    with at_work(queue, {"tell": tell}):
        wait_until(lambda: queue.get(task_id).progress is not None, SOON, "progress is shown")
        assert queue.get(task_id).progress == {"done": 3, "total": 10, "note": "pages"}
        gate.open.set()


def until_stopped(task: Task) -> None:
    while True:
        report_progress(1)


def test_a_running_task_hears_soon_that_it_was_called_off(queue):
    """Long before its next heartbeat, which is a write and comes every half a minute."""
    (task_id,) = queue.enqueue([Task(name="endless")])
    with at_work(queue, {"endless": until_stopped}):
        wait_until(lambda: queue.get(task_id).state is TaskState.PROCESSING, SOON, "it runs")
        queue.mark_as_cancelled(task_id)
        wait_until(lambda: queue.get(task_id).state is TaskState.CANCELLED, SOON, "it is cancelled")


def test_an_async_task_is_ended_when_it_is_called_off(queue):
    async def forever(task: Task) -> None:
        await asyncio.Event().wait()

    (task_id,) = queue.enqueue([Task(name="forever")])
    with at_work(queue, {"forever": forever}, heartbeat_seconds=0.05):
        wait_until(lambda: queue.get(task_id).state is TaskState.PROCESSING, SOON, "it runs")
        queue.mark_as_cancelled(task_id)
        wait_until(lambda: queue.get(task_id).state is TaskState.CANCELLED, SOON, "it is cancelled")


def test_heartbeats_keep_all_that_is_held_from_being_taken_away(queue):
    gate = Gate()
    ids = queue.enqueue(Task(name="long", visibility_timeout=0.4) for _ in range(3))
    with at_work(queue, {"long": gate}, size=3):
        assert gate.began.wait(SOON)
        first = queue.get(ids[2]).schedule_at
        rescued = []
        # The last one only waits for its turn: three times its patience pass.
        wait_until(
            lambda: rescued.extend(queue.rescue()) or queue.get(ids[2]).schedule_at > first + 1200, SOON, "time passed"
        )
        gate.open.set()
        wait_until(lambda: queue.counts()[TaskState.COMPLETED] == 3, SOON, "all are done")
    assert rescued == []


def test_work_on_a_lost_lease_is_thrown_away(queue, caplog):
    gate = Gate()
    (task_id,) = queue.enqueue([Task(name="long")])
    with at_work(queue, {"long": gate}):
        assert gate.began.wait(SOON)
        queue.recover(queue.get(task_id).worker_id, {task_id: "the network was cut"}, delay=0)
        (newer,) = queue.claim(worker_id="another")
        gate.open.set()
        wait_until(lambda: "the lease was lost" in caplog.text, SOON, "the report was refused")
    assert queue.get(task_id).lease == newer.lease
    assert queue.get(task_id).result is None


def test_drain_finishes_what_runs_and_gives_the_rest_back(queue):
    gate = Gate()
    first, *others = queue.enqueue(Task(name="long") for _ in range(4))
    with at_work(queue, {"long": gate}) as busy:
        assert gate.began.wait(SOON)
        busy.drain()
        wait_until(lambda: queue.workers()[0].status is WorkerStatus.DRAINING, SOON, "it says so")
        assert [queue.get(task_id).state for task_id in others] == [TaskState.PENDING] * 3
        assert [queue.get(task_id).attempt_count for task_id in others] == [0] * 3
        gate.open.set()
    assert queue.get(first).result == "let go"
    assert queue.workers() == []


def test_an_interrupt_gives_everything_back_and_gets_out(queue):
    def interrupted(task: Task) -> None:
        raise KeyboardInterrupt

    ids = queue.enqueue(Task(name="mine") for _ in range(3))
    with pytest.raises(KeyboardInterrupt):
        worker(queue, {"mine": interrupted}).run()
    assert [(queue.get(each).state, queue.get(each).attempt_count) for each in ids] == [(TaskState.PENDING, 0)] * 3
    assert queue.workers() == []


class Panic(BaseException):
    """As extensions written in Rust raise it."""


@pytest.mark.parametrize("error", [SystemExit(0), Panic(), GeneratorExit()])
def test_what_exits_fails_its_task_and_not_its_worker(queue, error):
    def leaves(task: Task) -> None:
        raise error

    (task_id,) = queue.enqueue([Task(name="leaves", max_attempts=1)])
    assert worker(queue, {"leaves": leaves}).run().counts == {TaskState.DISCARDED: 1}
    assert queue.get(task_id).errors[0].type == type(error).__name__


def test_a_handler_that_yields_failed(queue):
    def yields(task: Task) -> Iterator[int]:
        yield 1

    (task_id,) = queue.enqueue([Task(name="yields", max_attempts=1)])
    assert worker(queue, {"yields": yields}).run().counts == {TaskState.DISCARDED: 1}
    assert "generator" in queue.get(task_id).errors[0].message


def test_a_result_is_kept_as_it_was_when_the_handler_returned_it(queue):
    said = {"n": 0}

    def count(task: Task) -> dict[str, int]:
        said["n"] += 1
        return said

    ids = queue.enqueue(Task(name="count") for _ in range(3))
    counting = worker(queue, {"count": count})
    counting._ledger.latest = SOON  # all reports go together
    counting.run()
    assert [queue.get(task_id).result for task_id in ids] == [{"n": 1}, {"n": 2}, {"n": 3}]


class Slot:
    """A place on a board that notes when a task is shown there."""

    def __init__(self, notes: list[str]) -> None:
        self._notes = notes

    def begin(self, *_: object) -> None:
        self._notes.append("shown")

    def end(self) -> None: ...


def test_the_time_of_a_task_begins_after_the_store_has_answered(queue, monkeypatch):
    notes: list[str] = []
    settle = queue.settle
    monkeypatch.setattr(queue, "settle", lambda *given, **named: notes.append("settled") or settle(*given, **named))
    queue.enqueue(Task(name="mine") for _ in range(2))
    watched = Watched(os.getpid(), [Slot(notes)], lambda counts: None)
    shown = Worker(queue, {"mine": nothing}, WorkerSettings(until_empty=True), watched=watched)
    shown._ledger.latest = 0.0
    shown.run()
    assert notes[:4] == ["settled", "shown"] * 2


def test_a_thread_that_a_handler_left_behind_does_not_speak_for_the_next_task(queue):
    board, left = Board(multiprocessing.get_context("spawn"), 1), []

    def leave(task: Task) -> None:
        begin_step(17, timeout_seconds=1)
        left.append(contextvars.copy_context())

    def look(task: Task) -> list[int | None]:
        left[0].run(begin_step, 18, timeout_seconds=1)
        left[0].run(lambda: current.get().own_group(4711))
        return [each for run in board.runs() for each in (run.step, run.group)]

    _, task_id = queue.enqueue([Task(name="leave"), Task(name="look")])
    watched = Watched(os.getpid(), board.slots(), board.set_counts)
    Worker(queue, {"leave": leave, "look": look}, WorkerSettings(until_empty=True), watched=watched).run()
    assert queue.get(task_id).result == [None, 0]


def test_a_handler_may_have_steps_and_knows_its_queue(queue):
    async def work(task: Task) -> bool:
        begin_step(1, timeout_seconds=SOON)
        return await asyncio.to_thread(current_queue) is queue

    (task_id,) = queue.enqueue([Task(name="work")])
    worker(queue, {"work": work}).run()
    assert queue.get(task_id).result is True


def test_a_drain_is_heard_by_a_claim_that_is_about_to_wait(url):
    with Queue.open(url, config=QueueConfig(poll_interval=SOON * 10)) as queue:
        idle = worker(queue, {"mine": nothing}, until_empty=False)
        idle._give_up_unknown = lambda: idle._patience > 0 and idle.drain()
        thread = threading.Thread(target=idle.run, daemon=True)
        thread.start()
        thread.join(SOON)
        assert not thread.is_alive()


def test_a_worker_that_was_asked_to_stop_is_not_spent(queue):
    gate = Gate()
    queue.enqueue([Task(name="long")])
    with at_work(queue, {"long": gate}, max_tasks=1) as busy:
        assert gate.began.wait(SOON)
        busy.drain()
        gate.open.set()
    assert not busy.is_spent


def test_who_leaves_without_a_report_says_so(queue, monkeypatch):
    def away(*_: object, **__: object) -> None:
        raise BackendUnavailable("test", "is away")

    monkeypatch.setattr("queue_core.worker._PARTING_SECONDS", 0)
    (task_id,) = queue.enqueue([Task(name="mine")])
    leaving = worker(queue, {"mine": lambda task: (monkeypatch.setattr(queue, "settle", away), leaving.drain())})
    with pytest.raises(BackendUnavailable, match="is away"):
        leaving.run()
    assert queue.get(task_id).state is TaskState.PROCESSING
    assert [each.id for each in queue.workers()] == [leaving.id]


@pytest.mark.parametrize("kind", ["async", "plain"])
def test_as_many_run_at_once_as_asked_for(queue, kind):
    together, together_async = threading.Barrier(8, timeout=SOON), asyncio.Barrier(8)

    def meet(task: Task) -> None:
        together.wait()

    async def meet_async(task: Task) -> None:
        await together_async.wait()

    queue.enqueue(Task(name="meet") for _ in range(16))
    handler = meet_async if kind == "async" else meet
    assert worker(queue, {"meet": handler}, concurrency=8).run().counts == {TaskState.COMPLETED: 16}


def test_max_tasks_ends_a_worker(queue):
    queue.enqueue(Task(name="mine") for _ in range(7))
    spent = worker(queue, {"mine": nothing}, max_tasks=4, size=3)
    assert spent.run().counts == {TaskState.COMPLETED: 4}
    assert spent.is_spent
    assert queue.counts()[TaskState.PENDING] == 3


def test_the_registry_knows_a_worker_while_it_works(queue):
    gate = Gate()
    queue.enqueue(Task(name="long") for _ in range(3))
    with at_work(queue, {"long": gate}, size=3, capabilities={"ears"}) as busy:
        assert gate.began.wait(SOON)
        wait_until(lambda: queue.workers()[0].load == 3, SOON, "its load is known")
        (known,) = queue.workers()
        gate.open.set()
    assert (known.id, known.status, known.capacity) == (busy.id, WorkerStatus.ACTIVE, 3)
    assert known.capabilities == {"ears"}
    assert known.version


def test_a_worker_that_is_asked_to_stop_does(queue):
    stopped = worker(queue, {"mine": nothing}, until_empty=False, upkeep_seconds=0.05)
    thread = threading.Thread(target=stopped.run)
    thread.start()
    wait_until(lambda: bool(queue.workers()), SOON, "it is there")
    assert queue.stop_worker(stopped.id)
    thread.join(SOON)
    assert not thread.is_alive()
    assert queue.workers() == []


def test_a_draining_handler_can_be_asked_for(queue):
    began, heard = threading.Event(), []

    def patient(task: Task) -> None:
        began.set()
        wait_until(is_draining, SOON, "it drains")
        heard.append(task.id)
        raise Snooze(0)

    (task_id,) = queue.enqueue([Task(name="patient")])
    with at_work(queue, {"patient": patient}) as busy:
        assert began.wait(SOON)
        busy.drain()
    assert heard == [task_id]
    assert queue.get(task_id).state is TaskState.PENDING


class Cut:
    """Lets a call through, and loses the answer: what a network does at the wrong moment."""

    def __init__(self, method: Callable[..., Any], times: int) -> None:
        self._method, self._left = method, times

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        answer = self._method(*args, **kwargs)
        if self._left and answer:
            self._left -= 1
            raise BackendUnavailable("test", "the connection was cut")
        return answer


def test_what_was_claimed_without_an_answer_is_given_back_and_run(queue, monkeypatch):
    for claim in ("claim", "exchange"):
        monkeypatch.setattr(queue, claim, Cut(getattr(queue, claim), 1))
    ids = queue.enqueue(Task(name="mine") for _ in range(3))
    assert worker(queue, {"mine": nothing}).run().counts == {TaskState.COMPLETED: 3}
    assert [queue.get(task_id).attempt_count for task_id in ids] == [1, 1, 1]


def test_a_report_whose_answer_is_lost_is_made_again(queue, monkeypatch):
    ran = []
    for report in ("settle", "exchange"):
        monkeypatch.setattr(queue, report, Cut(getattr(queue, report), 2))
    ids = queue.enqueue(Task(name="mine") for _ in range(5))
    worker(queue, {"mine": lambda task: ran.append(task.id)}).run()
    assert ran == ids
    assert queue.counts()[TaskState.COMPLETED] == 5


def test_a_worker_needs_handlers_that_can_be_called(queue):
    with pytest.raises(InvalidRequest, match="at least one"):
        Worker(queue, {})
    with pytest.raises(InvalidRequest, match=r"say.*no function"):
        Worker(queue, {"say": "hello"})  # type: ignore[dict-item]


def test_a_task_whose_first_attempt_may_take_long_gets_half_as_much_again(queue):
    seen = []

    async def slow(task: Task) -> None:
        seen.append(task.attempt_count)
        await asyncio.Event().wait()

    (task_id,) = queue.enqueue([Task(name="slow", timeout_seconds=0.1, max_attempts=3)])
    worker(queue, {"slow": slow}).run()
    said = [error.message for error in queue.get(task_id).errors]
    assert said == ["timed out after 0.1 s", "timed out after 0.15 s", "timed out after 0.225 s"]


def test_the_clock_of_a_test_is_not_waited_for(url):
    clock = ManualClock()
    with Queue.open(url, config=CONFIG, clock=clock) as queue:
        queue.enqueue([Task(name="mine")])
        assert worker(queue, {"mine": nothing}).run().counts == {TaskState.COMPLETED: 1}
