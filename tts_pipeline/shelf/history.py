"""Which revisions did a book have, why, and what did each of them take?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, func, insert, select, update

from tts_pipeline.shelf.rows import Book
from tts_pipeline.shelf.schema import batches, encoded_chapters, revisions
from tts_pipeline.shelf.shelf import Shelf


@dataclass(frozen=True)
class Revision:
    """One state of a book."""

    revision: int
    reason: str
    created_at: int
    sentence_count: int
    kept_count: int
    """How many of its sentences needed no rendering."""
    spent_ms: int
    """How long workers were busy with it."""


def revisions_of(shelf: Shelf, book: Book) -> list[Revision]:
    """Return all revisions of a book, the first one first."""
    query = select(revisions).where(revisions.c.book_id == book.id).order_by(revisions.c.revision)
    with shelf.reading() as connection:
        spent = {book.revision: spent_ms(connection, book)}
        return [_revision_of(row, spent) for row in connection.execute(query)]


def _revision_of(row: Any, spent: dict[int, int]) -> Revision:
    facts = (row.revision, row.reason, row.created_at, row.sentence_count, row.kept_count)
    return Revision(*facts, spent_ms=spent.get(row.revision, row.spent_ms))


def spent_ms(connection: Connection, book: Book) -> int:
    """Return how long workers were busy with the book as it is now."""
    found = 0
    for table in (batches, encoded_chapters):
        mine = (table.c.book_id == book.id, table.c.revision == book.revision)
        found += int(connection.scalar(select(func.sum(table.c.spent_ms)).where(*mine)) or 0)
    return found


def begin_revision(connection: Connection, book: Book, reason: str, kept_count: int) -> None:
    """Note a revision that has just got its place."""
    values = {
        "book_id": book.id,
        "revision": book.revision,
        "reason": reason,
        "created_at": book.updated_at,
        "sentence_count": book.sentence_count,
        "kept_count": kept_count,
        "spent_ms": 0,
    }
    connection.execute(insert(revisions).values(**values))


def end_revision(connection: Connection, book: Book) -> None:
    """Keep what a revision took, before what it is known from goes."""
    mine = (revisions.c.book_id == book.id, revisions.c.revision == book.revision)
    connection.execute(update(revisions).where(*mine).values(spent_ms=spent_ms(connection, book)))
