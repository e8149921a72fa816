"""What does a stage have before it when it works on a task?"""

from __future__ import annotations

from dataclasses import dataclass

from queue_core import Cancel, Task, current_queue
from tts_pipeline.errors import BookNotFound
from tts_pipeline.manifest import Manifest, read_manifest
from tts_pipeline.orders import Effort
from tts_pipeline.render import Renderer
from tts_pipeline.shelf import Book, Shelf
from tts_pipeline.store import Store


@dataclass(frozen=True)
class Desk:
    """A book, and all that is needed to work on it."""

    task: Task
    shelf: Shelf
    store: Store
    book: Book
    manifest: Manifest
    effort: Effort

    @property
    def renderer(self) -> Renderer:
        """Return who renders its sentences."""
        speech = self.manifest.settings.speech
        fallback_engine = self.effort.fallback_engine or speech.fallback_engine
        return Renderer(self.store, speech, self.manifest.cast, fallback_engine)


def desk_for(task: Task, store: Store, effort: Effort) -> Desk:
    """Return the desk for a task; raises Cancel where nobody wants it any more."""
    queue = current_queue()
    assert queue is not None, "a stage runs in a worker"
    shelf = Shelf(queue)
    try:
        book = shelf.book(task.tags["book"])
    except BookNotFound as error:
        raise Cancel("the book was removed") from error
    if str(book.revision) != task.tags["revision"]:
        raise Cancel(f"revision {task.tags['revision']} was superseded by revision {book.revision}")
    return Desk(task, shelf, store, book, read_manifest(store, book.manifest), effort)
