"""How long was a worker busy with something?"""

from __future__ import annotations

import time


class Stopwatch:
    """Runs from its beginning."""

    def __init__(self) -> None:
        self._since = time.monotonic()

    def lap_ms(self) -> int:
        """Return the milliseconds since the last time that it was asked, or since it began."""
        before, self._since = self._since, time.monotonic()
        return round(1000 * (self._since - before))
