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
from typing import Any

from queue_core.bounds import LONGEST_TEXT
from queue_core.states import TaskState

_COUNTS = struct.Struct(f"{len(TaskState)}Q")  # of what ended where
_READY = _COUNTS.size
_SLOTS = _READY + 8
_HEAD = struct.Struct("ddqq")  # started, deadline, group of processes, length of the id
_GROUP = struct.Struct("q")
_GROUP_AT = 16
_SLOT = -(-(_HEAD.size + LONGEST_TEXT * 4) // 8) * 8  # a character has at most four bytes
_NEVER = float("inf")


@dataclass(frozen=True)
class Run:
    """A task that runs; times are of the system's monotonic clock, which all processes share."""

    task_id: str
    started: float
    deadline: float
    group: int = 0
    """Processes that work for it, and must not outlive its worker; 0: none."""

    @property
    def timeout(self) -> float:
        """How long it may take, in seconds."""
        return self.deadline - self.started


class Board:
    """One slot for each task that can run at once, what ended so far, and a flag for being ready."""

    def __init__(self, context: multiprocessing.context.BaseContext, slot_count: int) -> None:
        self._bytes: Any = context.RawArray("c", _SLOTS + slot_count * _SLOT)

    def set_ready(self) -> None:
        """Say that the child came up: what it dies of from here on is not its start."""
        self._bytes[_READY] = b"\1"

    def is_ready(self) -> bool:
        """Return whether the child came up."""
        return bool(self._bytes[_READY] == b"\1")

    def slot(self, number: int) -> BoardSlot:
        """Return the place of one running task."""
        return BoardSlot(self._bytes, _SLOTS + number * _SLOT)

    def runs(self) -> Iterator[Run]:
        """Yield what runs."""
        for at in range(_SLOTS, len(self._bytes), _SLOT):
            started, deadline, group, length = _HEAD.unpack(self._bytes[at : at + _HEAD.size])
            if started:
                name = self._bytes[at + _HEAD.size : at + _HEAD.size + length]
                yield Run(name.decode(errors="replace"), started, deadline, group)

    def next_deadline(self) -> float:
        """Return when the first of what runs is overdue; infinity where nothing can be."""
        return min((run.deadline for run in self.runs()), default=_NEVER)

    def set_counts(self, counts: Mapping[TaskState, int]) -> None:
        """Show how many tasks went where."""
        self._bytes[: _COUNTS.size] = _COUNTS.pack(*(counts.get(state, 0) for state in TaskState))

    def counts(self) -> dict[TaskState, int]:
        """Return how many tasks went where."""
        numbers = _COUNTS.unpack(self._bytes[: _COUNTS.size])
        return {state: number for state, number in zip(TaskState, numbers, strict=True) if number}


class BoardSlot:
    """The place of one running task."""

    def __init__(self, shared: Any, at: int) -> None:
        self._bytes, self._at = shared, at

    def begin(self, task_id: str, timeout: float | None) -> None:
        """Show a task as running."""
        now, name, at = time.monotonic(), task_id.encode(), self._at
        self.end()
        self._bytes[at + _HEAD.size : at + _HEAD.size + len(name)] = name
        # The head comes last: whoever finds a start finds the id that belongs to it.
        deadline = now + (_NEVER if timeout is None else timeout)
        self._bytes[at : at + _HEAD.size] = _HEAD.pack(now, deadline, 0, len(name))

    def show_group(self, group: int) -> None:
        """Show which group of processes runs for the task; 0 for none."""
        at = self._at + _GROUP_AT
        self._bytes[at : at + _GROUP.size] = _GROUP.pack(group)

    def end(self) -> None:
        """Show that nothing runs here."""
        self._bytes[self._at : self._at + _HEAD.size] = bytes(_HEAD.size)
