"""Which id does the next task get?

ULIDs are ordered by their millisecond only; ours are ordered within it too, by counting
upwards from a random start, and across a clock that steps back, by staying where they are.
"""

from __future__ import annotations

import os
import threading

from ulid import ULID

from queue_core.clock import Clock, SystemClock

_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_PAIRS = [first + second for first in _ALPHABET for second in _ALPHABET]
_TAIL_BITS = 20  # the last four letters: counted here, the rest comes from python-ulid
_TAIL_SIZE = 1 << _TAIL_BITS


class IdFactory:
    """Makes ULIDs that grow strictly within this process."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self.reset()

    def reset(self) -> None:
        """Forget the sequence: a forked child must not go on with its parent's."""
        self._lock = threading.Lock()
        self._millisecond = -1
        self._head, self._head_text, self._tail = 0, "", 0

    def __call__(self) -> str:
        now = self._clock.now_ms()
        with self._lock:
            if now > self._millisecond:
                self._start(now)
            self._tail += 1
            if self._tail == _TAIL_SIZE:
                self._carry()
            return self._head_text + _PAIRS[self._tail >> 10] + _PAIRS[self._tail & 1023]

    def _start(self, now: int) -> None:
        self._millisecond = now
        value = int(ULID.from_timestamp(now))
        self._set_head(value >> _TAIL_BITS)
        self._tail = value & (_TAIL_SIZE // 2 - 1)

    def _carry(self) -> None:
        self._set_head(self._head + 1)
        self._tail = 0

    def _set_head(self, head: int) -> None:
        self._head = head
        self._head_text = str(ULID.from_int(head << _TAIL_BITS))[:-4]


new_id = IdFactory(SystemClock())
os.register_at_fork(after_in_child=new_id.reset)
