"""How does a signal reach who waits in a loop?"""

from __future__ import annotations

import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType

_HANDLED = [getattr(signal, name) for name in ("SIGTERM", "SIGINT", "SIGHUP") if hasattr(signal, name)]


@contextmanager
def held() -> Iterator[None]:
    """Let signals wait while a process starts, which is to admit them when it knows what to do with them."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _HANDLED)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def admit() -> None:
    """Let signals come that were held when this process was started."""
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _HANDLED)


class Bell:
    """Something that a loop can wait for, and that anybody may ring: another thread, or a signal."""

    def __init__(self) -> None:
        # Sockets know that they are closed; the number of a closed pipe may be another file's by now.
        self._reading, self._writing = socket.socketpair()
        self._reading.setblocking(False)
        self._writing.setblocking(False)
        self.signals: list[int] = []
        """What came so far."""

    def fileno(self) -> int:
        """Return what becomes readable when it rings."""
        return self._reading.fileno()

    def ring(self) -> None:
        """Wake who waits."""
        with suppress(OSError):  # it rings already, or nobody waits any more
            self._writing.send(b"!")

    def silence(self) -> None:
        """Wait for the next ring from here on."""
        with suppress(BlockingIOError):
            while self._reading.recv(1000):
                pass

    def close(self) -> None:
        """Ring no more."""
        self._reading.close()
        self._writing.close()

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
