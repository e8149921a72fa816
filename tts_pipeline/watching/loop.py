"""When is a watched folder looked at again?

As soon as the system tells of a change in it, and when a file that was changing may have settled. Now and then all the
same: where many files change at once, systems forget to tell of some.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from watchfiles import Change, watch
from watchfiles._rust_notify import WatchfilesRustInternalError

from queue_core import BackendUnavailable
from tts_pipeline.disks import is_remote
from tts_pipeline.errors import StoreFailed
from tts_pipeline.shelf.standing import Standing
from tts_pipeline.watching.endings import Event, Hooks, ended
from tts_pipeline.watching.watcher import Watcher

_TICK_MS = 200
_GATHER_MS = 50
"""Changes that come closer together are looked at together."""
_LONGEST_SECONDS = 60.0
"""Between two looks at a folder in which nothing seems to happen."""
_AFTER_FAILURE_SECONDS = 5.0
_UNTOLD_SECONDS = 1.0
"""Between two looks at a folder of which the system does not tell."""
_ENDINGS_SECONDS = 1.0
_ENDINGS_SHARE = 0.01
"""How much of its time it asks how far books are, at most."""


@dataclass
class Loop:
    """Looks at a folder until it is told to stop."""

    watcher: Watcher
    tell: Callable[[Standing, Event], object]
    """Told of each book that came to its end."""
    hooks: Hooks = field(default_factory=Hooks)
    now: Callable[[], float] = time.monotonic
    _stopping: threading.Event = field(default_factory=threading.Event)
    _look_at: float = 0.0
    _ask_at: float = 0.0
    _failure: StoreFailed | BackendUnavailable | None = None
    _failing_since: float = 0.0

    def run(self) -> None:
        """Look at once, and then whenever there is a reason."""
        self.tick(is_changed=True)
        while not self._stopping.is_set():
            for is_changed in self._changes(self.watcher.root):
                self.tick(is_changed=is_changed)

    def run_until_settled(self) -> None:
        """Look until nothing in the folder changes any more; raises what went wrong for longer than an outage may."""
        self.tick(is_changed=True)
        while not self.is_settled and not self._stopping.wait(_TICK_MS / 1000):
            self.tick()
            if self._failure and self.now() - self._failing_since > self.watcher.settings.outage_timeout:
                raise self._failure

    def stop(self) -> None:
        """Let `run` end soon; safe to call from any thread."""
        self.watcher.is_leaving = True
        self._stopping.set()

    def tick(self, *, is_changed: bool = False) -> None:
        """Do what is due."""
        try:
            if is_changed or self.now() >= self._look_at:
                self._look()
            if self.now() >= self._ask_at:
                self.ask()
        except (StoreFailed, BackendUnavailable) as error:
            self._look_at = self._ask_at = self.now() + _AFTER_FAILURE_SECONDS
            if self._failure is None:
                self._failing_since = self.now()
            if str(error) != str(self._failure):
                self.watcher.say(f"{error}: waiting")
            self._failure = error

    @property
    def is_settled(self) -> bool:
        """Whether all that is in the folder was taken in, or refused, as it looks now."""
        return self._failure is None and self._look_at > self.now() and self.watcher.settling.seconds_left() is None

    def ask(self) -> None:
        """Find out which books came to their end."""
        began = self.now()
        for one, event in ended(self.watcher.shelf, self.ids(), self.hooks):
            self.tell(one, event)
        self._ask_at = self.now() + max(_ENDINGS_SECONDS, (self.now() - began) / _ENDINGS_SHARE)

    def ids(self) -> set[str]:
        """Return the books of the folder."""
        return {each.book_id for each in self.watcher.known().values() if each.book_id}

    def _look(self) -> None:
        self.watcher.look()
        left = self.watcher.settling.seconds_left()
        self._look_at = self.now() + (_LONGEST_SECONDS if left is None else max(0.0, left))
        self._failure = None

    def _changes(self, root: Path) -> Iterator[bool]:
        """Say now and then whether something changed; ends where the system has to be asked anew to tell."""
        asked = _identity(root)
        is_changed = True  # of what happened before it was asked, it tells nothing
        with suppress(WatchfilesRustInternalError, OSError, UnicodeEncodeError):  # a name that is no text, or no room
            for changes in self._told(root) if asked else ():
                yield is_changed or any(self.watcher.concerns(Path(path)) for _, path in changes)
                is_changed = False
                if (Change.deleted, str(root)) in changes or _identity(root) != asked:  # another may be in its place
                    return
        yield is_changed
        self._stopping.wait(_UNTOLD_SECONDS)

    def _told(self, root: Path) -> Iterator[set[tuple[Change, str]]]:
        """Give what the system tells, and nothing now and then."""
        yield from watch(
            root,
            watch_filter=None,
            debounce=_GATHER_MS,
            step=_GATHER_MS,
            stop_event=self._stopping,
            rust_timeout=_TICK_MS,
            yield_on_timeout=True,
            raise_interrupt=False,
            force_polling=is_remote(root) or None,
            ignore_permission_denied=True,
        )


def _identity(folder: Path) -> tuple[int, int] | None:
    """Return what is another where a folder was replaced; None where there is none."""
    try:
        found = folder.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino
