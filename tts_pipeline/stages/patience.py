"""What does a stage do while the store, a disk or the folder of a book is away?

It waits: the task goes back to the queue with all its attempts, since it is not its fault, and comes again a little
later each time. Nothing is given up because a disk is full.
"""

from __future__ import annotations

import errno
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass

from queue_core import Snooze, Task
from queue_core.logs import log
from tts_pipeline.errors import NotStored, StoreFailed

logger = logging.getLogger(__name__)
AWAY = "files are away"
"""The event that is logged."""
_FIRST_SECONDS, _LONGEST_SECONDS = 1.0, 15.0
_FULL = frozenset({errno.ENOSPC, errno.EDQUOT})
_AWAY = _FULL | frozenset(
    getattr(errno, name)
    for name in (
        *("EACCES", "EPERM", "EROFS", "EIO", "ENOTDIR", "ENODEV", "ENXIO"),
        *("ESTALE", "ENOTCONN", "ETIMEDOUT", "EHOSTDOWN", "EHOSTUNREACH", "ENETUNREACH"),
    )
    if hasattr(errno, name)
)
"""What a system says of a folder that it can't reach or write; of names that can't be, it says something else."""


def is_outage(error: BaseException) -> bool:
    """Say whether the store failed or a disk has no room, whatever was tried."""
    if isinstance(error, StoreFailed) or (isinstance(error, OSError) and error.errno in _FULL):
        return True
    return error.__cause__ is not None and is_outage(error.__cause__)


def is_away(error: BaseException) -> bool:
    """Say whether somebody has to bring something back, and nothing is wrong with the task."""
    is_unreachable = isinstance(error, OSError) and error.errno in _AWAY
    return is_unreachable or isinstance(error, NotStored) or is_outage(error)


@dataclass
class Patient:
    """A stage that waits for what is away."""

    stage: Callable[[Task], dict[str, object]]
    now: Callable[[], float] = time.monotonic
    _since: float | None = None

    def __call__(self, task: Task) -> dict[str, object]:
        try:
            result = self.stage(task)
        except Exception as error:
            if not is_away(error):
                raise
            log(logger, logging.WARNING, AWAY, task_id=task.id, reason=_words(error))
            raise Snooze(self._seconds()) from error
        self._since = None
        return result

    def _seconds(self) -> float:
        """Return half of how long it was away so far: what comes back soon is noticed soon."""
        if self._since is None:
            self._since = self.now()
        return min(max(_FIRST_SECONDS, (self.now() - self._since) / 2), _LONGEST_SECONDS)


def _words(error: Exception) -> str:
    if isinstance(error, OSError):
        where = f"{error.filename2 or error.filename}: " if error.filename else ""
        return f"{where}{error.strerror}"
    return str(error)
