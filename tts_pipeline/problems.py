"""Which sentences of a book could not be rendered, and why?"""

from __future__ import annotations

from collections.abc import Iterator

from queue_core import Queue, Task, TaskState
from tts_pipeline.book import Item
from tts_pipeline.orders import RENDER
from tts_pipeline.shelf import Book, Failure, Shelf

_PAGE = 500


def problems(shelf: Shelf, book: Book) -> list[Failure]:
    """Return the sentences that failed for good, or failed so far, in the order of the book."""
    told = {failure.number: failure for failure in shelf.failures(book)}
    for task in discarded(shelf.queue, book):
        if task.name == RENDER:
            told = {failure.number: failure for failure in _untold(shelf, book, task)} | told
    return [told[number] for number in sorted(told)]


def discarded(queue: Queue, book: Book) -> Iterator[Task]:
    """Give the tasks of a book's revision that nobody will try any more, unless they are resumed."""
    after = None
    while page := queue.list(state=TaskState.DISCARDED, group_id=book.group_id, limit=_PAGE, after=after):
        yield from page
        after = page[-1].id


def _untold(shelf: Shelf, book: Book, task: Task) -> Iterator[Failure]:
    """Give the sentences of a discarded task of which no attempt could tell: its worker died, or the store failed."""
    batch = shelf.batch(book, int(task.tags["batch"]))
    last = task.errors[-1] if task.errors else None
    for item, made in zip(task.items_as(Item), batch.renditions, strict=True):
        if item.text and made is None:
            is_cause = last is None or last.step in (None, item.number)
            words = last.message.removesuffix(f" at step {last.step}") if last else "its task was discarded"
            yield Failure(item.number, item.text, words if is_cause else f"not tried again: {words}")
