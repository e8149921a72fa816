"""How is a command run when a book is published, or can't be?

As a task of the queue: it is tried again where it fails, and goes on after whatever ended the watcher. The command is
the one that this watcher was started with; the queue holds only which book it is about.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from queue_core import Cancel, Handler, Task, Worker, WorkerSettings
from queue_core.commands import NAME, CommandItem, run_command
from tts_pipeline.errors import BookNotFound
from tts_pipeline.overview import overviews
from tts_pipeline.problems import problems
from tts_pipeline.shelf import Shelf
from tts_pipeline.watching.endings import ANNOUNCE, Announcement, Event, Hooks

_SECONDS = 600.0
"""How long a command may take."""
_SOON_SECONDS = 1.0
"""How long one is waited for in silence."""


@dataclass(frozen=True)
class Announcer:
    """Runs the commands."""

    shelf: Shelf
    commands: Mapping[Event, str]
    folder: str = ""
    """Of whose books they are."""

    @property
    def hooks(self) -> Hooks:
        """What it has commands for."""
        return Hooks(frozenset(self.commands), self.folder)

    def __call__(self, task: Task) -> dict[str, Any]:
        (item,) = task.items_as(Announcement)
        told = f"{json.dumps(self._facts(item), ensure_ascii=False)}\n"
        given = CommandItem(command=self.commands[item.event], stdin=told)
        return run_command(Task(name=NAME, items=[given]), _SECONDS)

    def _facts(self, item: Announcement) -> dict[str, Any]:
        try:
            (one,) = overviews(self.shelf, [self.shelf.book(item.book_id)])
        except BookNotFound as error:
            raise Cancel("the book was removed") from error
        failed = [
            {"sentence": each.number + 1, "text": each.text, "reason": each.reason}
            for each in problems(self.shelf, one.book)
        ]
        return {"event": item.event, **one.facts(), "failed": failed}

    def finish(self) -> None:
        """Run all commands that are to be run, those that failed again."""
        self._worker(until_empty=True).run()

    def _worker(self, *, until_empty: bool = False) -> Worker:
        settings = WorkerSettings(size=1, until_empty=until_empty, capabilities=self.hooks.needs())
        return Worker(self.shelf.queue, {ANNOUNCE: Handler(self, timeout_seconds=_SECONDS)}, settings)

    @contextmanager
    def at_work(self, say: Callable[[str], object]) -> Iterator[None]:
        """Run commands in a thread as long as the block lasts; what runs at its end is finished first, and told of."""
        worker = self._worker()
        thread = threading.Thread(target=worker.run, name="announcer")
        thread.start()
        try:
            yield
        finally:
            worker.drain()
            thread.join(_SOON_SECONDS)
            if thread.is_alive():
                say("waiting for a hook to end; a second Ctrl-C ends it")
            thread.join()
