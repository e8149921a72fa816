"""Which sentences of a book could not be rendered, and why? What can be tried again?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress

from queue_core import IllegalTransition, Task, TaskNotFound, TaskState
from tts_pipeline.book import Item
from tts_pipeline.book_settings import Publishing
from tts_pipeline.orders import ENCODE, PUBLISH, RENDER, EncodeItem, PublishItem
from tts_pipeline.publication import is_whole
from tts_pipeline.shelf import Book, Failure, Shelf

_PAGE = 500


def problems(shelf: Shelf, book: Book) -> list[Failure]:
    """Return the sentences that failed for good, or failed so far, in the order of the book."""
    told = {failure.number: failure for failure in shelf.failures(book)}
    for task in discarded(shelf, book):
        if task.name == RENDER:
            told = {failure.number: failure for failure in _untold(shelf, book, task)} | told
    return [told[number] for number in sorted(told)]


def discarded(shelf: Shelf, book: Book) -> Iterator[Task]:
    """Give the tasks that a book lacks and that nobody will try any more, unless they are resumed.

    What would make a file that is there whole, or that nobody wants like this any more, is none of them.
    """
    lacking = [
        Publishing.model_validate_json(each.wanted) for each in shelf.publications(book.id) if not is_whole(book, each)
    ]
    after = None
    while page := shelf.queue.list(state=TaskState.DISCARDED, group_id=book.group_id, limit=_PAGE, after=after):
        yield from (task for task in page if _helps(task, lacking))
        after = page[-1].id


def _helps(task: Task, lacking: Sequence[Publishing]) -> bool:
    """Say whether a task makes anything of what is lacking."""
    if task.name == PUBLISH:
        return task.items_as(PublishItem)[0].publishing in lacking
    if task.name == ENCODE:
        return task.items_as(EncodeItem)[0].encoding in [each.encoding for each in lacking]
    return bool(lacking)


def resume(shelf: Shelf, book: Book) -> list[str]:
    """Let what was discarded of a book be tried again; return the ids."""
    resumed = []
    for task in list(discarded(shelf, book)):
        with suppress(IllegalTransition, TaskNotFound):  # somebody else did so in this instant
            shelf.queue.mark_as_resume(task)
            resumed.append(task.id)
    return resumed


def _untold(shelf: Shelf, book: Book, task: Task) -> Iterator[Failure]:
    """Give the sentences of a discarded task of which no attempt could tell: its worker died, or the store failed."""
    batch = shelf.batch(book, int(task.tags["batch"]))
    last = task.errors[-1] if task.errors else None
    for item, made in zip(task.items_as(Item), batch.renditions, strict=True):
        if item.is_heard and made is None:
            is_cause = last is None or last.step in (None, item.number)
            words = last.message.removesuffix(f" at step {last.step}") if last else "its task was discarded"
            yield Failure(item.number, item.text, words if is_cause else f"not tried again: {words}")
