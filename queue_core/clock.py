"""What time is it, in milliseconds that never run backwards?"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Protocol

RESAMPLE_SECONDS = 60.0


class Clock(Protocol):
    """A source of UTC time in whole milliseconds."""

    def now_ms(self) -> int:
        """Return the milliseconds since 1970, never less than before."""


class SystemClock:
    """Wall time at the start plus monotonic time since: a clock set back or forward disturbs nothing."""

    def __init__(self) -> None:
        self._origin_ns = time.time_ns() - time.monotonic_ns()

    def now_ms(self) -> int:
        return (self._origin_ns + time.monotonic_ns()) // 1_000_000


class ServerClock:
    """The clock of a database server, sampled now and then and carried on by monotonic time.

    Asking the server for each statement would cost a round trip; between two samples
    the clocks of two machines drift by far less than a millisecond.
    """

    def __init__(self, sample_ms: Callable[[], int]) -> None:
        self._sample_ms = sample_ms
        self._lock = threading.Lock()
        self._last_ms = 0
        self._sample()

    def _sample(self) -> None:
        before = time.monotonic()
        server_ms = self._sample_ms()
        self._sampled_at = time.monotonic()
        self._origin_ms = server_ms - (before + self._sampled_at) / 2 * 1000

    def now_ms(self) -> int:
        with self._lock:
            if time.monotonic() - self._sampled_at > RESAMPLE_SECONDS:
                self._sample()
            self._last_ms = max(self._last_ms, int(self._origin_ms + time.monotonic() * 1000))
            return self._last_ms


class ManualClock:
    """A clock that moves only when told to: for tests, ours and yours."""

    def __init__(self, now_ms: int = 1_700_000_000_000) -> None:
        self._now_ms = now_ms

    def now_ms(self) -> int:
        return self._now_ms

    def advance(self, seconds: float) -> None:
        """Let time pass."""
        self._now_ms += round(seconds * 1000)
