"""A workbench for tests of the stages: a queue in memory, a store in a folder, and workers that run here and now."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from queue_core import Queue, Task, TaskState, WorkSummary
from queue_core.running import Running, Slot, current
from queue_core.testing import drain
from tts_pipeline.book_settings import BookSettings, Publishing, Speech
from tts_pipeline.ingest import Asked, Ingest, Ingested
from tts_pipeline.lexicon import Lexicon
from tts_pipeline.orders import Effort, Terms, capability
from tts_pipeline.shelf import Book, Shelf
from tts_pipeline.stages.handlers import made
from tts_pipeline.store import Store

ENGINES = frozenset(map(capability, ("tone", "espeak", "pyttsx3", "moody")))
M4B, MP3 = Publishing(), Publishing(format="mp3")


@dataclass
class Bench:
    """Everything that a book needs."""

    folder: Path
    queue: Queue
    store: Store
    shelf: Shelf
    terms: Terms = field(default_factory=Terms)
    lexicon: Lexicon = field(default_factory=Lexicon)

    @classmethod
    def at(cls, folder: Path, queue: Queue) -> Bench:
        return cls(folder, queue, Store.open(folder / "store"), Shelf.open(queue))

    def settings(self, **speech: object) -> BookSettings:
        said = Speech(**{"engine": "tone", **speech})
        return BookSettings(speech=said, outputs=str(self.folder / "outputs"))

    def write(self, text: str, name: str = "walk.txt") -> Path:
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return path

    def ingest(
        self, source: Path | list[Path], settings: BookSettings | None = None, *wanted: Publishing, batch_size: int = 4
    ) -> Ingested:
        paths = source if isinstance(source, list) else [source]
        asked = Asked(paths, settings or self.settings(), wanted or [M4B])
        return self.ingesting(batch_size)(asked)

    def ingesting(self, batch_size: int = 4) -> Ingest:
        return Ingest(self.shelf, self.store, self.terms, batch_size, self.lexicon)

    def work(self, effort: Effort | None = None, *, most: int = 1000) -> WorkSummary:
        return drain(self.queue, made(self.store, effort or Effort()), capabilities=ENGINES, most=most)

    def handle(self, task: Task, *, slot: Slot | None = None, is_draining: bool = False) -> Any:
        """Run a handler as its worker would, and return or raise what it does."""
        token = current.set(Running(task, slot, self.queue, is_draining=is_draining))
        try:
            return made(self.store, Effort())[task.name].function(task)
        finally:
            current.reset(token)

    def complete(self, task: Task) -> None:
        self.queue.mark_as_complete(task, result=self.handle(task))

    def run(self, path: Path, settings: BookSettings | None = None, *wanted: Publishing) -> Book:
        book = self.ingest(path, settings, *wanted).book
        self.work()
        return book

    def claim(self, *names: str, worker_id: str = "w") -> Task | None:
        """Take one task as a worker does that has all voices."""
        claimed = self.queue.claim(1, worker_id=worker_id, names=names, capabilities=ENGINES)
        return claimed[0] if claimed else None

    def tasks(self, book: Book, name: str) -> list[Task]:
        return self.queue.list(name=name, group_id=book.group_id, limit=1000)

    def states(self, book: Book) -> dict[str, set[TaskState]]:
        found: dict[str, set[TaskState]] = {}
        for task in self.queue.list(group_id=book.group_id, limit=1000):
            found.setdefault(task.name, set()).add(task.state)
        return found
