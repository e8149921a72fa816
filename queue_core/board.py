"""What is a child process doing right now, as its supervisor sees it even when the child hangs or is dead?

A few bytes of shared memory for each task that can run at once. Writing there costs a microsecond
and needs no help from the reader.
"""

from __future__ import annotations

import multiprocessing.context
import struct
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from queue_core.bounds import LONGEST_TEXT
from queue_core.states import TaskState

_COUNTS = struct.Struct(f"{len(TaskState)}Q")  # of what ended where
_PHASE = _COUNTS.size
_SLOTS = _PHASE + 8
_HEAD = struct.Struct("ddqqd")  # deadline, grace, group of processes, length of the id, started
_GROUP = struct.Struct("q")
_GROUP_AT = 16
_STARTED = struct.Struct("d")
_STARTED_AT = 32
"""The last of the head, and written whole, as `pack_into` does: whoever finds a start finds all that belongs to it."""
_SLOT = -(-(_HEAD.size + LONGEST_TEXT * 4) // 8) * 8  # a character has at most four bytes
_NEVER = float("inf")


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
    grace: float = 0
    """How much longer it may take to end by itself."""
    group: int = 0
    """Processes that work for it, and must not outlive its worker; 0: none."""

    @property
    def timeout(self) -> float:
        """How long it may take, in seconds."""
        return self.deadline - self.started

    @property
    def kill_at(self) -> float:
        """When its process has to be ended."""
        return self.deadline + self.grace


class Board:
    """One slot for each task that can run at once, what ended so far, and a flag for being ready."""

    def __init__(self, context: multiprocessing.context.BaseContext, slot_count: int) -> None:
        self._bytes: Any = context.RawArray("c", _SLOTS + slot_count * _SLOT)
        self._slot_count = slot_count

    @property
    def phase(self) -> Phase:
        """How far the child is."""
        return Phase(self._bytes[_PHASE][0])

    @phase.setter
    def phase(self, phase: Phase) -> None:
        self._bytes[_PHASE] = bytes([phase])

    def slots(self) -> list[BoardSlot]:
        """Return the places of the tasks that run at once."""
        return [BoardSlot(self._bytes, _SLOTS + number * _SLOT) for number in range(self._slot_count)]

    def runs(self) -> Iterator[Run]:
        """Yield what runs."""
        for at in range(_SLOTS, len(self._bytes), _SLOT):
            head = self._head(at)
            deadline, grace, group, length, started = _HEAD.unpack(head)
            name = self._bytes[at + _HEAD.size : at + _HEAD.size + length]
            if started and head == self._head(at):  # else it is being written just now: it began in this instant
                yield Run(name.decode(errors="replace"), started, deadline, grace, group)

    def _head(self, at: int) -> bytes:
        return bytes(self._bytes[at : at + _HEAD.size])

    def set_counts(self, counts: Mapping[TaskState, int]) -> None:
        """Show how many tasks went where."""
        _COUNTS.pack_into(self._bytes, 0, *(counts.get(state, 0) for state in TaskState))

    def counts(self) -> dict[TaskState, int]:
        """Return how many tasks went where."""
        numbers = _COUNTS.unpack(self._bytes[: _COUNTS.size])
        return {state: number for state, number in zip(TaskState, numbers, strict=True) if number}


class BoardSlot:
    """The place of one running task."""

    def __init__(self, shared: Any, at: int) -> None:
        self._bytes, self._at = shared, at

    def begin(self, task_id: str, timeout: float | None, grace: float = 0) -> None:
        """Show a task as running."""
        now, name, at = time.monotonic(), task_id.encode(), self._at
        self.end()
        self._bytes[at + _HEAD.size : at + _HEAD.size + len(name)] = name
        deadline = now + (_NEVER if timeout is None else timeout)
        _HEAD.pack_into(self._bytes, at, deadline, grace, 0, len(name), now)

    def show_group(self, group: int) -> None:
        """Show which group of processes runs for the task; 0 for none."""
        _GROUP.pack_into(self._bytes, self._at + _GROUP_AT, group)

    def end(self) -> None:
        """Show that nothing runs here."""
        _STARTED.pack_into(self._bytes, self._at + _STARTED_AT, 0.0)
