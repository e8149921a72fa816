"""Which book does somebody mean?"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from tts_pipeline.errors import AmbiguousBook, BookNotFound
from tts_pipeline.shelf.rows import Book
from tts_pipeline.shelf.shelf import Shelf
from tts_pipeline.written_paths import settled, written


def find_book(shelf: Shelf, name: str) -> Book:
    """Return the book with this id, made of this file, published in this folder, or with this in its title alone.

    Raises BookNotFound, or AmbiguousBook with those that it could be.
    """
    if not name.strip():
        raise BookNotFound(name)  # a part of every title, and an accident
    books = shelf.books()
    path = written(settled(Path(name)))
    made = shelf.made_of(path)
    for found in (
        [book for book in books if book.id == name.upper()],
        [book for book in books if path in {book.path, book.folder}],
        [book for book in books if book.id in made],
        [book for book in books if book.title.casefold() == name.casefold()],
        [book for book in books if name.casefold() in book.title.casefold() or book.id.startswith(name.upper())],
    ):
        if found:
            return _only(name, found)
    raise BookNotFound(name)


def find_books(shelf: Shelf, names: Iterable[str]) -> list[Book]:
    """Return the books with these names, or all where there are none."""
    asked = [find_book(shelf, name) for name in names]
    return list({book.id: book for book in asked}.values()) or shelf.books()


def _only(name: str, found: list[Book]) -> Book:
    if len(found) > 1:
        raise AmbiguousBook(name, [f"{book.title} ({book.id}, {book.folder})" for book in found])
    return found[0]
