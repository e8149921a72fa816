"""What is a child process doing right now, as its supervisor sees it even when the child hangs or is dead?

A few bytes of shared memory for each task that can run at once. Writing there costs a microsecond
and needs no help from the reader. Each field is written whole: who reads it meanwhile, or after the writer
was killed, finds what it was or what it is now.
"""

from __future__ import annotations

import ctypes
import multiprocessing.context
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, ClassVar

from queue_core.bounds import LONGEST_TEXT
from queue_core.states import TaskState

_STATES = tuple(TaskState)
_NEVER = float("inf")
_NO_STEP = -1


class _Head(ctypes.Structure):
    """How far the child is, and how many of its tasks ended where."""

    _fields_: ClassVar = [("phase", ctypes.c_int64), ("counts", ctypes.c_uint64 * len(_STATES))]


class _Slot(ctypes.Structure):
    """The place of one running task; nothing runs there while `started` is 0."""

    _fields_: ClassVar = [
        ("started", ctypes.c_double),
        ("deadline", ctypes.c_double),
        ("timeout", ctypes.c_double),
        ("grace", ctypes.c_double),
        ("group", ctypes.c_int64),
        ("step", ctypes.c_int64),
        ("name", ctypes.c_char * (LONGEST_TEXT * 4)),  # a character has at most four bytes
    ]


class Phase(IntEnum):
    """How far a child process is."""

    STARTING = 0
    READY = 1
    """It came up: what it dies of from here on is not its start."""
    DONE = 2
    """It ended because nothing was left to do, or because it was asked to."""
    SPENT = 3
    """It ran as many tasks as one process may, and wants to be followed by another."""


@dataclass(frozen=True)
class Run:
    """A task that runs; times are of the system's monotonic clock, which all processes share."""

    task_id: str
    started: float
    deadline: float
    timeout: float
    """How long it may take, in seconds, or its step where that has a time of its own: what the deadline counts."""
    grace: float = 0
    """How much longer it may take to end by itself."""
    group: int = 0
    """Processes that work for it, and must not outlive its worker; 0: none."""
    step: int | None = None
    """Which part of it is worked on, where its handler says so."""

    @property
    def kill_at(self) -> float:
        """When its process has to be ended."""
        return self.deadline + self.grace


class Board:
    """One slot for each task that can run at once, what ended so far, and a flag for being ready."""

    def __init__(self, context: multiprocessing.context.BaseContext, slot_count: int) -> None:
        self._head: Any = context.RawValue(_Head)
        self._slots: Any = context.RawArray(_Slot, slot_count)

    @property
    def phase(self) -> Phase:
        """How far the child is."""
        return Phase(self._head.phase)

    @phase.setter
    def phase(self, phase: Phase) -> None:
        self._head.phase = phase

    def slots(self) -> list[BoardSlot]:
        """Return the places of the tasks that run at once."""
        return [BoardSlot(slot) for slot in self._slots]

    def runs(self) -> Iterator[Run]:
        """Yield what runs."""
        for slot in self._slots:
            seen = bytes(slot)
            shown = _Slot.from_buffer_copy(seen)
            if shown.started and seen == bytes(slot):  # else it is being written just now: it began in this instant
                yield _run(shown)

    def set_counts(self, counts: Mapping[TaskState, int]) -> None:
        """Show how many tasks went where."""
        shown = self._head.counts
        for place, state in enumerate(_STATES):
            shown[place] = counts.get(state, 0)

    def counts(self) -> dict[TaskState, int]:
        """Return how many tasks went where."""
        return {state: number for state, number in zip(_STATES, self._head.counts, strict=True) if number}


class BoardSlot:
    """The place of one running task."""

    def __init__(self, slot: Any) -> None:
        self._slot = slot

    def begin(self, task_id: str, timeout: float | None, grace: float = 0) -> None:
        """Show a task as running."""
        now, slot = time.monotonic(), self._slot
        self.end()
        slot.name = task_id.encode()
        slot.timeout = _NEVER if timeout is None else timeout
        slot.deadline = now + slot.timeout
        slot.grace, slot.group, slot.step = grace, 0, _NO_STEP
        slot.started = now  # the last of all: whoever finds a start finds all that belongs to it

    def begin_step(self, step: int, timeout: float | None) -> None:
        """Show which part of the task is worked on; with a timeout, its deadline starts anew."""
        slot = self._slot
        if timeout is not None:
            slot.deadline = time.monotonic() + timeout  # the first of all: no new step is seen to be overdue
            slot.timeout = timeout
        slot.step = step

    def show_group(self, group: int) -> None:
        """Show which group of processes runs for the task; 0 for none."""
        self._slot.group = group

    def end(self) -> None:
        """Show that nothing runs here."""
        self._slot.started = 0.0


def _run(shown: Any) -> Run:
    return Run(
        task_id=shown.name.decode(errors="replace"),
        started=shown.started,
        deadline=shown.deadline,
        timeout=shown.timeout,
        grace=shown.grace,
        group=shown.group,
        step=None if shown.step == _NO_STEP else shown.step,
    )
