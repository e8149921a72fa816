"""Which tasks are enqueued so that a book, or a format of one, gets made?"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from sqlalchemy import Connection, delete, insert, select, update

from queue_core import Queue, Task, TaskNotFound, TaskState
from tts_pipeline.book import Item
from tts_pipeline.book_settings import Encoding, Publishing
from tts_pipeline.casting import Role
from tts_pipeline.drafting import Draft
from tts_pipeline.errors import Superseded
from tts_pipeline.manifest import read_items, read_manifest
from tts_pipeline.orders import (
    ENCODE,
    PUBLISH,
    RENDER,
    EncodeItem,
    PublishItem,
    Terms,
    encode_task,
    publish_task,
    render_task,
)
from tts_pipeline.problems import discarded
from tts_pipeline.publication import is_whole
from tts_pipeline.shelf import Batch, Book, Shelf
from tts_pipeline.shelf.placing import Placed, batch_values
from tts_pipeline.shelf.schema import batches, books, encoded_chapters, publications
from tts_pipeline.shelf.shelf import publication_of
from tts_pipeline.store import Store

_OPEN = (TaskState.PENDING, TaskState.PROCESSING, TaskState.RETRYABLE)
_RENDERS = frozenset({*_OPEN, TaskState.DISCARDED})
"""The states from which a render task can still do what it is for."""


@dataclass(frozen=True)
class Rendering:
    """What a chapter's encoding waits for."""

    new: Sequence[Task] = ()
    known: Sequence[str] = ()
    """The ids of tasks that are on the queue already."""

    @property
    def ids(self) -> list[str]:
        """Return the ids of all of them."""
        return [*self.known, *(task.id for task in self.new)]


def order_book(
    connection: Connection, placed: Placed, drafted: Draft, wanted: Sequence[Publishing], terms: Terms
) -> list[Task]:
    """Return all tasks of a new revision, and note them on the shelf; the caller enqueues them."""
    book, terms = placed.book, replace(terms, priority=placed.book.priority)
    made = {batch.number: batch.items for batch in drafted.batches}
    of_chapter = {number: list(found) for number, found in groupby(placed.batches, key=lambda batch: batch.chapter)}

    def rendering(chapter: int) -> Rendering:
        opened = (batch for batch in of_chapter.get(chapter, ()) if not batch.is_whole)
        return Rendering([_render(book, batch, made[batch.number], drafted.cast, terms) for batch in opened])

    formats = [*wanted, *_others(connection, book, wanted)]
    tasks = list(_in_order(book, rendering, formats, terms, allow_missing=False))
    ids = {int(task.tags["batch"]): task.id for task in tasks if task.name == RENDER}
    rows = [batch_values(book, replace(batch, task_id=ids.get(batch.number))) for batch in placed.batches]
    if rows:
        connection.execute(insert(batches), rows)
    _note(connection, book, formats, tasks)
    return tasks


@dataclass(frozen=True)
class Wish:
    """Which files of a known book are wanted, and how."""

    book: Book
    wanted: Sequence[Publishing]
    terms: Terms
    allow_missing: bool = False


def order_publications(shelf: Shelf, store: Store, wish: Wish) -> list[str]:
    """Enqueue what files of a known book need that are neither there nor on their way; return the tasks.

    Raises Superseded where the book has another revision by now.
    """
    book, terms = wish.book, wish.terms.for_book(wish.book)
    if is_all_there(shelf, wish):
        return []
    rendering = _nothing if wish.allow_missing else _Left(shelf, store, book, terms).of_chapter
    with shelf.changing() as connection:
        if connection.scalar(select(books.c.revision).where(books.c.id == book.id)) != book.revision:
            raise Superseded(book.id, book.revision)
        missing = [each for each in wish.wanted if not _is_settled(connection, shelf.queue, wish, each)]
        tasks = list(_in_order(book, rendering, missing, terms, allow_missing=wish.allow_missing))
        for task in tasks:
            if task.name == RENDER:
                _assign(connection, book, task)
        _note(connection, book, missing, tasks)
        return shelf.queue.enqueue(tasks, connection=connection)


def order_assembly(shelf: Shelf, store: Store, book: Book, terms: Terms, *, allow_missing: bool) -> None:
    """Enqueue what is needed to publish a book in all of its formats; encodings that failed are tried again."""
    for task in discarded(shelf, book):
        if task.name in {ENCODE, PUBLISH}:
            shelf.queue.mark_as_resume(task)
    wanted = [Publishing.model_validate_json(each.wanted) for each in shelf.publications(book.id)]
    order_publications(shelf, store, Wish(book, wanted, terms, allow_missing=allow_missing))


def is_all_there(shelf: Shelf, wish: Wish) -> bool:
    """Say whether all wanted files stand where they belong, with every sentence in them."""
    there = {each.wanted for each in shelf.publications(wish.book.id) if is_whole(wish.book, each)}
    return all(each.model_dump_json() in there for each in wish.wanted)


def _is_settled(connection: Connection, queue: Queue, wish: Wish, wanted: Publishing) -> bool:
    """Say whether a file is there, or on its way."""
    mine = (publications.c.book_id == wish.book.id, publications.c.format == wanted.format)
    row = connection.execute(select(publications).where(*mine)).one_or_none()
    found = publication_of(row) if row else None
    if found is None or found.wanted != wanted.model_dump_json():
        return False
    return is_whole(wish.book, found) or _is_coming(queue, wish, wanted)


def _in_order(
    book: Book,
    rendering: Callable[[int], Rendering],
    wanted: Sequence[Publishing],
    terms: Terms,
    *,
    allow_missing: bool,
) -> Iterator[Task]:
    """Make tasks in the order in which they are best done; the ids follow it."""
    encoding: dict[Encoding, list[str]] = {each.encoding: [] for each in wanted}
    for chapter in range(book.chapter_count):
        rendered = rendering(chapter)
        yield from rendered.new
        for way, ids in encoding.items():
            order = EncodeItem(encoding=way, chapter=chapter, allow_missing=allow_missing)
            task = encode_task(book, order, rendered.ids, terms)
            ids.append(task.id)
            yield task
    for each in wanted:
        last = PublishItem(publishing=each, allow_missing=allow_missing)
        yield publish_task(book, last, encoding[each.encoding], terms)


def _render(book: Book, batch: Batch, items: Sequence[Item], cast: dict[str, Role], terms: Terms) -> Task:
    return render_task(book, batch.number, items, {cast[item.language] for item in items if item.is_heard}, terms)


def _nothing(_: int) -> Rendering:
    """Wait for nothing: what is missing stays missing."""
    return Rendering()


class _Left:
    """What is still to be rendered of a known book."""

    def __init__(self, shelf: Shelf, store: Store, book: Book, terms: Terms) -> None:
        self._queue, self._store, self._book, self._terms = shelf.queue, store, book, terms
        self._manifest = read_manifest(store, book.manifest)
        of_chapter = groupby(shelf.batches(book), key=lambda batch: batch.chapter)
        self._batches = {number: list(found) for number, found in of_chapter}

    def of_chapter(self, chapter: int) -> Rendering:
        """Return its open tasks, and new ones in the place of those that the queue has forgotten."""
        found = self._batches.get(chapter, [])
        lost = [batch for batch in found if not batch.is_whole and not _can_render(self._queue, batch.task_id)]
        known = [batch.task_id for batch in found if not batch.is_whole and batch not in lost and batch.task_id]
        return Rendering([self._new(batch, chapter) for batch in lost], known)

    def _new(self, batch: Batch, chapter: int) -> Task:
        before = [one for one in self._batches[chapter] if one.number < batch.number]
        start = sum(len(one.renditions) for one in before)
        items = read_items(self._store, self._manifest.chapters[chapter])[start : start + len(batch.renditions)]
        return _render(self._book, batch, items, self._manifest.cast, self._terms)


def _can_render(queue: Queue, task_id: str | None) -> bool:
    try:
        return task_id is not None and _is_wanted(queue.get(task_id), _RENDERS)
    except TaskNotFound:
        return False


def _is_wanted(task: Task, states: Collection[TaskState]) -> bool:
    """Say whether a task is in one of these states, and will not be cancelled by the worker that it is at."""
    return task.state in states and task.cancel_requested_at is None


def _is_coming(queue: Queue, wish: Wish, wanted: Publishing) -> bool:
    """Say whether a task is on the queue, or among the discarded, that will publish it."""
    states = _OPEN if wish.allow_missing else _RENDERS
    for task in queue.list(name=PUBLISH, group_id=wish.book.group_id, limit=1000):
        (item,) = task.items_as(PublishItem)
        if _is_wanted(task, states) and item.publishing == wanted and item.allow_missing == wish.allow_missing:
            return True
    return False


def _others(connection: Connection, book: Book, wanted: Sequence[Publishing]) -> list[Publishing]:
    """Return the other formats in which a book was published: they follow it to the new revision."""
    asked = {each.format for each in wanted}
    return [each for each in wanted_of(connection, book) if each.format not in asked]


def wanted_of(connection: Connection, book: Book) -> list[Publishing]:
    """Return the files that a book has or gets, in the order in which they were asked for."""
    mine = select(publications.c.wanted).where(publications.c.book_id == book.id)
    return [Publishing.model_validate_json(each) for each in connection.scalars(mine.order_by(publications.c.place))]


def _note(connection: Connection, book: Book, wanted: Sequence[Publishing], tasks: Sequence[Task]) -> None:
    """Write which files are wanted, and which chapters are encoded for them."""
    for each in wanted:
        _want(connection, book, each)
    new = {each.encoding.key for each in wanted}
    needed = {each.encoding.key for each in wanted_of(connection, book)}
    of_revision = (encoded_chapters.c.book_id == book.id, encoded_chapters.c.revision == book.revision)
    encoding = encoded_chapters.c.encoding
    connection.execute(delete(encoded_chapters).where(*of_revision, encoding.in_(new) | encoding.not_in(needed)))
    rows = [_encoded_values(book, task.items_as(EncodeItem)[0]) for task in tasks if task.name == ENCODE]
    if rows:
        connection.execute(insert(encoded_chapters), rows)


def _encoded_values(book: Book, item: EncodeItem) -> dict[str, object]:
    return {
        "book_id": book.id,
        "revision": book.revision,
        "encoding": item.encoding.key,
        "chapter": item.chapter,
    }


def _want(connection: Connection, book: Book, wanted: Publishing) -> None:
    values = {"wanted": wanted.model_dump_json(), "published_revision": None}
    mine = (publications.c.book_id == book.id, publications.c.format == wanted.format)
    if connection.execute(update(publications).where(*mine).values(**values)).rowcount:
        return
    places = connection.scalars(select(publications.c.place).where(publications.c.book_id == book.id))
    place = max(places, default=-1) + 1
    connection.execute(insert(publications).values(book_id=book.id, format=wanted.format, place=place, **values))


def _assign(connection: Connection, book: Book, task: Task) -> None:
    mine = (batches.c.book_id == book.id, batches.c.revision == book.revision)
    number = int(task.tags["batch"])
    connection.execute(update(batches).where(*mine, batches.c.number == number).values(task_id=task.id))
