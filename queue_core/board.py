"""What is a child process doing right now, as its supervisor sees it even when the child hangs or is dead?

A few bytes of shared memory for each task that can run at once. Writing there costs a microsecond
and needs no help from the reader.
"""

from __future__ import annotations

import multiprocessing.context
import struct
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from queue_core.bounds import LONGEST_TEXT

_HEAD = struct.Struct("dd i")  # started, deadline, length of the id
_SLOT = _HEAD.size + LONGEST_TEXT * 4  # a character has at most four bytes
_NEVER = float("inf")


@dataclass(frozen=True)
class Run:
    """A task that runs; times are of the system's monotonic clock, which all processes share."""

    task_id: str
    started: float
    deadline: float

    @property
    def timeout(self) -> float:
        """How long it may take, in seconds."""
        return self.deadline - self.started


class Board:
    """One slot for each task that can run at once, and a flag for being ready."""

    def __init__(self, context: multiprocessing.context.BaseContext, slot_count: int) -> None:
        self._slot_count = slot_count
        self._bytes: Any = context.RawArray("c", 1 + slot_count * _SLOT)

    def set_ready(self) -> None:
        """Say that the child came up: what it dies of from here on is not its start."""
        self._bytes[0] = b"\1"

    def is_ready(self) -> bool:
        """Return whether the child came up."""
        return bool(self._bytes[0] == b"\1")

    def begin(self, slot: int, task_id: str, timeout: float | None) -> None:
        """Show a task as running."""
        now, name, at = time.monotonic(), task_id.encode(), 1 + slot * _SLOT
        self.end(slot)
        self._bytes[at + _HEAD.size : at + _HEAD.size + len(name)] = name
        # The head comes last: whoever finds a start finds the id that belongs to it.
        self._bytes[at : at + _HEAD.size] = _HEAD.pack(now, now + (_NEVER if timeout is None else timeout), len(name))

    def end(self, slot: int) -> None:
        """Show that nothing runs here."""
        at = 1 + slot * _SLOT
        self._bytes[at : at + _HEAD.size] = bytes(_HEAD.size)

    def runs(self) -> Iterator[Run]:
        """Yield what runs."""
        for at in range(1, len(self._bytes), _SLOT):
            started, deadline, length = _HEAD.unpack(self._bytes[at : at + _HEAD.size])
            if started:
                name = self._bytes[at + _HEAD.size : at + _HEAD.size + length]
                yield Run(name.decode(errors="replace"), started, deadline)

    def next_deadline(self) -> float:
        """Return when the first of what runs is overdue; infinity where nothing can be."""
        return min((run.deadline for run in self.runs()), default=_NEVER)
