"""Does a supervisor see what a child shows, whatever became of the child?"""

from __future__ import annotations

import multiprocessing
import os
import signal
import time

import pytest

from queue_core import TaskState
from queue_core.board import Board, Phase
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
