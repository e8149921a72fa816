"""Has somebody finished writing a file?"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from pathlib import Path

from tts_pipeline.watching.sources import Source


class Settling:
    """Remembers since when each source looks as it does."""

    def __init__(self, seconds: float, now: Callable[[], float] = time.monotonic) -> None:
        self._seconds, self._now = seconds, now
        self._since: dict[Path, tuple[str, float]] = {}
        self._is_first_look = True

    def settled(self, found: Iterable[Source]) -> list[tuple[Source, str]]:
        """Return the sources that have not changed for long enough, each with what it looks like."""
        since, settled = {}, []
        for source in found:
            look = source.look()
            if look is None:
                continue
            since[source.path] = began = self._began(source, look)
            if self._now() - began[1] >= self._seconds:
                settled.append((source, look))
        self._since, self._is_first_look = since, False
        return settled

    def seconds_left(self) -> float | None:
        """Return when the next source may be settled; None where all are."""
        now = self._now()
        waiting = [self._seconds - (now - at) for _, at in self._since.values() if now - at < self._seconds]
        return min(waiting, default=None)

    def _began(self, source: Source, look: str) -> tuple[str, float]:
        before = self._since.get(source.path)
        if before is not None and before[0] == look:
            return before
        # What was there before anybody looked is as old as it says; later an old time may be that of a copy at work.
        age = min(map(_age, source.files)) if self._is_first_look else 0.0
        return look, self._now() - max(0.0, age)


def _age(file: Path) -> float:
    try:
        return time.time() - file.stat().st_mtime
    except OSError:
        return 0.0
