"""Does something that is away keep everything from moving, and for how long?

The store, a disk, the folder of a book or the database: workers say what they wait for.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from queue_core import TaskState

if TYPE_CHECKING:
    from queue_core import Queue

_MOST_RUNNING = 1000
_SAY_AGAIN_SECONDS = 60.0
"""Workers find out one after another, and again and again: people are told once."""


@dataclass
class Outage:
    """What is said to be away, and since when nothing moves."""

    patience: float
    """How long nothing may move, in seconds."""
    now: Callable[[], float] = time.monotonic
    reason: str = ""
    """What was away last; nothing where nothing ever was."""
    has_won: bool = False
    """Whether nobody waits for it any longer."""
    _since: float | None = None
    _blind_until: float = -math.inf
    """Until when what the queue says of running tasks may be old."""
    _told_at: float | None = None
    _done_count: int = 0

    def note(self, reason: str, *, is_queue: bool = False) -> bool:
        """Note what a worker waits for, or that it is the queue itself; return whether it is news."""
        if is_queue:
            self._blind_until = math.inf
        self.reason = reason
        if self._since is None:
            self._since = self.now()
        is_news = self._told_at is None or self.now() - self._told_at > _SAY_AGAIN_SECONDS
        self._told_at = self.now()
        return is_news

    def note_back(self) -> None:
        """Note that the queue can be written again; where its disk is full, that is not for long."""
        self._blind_until = self.now() + self.patience

    def look(self, counts: Mapping[TaskState, int], queue: Queue) -> None:
        """Find out whether anything moves: a task ended since the last look, or one runs longer than in vain."""
        done = sum(count for state, count in counts.items() if state is not TaskState.PENDING)
        if done != self._done_count or (self._since is not None and self._is_any_at_work(queue)):
            self._since = None
        self._done_count = done

    def _is_any_at_work(self, queue: Queue) -> bool:
        if self.now() < self._blind_until:
            return False  # what runs by its word may have ended long ago
        latest = queue.clock.now_ms() - 1000 * self.patience / 2
        running = queue.list(state=TaskState.PROCESSING, limit=_MOST_RUNNING)
        return any(task.attempted_at is not None and task.attempted_at < latest for task in running)

    def is_too_long(self) -> bool:
        """Return whether there is no use in waiting any longer; once it is so, it stays so."""
        if self._since is not None and self.now() - self._since >= self.patience:
            self.has_won = True
        return self.has_won
