"""What can be asked of the shelf, and what do workers write into it?"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple, Self

from sqlalchemy import Connection, Row, Select, select, text, update

from queue_core import Queue, Task
from tts_pipeline.errors import BookNotFound, Overtaken, Superseded
from tts_pipeline.shelf.rows import Batch, Book, EncodedRow, Failure, Publication, Rendition
from tts_pipeline.shelf.schema import batches, books, encoded_chapters, is_prepared, prepare, publications, sources

_LOCK = 7_370_617_333
"""Of PostgreSQL, for whoever puts something on the shelf."""


class Mended(NamedTuple):
    """A clip that was rendered again: for which item of which batch."""

    batch: int
    place: int
    rendition: Rendition


class Attempted(NamedTuple):
    """What became of a batch."""

    renditions: Sequence[Rendition | None]
    failures: Sequence[Failure]
    spent_ms: int
    """How long a worker was busy with it since the last time."""


class Shelf:
    """The books in a queue's database."""

    def __init__(self, queue: Queue) -> None:
        self.queue = queue

    @classmethod
    def open(cls, queue: Queue) -> Self:
        """Make or check the tables; raises ShelfTooNew."""
        shelf = cls(queue)
        with shelf.reading() as connection:
            is_ready = is_prepared(connection)
        if not is_ready:
            with shelf.changing() as connection:
                prepare(connection)
        return shelf

    @contextmanager
    def changing(self) -> Iterator[Connection]:
        """Open a transaction of which there is one at a time, whoever else puts books on this shelf."""
        with self.queue.transaction() as connection:
            if connection.dialect.name == "postgresql":  # SQLite has one writer anyway
                connection.execute(text(f"SELECT pg_advisory_xact_lock({_LOCK})"))
            yield connection

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Give a connection that sees one state of the shelf."""
        with self.queue.reading() as connection:
            yield connection

    def book(self, book_id: str) -> Book:
        """Return a book; raises BookNotFound."""
        found = self._books(select(books).where(books.c.id == book_id))
        if not found:
            raise BookNotFound(book_id)
        return found[0]

    def books(self) -> list[Book]:
        """Return all books, the oldest first."""
        return self._books(select(books).order_by(books.c.id))

    def known(self, content: str, settings: str) -> Book | None:
        """Return the book that was made of this content with these settings."""
        found = self._books(select(books).where(books.c.content == content, books.c.settings == settings))
        return found[0] if found else None

    def _books(self, query: Select[Any]) -> list[Book]:
        with self.reading() as connection:
            return [book_of(row) for row in connection.execute(query)]

    def batches(self, book: Book, chapter: int | None = None) -> list[Batch]:
        """Return the batches of a book, or of one of its chapters, in order."""
        query = select(batches).where(batches.c.book_id == book.id, batches.c.revision == book.revision)
        if chapter is not None:
            query = query.where(batches.c.chapter == chapter)
        with self.reading() as connection:
            return [batch_of(row) for row in connection.execute(query.order_by(batches.c.number))]

    def batch(self, book: Book, number: int) -> Batch:
        """Return one batch of a book."""
        mine = (batches.c.book_id == book.id, batches.c.revision == book.revision, batches.c.number == number)
        with self.reading() as connection:
            return batch_of(connection.execute(select(batches).where(*mine)).one())

    def failures(self, book: Book) -> list[Failure]:
        """Return the sentences of a book that failed in their last attempt."""
        mine = (batches.c.book_id == book.id, batches.c.revision == book.revision, batches.c.failures != "[]")
        with self.reading() as connection:
            found = connection.scalars(select(batches.c.failures).where(*mine).order_by(batches.c.number))
            return [Failure(*one) for each in found for one in json.loads(each)]

    def encoded(self, book: Book, encoding: str) -> list[EncodedRow]:
        """Return the chapters of a book as they are encoded in one way, in order."""
        of_book = (encoded_chapters.c.book_id == book.id, encoded_chapters.c.revision == book.revision)
        query = select(encoded_chapters).where(*of_book, encoded_chapters.c.encoding == encoding)
        with self.reading() as connection:
            return [_encoded_of(row) for row in connection.execute(query.order_by(encoded_chapters.c.chapter))]

    def publications(self, book_id: str) -> list[Publication]:
        """Return the formats of a book, in the order in which they were asked for."""
        query = select(publications).where(publications.c.book_id == book_id).order_by(publications.c.place)
        with self.reading() as connection:
            return [publication_of(row) for row in connection.execute(query)]

    def paths(self, book_id: str) -> list[str]:
        """Return the files that a book was made of."""
        with self.reading() as connection:
            return list(connection.scalars(select(sources.c.path).where(sources.c.book_id == book_id)))

    def made_of(self, path: str) -> list[str]:
        """Return the ids of the books that were made of a file."""
        with self.reading() as connection:
            return list(connection.scalars(select(sources.c.book_id).where(sources.c.path == path)))

    def record_batch(
        self,
        task: Task,
        book: Book,
        number: int,
        made: Attempted,
    ) -> None:
        """Write what became of a batch; raises LeaseLost where the task is somebody else's by now."""
        mine = (batches.c.book_id == book.id, batches.c.revision == book.revision, batches.c.number == number)
        with self._under_lease(task) as connection:
            values = {**written(made.renditions, made.failures), "spent_ms": batches.c.spent_ms + made.spent_ms}
            connection.execute(update(batches).where(*mine).values(**values))

    def record_mended(self, task: Task, book: Book, mended: Sequence[Mended]) -> None:
        """Write clips that were rendered again; raises LeaseLost where the task is somebody else's by now."""
        with self._under_lease(task) as connection:
            for number in sorted({each.batch for each in mended}):
                of_book = (batches.c.book_id == book.id, batches.c.revision == book.revision)
                mine = (*of_book, batches.c.number == number)
                batch = batch_of(connection.execute(select(batches).where(*mine).with_for_update()).one())
                renditions = list(batch.renditions)
                for each in mended:
                    if each.batch == number:
                        renditions[each.place] = each.rendition
                is_whole = sum(made is not None for made in renditions) == batch.sentence_count
                values = written(renditions, () if is_whole else batch.failures)
                connection.execute(update(batches).where(*mine).values(**values))

    def record_encoded(self, task: Task, book: Book, encoding: str, made: EncodedRow, spent_ms: int = 0) -> None:
        """Write where an encoded chapter lies; raises LeaseLost where the task is somebody else's by now."""
        chapters = encoded_chapters.c
        of_book = (chapters.book_id == book.id, chapters.revision == book.revision, chapters.encoding == encoding)
        facts = {"key": made.key, "missing": json.dumps(made.missing)}
        values = {**facts, "spent_ms": chapters.spent_ms + spent_ms}
        with self._under_lease(task) as connection:
            mine = (*of_book, chapters.chapter == made.chapter)
            connection.execute(update(encoded_chapters).where(*mine).values(**values))

    @contextmanager
    def publishing(self, task: Task, book: Book, made: Publication) -> Iterator[None]:
        """Note that files were put in their place, which happens inside: nobody else can publish this book meanwhile.

        Raises LeaseLost where the task is somebody else's by now, Superseded where the book has another revision,
        Overtaken where the file is wanted otherwise, or would have holes and is there without.
        """
        values = {name: getattr(made, name) for name in ("published_revision", "file", "seconds", "missing_count")}
        mine = (publications.c.book_id == book.id, publications.c.format == made.format)
        now = self.queue.clock.now_ms()
        with self._under_lease(task) as connection:
            current = connection.scalar(select(books.c.revision).where(books.c.id == book.id).with_for_update())
            if current != book.revision:
                raise Superseded(book.id, book.revision)
            if _is_overtaken(publication_of(connection.execute(select(publications).where(*mine)).one()), made):
                raise Overtaken(book.id, made.format)
            yield
            connection.execute(update(publications).where(*mine).values(published_at=now, **values))

    @contextmanager
    def _under_lease(self, task: Task) -> Iterator[Connection]:
        """Open a transaction in which a task is still its worker's, and stays so to the end."""
        with self.queue.transaction() as connection:
            self.queue.fence(task, connection=connection)
            yield connection


def book_of(row: Row[Any]) -> Book:
    """Return a book from its row."""
    return Book(**_columns(row))


def batch_of(row: Row[Any]) -> Batch:
    """Return a batch from its row."""
    return Batch(
        number=row.number,
        chapter=row.chapter,
        sentence_count=row.sentence_count,
        task_id=row.task_id,
        rendered_count=row.rendered_count,
        sample_count=row.sample_count,
        renditions=tuple(Rendition(*one) if one else None for one in json.loads(row.renditions)),
        failures=tuple(Failure(*one) for one in json.loads(row.failures)),
    )


def written(renditions: Sequence[Rendition | None], failures: Sequence[Failure]) -> dict[str, Any]:
    """Return what became of a batch, as it lies in its row."""
    made = [rendition for rendition in renditions if rendition]
    return {
        "rendered_count": len(made),
        "sample_count": sum(rendition.sample_count for rendition in made),
        "renditions": json.dumps(renditions, separators=(",", ":")),
        "failures": json.dumps(failures, ensure_ascii=False),
    }


def _is_overtaken(found: Publication, made: Publication) -> bool:
    """Say whether what lies there is better than what was made, or something else is wanted."""
    is_there = found.published_revision == made.published_revision
    return found.wanted != made.wanted or (is_there and found.missing_count == 0 and bool(made.missing_count))


def publication_of(row: Row[Any]) -> Publication:
    """Return a publication from its row."""
    return Publication(**{name: value for name, value in _columns(row).items() if name != "book_id"})


def _columns(row: Row[Any]) -> dict[str, Any]:
    return dict(zip(row._fields, row, strict=True))


def _encoded_of(row: Row[Any]) -> EncodedRow:
    return EncodedRow(row.chapter, row.key, tuple(json.loads(row.missing or "[]")))
