"""Does a supervisor see what a child shows, whatever became of the child?"""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
from typing import Any

import pytest

from queue_core import TaskState
from queue_core.board import Board, BoardSlot, Phase, _run
from queue_core.bounds import LONGEST_TEXT


@pytest.fixture
def board() -> Board:
    return Board(multiprocessing.get_context("spawn"), 2)


def test_an_empty_board_shows_nothing(board):
    assert list(board.runs()) == []
    assert board.counts() == {}
    assert board.phase is Phase.STARTING


def test_what_runs_is_shown_with_its_deadline(board):
    before = time.monotonic()
    board.slots()[1].begin("task-1", 30.0, grace=5)
    (run,) = board.runs()
    assert (run.task_id, f"{run.timeout:g}", run.group) == ("task-1", "30", 0)
    assert before <= run.started <= time.monotonic()
    assert run.kill_at == pytest.approx(run.started + 35)


def test_what_may_take_for_ever_is_never_overdue(board):
    board.slots()[0].begin("task-1", None)
    (run,) = board.runs()
    assert run.kill_at == float("inf")


def test_what_ended_is_not_shown(board):
    first, second = board.slots()
    first.begin("task-1", 1)
    second.begin("task-2", 1)
    first.end()
    assert [run.task_id for run in board.runs()] == ["task-2"]


def test_the_longest_id_fits_and_does_not_touch_its_neighbour(board):
    first, second = board.slots()
    second.begin("neighbour", 1)
    first.begin("\N{GRINNING FACE}" * LONGEST_TEXT, 1)
    assert [run.task_id for run in board.runs()] == ["\N{GRINNING FACE}" * LONGEST_TEXT, "neighbour"]


def test_a_group_of_processes_belongs_to_the_task_that_runs_now(board):
    slot = board.slots()[0]
    slot.begin("task-1", 1)
    slot.show_group(4711)
    assert [run.group for run in board.runs()] == [4711]
    slot.begin("task-2", 1)
    assert [run.group for run in board.runs()] == [0]


class Watch:
    """A clock that a test sets."""

    now = 1000.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def watch(monkeypatch) -> Watch:
    set_by_hand = Watch()
    monkeypatch.setattr("queue_core.board.time", set_by_hand)
    return set_by_hand


def test_each_step_with_a_time_of_its_own_starts_the_deadline_anew(board, watch):
    slot = board.slots()[0]
    slot.begin("task-1", 30.0, grace=5)
    for step in (0, 1, 2):
        watch.now += 9
        slot.begin_step(step, 10.0)
        (run,) = board.runs()
        assert (run.step, run.timeout, run.deadline, run.kill_at) == (step, 10, watch.now + 10, watch.now + 15)
    assert run.started == 1000


def test_a_step_without_a_time_of_its_own_leaves_the_deadline_as_it_is(board, watch):
    slot = board.slots()[0]
    slot.begin("task-1", 30.0)
    watch.now += 9
    slot.begin_step(1, None)
    (run,) = board.runs()
    assert (run.step, run.timeout, run.deadline) == (1, 30, 1030)


def test_what_may_take_for_ever_may_have_steps_that_may_not(board, watch):
    board.slots()[0].begin("task-1", None)
    board.slots()[0].begin_step(1, 0.5)
    assert [run.kill_at for run in board.runs()] == [1000.5]


def test_a_step_belongs_to_the_task_that_runs_now(board):
    slot = board.slots()[0]
    slot.begin("task-1", 1)
    slot.begin_step(17, 1000)
    slot.begin("task-2", 1)
    assert [(run.step, run.timeout) for run in board.runs()] == [(None, 1)]


def test_counts_and_phase_are_shown(board):
    board.set_counts({TaskState.COMPLETED: 2**40, TaskState.DISCARDED: 1})
    board.phase = Phase.SPENT
    assert board.counts() == {TaskState.COMPLETED: 2**40, TaskState.DISCARDED: 1}
    assert board.phase is Phase.SPENT


def _show_and_die(board: Board) -> None:
    board.slots()[0].begin("last words", 1)
    os.kill(os.getpid(), signal.SIGKILL)


def test_the_board_of_a_killed_process_can_be_read():
    context = multiprocessing.get_context("forkserver")
    board = Board(context, 1)
    process = context.Process(target=_show_and_die, args=(board,))
    process.start()
    process.join()
    assert [run.task_id for run in board.runs()] == ["last words"]


def _run_task_after_task(board: Board) -> None:
    slot = board.slots()[0]
    while board.phase is Phase.STARTING:
        slot.begin("task-1", 60)
        slot.end()


def test_what_begins_in_this_instant_is_never_seen_half():
    context = multiprocessing.get_context("forkserver")
    board = Board(context, 1)
    process = context.Process(target=_run_task_after_task, args=(board,))
    process.start()
    seen = []
    while len(seen) < 5_000:
        seen += list(board.runs())
    board.phase = Phase.DONE
    process.join()
    assert {(run.task_id, round(run.timeout)) for run in seen} == {("task-1", 60)}


def _run_step_after_step(board: Board) -> None:
    slot = board.slots()[0]
    slot.begin("task-1", 60)
    step = 0
    while board.phase is Phase.STARTING:
        step += 1
        slot.begin_step(step, 1000 + step % 2)


def test_a_step_that_begins_in_this_instant_never_seems_overdue():
    context = multiprocessing.get_context("forkserver")
    board = Board(context, 1)
    process = context.Process(target=_run_step_after_step, args=(board,))
    process.start()
    looked_at, seen = [], []
    while len(seen) < 5_000:
        looked_at.append(time.monotonic())
        found = list(board.runs())
        seen += found
        assert all(run.kill_at > looked_at[-1] + 50 for run in found)
    board.phase = Phase.DONE
    process.join()
    assert {run.timeout for run in seen} <= {60, 1000, 1001}
    steps = [run.step or 0 for run in seen]
    assert steps == sorted(steps)
    assert steps[-1] > 0


class Interrupted:
    """A slot whose writer can be stopped after each write: it keeps what a reader would see then."""

    def __init__(self, slot: Any) -> None:
        vars(self).update(slot=slot, seen=[])

    def __setattr__(self, name: str, value: object) -> None:
        setattr(self.slot, name, value)
        self.seen.append(_run(self.slot))


def test_between_any_two_writes_no_new_step_seems_overdue(board, watch):
    board.slots()[0].begin("task-1", 30.0)
    watch.now += 100
    interrupted = Interrupted(board._slots[0])
    BoardSlot(interrupted).begin_step(1, 10.0)
    assert [run for run in interrupted.seen if run.step is not None and run.kill_at <= watch.now] == []
    assert (interrupted.seen[-1].step, interrupted.seen[-1].timeout) == (1, 10)
