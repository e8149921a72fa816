"""How many tasks of a name may be claimed now, under its limit per minute?

A limit counts claims per second over a sliding minute. A second stays counted until all of
it is a minute old, so no window of 60 seconds ever sees more than the limit.
"""

from __future__ import annotations

WINDOW_SECONDS = 60

Recent = list[tuple[int, int]]
"""The claims of the last minute: (second, count)."""


def current(recent: Recent, now_ms: int) -> Recent:
    """Return what still counts."""
    return [(second, count) for second, count in recent if (second + 1 + WINDOW_SECONDS) * 1000 > now_ms]


def budget(recent: Recent, per_minute: int, now_ms: int) -> int:
    """Return how many more may be claimed now."""
    return max(0, per_minute - sum(count for _, count in current(recent, now_ms)))


def spend(recent: Recent, count: int, now_ms: int) -> Recent:
    """Return the claims of the last minute with `count` more."""
    second = now_ms // 1000
    counted = dict(current(recent, now_ms))
    counted[second] = counted.get(second, 0) + count
    return sorted(counted.items())
