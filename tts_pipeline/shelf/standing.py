"""How far is each book, and what is wrong with it?"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from sqlalchemy import Connection, func, literal_column, select

from queue_core import GroupReport, TaskState
from tts_pipeline.shelf.rows import Book, Publication
from tts_pipeline.shelf.schema import batches, encoded_chapters, publications
from tts_pipeline.shelf.shelf import Shelf, publication_of


class State(StrEnum):
    """Where a book stands."""

    QUEUED = "queued"
    RENDERING = "rendering"
    ENCODING = "encoding"
    PUBLISHED = "published"
    INCOMPLETE = "incomplete"
    """Published with holes, as somebody asked for."""
    FAILED = "failed"
    """It can't go on by itself: what failed waits to be resumed."""
    PAUSED = "paused"
    """Somebody held it."""
    CANCELLED = "cancelled"
    """Somebody called it off; the same file again brings it back."""
    STOPPED = "stopped"
    """Nothing is left on the queue that would make it."""


@dataclass(frozen=True)
class Standing:
    """How far one book is."""

    book: Book
    rendered_count: int
    encoded_count: int
    """Chapters, in all ways in which its files take them."""
    encoding_count: int
    """How many that will be in the end."""
    publications: tuple[Publication, ...]

    def narrowed(self, formats: Container[str] | None) -> Standing:
        """Return how far its files of some formats are; None: of all."""
        if formats is None:
            return self
        return replace(self, publications=tuple(each for each in self.publications if each.format in formats))

    @property
    def is_published(self) -> bool:
        """Whether all of its files are of this revision, holes or not."""
        current = [each.published_revision == self.book.revision for each in self.publications]
        return bool(current) and all(current)

    @property
    def chapter_count(self) -> int:
        """How many chapters are encoded, roughly, where they are encoded in several ways."""
        return self.encoded_count * self.book.chapter_count // max(1, self.encoding_count)

    @property
    def missing_count(self) -> int:
        """How many sentences its files lack."""
        return max((each.missing_count or 0 for each in self.publications), default=0)

    @property
    def is_whole(self) -> bool:
        """Whether all of its files are there with every sentence in them."""
        return self.is_published and not self.missing_count

    @property
    def share(self) -> float:
        """How much of the work is done, from 0 to 1."""
        if self.is_published:
            return 1.0
        rendering = self.rendered_count / max(1, self.book.sentence_count)
        return min(0.99, 0.7 * rendering + 0.3 * self.encoded_count / max(1, self.encoding_count))

    @property
    def seconds(self) -> float:
        """How long what was rendered lasts, or the whole book once it is published."""
        return float(max((each.seconds or 0 for each in self.publications), default=0))


def standings(shelf: Shelf, books: Sequence[Book]) -> list[Standing]:
    """Return how far books are, as one look at the database shows it."""
    ids = [book.id for book in books]
    with shelf.reading() as connection:
        rendered = {(row[0], row[1]): row[2] for row in _rendered(connection, ids)}
        encoded = {(row[0], row[1]): row[2:] for row in _encoded(connection, ids)}
        known = _publications(connection, ids)
    made = []
    for book in books:
        sentences = rendered.get((book.id, book.revision), 0)
        done, of_all = encoded.get((book.id, book.revision), (0, 0))
        made.append(Standing(book, sentences, done, of_all, tuple(known.get(book.id, ()))))
    return made


def state_of(shelf: Shelf, standing: Standing) -> State:
    """Say where a book stands, which its tasks know."""
    group_id = standing.book.group_id
    return state_with(standing, shelf.queue.groups([group_id])[group_id])


def is_set_aside(shelf: Shelf, standing: Standing) -> bool:
    """Say whether somebody paused or cancelled a book, so that nobody waits for it."""
    return state_of(shelf, standing) in {State.PAUSED, State.CANCELLED}


def state_with(standing: Standing, tasks: GroupReport) -> State:
    """Say where a book stands whose tasks stand so."""
    if standing.is_published:
        return State.INCOMPLETE if standing.missing_count else State.PUBLISHED
    if standing.book.is_paused and tasks.open_count:
        return State.PAUSED
    if tasks.is_at_rest:
        return _resting(tasks)
    if standing.rendered_count == standing.book.sentence_count:
        return State.ENCODING
    return State.RENDERING if standing.rendered_count or tasks.counts[TaskState.PROCESSING] else State.QUEUED


def _resting(tasks: GroupReport) -> State:
    """Say why nothing happens to a book: what waits for a task that failed is still open."""
    if tasks.counts[TaskState.CANCELLED] and not tasks.open_count:
        return State.CANCELLED
    return State.FAILED if tasks.counts[TaskState.DISCARDED] else State.STOPPED


def failure_counts(shelf: Shelf, books: Sequence[Book]) -> dict[str, int]:
    """Return how many sentences of books failed in their last attempt, by book; those that have none are left out."""
    found: Counter[str] = Counter()
    ids, current = [book.id for book in books], {book.id: book.revision for book in books}
    table = batches.c
    failed = (table.book_id.in_(ids), table.failures != literal_column("'[]'"))  # as the index has it
    with shelf.reading() as connection:
        for book_id, revision, failures in connection.execute(
            select(table.book_id, table.revision, table.failures).where(*failed)
        ):
            if revision == current[book_id]:
                found[book_id] += len(json.loads(failures))
    return found


def _rendered(connection: Connection, ids: Iterable[str]) -> Sequence[Any]:
    table = batches.c
    query = select(table.book_id, table.revision, func.sum(table.rendered_count)).where(table.book_id.in_(ids))
    return connection.execute(query.group_by(table.book_id, table.revision)).all()


def _encoded(connection: Connection, ids: Iterable[str]) -> Sequence[Any]:
    table = encoded_chapters.c
    query = select(table.book_id, table.revision, func.count(table.key), func.count()).where(table.book_id.in_(ids))
    return connection.execute(query.group_by(table.book_id, table.revision)).all()


def _publications(connection: Connection, ids: Iterable[str]) -> dict[str, list[Publication]]:
    query = select(publications).where(publications.c.book_id.in_(ids)).order_by(publications.c.place)
    found: dict[str, list[Publication]] = {}
    for row in connection.execute(query):
        found.setdefault(row.book_id, []).append(publication_of(row))
    return found
