"""How long does a failed task wait before it is tried again?"""

from __future__ import annotations

import math
import random

from queue_core.config import QueueConfig

_SHORTEST = 0.001


def backoff(attempt: int, config: QueueConfig, randomness: random.Random | None = None) -> float:
    """Return the seconds to wait after the attempt (from 1) failed.

    The exponent is clamped before it is used: a task that failed a thousand times
    waits for the maximum instead of overflowing.
    """
    delay = min(_exponential(attempt - 1, config), config.max_retry_delay)
    return randomness.uniform(0, delay) if randomness else delay


def _exponential(exponent: int, config: QueueConfig) -> float:
    base, multiplier, most = config.retry_base_delay, config.retry_backoff_multiplier, config.max_retry_delay
    if multiplier == 1 or base < _SHORTEST or base >= most:
        return base
    enough = math.ceil(math.log(most / base, multiplier))
    return float(base * multiplier ** min(max(exponent, 0), enough))
