"""How does a thread that waits for tasks learn that there may be some?

Polling stays the truth: a signal that is lost costs one poll interval, never a task.
"""

from __future__ import annotations

import threading
from typing import Any


class Signal:
    """Wakes the waiting threads of this process."""

    def __init__(self) -> None:
        self._condition = threading.Condition()
        self._count = 0

    def seen(self) -> Any:
        """Return a mark of all signals so far; take it before looking for tasks."""
        return self._count

    def notify(self) -> None:
        """Wake everyone who waits."""
        with self._condition:
            self._count += 1
            self._condition.notify_all()

    def wait(self, seen: Any, timeout: float) -> None:
        """Return at the first signal after `seen`, or after `timeout` seconds."""
        with self._condition:
            self._condition.wait_for(lambda: self._count != seen, timeout)

    def close(self) -> None:
        """Let go of what the signal holds."""
