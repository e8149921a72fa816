"""How does a book, or a new revision of one, get its place on the shelf?

Everything happens in the caller's transaction, which enqueues the tasks too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import count
from os import path as os_path
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, delete, exists, insert, select, update
from ulid import ULID

from tts_pipeline.book_settings import BookSettings
from tts_pipeline.drafting import Draft, DraftBatch
from tts_pipeline.errors import Superseded
from tts_pipeline.manifest import Source
from tts_pipeline.names import book_folder
from tts_pipeline.report.published import source_of
from tts_pipeline.shelf.history import begin_revision, end_revision
from tts_pipeline.shelf.rendered import Rendered
from tts_pipeline.shelf.rows import Batch, Book
from tts_pipeline.shelf.schema import batches, books, encoded_chapters, publications, sources
from tts_pipeline.shelf.shelf import book_of
from tts_pipeline.shelf.shelf import written as rendered
from tts_pipeline.written_paths import path_of, written

REPORT = "report.json"


@dataclass(frozen=True)
class Placement:
    """What is to be placed."""

    draft: Draft
    source: Source
    settings: BookSettings
    manifest: str
    """Where all of it lies in the store."""
    wording: str
    priority: int
    reason: str
    """Why a book that is there gets another revision."""
    before: Book | None = None
    """The book of which it is the next revision, as it was when that was decided."""
    rendered: Rendered = field(default_factory=Rendered)
    """What that revision has rendered."""


@dataclass(frozen=True)
class Placed:
    """A book on the shelf, and what is known of its batches."""

    book: Book
    is_new: bool
    batches: tuple[Batch, ...] = ()
    """Those that have renditions need no task: the revision before had the same."""
    superseded: str | None = None
    """The group of tasks that nobody needs any more."""
    is_paused: bool = False

    @property
    def kept_count(self) -> int:
        """How many sentences need not be rendered."""
        return sum(batch.rendered_count for batch in self.batches)


def place(connection: Connection, placement: Placement, now: int) -> Placed:
    """Make a book, or the next revision of one; where its content is known already, that book stays as it is.

    Raises Superseded where the book that is to be revised has another revision by now, or where the file was made into
    a book meanwhile.
    """
    same = (books.c.content == placement.source.sha256, books.c.settings == placement.settings.digest())
    found = connection.execute(select(books).where(*same)).one_or_none()
    if found is not None and (placement.before is None or found.id != placement.before.id):
        return Placed(book_of(found), is_new=False)
    before = _unchanged(connection, placement)
    book = _revised(connection, before, placement, now) if before else _inserted(connection, placement, now)
    remember_path(connection, placement.source.path, book.settings, book.id)
    made = tuple(_batch(drafted, placement) for drafted in placement.draft.batches)
    group_id, is_paused = (before.group_id, before.is_paused) if before else (None, False)
    placed = Placed(book, is_new=True, batches=made, superseded=group_id, is_paused=is_paused)
    begin_revision(connection, book, placement.reason if before else "first read", placed.kept_count)
    return placed


def _unchanged(connection: Connection, placement: Placement) -> Book | None:
    """Return the book that is revised, kept from others to the end of the transaction."""
    asked = placement.before
    if asked is None:
        if (known := made_of(connection, placement.source.path, placement.settings.digest())) is not None:
            raise Superseded(known.id, known.revision)
        return None
    row = connection.execute(select(books).where(books.c.id == asked.id).with_for_update()).one_or_none()
    if row is None or row.revision != asked.revision:
        raise Superseded(asked.id, asked.revision)
    return book_of(row)


def remember_path(connection: Connection, path: str, settings: str, book_id: str) -> None:
    """Note which book a file was made into; each book is named by a file that it is made of, if there is one."""
    mine = (sources.c.path == path, sources.c.settings == settings)
    before = connection.scalar(select(sources.c.book_id).where(*mine))
    connection.execute(delete(sources).where(*mine))
    connection.execute(insert(sources).values(path=path, settings=settings, book_id=book_id))
    for each in {before, book_id} - {None}:
        files = connection.scalars(select(sources.c.path).where(sources.c.book_id == each).order_by(sources.c.path))
        there = [file for file in files if os_path.exists(path_of(file))]  # noqa: PTH110 (it never raises)
        if there:
            stale = (books.c.id == each, books.c.path.not_in(there))
            connection.execute(update(books).where(*stale).values(path=there[0]))


def made_of(connection: Connection, path: str, settings: str) -> Book | None:
    """Return the book that a file was made into with these settings, unless it is that of other files too."""
    mine = (sources.c.path == path, sources.c.settings == settings)
    book_id = connection.scalar(select(sources.c.book_id).where(*mine))
    if book_id is None or has_others(connection, book_id, path):
        return None
    row = connection.execute(select(books).where(books.c.id == book_id)).one_or_none()
    return book_of(row) if row else None


def left_by(connection: Connection, path: str, settings: str) -> Book | None:
    """Return the book that a file was made into before it became the same as another one, if it is nobody's now."""
    is_some_ones = exists().where(sources.c.book_id == books.c.id)
    mine = (books.c.path == path, books.c.settings == settings, ~is_some_ones)
    row = connection.execute(select(books).where(*mine).order_by(books.c.updated_at.desc())).first()
    return book_of(row) if row else None


def has_others(connection: Connection, book_id: str, path: str) -> bool:
    """Say whether a book is that of another file too; one that was moved away is none."""
    paths = connection.scalars(select(sources.c.path).where(sources.c.book_id == book_id))
    return any(other != path and os_path.exists(path_of(other)) for other in paths)  # noqa: PTH110 (it never raises)


def _inserted(connection: Connection, placement: Placement, now: int) -> Book:
    folder = written(next(_free_folders(connection, placement)))
    facts = {**_facts(placement, now), "priority": placement.priority}
    book = Book(id=str(ULID()), revision=1, folder=folder, created_at=now, **facts)
    connection.execute(insert(books).values(**_columns(book)))
    return book


def _folder(connection: Connection, placement: Placement, before: Book) -> str:
    """Return where a known book is published: where it was, unless books are published elsewhere by now."""
    if path_of(before.folder).is_relative_to(path_of(placement.settings.outputs)):
        return before.folder
    return written(next(_free_folders(connection, placement)))


def _revised(connection: Connection, before: Book, placement: Placement, now: int) -> Book:
    priority = min(before.priority, placement.priority)  # the more urgent: somebody may have asked for that
    folder = _folder(connection, placement, before)
    book = replace(before, revision=before.revision + 1, folder=folder, priority=priority, **_facts(placement, now))
    if folder != before.folder:  # what was published stays where it is, and nothing of it is in the new one
        nothing = dict.fromkeys(("published_revision", "published_at", "file", "seconds", "missing_count"))
        connection.execute(update(publications).where(publications.c.book_id == book.id).values(**nothing))
    end_revision(connection, before)
    connection.execute(update(books).where(books.c.id == book.id).values(**_columns(book)))
    for table in (batches, encoded_chapters):
        connection.execute(delete(table).where(table.c.book_id == book.id))  # nobody asks for an old revision
    return book


def _facts(placement: Placement, now: int) -> dict[str, Any]:
    drafted = placement.draft
    return {
        "content": placement.source.sha256,
        "settings": placement.settings.digest(),
        "manifest": placement.manifest,
        "path": placement.source.path,
        "title": drafted.title,
        "author": drafted.author,
        "language": drafted.language,
        "chapter_count": len(drafted.chapters),
        "sentence_count": drafted.sentence_count,
        "expected_ms": drafted.expected_ms,
        "wording": placement.wording,
        "updated_at": now,
    }


def _columns(book: Book) -> dict[str, Any]:
    return {column.name: getattr(book, column.name) for column in books.columns}


def _free_folders(connection: Connection, placement: Placement) -> Iterator[Path]:
    """Give folders that no other book has, the nicest name first."""
    taken = {folder.casefold() for folder in connection.scalars(select(books.c.folder))}  # on some disks they are one
    outputs, draft = path_of(placement.settings.outputs), placement.draft
    for number in count(1):
        folder = book_folder(outputs, draft.author, draft.title, number=number)
        if written(folder).casefold() not in taken and _is_free(folder, placement.source.path):
            yield folder


def _is_free(folder: Path, path: str) -> bool:
    """Say whether a folder holds nothing of somebody else's; what was made of the same file may be replaced."""
    if not folder.exists():
        return True
    if not folder.is_dir():
        return False
    seen = [each for each in folder.iterdir() if not each.name.startswith(".")]
    return not seen or source_of(folder / REPORT) == path


def _batch(drafted: DraftBatch, placement: Placement) -> Batch:
    """Return a batch with what of it needs no rendering."""
    kept = [placement.rendered.of(item, placement.draft.cast) for item in drafted.items]
    made = [rendition for rendition in kept if rendition]
    return Batch(
        number=drafted.number,
        chapter=drafted.chapter,
        sentence_count=drafted.sentence_count,
        rendered_count=len(made),
        sample_count=sum(rendition.sample_count for rendition in made),
        renditions=tuple(kept),
    )


def batch_values(book: Book, batch: Batch) -> dict[str, Any]:
    """Return the row of a batch."""
    return {
        "book_id": book.id,
        "revision": book.revision,
        "number": batch.number,
        "chapter": batch.chapter,
        "sentence_count": batch.sentence_count,
        "task_id": batch.task_id,
        **rendered(batch.renditions, batch.failures),
    }
