"""How is a book called off, held, or moved ahead, with all that its later revisions will be?

What is decided is written on the shelf first, and then done to the tasks of the book. Where the book moves on to
another revision in that instant, or somebody decides otherwise, it is done once more: whoever comes last looks again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlalchemy import update

from tts_pipeline.errors import BookNotFound
from tts_pipeline.shelf.rows import Book
from tts_pipeline.shelf.schema import books
from tts_pipeline.shelf.shelf import Shelf


def cancel(shelf: Shelf, book: Book) -> list[str]:
    """Call off all open tasks of a book; return those that were, and those whose workers were asked to stop."""
    cancelled: list[str] = []
    _until_settled(shelf, book, lambda now: cancelled.extend(shelf.queue.cancel(group_id=now.group_id)))
    return cancelled


def prioritize(shelf: Shelf, book: Book, level: int) -> list[str]:
    """Give a book another priority; return its tasks that wait, and have it by now."""
    changed: list[str] = []
    _write(shelf, book, {"priority": level})
    _until_settled(shelf, book, lambda now: changed.extend(_reprioritized(shelf, now)))
    return changed


def _reprioritized(shelf: Shelf, book: Book) -> list[str]:
    return shelf.queue.reprioritize(book.priority, group_id=book.group_id)


def set_pause(shelf: Shelf, book: Book, *, is_paused: bool) -> None:
    """Hand out no more tasks of a book, or hand them out again; what runs goes on."""
    _write(shelf, book, {"is_paused": is_paused})
    apply_pause(shelf, book)


def apply_pause(shelf: Shelf, book: Book) -> None:
    """Do to the tasks of a book what the shelf says: hold them, or let them go."""
    queue = shelf.queue
    _until_settled(shelf, book, lambda now: (queue.pause if now.is_paused else queue.unpause)(group_id=now.group_id))


def _write(shelf: Shelf, book: Book, values: dict[str, Any]) -> None:
    """Note what was decided; raises BookNotFound where it is not there any more."""
    with shelf.changing() as connection:
        if not connection.execute(update(books).where(books.c.id == book.id).values(**values)).rowcount:
            raise BookNotFound(book.id)


def _until_settled(shelf: Shelf, book: Book, act: Callable[[Book], object]) -> None:
    """Do something to the tasks of a book, until it is done to those that it has."""
    while True:
        before = shelf.book(book.id)
        act(before)
        after = shelf.book(book.id)
        if _decided(before) == _decided(after):
            return


def _decided(book: Book) -> tuple[object, ...]:
    return book.revision, book.is_paused, book.priority
