"""How does a signal reach who waits in a loop?"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType

_HANDLED = [getattr(signal, name) for name in ("SIGTERM", "SIGINT", "SIGHUP") if hasattr(signal, name)]


class Bell:
    """Something that a loop can wait for, and that anybody may ring: another thread, or a signal."""

    def __init__(self) -> None:
        self._reading, self._writing = os.pipe()
        os.set_blocking(self._reading, False)
        os.set_blocking(self._writing, False)
        self.signals: list[int] = []
        """What came so far."""

    def fileno(self) -> int:
        """Return what becomes readable when it rings."""
        return self._reading

    def ring(self) -> None:
        """Wake who waits."""
        with suppress(BlockingIOError):  # it rings already
            os.write(self._writing, b"!")

    def silence(self) -> None:
        """Wait for the next ring from here on."""
        with suppress(BlockingIOError):
            while os.read(self._reading, 1000):
                pass

    def close(self) -> None:
        """Let go of the pipe."""
        os.close(self._reading)
        os.close(self._writing)

    def _on_signal(self, number: int, _: FrameType | None) -> None:
        self.signals.append(number)
        self.ring()

    @contextmanager
    def at_signals(self) -> Iterator[None]:
        """Ring at a signal that asks this program to end; outside of the main thread they are somebody else's."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {number: signal.signal(number, self._on_signal) for number in _HANDLED}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
