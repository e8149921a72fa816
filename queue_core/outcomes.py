"""How can a handler end, other than by a value or an error?

Each can be raised or returned.
"""

from __future__ import annotations


class Outcome(Exception):
    """What a handler decided about its task."""


class Snooze(Outcome):
    """Not now: try again in some seconds. It costs no attempt."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"snoozed for {seconds:g} s")
        self.seconds = seconds


class Cancel(Outcome):
    """Nobody needs this any more: end it as CANCELLED, and what waits for it too."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Discard(Outcome):
    """Trying again can't help: end it as DISCARDED, with the reason."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason
