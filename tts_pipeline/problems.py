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
    told = {failure.number: failure for batch in shelf.batches(book) for failure in batch.failures}
    for task in discarded(shelf.queue, book):
        if task.name == RENDER:
            told = {failure.number: failure for failure in _fatal(task)} | told
    return [told[number] for number in sorted(told)]


def discarded(queue: Queue, book: Book) -> Iterator[Task]:
    """Give the tasks of a book's revision that nobody will try any more, unless they are resumed."""
    after = None
    while page := queue.list(state=TaskState.DISCARDED, group_id=book.group_id, limit=_PAGE, after=after):
        yield from page
        after = page[-1].id


def _fatal(task: Task) -> Iterator[Failure]:
    """Give the sentence at which the last worker of a task died or hung: it could not tell of it."""
    last = task.errors[-1] if task.errors else None
    if last is None or last.step is None:
        return
    for item in task.items_as(Item):
        if item.number == last.step:
            yield Failure(item.number, item.text, last.message)
