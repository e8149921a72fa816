"""How does a book leave the shelf, and what of it stays?

Its clips and chapters stay in the store until it is cleaned: the same file, ingested again, finds them there.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Connection, delete, select, update

from tts_pipeline.errors import BookNotFound
from tts_pipeline.publication import STAGING, Files, remove_empty
from tts_pipeline.shelf import Book, Publication, Shelf
from tts_pipeline.shelf.schema import (
    batches,
    books,
    edits,
    encoded_chapters,
    publications,
    revisions,
    sources,
    watched,
)
from tts_pipeline.shelf.shelf import book_of, publication_of
from tts_pipeline.written_paths import path_of


@dataclass(frozen=True)
class Removed:
    """What was taken away."""

    book: Book
    files: tuple[Path, ...]
    """Published files that were deleted."""
    kept: tuple[Path, ...]
    """Published files that stayed."""
    task_count: int
    """How many tasks were called off."""


def remove(shelf: Shelf, book: Book, *, with_files: bool) -> Removed:
    """Take a book off the shelf and call off its tasks; with its files, delete what was published of it.

    Nobody can publish it or take its folder meanwhile. Raises BookNotFound where somebody was faster.
    """
    with shelf.changing() as connection:
        row = connection.execute(select(books).where(books.c.id == book.id).with_for_update()).one_or_none()
        if row is None:
            raise BookNotFound(book.id)
        now = book_of(row)
        files = tuple(_published(now, _publications(connection, now)))
        _forget(connection, now)
        if with_files:
            _delete(now, files)
    # A worker that claims one of them before this finds no book, and calls it off itself.
    tasks = shelf.queue.cancel(group_id=now.group_id)
    shelf.queue.unpause(group_id=now.group_id)
    deleted, kept = (files, ()) if with_files else ((), files)
    return Removed(now, deleted, kept, len(tasks))


def published_files(shelf: Shelf, book: Book) -> list[Path]:
    """Return the files that are there of a published book."""
    return list(_published(book, shelf.publications(book.id)))


def _publications(connection: Connection, book: Book) -> list[Publication]:
    query = select(publications).where(publications.c.book_id == book.id).order_by(publications.c.place)
    return [publication_of(row) for row in connection.execute(query)]


def _published(book: Book, wanted: list[Publication]) -> Iterator[Path]:
    for each in wanted:
        if each.file:
            yield from (file for file in Files.published(book, each).all if file.is_file())


def _forget(connection: Connection, book: Book) -> None:
    """Delete all rows of a book. A watched folder does not take its file in again before that changes."""
    for table in (sources, batches, encoded_chapters, publications, revisions, edits):
        connection.execute(delete(table).where(table.c.book_id == book.id))
    connection.execute(update(watched).where(watched.c.book_id == book.id).values(book_id=None))
    connection.execute(delete(books).where(books.c.id == book.id))


def _delete(book: Book, files: tuple[Path, ...]) -> None:
    """Delete published files, and the folders of the book where nothing else is in them."""
    for file in files:
        file.unlink(missing_ok=True)
    folder = path_of(book.folder)
    for left in folder.glob(f"{STAGING}*"):
        shutil.rmtree(left, ignore_errors=True)
    remove_empty(*({file.parent for file in files} - {folder}), folder, folder.parent)
